//! What pictures are painted on, with smooth edges, and what masks are stamped on, with hard ones.

use crate::shapes::{Area, Point, Shape, area};

/// A colour while it is being mixed; 0 is none, 255 all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Colour(f64, f64, f64);

/// The colour of a number such as `0xD8C8A8`.
pub(crate) const fn rgb(hex: u32) -> Colour {
    Colour(((hex >> 16) & 255) as f64, ((hex >> 8) & 255) as f64, (hex & 255) as f64)
}

impl Colour {
    /// This colour with a share of another.
    pub(crate) fn mix(self, other: Colour, share: f64) -> Colour {
        let blend = |a: f64, b: f64| a + (b - a) * share;
        Colour(blend(self.0, other.0), blend(self.1, other.1), blend(self.2, other.2))
    }

    pub(crate) fn lighter(self, share: f64) -> Colour {
        self.mix(rgb(0xFFF8E8), share)
    }

    /// Towards a brown black: shadows of pure black look dirty.
    pub(crate) fn darker(self, share: f64) -> Colour {
        self.mix(rgb(0x2A1C1A), share)
    }

    /// Lighter or darker by a signed share, as every plank and every stone differs a little from the next.
    pub(crate) fn varied(self, share: f64) -> Colour {
        if share < 0.0 { self.darker(-share) } else { self.lighter(share) }
    }

    /// As light from a lamp adds up: never beyond white.
    fn lit(self, light: Colour) -> Colour {
        let add = |a: f64, b: f64| 255.0 - (255.0 - a) * (255.0 - b) / 255.0;
        Colour(add(self.0, light.0), add(self.1, light.1), add(self.2, light.2))
    }
}

/// What a shape is filled with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Paint {
    Flat(Colour),
    /// From the first colour at the first height to the second at the second.
    Down(Colour, f64, Colour, f64),
    /// The same, from left to right.
    Across(Colour, f64, Colour, f64),
}

impl From<Colour> for Paint {
    fn from(colour: Colour) -> Paint {
        Paint::Flat(colour)
    }
}

impl Paint {
    fn at(self, (x, y): Point) -> Colour {
        let between = |from: f64, to: f64, here: f64| ((here - from) / (to - from)).clamp(0.0, 1.0);
        match self {
            Paint::Flat(colour) => colour,
            Paint::Down(first, from, second, to) => first.mix(second, between(from, to, y)),
            Paint::Across(first, from, second, to) => first.mix(second, between(from, to, x)),
        }
    }
}

/// How smooth edges are: each pixel on an edge is looked at in so many rows and columns.
const SAMPLES: u32 = 4;

/// A picture in the making.
pub(crate) struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<Colour>,
    /// Nothing is painted outside any of these.
    clips: Vec<Shape>,
}

impl Canvas {
    pub(crate) fn new(width: usize, height: usize, ground: Colour) -> Canvas {
        Canvas { width, height, pixels: vec![ground; width * height], clips: Vec::new() }
    }

    /// Fills a shape, covering what is below.
    pub(crate) fn fill(&mut self, shape: &Shape, paint: impl Into<Paint>) {
        self.glaze(shape, paint, 1.0);
    }

    /// Fills a shape so that what is below shines through.
    pub(crate) fn glaze(&mut self, shape: &Shape, paint: impl Into<Paint>, opacity: f64) {
        let paint = paint.into();
        self.each_pixel(shape.bounds(), |clips, at, pixel| {
            let share = coverage(shape, at) * clipped(clips, at) * opacity;
            *pixel = pixel.mix(paint.at(at), share);
        });
    }

    /// Fills a rectangle.
    pub(crate) fn block(&mut self, area: Area, paint: impl Into<Paint>) {
        self.fill(&area.shape(), paint);
    }

    /// A shadow whose edge is as wide as `softness`.
    pub(crate) fn shadow(&mut self, shape: &Shape, softness: f64, opacity: f64) {
        self.soft(shape, softness, rgb(0x30202A), opacity);
    }

    /// Fills a shape with a blurred edge.
    pub(crate) fn soft(&mut self, shape: &Shape, softness: f64, paint: impl Into<Paint>, opacity: f64) {
        let paint = paint.into();
        self.each_pixel(shape.reach(softness), |clips, at, pixel| {
            let share = fade(shape.distance(at), softness) * clipped(clips, at) * opacity;
            *pixel = pixel.mix(paint.at(at), share);
        });
    }

