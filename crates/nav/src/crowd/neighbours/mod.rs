//! Neighbour search: a spatial hash with square buckets, rebuilt from positions by a counting sort.

#[cfg(test)]
mod tests;

use crate::geometry::distance_sq_to_segment;
use glam::{DVec2, I64Vec2};
use std::ops::Range;

/// Upper limit on the pairs of one point within a crowded bucket. It bounds the cost: a thousand characters in one
/// bucket must not give a million pairs. A usual bucket has room for four characters; a dense crowd puts a dozen
/// there.
const MOST_IN_BUCKET: usize = 16;

/// Multiplier of the row in the hash. Squares of one row get consecutive buckets, so the nine squares around a point
/// are three runs of consecutive buckets.
const NEXT_ROW: u64 = 0x9E37_79B1;

/// Least number of buckets. With fewer, three adjacent rows could share buckets.
const LEAST_BUCKETS: usize = 64;

/// A search near a place that covers more rows tests every point.
const MOST_ROWS: usize = 16;

/// A point in its bucket, with its index.
#[derive(Debug, Clone, Copy)]
struct Placed {
    at: DVec2,
    index: u32,
}

/// Points in square buckets. Built in linear time; queries visit indices in a fixed order.
#[derive(Debug, Clone, Default)]
pub struct Neighbours {
    bucket_m: f64,
    points: Vec<DVec2>,
    bucket_of: Vec<u32>,
    place_of: Vec<u32>,
    /// The points ordered by bucket, then index; `start[b]..start[b + 1]` are bucket b's.
    placed: Vec<Placed>,
    start: Vec<u32>,
}

impl Neighbours {
    /// Sorts points into buckets of edge `bucket_m`. [`Neighbours::pairs`] finds pairs up to that distance.
    pub fn rebuild(&mut self, points: impl Iterator<Item = DVec2>, bucket_m: f64) {
        self.bucket_m = bucket_m;
        self.points.clear();
        self.points.extend(points);
        let buckets = self.points.len().next_power_of_two().max(LEAST_BUCKETS);
        // Counts are stored two slots ahead, because the fill pass advances each start by its count. Afterwards
        // `start[b]` is the start of bucket `b`.
        self.start.clear();
        self.start.resize(buckets + 2, 0);
        let mask = buckets as u64 - 1;
        self.bucket_of.clear();
        self.bucket_of.extend(self.points.iter().map(|&point| bucket(square(point, bucket_m), mask) as u32));
        for &bucket in &self.bucket_of {
            self.start[bucket as usize + 2] += 1;
        }
        for bucket in 2..buckets + 2 {
            self.start[bucket] += self.start[bucket - 1];
        }
        self.placed.resize(self.points.len(), Placed { at: DVec2::ZERO, index: 0 });
        self.place_of.clear();
        for (index, (&at, &bucket)) in (0..).zip(self.points.iter().zip(&self.bucket_of)) {
            let next = &mut self.start[bucket as usize + 1];
            self.placed[*next as usize] = Placed { at, index };
            self.place_of.push(*next);
            *next += 1;
        }
    }

    /// Moves a point but keeps it in its bucket. If points move by d at most, queries still find all pairs nearer
    /// than (bucket edge − 2 d).
    pub fn shift(&mut self, index: u32, to: DVec2) {
        self.points[index as usize] = to;
        self.placed[self.place_of[index as usize] as usize].at = to;
    }

    /// Collects pairs of points within one bucket edge of each other, if at least one of the two is marked. `found`
    /// receives their indices, the lower one first, in ascending order. In an overfull bucket, a point is paired with
    /// the next sixteen points only.
    pub fn pairs(&self, marked: &[bool], found: &mut Vec<(u32, u32)>) {
        found.clear();
        self.pairs_above(marked, found);
        let above = found.len();
        // Pairs of two marked points were found above, from the lower index.
        for own in (0..).zip(marked).filter_map(|(own, marked)| marked.then_some(own)) {
            let point = self.points[own as usize];
            self.for_near(own, |inside| {
                let first = match inside.len() > MOST_IN_BUCKET {
                    true => inside.partition_point(|other| other.index < own).saturating_sub(MOST_IN_BUCKET),
                    false => 0,
                };
                let below = inside[first..].iter().take(MOST_IN_BUCKET);
                let below = below.filter(|other| other.index < own && !marked[other.index as usize]);
                found.extend(
                    below.filter(|other| self.are_near(point, other.at)).map(|other| (other.index, own)),
                );
            });
        }
        found[above..].sort_unstable();
        found.sort(); // two sorted runs, which are only merged
    }

