//! The settings of a build, in the terms of Recast and Unity.

use super::VoxelProblem;

/// How a level is made into a plan. A level is a world in metres with y up.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct VoxelSettings {
    /// The side of a voxel on the plane, in metres. A third of the radius or less keeps doorways open.
    pub cell_size_m: f64,
    /// Surfaces nearer above each other than this are one, in metres.
    pub cell_height_m: f64,
    /// How far the ground stays from walls and drops, in metres.
    pub agent_radius_m: f64,
    /// The headroom that ground needs, in metres.
    pub agent_height_m: f64,
    /// The highest step, in metres.
    pub agent_climb_m: f64,
    /// The steepest slope, in degrees.
    pub agent_slope_deg: f64,
    /// Ground joined to no other ground is left out if it is smaller than this, in square metres.
    pub min_region_m2: f64,
    /// How far a simplified outline may be from the voxels' outline, in cells.
    pub max_edge_error_cells: f64,
    /// Longer edges are split, in metres. 0: never.
    pub max_edge_length_m: f64,
    /// The most corners that a polygon may have.
    pub max_corners: usize,
    /// How far a polygon may be above or below the floor, in metres. Smaller than half a step is not possible.
    pub max_height_error_m: f64,
}

impl Default for VoxelSettings {
    fn default() -> Self {
        Self {
            cell_size_m: 0.15,
            cell_height_m: 0.02,
            agent_radius_m: 0.45,
            agent_height_m: 1.8,
            agent_climb_m: 0.4,
            agent_slope_deg: 45.0,
            min_region_m2: 1.0,
            max_edge_error_cells: 1.3,
            max_edge_length_m: 0.0,
            max_corners: 8,
            max_height_error_m: 0.2,
        }
    }
}

impl VoxelSettings {
    /// Refuses settings that mean nothing.
    pub(super) fn check(&self) -> Result<(), VoxelProblem> {
        let positive = "above 0, at most 1000";
        let from_zero = "from 0 to 1000";
        let cases: [(&'static str, f64, f64, f64, &'static str); 10] = [
            ("cellSize", self.cell_size_m, 1e-3, 1e3, "from 0.001 to 1000"),
            ("cell height", self.cell_height_m, 1e-6, 1e3, positive),
            ("agentRadius", self.agent_radius_m, 0.0, 1e3, from_zero),
            ("agentHeight", self.agent_height_m, 1e-6, 1e3, positive),
            ("agentClimb", self.agent_climb_m, 0.0, 1e3, from_zero),
            ("agentSlope", self.agent_slope_deg, 0.0, 89.9, "from 0 to 89.9"),
            ("smallest region", self.min_region_m2, 0.0, 1e12, "0 or more"),
            ("edge error", self.max_edge_error_cells, 0.0, 3.0, "from 0 to 3"),
            ("edge length", self.max_edge_length_m, 0.0, 1e6, "0 or more"),
            ("height error", self.max_height_error_m, 1e-3, 1e3, "from 0.001 to 1000"),
        ];
        for (name, value, least, most, range) in cases {
            if !(least..=most).contains(&value) {
                return Err(VoxelProblem::BadSetting { name, value, range });
            }
        }
        if !(3..=64).contains(&self.max_corners) {
            let value = self.max_corners as f64;
            return Err(VoxelProblem::BadSetting { name: "corners", value, range: "from 3 to 64" });
        }
        if self.agent_radius_cells() > 200 {
            let (name, value) = ("agentRadius", self.agent_radius_m);
            return Err(VoxelProblem::BadSetting { name, value, range: "at most 200 times cellSize" });
        }
        Ok(())
    }

    /// The radius in whole cells, rounded up. Binary fractions just above a whole number do not count.
    pub(super) fn agent_radius_cells(&self) -> usize {
        (self.agent_radius_m / self.cell_size_m - 1e-3).ceil().max(0.0) as usize
    }
}
