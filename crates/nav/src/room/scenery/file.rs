//! The form of hotspots and depth bands in a room file.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::DepthBand;
#[cfg(test)]
use crate::room::MAX_COORDINATE_M;
use crate::room::file::{At, PointFile, default};
use crate::room::mask::file::PaintsFile;
#[cfg(test)]
use crate::room::polygon::MAX_CORNERS;

/// A place to point at and to use. It is painted on the mask or has a polygon; walkable or not, it blocks no character.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schemars(title = "hotspot", rename = "hotspot"))]
pub(in crate::room) struct HotspotFile {
    /// The hotspot's name: scripts are told it. No two hotspots may have the same. Where two lie over each other, the
    /// first one counts.
    pub name: String,
    /// How its pixels are painted on the mask: the value of a channel {"channel": "red", "value": 3}, a bit of one
    /// {"channel": "red", "bit": 7}, a colour "#ff8800", a name from 'colours', or a list of these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paint: Option<PaintsFile>,
    /// The corners, if it is not painted; at least three.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(length(min = 3, max = MAX_CORNERS)))]
    pub polygon: Vec<PointFile>,
    /// Where one stands to use it: the name of a point, or [x, z]. Without it, it cannot be walked to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "At"))]
    pub walk_to: Option<At>,
    /// What the game's pointer is to look like over it, a word of the game's own: "look", "take", "door".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub cursor: Option<String>,
    /// Whether it can be pointed at and used.
    #[serde(default = "default::yes", skip_serializing_if = "is_true")]
    pub enabled: bool,
}

/// A strip of the ground along x in which people are drawn smaller or larger, because it is farther away or nearer. It
/// changes nothing about how they walk.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schemars(title = "depth band", rename = "depthBand"))]
pub(in crate::room) struct DepthBandFile {
    /// The band's name, for scripts: "far pavement".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub name: Option<String>,
    /// From which z to which, in metres. Bands may touch and must not overlap.
    #[cfg_attr(test, schemars(inner(range(min = -MAX_COORDINATE_M, max = MAX_COORDINATE_M))))]
    pub z: [f64; 2],
    /// How large people are drawn, 1 being their size: one number, or two for either end, with all sizes in between.
    pub scale: ScaleFile,
}

/// One size, or two.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
#[cfg_attr(test, schemars(inline))]
pub(in crate::room) enum ScaleFile {
    /// The same everywhere.
    One(#[cfg_attr(test, schemars(range(min = 0.001, max = 100.0)))] f64),
    /// At the first z and at the second.
    Two(#[cfg_attr(test, schemars(inner(range(min = 0.001, max = 100.0))))] [f64; 2]),
}

impl DepthBandFile {
    pub(in crate::room) fn band(&self) -> DepthBand {
        let scale = match self.scale {
            ScaleFile::One(scale) => [scale; 2],
            ScaleFile::Two(scales) => scales,
        };
        DepthBand { name: self.name.clone(), z_m: self.z.map(|z| z + 0.0), scale }
    }

    pub(in crate::room) fn of(band: &DepthBand) -> Self {
        let scale = match band.scale {
            [one, other] if one == other => ScaleFile::One(one),
            two => ScaleFile::Two(two),
        };
        Self { name: band.name.clone(), z: band.z_m, scale }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde wants it so
fn is_true(value: &bool) -> bool {
    *value
}