    /// Pairs of marked points with points of a higher index, ascending.
    fn pairs_above(&self, marked: &[bool], found: &mut Vec<(u32, u32)>) {
        for ((own, &point), _) in (0..).zip(&self.points).zip(marked).filter(|(_, marked)| **marked) {
            let begin = found.len();
            self.for_near(own, |inside| {
                let above = if inside.len() <= MOST_IN_BUCKET {
                    inside
                } else {
                    let first = inside.partition_point(|other| other.index <= own);
                    &inside[first..inside.len().min(first + MOST_IN_BUCKET)]
                };
                let near = above.iter().filter(|other| other.index > own && self.are_near(point, other.at));
                found.extend(near.map(|other| (own, other.index)));
            });
            found[begin..].sort_unstable();
        }
    }

    fn are_near(&self, point: DVec2, other: DVec2) -> bool {
        point.distance_squared(other) <= self.bucket_m * self.bucket_m
    }

    /// Calls `visit` with all points of the nine squares around a point, and perhaps others. Several buckets with few
    /// points are passed in one call, other buckets one at a time.
    fn for_near(&self, index: u32, mut visit: impl FnMut(&[Placed])) {
        let (buckets, mask) = (self.buckets(), self.buckets() as u64 - 1);
        let mut visit_some = |buckets: Range<usize>| {
            let all = &self.placed[self.start[buckets.start] as usize..self.start[buckets.end] as usize];
            if all.len() <= MOST_IN_BUCKET {
                visit(all);
            } else {
                buckets.for_each(|bucket| visit(self.inside(bucket)));
            }
        };
        let corner = u64::from(self.bucket_of[index as usize]).wrapping_sub(NEXT_ROW + 1);
        for row in 0..3 {
            let first = (corner.wrapping_add(row * NEXT_ROW) & mask) as usize;
            if first + 3 <= buckets {
                visit_some(first..first + 3);
            } else {
                visit_some(first..buckets);
                visit_some(0..first + 3 - buckets);
            }
        }
    }

    fn buckets(&self) -> usize {
        self.start.len() - 2
    }

    fn inside(&self, bucket: usize) -> &[Placed] {
        &self.placed[self.start[bucket] as usize..self.start[bucket + 1] as usize]
    }

    /// The indices of all points, those of a bucket one after the other.
    pub fn by_bucket(&self) -> impl ExactSizeIterator<Item = u32> {
        self.placed.iter().map(|placed| placed.index)
    }

    /// The place of a point in [`Neighbours::by_bucket`].
    pub fn slot(&self, index: u32) -> Option<usize> {
        self.place_of.get(index as usize).map(|&slot| slot as usize)
    }

    /// Visits every point within `reach_m` of a place once, with its index. The order depends on the points and the place
    /// only. Points that were shifted are found if they are at most `shifted_m` from where they were.
    pub fn near(&self, at: DVec2, reach_m: f64, shifted_m: f64, mut visit: impl FnMut(u32)) {
        self.slots_near(at, reach_m + shifted_m, |slots| {
            for other in &self.placed[slots] {
                if at.distance_squared(other.at) <= reach_m * reach_m {
                    visit(other.index);
                }
            }
        });
    }

    /// The square of a place. With [`Neighbours::slots_round`], those in one square share a search.
    pub fn square(&self, at: DVec2) -> I64Vec2 {
        square(at, self.bucket_m)
    }

    /// Visits slots with all points in so many squares round a square, in each direction, and others, each slot once.
    pub fn slots_round(&self, middle: I64Vec2, squares: i64, visit: impl FnMut(Range<usize>)) {
        let squares = I64Vec2::splat(squares);
        let (low, high) = (middle - squares, middle + squares);
        self.slots_in_rows(low, high, |_| (low.x, high.x), visit);
    }

    /// Visits slots with all points within `reach_m` of a place, and others, each slot once.
    fn slots_near(&self, at: DVec2, reach_m: f64, visit: impl FnMut(Range<usize>)) {
        let columns = |z: i64| {
            let row_m = z as f64 * self.bucket_m;
            let off_m = (row_m - at.y).max(at.y - row_m - self.bucket_m).max(0.0);
            let half_m = (reach_m * reach_m - off_m * off_m).max(0.0).sqrt();
            let column = |x_m: f64| square(DVec2::new(x_m, row_m), self.bucket_m).x;
            (column(at.x - half_m), column(at.x + half_m))
        };
        self.slots_in_rows(self.square(at - reach_m), self.square(at + reach_m), columns, visit);
    }

