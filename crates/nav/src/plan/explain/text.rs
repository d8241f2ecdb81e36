//! The text of an explanation.

use super::{Explanation, Hindrance, LinkHint, Narrow, Side};
use crate::nav::Place;
use std::fmt;

impl Explanation {
    /// The explanation of a goal that can be reached.
    pub(super) fn of_nothing() -> Self {
        let (hindrances, links_that_help) = (Vec::new(), Vec::new());
        Self { hindrances, exact: true, links_that_help, nearest: None, nearest_y_m: None, work: 0 }
    }

    /// Tells areas that the walker may not enter from closed ones, which others may enter once they are open.
    pub(crate) fn tell_barred(&mut self, may_enter: impl Fn(&str) -> bool) {
        let mut told = Vec::new();
        for hindrance in std::mem::take(&mut self.hindrances) {
            let Hindrance::Closed(names) = hindrance else {
                told.push(hindrance);
                continue;
            };
            let (closed, barred): (Vec<String>, Vec<String>) =
                names.into_iter().partition(|name| may_enter(name));
            told.extend((!closed.is_empty()).then_some(Hindrance::Closed(closed)));
            told.extend((!barred.is_empty()).then_some(Hindrance::Barred(barred)));
        }
        self.hindrances = told;
    }

    /// Whether the goal can be reached: there is no hindrance.
    pub fn is_complete(&self) -> bool {
        self.hindrances.is_empty()
    }

    /// The names of the hindrances: closed areas first, then obstacles. For a narrow gap or a covered goal, names the
    /// obstacles; areas only if no obstacle is involved.
    pub fn blocked_by(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for hindrance in &self.hindrances {
            for name in hindrance.names() {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }

    /// The width of the gap that is too narrow, or the distance from the goal to the nearest wall. In metres.
    pub fn gap_m(&self) -> Option<f64> {
        self.widths_m().map(|(gap, _)| gap)
    }

    /// The required width or distance, in metres.
    pub fn needed_m(&self) -> Option<f64> {
        self.widths_m().map(|(_, needed)| needed)
    }

    /// Whether a hindrance is a closed link that is enough, maybe with others that are enough, too.
    fn is_one_of_many(&self, hindrance: &Hindrance) -> bool {
        matches!(hindrance, Hindrance::ClosedLinks(links)
            if matches!(&links[..], [link] if self.links_that_help.contains(link)))
    }

    fn widths_m(&self) -> Option<(f64, f64)> {
        self.hindrances.iter().find_map(|hindrance| match hindrance {
            Hindrance::Narrow(Narrow { widths_m, .. }) => *widths_m,
            Hindrance::Covered { gap_m, needed_m, .. } => gap_m.map(|gap| (gap, *needed_m)),
            _ => None,
        })
    }
}

impl Hindrance {
    fn names(&self) -> Vec<&str> {
        match self {
            Self::Closed(names) | Self::Barred(names) | Self::Plugged(names) => {
                names.iter().map(String::as_str).collect()
            }
            Self::Narrow(Narrow { between: sides, .. }) | Self::Covered { by: sides, .. } => {
                let obstacles: Vec<&str> = sides
                    .iter()
                    .filter_map(|side| match side {
                        Side::Obstacle(name) => Some(name.as_str()),
                        Side::EdgeOf(_) => None,
                    })
                    .collect();
                if obstacles.is_empty() { sides.iter().map(Side::name).collect() } else { obstacles }
            }
            Self::ClosedLinks(links) => links.iter().map(|link| link.name.as_str()).collect(),
            Self::NoGround(_) | Self::Lost { .. } => Vec::new(),
        }
    }
}

impl Side {
    /// The name of the obstacle or area.
    pub fn name(&self) -> &str {
        match self {
            Self::Obstacle(name) | Self::EdgeOf(name) => name,
        }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_complete() {
            return f.write_str("nothing is in the way");
        }
        for (index, hindrance) in self.hindrances.iter().enumerate() {
            let join = if index == 0 { "" } else { ", and " };
            match self.is_one_of_many(hindrance) {
                true => write!(
                    f,
                    "{join}no ground leads there; {} would lead there",
                    either(&self.links_that_help)
                )?,
                false => write!(f, "{join}{hindrance}")?,
            }
        }
        // Nothing but links and areas is in the way then.
        let together = |hindrance: &Hindrance| {
            matches!(hindrance, Hindrance::ClosedLinks(_)) && !self.is_one_of_many(hindrance)
        };
        if self.hindrances.iter().any(together) {
            f.write_str("; open to the character, they would lead there together")?;
        }
        if !self.exact {
            f.write_str(" (fewer might do)")?;
        }
        if !self.links_that_help.is_empty() && !self.hindrances.iter().any(|it| self.is_one_of_many(it)) {
            write!(f, "; {} would help", either(&self.links_that_help))?;
        }
        let Some(at) = self.nearest else { return Ok(()) };
        let place = Place { at: at.at, y_m: self.nearest_y_m };
        write!(f, "; the nearest point that can be reached is {}", in_round_brackets(place))
    }
}

impl fmt::Display for Hindrance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed(names) if names.len() == 1 => write!(f, "the area {} is closed", listed(names)),
            Self::Closed(names) => write!(f, "the areas {} are closed", listed(names)),
            Self::Barred(names) if names.len() == 1 => {
                write!(f, "the area {} is not for this walker", listed(names))
            }
            Self::Barred(names) => write!(f, "the areas {} are not for this walker", listed(names)),
            Self::Plugged(names) if names.len() == 1 => {
                write!(f, "the obstacle {} stands in the way", listed(names))
            }
            Self::Plugged(names) => write!(f, "the obstacles {} stand in the way", listed(names)),
            Self::Narrow(narrow) => write!(f, "{narrow}"),
            Self::Covered { by, gap_m: None, .. } => write!(f, "the goal lies inside {}", sides(by)),
            Self::Covered { by, gap_m: Some(gap), needed_m } => {
                write!(f, "the goal is {gap:.2} m from {} and must be {needed_m:.2} m away", sides(by))
            }
            Self::ClosedLinks(links) => {
                let shut: Vec<String> = links.iter().map(LinkHint::shut).collect();
                f.write_str(&joined(&shut))
            }
            Self::Lost { at, sample_rate } => write!(
                f,
                "the pixels lead there, but at ({:.2}, {:.2}) the way falls between the nodes: \"sampleRate\": \
                 {sample_rate} keeps it",
                at.x, at.y
            ),
            Self::NoGround(crate::nav::NoPath::Unreachable) => {
                f.write_str("no ground leads there, whatever opens")
            }
            Self::NoGround(reason) => f.write_str(reason.describe()),
        }
    }
}

