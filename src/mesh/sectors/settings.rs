//! The settings of a flood.

use super::SectorProblem;
use crate::room::{FloodSettings, LevelGeometry};
use glam::DVec3;

/// The default of the least upward part of a floor's unit normal: slopes up to about 44.8 degrees.
const LEAST_UP: f64 = 0.71;

/// How far a box is swept down at most, in metres.
pub(super) const SWEEP_M: f64 = 6.5;

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
        let cases: [(&'static str, f64, f64, f64, &'static str); 7] = [
            ("boxSize", settings.box_size_m, 0.01, 1e3, "from 0.01 to 1000"),
            (
                "agentRadius",
                settings.agent_radius_m,
                0.0,
                20.0 * settings.box_size_m,
                "at most 20 times boxSize",
            ),
            ("agentHeight", settings.headroom_m, 0.01, 1e3, "from 0.01 to 1000"),
            ("crouchHeight", crouch_m, 0.01, settings.headroom_m, "above 0, at most agentHeight"),
            ("agentClimb", settings.step_m, 0.0, crouch_m, "from 0 to the height of a character"),
            ("agentSlope", flood.slope_deg.unwrap_or(0.0), 0.0, 89.9, "from 0 to 89.9"),
            ("minPortalWidth", settings.min_portal_width_m, 0.0, 1e3, "from 0 to 1000"),
        ];
        match cases.into_iter().find(|&(_, value, least, most, _)| !(least..=most).contains(&value)) {
            Some((name, value, .., range)) => Err(SectorProblem::BadSetting { name, value, range }),
            None => Ok(settings),
        }
    }
}