    /// Visits the slots of squares: of those from `low` to `high`, in each row those in these columns.
    fn slots_in_rows(
        &self,
        low: I64Vec2,
        high: I64Vec2,
        columns: impl Fn(i64) -> (i64, i64),
        mut visit: impl FnMut(Range<usize>),
    ) {
        let slots =
            |buckets: Range<usize>| self.start[buckets.start] as usize..self.start[buckets.end] as usize;
        let size = (high - low + 1).as_dvec2();
        if size.y > MOST_ROWS as f64 || size.x * size.y > self.points.len() as f64 {
            return visit(0..self.placed.len());
        }
        let (buckets, mask) = (self.buckets(), self.buckets() as u64 - 1);
        // Different rows may share buckets.
        let mut visited = [(0, 0); MOST_ROWS];
        for (rows, z) in (low.y..=high.y).enumerate() {
            // The squares of a row have consecutive buckets.
            let (from, to) = columns(z);
            let first = bucket(I64Vec2::new(from, z), mask);
            let end = first + ((to - from) as usize + 1).min(buckets);
            let is_new = |bucket: usize| {
                let holds = |&(first, end): &(usize, usize)| {
                    (first..end).contains(&bucket) || (first..end).contains(&(bucket + buckets))
                };
                !visited[..rows].iter().any(holds)
            };
            let is_apart = |&(other, other_end): &(usize, usize)| {
                (other_end <= first || end <= other) && other_end <= first + buckets
            };
            if end <= buckets && visited[..rows].iter().all(is_apart) {
                visit(slots(first..end));
            } else {
                let wrapped = (first..end).map(|bucket| bucket & mask as usize);
                wrapped.filter(|&bucket| is_new(bucket)).for_each(|bucket| visit(slots(bucket..bucket + 1)));
            }
            visited[rows] = (first, end);
        }
    }

    /// Collects a superset of the points within `reach_m` of the segment `from`–`to`. `found` receives their indices
    /// in ascending order. The caller filters them by distance.
    pub fn along(&self, from: DVec2, to: DVec2, reach_m: f64, found: &mut Vec<u32>) {
        found.clear();
        self.any_along(from, to, reach_m, |index| {
            found.push(index);
            false
        });
        found.sort_unstable();
        found.dedup(); // two squares may share a bucket
    }

    /// Whether `accept` returns true for a point of a superset of those within `reach_m` of the segment `from`–`to`.
    /// The indices are unordered, perhaps with duplicates.
    pub fn any_along(
        &self,
        from: DVec2,
        to: DVec2,
        reach_m: f64,
        mut accept: impl FnMut(u32) -> bool,
    ) -> bool {
        if self.points.is_empty() {
            return false;
        }
        let (low, high) =
            (square(from.min(to) - reach_m, self.bucket_m), square(from.max(to) + reach_m, self.bucket_m));
        // With more squares than points, testing every point is cheaper.
        let size = (high - low + 1).as_dvec2();
        if size.x * size.y > self.points.len() as f64 {
            return (0..self.points.len() as u32).any(accept);
        }
        let mask = self.buckets() as u64 - 1;
        let reach_of_square_m = reach_m + self.bucket_m * std::f64::consts::FRAC_1_SQRT_2;
        for z in low.y..=high.y {
            for x in low.x..=high.x {
                let square = I64Vec2::new(x, z);
                let middle = (square.as_dvec2() + 0.5) * self.bucket_m;
                if distance_sq_to_segment(middle, from, to) > reach_of_square_m * reach_of_square_m {
                    continue;
                }
                if self.inside(bucket(square, mask)).iter().any(|placed| accept(placed.index)) {
                    return true;
                }
            }
        }
        false
    }
}

/// The square that holds a point. Rounding down by hand avoids `floor`, which is a library call on most machines.
pub(super) fn square(point: DVec2, bucket_m: f64) -> I64Vec2 {
    let down = |at: f64| at as i64 - i64::from((at as i64) as f64 > at);
    let at = point / bucket_m;
    I64Vec2::new(down(at.x), down(at.y))
}

/// The bucket of a square; the number of buckets is a power of two.
fn bucket(square: I64Vec2, mask: u64) -> usize {
    ((square.x as u64).wrapping_add((square.y as u64).wrapping_mul(NEXT_ROW)) & mask) as usize
}
