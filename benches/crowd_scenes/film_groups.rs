//! The colours of a film: people who go the same way share one.

use super::measure::Pose;
use super::scenes::{Errand, Scene};
use glam::DVec2;
use std::f64::consts::TAU;
use std::fmt::Write as _;

/// Colours of groups: of bodies that walk, of bodies at rest, and of edges.
const COLOURS: [[&str; 3]; 4] = [
    ["#4f86bd", "#c9dcee", "#1f4e7d"],
    ["#d58a45", "#f3dcc4", "#8f5218"],
    ["#5d9c67", "#cfe4d2", "#2c6036"],
    ["#9a76b4", "#e0d5e9", "#5d3d77"],
];

/// Those who only stand, and those who are steered by hand.
const STANDS: [&str; 3] = ["#a9a59c", "#d0cdc6", "#5f5b54"];
const STEERED: [&str; 3] = ["#c8434b", "#efc5c8", "#7d1a21"];

/// How a body is drawn. People with the same look are drawn together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Look {
    pub(super) rests: bool,
    pub(super) radius_mm: u32,
    pub(super) colour: &'static str,
    pub(super) pale: &'static str,
    pub(super) edge: &'static str,
}

/// What tells the groups of a scene apart.
pub(super) enum Groups {
    /// Where the goal lies from the start: everybody's group, and the direction of each group.
    Goal(Vec<usize>, Vec<DVec2>),
    /// Where somebody heads now: for those who walk from goal to goal.
    Heading,
    /// How fast they walk: these speeds.
    Speed(Vec<f64>),
}

/// The four sides of the sheet: right, down, left, up.
const SIDES: [DVec2; 4] = [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y];

/// The side that a direction points to.
fn side(direction: DVec2) -> usize {
    match direction.x.abs() >= direction.y.abs() {
        true => 2 * usize::from(direction.x < 0.0),
        false => 1 + 2 * usize::from(direction.y < 0.0),
    }
}

impl Groups {
    pub(super) fn of(scene: &Scene) -> Self {
        let mut speeds: Vec<f64> = scene.room.characters.iter().map(|spec| spec.walk_speed_mps).collect();
        speeds.sort_by(f64::total_cmp);
        speeds.dedup();
        if speeds.len() > 1 {
            return Self::Speed(speeds);
        }
        if scene.errands.iter().any(|errand| matches!(errand, Errand::On(..))) {
            return Self::Heading;
        }
        let people = scene.errands.iter().zip(&scene.room.characters);
        let ways: Vec<Option<DVec2>> = people
            .map(|(errand, spec)| match errand {
                Errand::Once(goal) => (*goal - spec.at.at).try_normalize(),
                _ => None,
            })
            .collect();
        let (groups, directions) = by_direction(&ways);
        Self::Goal(groups, directions)
    }

    pub(super) fn look(&self, scene: &Scene, index: usize, pose: &Pose) -> Look {
        let spec = &scene.room.characters[index];
        let (sin, cos) = libm::sincos(pose.heading_rad);
        let [colour, pale, edge] = match (&scene.errands[index], self) {
            (Errand::Stand, _) => STANDS,
            (Errand::Steer(_), _) => STEERED,
            (_, Self::Goal(groups, _)) => COLOURS[groups[index] % COLOURS.len()],
            (_, Self::Heading) => COLOURS[side(DVec2::new(cos, sin))],
            (_, Self::Speed(speeds)) => {
                let place = speeds.iter().position(|mps| *mps == spec.walk_speed_mps).unwrap_or(0);
                COLOURS[place % COLOURS.len()]
            }
        };
        let rests = !pose.walks && !matches!(scene.errands[index], Errand::Steer(_));
        Look { rests, radius_mm: (spec.collision_radius_m * 1000.0) as u32, colour, pale, edge }
    }

    /// What the colours mean, up to this x.
    pub(super) fn legend(&self, right: f64) -> String {
        let disc = |text: &mut String, x: f64, group: usize, nose: DVec2| {
            let [colour, _, edge] = COLOURS[group % COLOURS.len()];
            let _ = write!(
                text,
                "<circle cx=\"{x:.1}\" cy=\"23\" r=\"7\" fill=\"{colour}\" stroke=\"{edge}\"/>\
                 <path d=\"M{x:.1} 23l{:.1} {:.1}\" stroke=\"{edge}\" stroke-width=\"2\" stroke-linecap=\"round\"/>",
                nose.x * 10.0,
                nose.y * 10.0
            );
        };
        let mut text = String::new();
        let title = match self {
            Self::Speed(speeds) => {
                for (group, mps) in speeds.iter().enumerate() {
                    let x = right - (speeds.len() - group) as f64 * 62.0;
                    disc(&mut text, x, group, DVec2::X);
                    let _ =
                        write!(text, "<text x=\"{:.1}\" y=\"28\" font-size=\"15\">{mps:.1}</text>", x + 16.0);
                }
                let x = right - speeds.len() as f64 * 62.0 - 20.0;
                return text
                    + &format!(
                        "<text x=\"{x:.1}\" y=\"28\" font-size=\"15\" text-anchor=\"end\">speed, m/s</text>\n"
                    );
            }
            Self::Goal(..) => "direction of the goal",
            Self::Heading => "heading",
        };
        let noses = match self {
            Self::Goal(_, directions) => directions.as_slice(),
            _ => &SIDES,
        };
        for (group, &nose) in noses.iter().enumerate() {
            disc(&mut text, right - (noses.len() - 1 - group) as f64 * 32.0 - 10.0, group, nose);
        }
        let x = right - noses.len() as f64 * 32.0 - 2.0;
        text + &format!("<text x=\"{x:.1}\" y=\"28\" font-size=\"15\" text-anchor=\"end\">{title}</text>\n")
    }
}

/// Groups of directions with gaps of 40 degrees between them. Directions all around are four groups. Returns the group of
/// each, and the direction of each group.
fn by_direction(ways: &[Option<DVec2>]) -> (Vec<usize>, Vec<DVec2>) {
    const GAP_RAD: f64 = 40.0 / 180.0 * std::f64::consts::PI;
    // From the upper right on, so that those who go right are the first group.
    let angle = |way: &DVec2| (libm::atan2(way.y, way.x) + TAU + TAU / 8.0) % TAU;
    let mut angles: Vec<f64> = ways.iter().flatten().map(angle).collect();
    angles.sort_by(f64::total_cmp);
    let next = |index: usize| match angles.get(index + 1) {
        Some(angle) => *angle,
        None => angles[0] + TAU,
    };
    // The last angle before each gap.
    let ends: Vec<f64> = (0..angles.len())
        .filter(|&index| next(index) - angles[index] > GAP_RAD)
        .map(|index| angles[index])
        .collect();
    let group = |way: &DVec2| match ends.is_empty() {
        true => side(*way),
        false => ends.iter().position(|end| angle(way) <= *end).unwrap_or(0),
    };
    let groups: Vec<usize> = ways.iter().map(|way| way.as_ref().map_or(0, group)).collect();
    let mut directions = vec![DVec2::ZERO; groups.iter().max().map_or(0, |most| most + 1)];
    for (group, way) in groups.iter().zip(ways) {
        directions[*group] += way.unwrap_or_default();
    }
    (groups, directions.into_iter().map(DVec2::normalize_or_zero).collect())
}
