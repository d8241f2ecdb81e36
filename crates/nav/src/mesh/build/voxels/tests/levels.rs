//! Levels as functions.

use glam::DVec3;

/// Triangles that face up or outwards.
#[derive(Debug, Clone, Default)]
pub(super) struct TestLevel {
    pub vertices: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
}

impl TestLevel {
    /// A quadrangle, counter-clockwise seen from its front.
    pub(super) fn quad(&mut self, corners: [DVec3; 4]) -> &mut Self {
        let first = self.vertices.len() as u32;
        self.vertices.extend(corners);
        self.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
        self
    }

    /// Level ground at a height.
    pub(super) fn floor(&mut self, x: [f64; 2], z: [f64; 2], y: f64) -> &mut Self {
        self.slope(x, z, y, y)
    }

    /// Ground that rises along x from one height to another.
    pub(super) fn slope(&mut self, x: [f64; 2], z: [f64; 2], from: f64, to: f64) -> &mut Self {
        let v = DVec3::new;
        self.quad([v(x[0], from, z[0]), v(x[0], from, z[1]), v(x[1], to, z[1]), v(x[1], to, z[0])])
    }

    /// A box between two heights.
    pub(super) fn block(&mut self, x: [f64; 2], z: [f64; 2], y: [f64; 2]) -> &mut Self {
        let v = |i: usize, j: usize, k: usize| DVec3::new(x[i], y[j], z[k]);
        self.quad([v(0, 1, 0), v(0, 1, 1), v(1, 1, 1), v(1, 1, 0)]);
        self.quad([v(0, 0, 0), v(1, 0, 0), v(1, 0, 1), v(0, 0, 1)]);
        self.quad([v(0, 0, 0), v(0, 0, 1), v(0, 1, 1), v(0, 1, 0)]);
        self.quad([v(1, 0, 0), v(1, 1, 0), v(1, 1, 1), v(1, 0, 1)]);
        self.quad([v(0, 0, 0), v(0, 1, 0), v(1, 1, 0), v(1, 0, 0)]);
        self.quad([v(0, 0, 1), v(1, 0, 1), v(1, 1, 1), v(0, 1, 1)])
    }

    /// The level turned and moved.
    pub(super) fn moved(&self, change: impl Fn(DVec3) -> DVec3) -> Self {
        Self {
            vertices: self.vertices.iter().map(|&v| change(v)).collect(),
            triangles: self.triangles.clone(),
        }
    }
}

/// A floor of 20 m by 12 m with boxes.
pub(super) fn plane() -> TestLevel {
    let mut level = TestLevel::default();
    level.floor([0.0, 20.0], [0.0, 12.0], 0.0);
    level.block([4.0, 6.0], [3.0, 5.5], [0.0, 2.0]).block([10.0, 11.3], [6.2, 11.0], [0.0, 1.2]);
    level.moved(|v| v).turned_box([15.0, 4.0], 1.5, 0.6)
}

impl TestLevel {
    /// With a box that stands at an angle.
    pub(super) fn turned_box(mut self, middle: [f64; 2], half: f64, angle: f64) -> Self {
        let mut one = Self::default();
        one.block([-half, half], [-half, half], [0.0, 2.5]);
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        let one = one
            .moved(|v| DVec3::new(middle[0] + v.x * cos - v.z * sin, v.y, middle[1] + v.x * sin + v.z * cos));
        self.add(&one);
        self
    }

    /// Adds another level.
    pub(super) fn add(&mut self, other: &Self) -> &mut Self {
        let first = self.vertices.len() as u32;
        self.vertices.extend(&other.vertices);
        self.triangles.extend(other.triangles.iter().map(|triangle| triangle.map(|v| v + first)));
        self
    }
}

/// Two floors of 6 m, and a ramp between them.
pub(super) fn ramp(degrees: f64) -> TestLevel {
    let rise = 6.0 * libm::tan(degrees.to_radians());
    let mut level = TestLevel::default();
    level.floor([0.0, 6.0], [0.0, 6.0], 0.0);
    level.slope([6.0, 12.0], [0.0, 6.0], 0.0, rise);
    level.floor([12.0, 18.0], [0.0, 6.0], rise);
    level
}

