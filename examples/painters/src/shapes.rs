//! The outlines that pictures and masks are made of.
//!
//! A picture and its mask are drawn from the same outlines, so that what is seen and what is walked on agree.

/// A place in the picture, in pixels; a pixel's middle lies at a half.
pub(crate) type Point = (f64, f64);

/// A rectangle of the picture: left, top, right and bottom, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

/// The rectangle between two corners.
pub(crate) const fn area(left: f64, top: f64, right: f64, bottom: f64) -> Area {
    Area { left, top, right, bottom }
}

impl Area {
    /// The same rectangle with every side moved inwards.
    pub(crate) const fn inset(self, by: f64) -> Area {
        area(self.left + by, self.top + by, self.right - by, self.bottom - by)
    }

    pub(crate) const fn width(self) -> f64 {
        self.right - self.left
    }

    pub(crate) const fn height(self) -> f64 {
        self.bottom - self.top
    }

    pub(crate) fn middle(self) -> Point {
        ((self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0)
    }

    pub(crate) fn shape(self) -> Shape {
        self.rounded(0.0)
    }

    pub(crate) fn rounded(self, radius: f64) -> Shape {
        Shape::Rounded { area: self, radius }
    }
}

/// An outline that can be filled.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Polygon(Vec<Point>),
    Ellipse { middle: Point, radii: Point },
    Rounded { area: Area, radius: f64 },
    Line { points: Vec<Point>, width: f64 },
}

pub(crate) fn polygon(points: &[Point]) -> Shape {
    Shape::Polygon(points.to_vec())
}

pub(crate) const fn ellipse(x: f64, y: f64, across: f64, down: f64) -> Shape {
    Shape::Ellipse { middle: (x, y), radii: (across, down) }
}

/// A line with round ends and corners.
pub(crate) fn line(points: &[Point], width: f64) -> Shape {
    Shape::Line { points: points.to_vec(), width }
}

impl Shape {
    /// How far a point lies outside the outline; negative inside.
    ///
    /// Ellipses answer with a lower bound of the true distance, which is exact where it matters: at zero.
    pub(crate) fn distance(&self, at: Point) -> f64 {
        match self {
            Shape::Polygon(points) => {
                let edge =
                    closed_edges(points).map(|(a, b)| to_segment(at, a, b)).fold(f64::INFINITY, f64::min);
                if inside_polygon(points, at) { -edge } else { edge }
            }
            Shape::Ellipse { middle, radii } => {
                let (x, y) = ((at.0 - middle.0) / radii.0, (at.1 - middle.1) / radii.1);
                (length(x, y) - 1.0) * radii.0.min(radii.1)
            }
            Shape::Rounded { area, radius } => {
                let (x, y) = area.middle();
                let out_x = (at.0 - x).abs() - area.width() / 2.0 + radius;
                let out_y = (at.1 - y).abs() - area.height() / 2.0 + radius;
                length(out_x.max(0.0), out_y.max(0.0)) + out_x.max(out_y).min(0.0) - radius
            }
            Shape::Line { points, width } => {
                let pairs = points.iter().zip(points.iter().skip(1));
                pairs.map(|(a, b)| to_segment(at, *a, *b)).fold(f64::INFINITY, f64::min) - width / 2.0
            }
        }
    }

    /// Whether a point lies inside.
    pub(crate) fn contains(&self, at: Point) -> bool {
        match self {
            Shape::Polygon(points) => inside_polygon(points, at),
            _ => self.distance(at) < 0.0,
        }
    }

    /// The smallest rectangle around the outline.
    pub(crate) fn bounds(&self) -> Area {
        let around = |points: &[Point]| {
            let start = area(f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY);
            points.iter().fold(start, |a, p| {
                area(a.left.min(p.0), a.top.min(p.1), a.right.max(p.0), a.bottom.max(p.1))
            })
        };
        match self {
            Shape::Polygon(points) => around(points),
            Shape::Ellipse { middle: (x, y), radii: (across, down) } => {
                area(x - across, y - down, x + across, y + down)
            }
            Shape::Rounded { area, .. } => *area,
            Shape::Line { points, width } => around(points).inset(-width / 2.0),
        }
    }

    /// The smallest rectangle around all points that `distance` calls nearer than `margin`.
    pub(crate) fn reach(&self, margin: f64) -> Area {
        let margin = match self {
            Shape::Ellipse { radii: (across, down), .. } => margin * across.max(*down) / across.min(*down),
            _ => margin,
        };
        self.bounds().inset(-margin)
    }

    /// The same outline elsewhere.
    pub(crate) fn moved(&self, x: f64, y: f64) -> Shape {
        let shifted = |points: &[Point]| points.iter().map(|p| (p.0 + x, p.1 + y)).collect();
        match self {
            Shape::Polygon(points) => Shape::Polygon(shifted(points)),
            Shape::Ellipse { middle, radii } => {
                Shape::Ellipse { middle: (middle.0 + x, middle.1 + y), radii: *radii }
            }
            Shape::Rounded { area: a, radius } => Shape::Rounded {
                area: area(a.left + x, a.top + y, a.right + x, a.bottom + y),
                radius: *radius,
            },
            Shape::Line { points, width } => Shape::Line { points: shifted(points), width: *width },
        }
    }
}

fn length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

fn closed_edges(points: &[Point]) -> impl Iterator<Item = (Point, Point)> + '_ {
    points.iter().copied().zip(points.iter().copied().cycle().skip(1))
}

/// Counts the edges to the right of the point: an odd number means inside.
fn inside_polygon(points: &[Point], (x, y): Point) -> bool {
    let crossed = closed_edges(points)
        .filter(|(a, b)| (a.1 > y) != (b.1 > y) && x < a.0 + (y - a.1) / (b.1 - a.1) * (b.0 - a.0));
    crossed.count() % 2 == 1
}

fn to_segment((x, y): Point, a: Point, b: Point) -> f64 {
    let (along_x, along_y) = (b.0 - a.0, b.1 - a.1);
    let square = along_x * along_x + along_y * along_y;
    let share = if square > 0.0 { ((x - a.0) * along_x + (y - a.1) * along_y) / square } else { 0.0 };
    let share = share.clamp(0.0, 1.0);
    length(x - a.0 - share * along_x, y - a.1 - share * along_y)
}