impl LinkHint {
    /// Why it cannot be used.
    fn shut(&self) -> String {
        match self.only_for.as_slice() {
            [] if self.is_open => format!("the link '{}' is not for this walker", self.name),
            [] => format!("the link '{}' is closed", self.name),
            tags => format!("the link '{}' is only for {}", self.name, listed(tags)),
        }
    }
}

impl fmt::Display for LinkHint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.only_for.as_slice() {
            [] if self.is_open => write!(f, "the link '{}', which is not for this walker,", self.name),
            [] => write!(f, "the link '{}', which is closed,", self.name),
            tags => write!(f, "the link '{}', which is only for {},", self.name, listed(tags)),
        }
    }
}

impl fmt::Display for Narrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match self.between.as_slice() {
            [Side::EdgeOf(area)] => format!("the area '{area}'"),
            [Side::Obstacle(name)] => format!("the gap in '{name}'"),
            both => format!("the gap between {}", sides(both)),
        };
        match self.widths_m {
            Some((gap, needed)) => {
                write!(f, "{place} is {gap:.2} m wide and must be more than {needed:.2} m")
            }
            None => write!(f, "{place} is too narrow at ({:.2}, {:.2})", self.at.x, self.at.y),
        }
    }
}

/// `(1.00, 2.00)`, or with the height in the middle.
fn in_round_brackets(place: Place) -> String {
    let (x, z) = (place.at.x, place.at.y);
    match place.y_m {
        Some(y_m) => format!("({x:.2}, {y_m:.2}, {z:.2})"),
        None => format!("({x:.2}, {z:.2})"),
    }
}

/// `'a', 'b' and 'c'`.
fn listed(names: &[String]) -> String {
    joined(&names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>())
}

fn sides(sides: &[Side]) -> String {
    let words = |side: &Side| match side {
        Side::Obstacle(name) => format!("'{name}'"),
        Side::EdgeOf(name) => format!("the edge of '{name}'"),
    };
    joined(&sides.iter().map(words).collect::<Vec<_>>())
}

fn either(links: &[LinkHint]) -> String {
    links.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
}

fn joined(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