/// Two floors, and eight steps between them.
pub(super) fn stairs(riser: f64) -> TestLevel {
    let mut level = TestLevel::default();
    level.floor([0.0, 6.0], [0.0, 6.0], 0.0);
    for step in 0..8 {
        let x = 6.0 + f64::from(step) * 0.35;
        level.block([x, x + 0.35], [0.0, 6.0], [-1.0, f64::from(step + 1) * riser]);
    }
    level.block([8.8, 15.0], [0.0, 6.0], [-1.0, 8.0 * riser]);
    level
}

/// A floor with a block over its middle.
pub(super) fn tunnel(height: f64) -> TestLevel {
    let mut level = TestLevel::default();
    level.floor([0.0, 18.0], [0.0, 6.0], 0.0);
    level.block([6.0, 12.0], [-1.0, 7.0], [height, height + 1.0]);
    level
}

/// A floor, and a table on it.
pub(super) fn table() -> TestLevel {
    let mut level = TestLevel::default();
    level.floor([0.0, 10.0], [0.0, 10.0], 0.0);
    level.block([3.0, 7.0], [3.0, 7.0], [0.7, 0.8]);
    level
}

/// Two floors above each other, without a way between them or with a ramp.
pub(super) fn storeys(with_ramp: bool) -> TestLevel {
    let mut level = TestLevel::default();
    level.floor([0.0, 20.0], [0.0, 10.0], 0.0);
    level.block([0.0, 12.0], [0.0, 10.0], [2.8, 3.0]);
    if with_ramp {
        level.slope([12.0, 18.0], [3.0, 7.0], 3.0, 0.0);
    }
    level
}

/// A wall across a floor, with a doorway.
pub(super) fn doorway(width: f64) -> TestLevel {
    let mut level = TestLevel::default();
    level.floor([0.0, 10.0], [0.0, 8.0], 0.0);
    level.block([4.9, 5.1], [0.0, 4.0], [0.0, 3.0]);
    level.block([4.9, 5.1], [4.0 + width, 8.0], [0.0, 3.0]);
    level
}

/// A stair round a tower of 2 m radius: `turns` turns of 3 m each, steps of 0.1875 m.
pub(super) fn spiral(turns: u32) -> TestLevel {
    let mut level = TestLevel::default();
    level.floor([-8.0, 8.0], [-8.0, 8.0], 0.0);
    level.block([-1.2, 1.2], [-1.2, 1.2], [0.0, 3.0 * f64::from(turns) + 2.0]);
    let steps = 16 * turns;
    for step in 0..steps {
        let at = |radius: f64, step: f64, y: f64| {
            let angle = std::f64::consts::TAU * step / 16.0;
            DVec3::new(radius * libm::cos(angle), y, radius * libm::sin(angle))
        };
        let (from, to, y) = (f64::from(step), f64::from(step) + 1.0, f64::from(step + 1) * 3.0 / 16.0);
        level.quad([at(2.0, from, y), at(2.0, to, y), at(4.5, to, y), at(4.5, from, y)]);
        level.quad([
            at(2.0, from, y),
            at(4.5, from, y),
            at(4.5, from, y - 0.1875),
            at(2.0, from, y - 0.1875),
        ]);
    }
    // A landing at the top.
    let top = f64::from(turns) * 3.0;
    level.floor([2.0, 8.0], [0.0, 3.0], top);
    level
}

/// Hills of `side` by `side` squares of 1 m.
pub(super) fn terrain(side: u32) -> TestLevel {
    let mut level = TestLevel::default();
    for z in 0..=side {
        for x in 0..=side {
            let (x, z) = (f64::from(x), f64::from(z));
            let hills = 3.0 * libm::sin(x * 0.08) * libm::sin(z * 0.06) + libm::sin(x * 0.31 + z * 0.23);
            level.vertices.push(DVec3::new(x, hills, z));
        }
    }
    let row = side + 1;
    for z in 0..side {
        for x in 0..side {
            let a = z * row + x;
            level.triangles.extend([[a, a + row, a + 1], [a + 1, a + row, a + row + 1]]);
        }
    }
    level
}
