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
    points: Vec<DVec2>,
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
        self.points.clear();
        self.points.extend(points);
        self.bucket_of.clear();
        self.bucket_of.extend(self.points.iter().map(|&point| hash(square(point, bucket_m)) & mask));
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

    /// Collects into `found`, ascending, all pairs of indices, the lower one first, of points that lie within one bucket edge of each other. Of a
    /// bucket in which more are crammed than ever have room there only the next sixteen count for each.
    pub fn pairs(&self, found: &mut Vec<(u32, u32)>) {
        found.clear();
        // Bucket by bucket, so that what is read lies side by side.
        for &own in &self.order {
            let point = self.points[own as usize];
            self.for_near(point, |inside| {
                let first = inside.partition_point(|&index| index <= own);
                let near =
                    inside[first..].iter().take(MOST_IN_BUCKET).filter(|&&other| self.are_near(point, other));
                found.extend(near.map(|&other| (own, other)));
            });
        }
        found.sort_unstable();
    }

    /// [`Neighbours::pairs`] of these indices, ascending, with each other and with all others.
    pub fn pairs_of(&self, indices: &[u32], found: &mut Vec<(u32, u32)>) {
        found.clear();
        for &own in indices {
            let point = self.points[own as usize];
            self.for_near(point, |inside| {
                let first = inside.partition_point(|&index| index <= own);
                let above = inside[first..].iter().take(MOST_IN_BUCKET);
                let below = inside[..first].iter().rev().filter(|&&index| index < own).take(MOST_IN_BUCKET);
                let near = above.chain(below).filter(|&&other| self.are_near(point, other));
                found.extend(near.map(|&other| (own.min(other), own.max(other))));
            });
        }
        found.sort_unstable();
        found.dedup();
    }

    fn are_near(&self, point: DVec2, other: u32) -> bool {
        point.distance_squared(self.points[other as usize]) <= self.bucket_m * self.bucket_m
    }

    /// Calls `visit` with the indices of every bucket that may hold points within one bucket edge of a point.
    fn for_near(&self, point: DVec2, mut visit: impl FnMut(&[u32])) {
        let middle = square(point, self.bucket_m);
        let mut seen = [u32::MAX; 9];
        let mut count = 0;
        for dz in -1..=1 {
            for dx in -1..=1 {
                let bucket = hash(middle + I64Vec2::new(dx, dz)) & self.mask;
                let (from, to) = (self.start[bucket as usize], self.start[bucket as usize + 1]);
                // Two squares may share a bucket.
                if from < to && !seen[..count].contains(&bucket) {
                    seen[count] = bucket;
                    count += 1;
                    visit(&self.order[from as usize..to as usize]);
                }
            }
        }
    }

    /// Collects into `found`, ascending, the indices that may lie within `reach_m` of the segment `from`–`to`: a superset, to
    /// be filtered by distance.
    pub fn along(&self, from: DVec2, to: DVec2, reach_m: f64, found: &mut Vec<u32>) {
        found.clear();
        self.any_along(from, to, reach_m, |index| {
            found.push(index);
            false
        });
        found.sort_unstable();
        found.dedup(); // two squares may share a bucket
    }

    /// Whether any of the indices that may lie within `reach_m` of the segment `from`–`to` is one that `accept` likes; they come in no
    /// particular order, and perhaps twice.
    pub fn any_along(
        &self,
        from: DVec2,
        to: DVec2,
        reach_m: f64,
        mut accept: impl FnMut(u32) -> bool,
    ) -> bool {
        if self.order.is_empty() {
            return false;
        }
        let (low, high) =
            (square(from.min(to) - reach_m, self.bucket_m), square(from.max(to) + reach_m, self.bucket_m));
        // Looking into more squares than there are points would cost more than looking at every point.
        let size = (high - low + 1).as_dvec2();
        if size.x * size.y > self.order.len() as f64 {
            return (0..self.order.len() as u32).any(accept);
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
                let (begin, end) = (self.start[bucket] as usize, self.start[bucket + 1] as usize);
                if self.order[begin..end].iter().any(|&index| accept(index)) {
                    return true;
                }
            }
        }
        false
    }
}

/// The square that a point lies in. Rounded down by hand: the function of the library is a call on most machines.
fn square(point: DVec2, bucket_m: f64) -> I64Vec2 {
    let down = |at: f64| at as i64 - i64::from((at as i64) as f64 > at);
    let at = point / bucket_m;
    I64Vec2::new(down(at.x), down(at.y))
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
        let (mut pairs, mut some) = (Vec::new(), Vec::new());
        neighbours.pairs(&mut pairs);
        assert!(pairs.is_sorted());
        let all = || (0..400_u32).flat_map(|own| (own + 1..400).map(move |other| (own, other)));
        let are_near =
            |&(own, other): &(u32, u32)| points[own as usize].distance(points[other as usize]) <= 0.9;
        assert!(all().filter(are_near).eq(pairs.iter().copied()), "no more, no less");
        neighbours.pairs_of(&[3, 70, 71, 399], &mut some);
        pairs.retain(|(own, other)| [3, 70, 71, 399].iter().any(|index| own == index || other == index));
        assert_eq!(some, pairs);
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
