//! Who is near whom: a spatial hash rebuilt from positions, as a counting sort into square buckets.

use crate::geometry::distance_sq_to_segment;
use glam::{DVec2, I64Vec2};

/// A bucket is about as wide as a person, so four have room in it and a crowd pushing to one point puts a dozen there. Whoever
/// sends a thousand there must not make the room wait for a million pairs.
const MOST_IN_BUCKET: usize = 16;

/// Points in square buckets. Built in linear time; queries visit indices in a fixed order.
#[derive(Debug, Clone, Default)]
pub struct Neighbours {
    bucket_m: f64,
    /// Point indices ordered by bucket, then index; `start[b]..start[b + 1]` are bucket b's.
    order: Vec<u32>,
    start: Vec<u32>,
    bucket_of: Vec<u32>,
    mask: u32,
}

impl Neighbours {
    /// Sorts points into buckets of edge `bucket_m`; queries may reach as far as that edge.
    pub fn rebuild(&mut self, points: impl ExactSizeIterator<Item = DVec2>, bucket_m: f64) {
        self.bucket_m = bucket_m;
        let buckets = (points.len() * 2).next_power_of_two();
        self.mask = buckets as u32 - 1;
        self.start.clear();
        self.start.resize(buckets + 1, 0);
        let mask = self.mask;
        self.bucket_of.clear();
        self.bucket_of.extend(points.map(|point| hash((point / bucket_m).floor().as_i64vec2()) & mask));
        for &bucket in &self.bucket_of {
            self.start[bucket as usize + 1] += 1;
        }
        for bucket in 0..buckets {
            self.start[bucket + 1] += self.start[bucket];
        }
        self.order.clear();
        self.order.resize(self.bucket_of.len(), 0);
        // Filling from the back leaves every start at its bucket's first entry, indices ascending.
        for (index, &bucket) in self.bucket_of.iter().enumerate().rev() {
            let end = &mut self.start[bucket as usize + 1];
            *end -= 1;
            self.order[*end as usize] = index as u32;
        }
        self.start.rotate_left(1);
        if let Some(last) = self.start.last_mut() {
            *last = self.bucket_of.len() as u32;
        }
    }

    /// Collects into `found`, ascending, the indices above `own` that may lie within one bucket edge of `point`, where `own` is: a
    /// superset, to be filtered by distance. Going through all indices visits every pair once. Of a bucket in which more are
    /// crammed than ever have room there only the first sixteen come along.
    pub fn near_above(&self, own: u32, point: DVec2, found: &mut Vec<u32>) {
        found.clear();
        if self.order.is_empty() {
            return;
        }
        let middle = (point / self.bucket_m).floor().as_i64vec2();
        let mut seen = [u32::MAX; 9];
        let mut count = 0;
        for dz in -1..=1 {
            for dx in -1..=1 {
                let bucket = hash(middle + I64Vec2::new(dx, dz)) & self.mask;
                if seen[..count].contains(&bucket) {
                    continue; // two squares share a bucket
                }
                seen[count] = bucket;
                count += 1;
                let (from, to) = (self.start[bucket as usize], self.start[bucket as usize + 1]);
                let inside = &self.order[from as usize..to as usize];
                let first = inside.partition_point(|&index| index <= own);
                found.extend_from_slice(&inside[first..inside.len().min(first + MOST_IN_BUCKET)]);
            }
        }
        found.sort_unstable();
    }

    /// Collects into `found`, ascending, the indices that may lie within `reach_m` of the segment `from`–`to`: a superset, to
    /// be filtered by distance.
    pub fn along(&self, from: DVec2, to: DVec2, reach_m: f64, found: &mut Vec<u32>) {
        found.clear();
        if self.order.is_empty() {
            return;
        }
        let square = |p: DVec2| (p / self.bucket_m).floor().as_i64vec2();
        let (low, high) = (square(from.min(to) - reach_m), square(from.max(to) + reach_m));
        // Looking into more squares than there are points would cost more than looking at every point.
        let size = (high - low + 1).as_dvec2();
        if size.x * size.y > self.order.len() as f64 {
            found.extend(0..self.order.len() as u32);
            return;
        }
        let reach_of_square_m = reach_m + self.bucket_m * std::f64::consts::FRAC_1_SQRT_2;
        for z in low.y..=high.y {
            for x in low.x..=high.x {
                let square = I64Vec2::new(x, z);
                let middle = (square.as_dvec2() + 0.5) * self.bucket_m;
                if distance_sq_to_segment(middle, from, to) > reach_of_square_m * reach_of_square_m {
                    continue;
                }
                let bucket = (hash(square) & self.mask) as usize;
                found.extend_from_slice(
                    &self.order[self.start[bucket] as usize..self.start[bucket + 1] as usize],
                );
            }
        }
        found.sort_unstable();
        found.dedup(); // two squares may share a bucket
    }
}

/// Mixes a square's coordinates (two large odd constants, then the upper half of the product).
fn hash(square: I64Vec2) -> u32 {
    let mixed = (square.x as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (square.y as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
    (mixed.wrapping_mul(0xFF51_AFD7_ED55_8CCD) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_everyone_within_reach() {
        let points: Vec<DVec2> = (0..400u32)
            .map(|i| DVec2::new(f64::from(i * 37 % 101) * 0.31 - 9.0, f64::from(i * 53 % 97) * 0.29 - 8.0))
            .collect();
        let mut neighbours = Neighbours::default();
        neighbours.rebuild(points.iter().copied(), 0.9);
        let mut found = Vec::new();
        for (own, &point) in points.iter().enumerate() {
            neighbours.near_above(own as u32, point, &mut found);
            assert!(found.is_sorted());
            for (index, other) in points.iter().enumerate().skip(own + 1) {
                assert!(point.distance(*other) > 0.9 || found.contains(&(index as u32)));
            }
        }
        for (&from, &to) in points.iter().zip(points.iter().skip(7)) {
            neighbours.along(from, to, 0.7, &mut found);
            assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "ascending, once each");
            for (index, &other) in points.iter().enumerate() {
                let near = distance_sq_to_segment(other, from, to) <= 0.49;
                assert!(!near || found.contains(&(index as u32)));
            }
        }
    }
}
