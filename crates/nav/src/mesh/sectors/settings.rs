//! The settings of a flood.

use super::SectorProblem;
use crate::room::{FloodSettings, LevelGeometry};
use glam::DVec3;

/// The default of the least upward part of a floor's unit normal: slopes up to about 44.8 degrees.
const LEAST_UP: f64 = 0.71;

/// How far a box is swept down at most, in metres.
pub(super) const SWEEP_M: f64 = 6.5;

/// The greatest radius of characters, in boxes. Every box looks at so many boxes around.
const MOST_RADIUS: f64 = 20.0;

/// Differences of heights up to this are rounding, in metres.
pub(super) const SAME_M: f64 = 1e-4;

/// How a level is flooded. Lengths are in metres.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Settings {
    pub starts: Vec<DVec3>,
    pub box_size_m: f64,
    /// A step must rise by less.
    pub step_m: f64,
    /// The headroom that a floor needs, and that of a character that stands. Equal unless characters may crouch.
    pub least_headroom_m: f64,
    pub headroom_m: f64,
    pub least_up: f64,
    pub agent_radius_m: f64,
    pub min_sector_boxes: usize,
    pub min_portal_width_m: f64,
}

impl Settings {
    /// # Errors
    /// If a setting is out of its range.
    pub(super) fn new(level: &LevelGeometry, flood: &FloodSettings) -> Result<Self, SectorProblem> {
        let build = &level.settings;
        let crouch_m = flood.crouch_height_m.unwrap_or(build.agent_height_m);
        let settings = Self {
            starts: flood.starts.clone(),
            box_size_m: flood.box_size_m,
            step_m: build.agent_climb_m,
            least_headroom_m: crouch_m,
            headroom_m: build.agent_height_m,
            least_up: flood.slope_deg.map_or(LEAST_UP, |slope| libm::cos(slope.to_radians()) - 1e-6),
            agent_radius_m: build.agent_radius_m,
            min_sector_boxes: flood.min_sector_boxes,
            min_portal_width_m: flood.min_portal_width_m,
        };
        let (box_size_m, height_m, step_m) = (settings.box_size_m, settings.headroom_m, settings.step_m);
        let most_radius_m = MOST_RADIUS * box_size_m;
        let cases: [(&'static str, f64, f64, f64, String); 7] = [
            ("boxSize", box_size_m, 0.01, 1e3, "from 0.01 to 1000".into()),
            (
                "agentRadius",
                settings.agent_radius_m,
                0.0,
                most_radius_m,
                format!("from 0 to {most_radius_m} ({MOST_RADIUS} times boxSize)"),
            ),
            ("agentHeight", height_m, 0.01, 1e3, "from 0.01 to 1000".into()),
            ("agentClimb", step_m, 0.0, height_m, format!("from 0 to {height_m} (agentHeight)")),
            (
                "crouchHeight",
                crouch_m,
                step_m.max(0.01),
                height_m,
                format!("from {step_m} (agentClimb) to {height_m} (agentHeight)"),
            ),
            ("agentSlope", flood.slope_deg.unwrap_or(0.0), 0.0, 89.9, "from 0 to 89.9".into()),
            ("minPortalWidth", settings.min_portal_width_m, 0.0, 1e3, "from 0 to 1000".into()),
        ];
        match cases.into_iter().find(|&(_, value, least, most, _)| !(least..=most).contains(&value)) {
            Some((name, value, .., range)) => Err(SectorProblem::BadSetting { name, value, range }),
            None => Ok(settings),
        }
    }
}
