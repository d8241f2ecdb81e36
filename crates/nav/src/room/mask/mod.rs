//! Rooms painted as an image: which pixels of a mask are walkable, which belong to areas and hotspots, and how the
//! walking grid is sampled from them. Pixel (px, py) covers x from px / pixelsPerMetre to (px + 1) / pixelsPerMetre,
//! z likewise.

mod channels;
mod edges;
pub(super) mod file;
mod image;
mod paint;
mod pixels;
mod scan;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use glam::DVec2;

pub use self::channels::{Colours, Rgba};
pub(super) use self::image::picture;
pub use self::image::{Image, ImageKind};
pub(super) use self::paint::parse_colour;
pub use self::paint::{Channel, Paint};
pub use self::pixels::Pixels;
pub(super) use self::scan::{Scan, scan};

/// The largest image file that is read, in bytes.
pub const MAX_IMAGE_BYTES: u64 = 64 << 20;

/// The image that a painted room is made from.
#[derive(Debug, Clone, PartialEq)]
pub struct Mask {
    /// The file, relative to the project.
    pub file: String,
    /// The content of the file: a PNG.
    pub png: Arc<[u8]>,
    /// Pixels per metre.
    pub pixels_per_metre: f64,
    /// Pixels with one of these paints are walkable, unless an area is painted over them.
    pub walkable: Vec<Paint>,
    /// What looks like a mistake in it.
    pub odd: Oddities,
    /// The colours, unpacked on first use.
    pub colours: Colours,
}

impl Mask {
    /// The colour of a pixel; `None` outside the image. The first call unpacks the image.
    pub fn colour_at(&self, column: u32, row: u32) -> Option<Rgba> {
        self.colours.at(&self.png, column, row)
    }
}

/// What looks like a mistake in a mask.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Oddities {
    /// Colours without a meaning, if suspiciously many.
    pub strays: Option<Strays>,
    /// Pixels at smoothed edges, if suspiciously many.
    pub smoothed: Option<Smoothed>,
    /// Wholly transparent pixels that are walkable by their colour.
    pub transparent: u64,
    /// The colours of the ground, the most frequent first, if they are a few where one would do.
    pub floors: Vec<FloorColour>,
}

/// A colour of the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FloorColour {
    /// The colour.
    pub colour: [u8; 3],
    /// The number of its pixels.
    pub pixels: u64,
    /// Column and row of the first.
    pub at: [u32; 2],
}

impl From<([u8; 3], (u64, [u32; 2]))> for FloorColour {
    fn from((colour, (pixels, at)): ([u8; 3], (u64, [u32; 2]))) -> Self {
        Self { colour, pixels, at }
    }
}

/// Pixels of a mask with a colour between those on both sides: smoothed edges, most likely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Smoothed {
    /// The number of pixels.
    pub pixels: u64,
    /// The colour of one of them.
    pub colour: [u8; 3],
    /// Column and row of that pixel.
    pub at: [u32; 2],
}

impl fmt::Display for Smoothed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pixels, colour, at: [column, row] } = self;
        let colour = Paint::Colour(*colour);
        write!(
            f,
            "{pixels} pixels at edges have a colour between those beside them, like {colour} at pixel ({column}, {row}); were \
             edges smoothed?"
        )
    }
}

/// Rare colours of a mask without a meaning: remains of smoothed edges, most likely. Their pixels are not walkable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strays {
    /// The number of colours.
    pub colours: usize,
    /// The number of pixels.
    pub pixels: u64,
    /// One of them.
    pub colour: [u8; 3],
    /// Column and row of its first pixel.
    pub at: [u32; 2],
}

impl fmt::Display for Strays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { colours, pixels, colour, at: [column, row] } = self;
        let colour = Paint::Colour(*colour);
        write!(
            f,
            "{pixels} pixels have {colours} rare colours that mean nothing, like {colour} at pixel ({column}, {row}); \
             were edges smoothed? no character can walk there"
        )
    }
}

/// A thing painted on the mask: its paints, and the pixels that have one of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Painted {
    /// The paints of its pixels; any one of them is enough.
    pub paints: Vec<Paint>,
    /// Its pixels; at least one.
    pub pixels: Arc<Pixels>,
}

/// Pieces with more corners than this are drawn and named like a rectangle.
const MOST_CORNERS: usize = 4_000;

impl Painted {
    /// The outline of its largest piece, metres; the rectangle around all pixels if that has too many corners.
    pub(super) fn outline(&self, pixel_m: f64) -> Vec<DVec2> {
        let place = |[x, z]: [u32; 2]| DVec2::new(f64::from(x), f64::from(z)) * pixel_m;
        let largest = self.pixels.outlines().into_iter().next().unwrap_or_default();
        if largest.len() <= MOST_CORNERS {
            return largest.into_iter().map(place).collect();
        }
        let (columns, rows) = (self.pixels.columns(), self.pixels.rows());
        let (left, right, top, bottom) = (columns.start, columns.end, rows.start, rows.end);
        [[left, top], [right, top], [right, bottom], [left, bottom]].map(place).to_vec()
    }

    /// The channel value that identifies it, if its paint is one.
    pub fn id(&self) -> Option<u8> {
        self.paints.iter().find_map(|paint| match paint {
            Paint::Value(_, value) => Some(*value),
            _ => None,
        })
    }
}

/// A place in pixels, not rounded. A place within rounding error of a pixel's edge is moved onto it: px /
/// pixelsPerMetre gives px again.
pub fn in_pixels(place: DVec2, pixels_per_metre: f64) -> DVec2 {
    /// Far above the rounding of a division and a multiplication, and far below any visible distance.
    const HAIR: f64 = 1e-12;
    let exact = place * pixels_per_metre;
    let edge = exact.round();
    let on_edge = (exact - edge).abs().cmple(edge.abs().max(DVec2::ONE) * HAIR);
    DVec2::select(on_edge, edge, exact)
}

/// How nodes are sampled from the pixels of a painted room.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    /// Pixels from one node to the next, at least 1; need not be whole.
    pub rate_px: f64,
    /// Whether nodes are joined with their diagonal neighbours too: eight instead of four.
    pub eight: bool,
    /// Whether all pixels around a node must be walkable, up to half the way to its neighbours; else only the pixel
    /// it stands on.
    pub cover: bool,
}

impl Sampling {
    /// Default number of pixels between two nodes.
    pub const DEFAULT_RATE_PX: f64 = 4.0;

    /// Whether every pixel is a node with eight neighbours: the same as a grid of cells.
    pub fn is_every_pixel(&self) -> bool {
        self.rate_px == 1.0 && self.eight
    }
}

/// How a path of nodes is shortened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shortening {
    /// String pulling: from each corner straight on to the furthest visible point.
    #[default]
    Pull,
    /// A straight line from end to end, or else each half of the path by itself.
    Divide,
}
