//! Asks what is in the way, and holds the answer against what is expected.

use crate::common::{area, empty_room, picture};
use cicerone::nav::{Position, Query};
use cicerone::plan::{Explanation, explain_path};
use cicerone::room::{Obstacle, Room};
use cicerone::surface::{SearchMemory, Surface};
use glam::{DVec2, dvec2};

/// What is said of the way from S to G in a room.
pub(super) struct Explained {
    pub(super) why: Explanation,
}

/// Explains a picture as [`picture`] reads it: `|` is a closed area, the first one called "door", the second "door2".
pub(super) fn explain(map: &str) -> Explained {
    explain_room(picture(map))
}

pub(super) fn explain_room(room: Room) -> Explained {
    Explained { why: ask(&room, room.points["S"].at, room.points["G"].at) }
}

pub(super) fn ask(room: &Room, from: DVec2, to: DVec2) -> Explanation {
    ask_within(room, from, to, u64::MAX).unwrap()
}

pub(super) fn ask_within(room: &Room, from: DVec2, to: DVec2, most: u64) -> Option<Explanation> {
    explain_path(&Surface::new(room).unwrap(), &query(from, to), &mut SearchMemory::default(), most).ok()
}

pub(super) fn query(from: DVec2, to: DVec2) -> Query {
    Query::new(from, to).with_snap_m(8.0)
}

impl Explained {
    pub(super) fn blocked_by(self, names: &str) -> Self {
        let names: Vec<&str> = names.split_whitespace().collect();
        assert_eq!(self.why.blocked_by(), names, "{}", self.why);
        assert!(self.why.exact, "{}", self.why);
        self
    }

    pub(super) fn nearest(self, x: f64, z: f64) -> Self {
        assert_eq!(self.why.nearest, Some(Position::on_ground(dvec2(x, z))), "{}", self.why);
        self
    }

    pub(super) fn says(self, sentence: &str) -> Self {
        assert_eq!(self.why.to_string(), sentence);
        self
    }

    /// A gap of this width that must be of that.
    pub(super) fn gap(self, gap_m: f64, needed_m: f64) -> Self {
        let (gap, needed) = (self.why.gap_m().unwrap(), self.why.needed_m().unwrap());
        assert!((gap - gap_m).abs() < 1e-9 && (needed - needed_m).abs() < 1e-9, "{}", self.why);
        self
    }
}

pub(super) fn rect(x0: f64, z0: f64, x1: f64, z1: f64) -> Vec<DVec2> {
    vec![dvec2(x0, z0), dvec2(x1, z0), dvec2(x1, z1), dvec2(x0, z1)]
}

/// A hall of 9 m by 4 m with obstacles; from its left to its right.
pub(super) fn hall(obstacles: &[(&str, Vec<DVec2>)]) -> Room {
    let mut room = empty_room();
    room.ground.cell_size_m = 0.1;
    room.areas.push(area("hall", rect(0.0, 0.0, 9.0, 4.0), true));
    room.points.insert("S".into(), dvec2(1.0, 2.0).into());
    room.points.insert("G".into(), dvec2(8.0, 2.0).into());
    for (name, polygon) in obstacles {
        room.obstacles.push(Obstacle { name: (*name).into(), polygon: polygon.clone(), see_through: false });
    }
    room
}

pub(super) fn open_all(room: &mut Room, why: &Explanation) {
    let open: Vec<&str> = why.blocked_by();
    room.areas
        .iter_mut()
        .filter(|area| open.contains(&area.name.as_str()))
        .for_each(|area| area.available = true);
}