    /// Light that falls on what is below, with a blurred edge.
    pub(crate) fn light(&mut self, shape: &Shape, softness: f64, colour: Colour, strength: f64) {
        self.each_pixel(shape.reach(softness), |clips, at, pixel| {
            let share = fade(shape.distance(at), softness) * clipped(clips, at) * strength;
            *pixel = pixel.mix(pixel.lit(colour), share);
        });
    }

    /// Paints inside a shape only.
    pub(crate) fn within(&mut self, shape: Shape, paint: impl FnOnce(&mut Canvas)) {
        self.clips.push(shape);
        paint(self);
        self.clips.pop();
    }

    /// The finished picture: three bytes to a pixel.
    pub(crate) fn finish(&self) -> Vec<u8> {
        let byte = |part: f64| (part + 0.5).clamp(0.0, 255.0) as u8;
        self.pixels.iter().flat_map(|c| [byte(c.0), byte(c.1), byte(c.2)]).collect()
    }

    fn each_pixel(&mut self, bounds: Area, mut paint: impl FnMut(&[Shape], Point, &mut Colour)) {
        let bounds = self.clips.iter().map(Shape::bounds).fold(bounds, |a, b| {
            area(a.left.max(b.left), a.top.max(b.top), a.right.min(b.right), a.bottom.min(b.bottom))
        });
        let (columns, rows) = pixel_range(bounds, self.width, self.height);
        for y in rows {
            for x in columns.clone() {
                if let Some(pixel) = self.pixels.get_mut(y * self.width + x) {
                    paint(&self.clips, (x as f64 + 0.5, y as f64 + 0.5), pixel);
                }
            }
        }
    }
}

/// The pixels that a rectangle touches.
fn pixel_range(
    bounds: Area,
    width: usize,
    height: usize,
) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
    let low = |value: f64| value.floor().max(0.0) as usize;
    let high = |value: f64, end: usize| (value.ceil().max(0.0) as usize).min(end);
    (low(bounds.left)..high(bounds.right, width), low(bounds.top)..high(bounds.bottom, height))
}

/// How much of a pixel a shape covers. Only pixels on an edge are looked at closely.
fn coverage(shape: &Shape, (x, y): Point) -> f64 {
    let distance = shape.distance((x, y));
    if distance.abs() > 0.75 {
        return if distance < 0.0 { 1.0 } else { 0.0 };
    }
    let offset = |sample: u32| (f64::from(sample) + 0.5) / f64::from(SAMPLES) - 0.5;
    let rows = (0..SAMPLES).map(offset);
    let hits: usize =
        rows.map(|dy| (0..SAMPLES).filter(|dx| shape.contains((x + offset(*dx), y + dy))).count()).sum();
    hits as f64 / f64::from(SAMPLES * SAMPLES)
}

fn clipped(clips: &[Shape], at: Point) -> f64 {
    clips.iter().map(|clip| coverage(clip, at)).product()
}

/// From all, `softness` inside the edge, to nothing, `softness` outside, without a visible corner.
fn fade(distance: f64, softness: f64) -> f64 {
    let share = (0.5 - distance / (2.0 * softness)).clamp(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}

/// A mask in the making: every pixel has exactly one of the colours stamped on it, never a mixture.
pub(crate) struct Mask<Pixel> {
    width: usize,
    height: usize,
    pixels: Vec<Pixel>,
}

impl<Pixel: Copy> Mask<Pixel> {
    pub(crate) fn new(width: usize, height: usize, ground: Pixel) -> Mask<Pixel> {
        Mask { width, height, pixels: vec![ground; width * height] }
    }

    /// Gives all pixels whose middle lies in the shape one colour.
    pub(crate) fn stamp(&mut self, shape: &Shape, colour: Pixel) {
        self.change(shape, |_| colour);
    }

    /// Changes the pixels whose middle lies in the shape.
    pub(crate) fn change(&mut self, shape: &Shape, change: impl Fn(Pixel) -> Pixel) {
        let (columns, rows) = pixel_range(shape.bounds(), self.width, self.height);
        for y in rows {
            for x in columns.clone() {
                if shape.contains((x as f64 + 0.5, y as f64 + 0.5))
                    && let Some(pixel) = self.pixels.get_mut(y * self.width + x)
                {
                    *pixel = change(*pixel);
                }
            }
        }
    }

    /// The finished mask, row by row.
    pub(crate) fn pixels(&self) -> &[Pixel] {
        &self.pixels
    }
}
