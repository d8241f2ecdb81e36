//! A spatial index of polygons: a grid of buckets over their bounding rectangles.

use super::Polygons;
use glam::DVec2;

/// Upper limit on the buckets for each polygon.
const BUCKETS_PER_POLYGON: f64 = 2.0;

/// Upper limit on the entries in buckets for each polygon.
const ENTRIES_PER_POLYGON: usize = 16;

/// Upper limit on all buckets.
const MAX_BUCKETS: f64 = 4e6;

/// Which polygons are near a point of the plane.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct PolygonIndex {
    min: DVec2,
    bucket_m: f64,
    columns: usize,
    rows: usize,
    /// For each bucket, row by row, the index of its first entry in `entries`; at the end their number.
    first: Vec<u32>,
    /// The polygons whose bounding rectangle meets the bucket, in order.
    entries: Vec<u32>,
    /// The bounding rectangle of each polygon.
    rectangles: Vec<(DVec2, DVec2)>,
}

impl PolygonIndex {
    /// Builds the index.
    pub(crate) fn new(polygons: &Polygons) -> Self {
        let (min, max) = polygons.bounds();
        if polygons.is_empty() {
            return Self::default();
        }
        let size = (max - min).max(DVec2::splat(1e-6));
        let wanted = (polygons.len() as f64 * BUCKETS_PER_POLYGON).clamp(1.0, MAX_BUCKETS);
        let bucket_m = (size.x * size.y / wanted).sqrt().max(size.max_element() / MAX_BUCKETS.sqrt());
        let rectangles = (0..polygons.len() as u32).map(|polygon| polygons.rectangle(polygon)).collect();
        let (first, entries) = (Vec::new(), Vec::new());
        let mut index = Self { min, bucket_m, columns: 1, rows: 1, first, entries, rectangles };
        // Larger buckets, if the rectangles of long and of large polygons meet too many.
        loop {
            let buckets = size / index.bucket_m;
            (index.columns, index.rows) = (buckets.x as usize + 1, buckets.y as usize + 1);
            let entries: usize = (0..polygons.len() as u32).map(|polygon| index.bucket_count(polygon)).sum();
            if entries <= ENTRIES_PER_POLYGON * polygons.len() + 4 || index.columns * index.rows <= 4 {
                break;
            }
            index.bucket_m *= 2.0;
        }
        let (columns, rows) = (index.columns, index.rows);
        let mut counts = vec![0_u32; columns * rows + 1];
        for polygon in 0..polygons.len() as u32 {
            index.buckets_of(polygon).for_each(|bucket| counts[bucket + 1] += 1);
        }
        for bucket in 1..counts.len() {
            counts[bucket] += counts[bucket - 1];
        }
        index.first = counts.clone();
        index.entries = vec![0; *counts.last().unwrap_or(&0) as usize];
        for polygon in 0..polygons.len() as u32 {
            for bucket in index.buckets_of(polygon).collect::<Vec<_>>() {
                index.entries[counts[bucket] as usize] = polygon;
                counts[bucket] += 1;
            }
        }
        index
    }

    fn bucket_of(&self, point: DVec2) -> (usize, usize) {
        let scaled = (point - self.min) / self.bucket_m;
        // Casts saturate, so points outside belong to the buckets at the border.
        ((scaled.x as usize).min(self.columns - 1), (scaled.y as usize).min(self.rows - 1))
    }

    fn buckets_of(&self, polygon: u32) -> impl Iterator<Item = usize> + use<> {
        let (min, max) = self.rectangles[polygon as usize];
        let ((left, top), (right, bottom)) = (self.bucket_of(min), self.bucket_of(max));
        let columns = self.columns;
        (top..=bottom).flat_map(move |row| (left..=right).map(move |column| row * columns + column))
    }

    fn bucket_count(&self, polygon: u32) -> usize {
        let (min, max) = self.rectangles[polygon as usize];
        let ((left, top), (right, bottom)) = (self.bucket_of(min), self.bucket_of(max));
        (right - left + 1) * (bottom - top + 1)
    }

    fn bucket(&self, column: usize, row: usize) -> &[u32] {
        let bucket = row * self.columns + column;
        &self.entries[self.first[bucket] as usize..self.first[bucket + 1] as usize]
    }

    /// Calls `visit` for the polygons that `accept` takes within a reach of a point, roughly by distance, with the nearest
    /// point and its squared distance. `visit` returns the reach from then on: larger ones than before are ignored.
    pub(crate) fn for_each_near(
        &self,
        polygons: &Polygons,
        point: DVec2,
        mut reach_m: f64,
        mut accept: impl FnMut(u32) -> bool,
        mut visit: impl FnMut(u32, DVec2, f64) -> f64,
    ) {
        if self.first.is_empty() || !point.is_finite() {
            return;
        }
        let (column, row) = self.bucket_of(point);
        // Rings of buckets round the point. How far the point is from what lies outside its bucket; a point outside the
        // index is farther from the rings than from its bucket.
        let (left, top) = (column as f64 * self.bucket_m, row as f64 * self.bucket_m);
        let in_bucket = point - self.min - DVec2::new(left, top);
        let inside_m = in_bucket.min(self.bucket_m - in_bucket).min_element().max(0.0);
        for ring in 0..=self.columns.max(self.rows) {
            // A little less, for rounding of the buckets.
            let beyond_m = (ring as f64 - 1.0) * self.bucket_m + inside_m * 0.999;
            if ring > 0 && beyond_m > reach_m {
                break;
            }
            self.for_each_in_ring((column, row), ring, |bucket, polygon| {
                let (min, max) = self.rectangles[polygon as usize];
                let off = (min - point).max(point - max).max(DVec2::ZERO);
                if off.length_squared() > reach_m * reach_m || !accept(polygon) {
                    return;
                }
                // A polygon in several buckets comes once: in the one nearest to that of the point.
                if ring > 0 {
                    let ((left, top), (right, bottom)) = (self.bucket_of(min), self.bucket_of(max));
                    if bucket != (column.clamp(left, right), row.clamp(top, bottom)) {
                        return;
                    }
                }
                let at = polygons.closest(polygon, point);
                let distance_sq = at.distance_squared(point);
                if distance_sq <= reach_m * reach_m {
                    reach_m = visit(polygon, at, distance_sq).min(reach_m);
                }
            });
        }
    }

    /// The polygon nearest to a point, with its nearest point. Of equally near ones the first. `None` if there is none
    /// within `reach_m`.
    #[cfg(test)]
    pub(crate) fn nearest(&self, polygons: &Polygons, point: DVec2, reach_m: f64) -> Option<(u32, DVec2)> {
        let mut best: Option<(f64, u32, DVec2)> = None;
        self.for_each_near(
            polygons,
            point,
            reach_m,
            |_| true,
            |polygon, at, distance_sq| {
                let better = best.is_none_or(|(least, first, _)| (distance_sq, polygon) < (least, first));
                if better {
                    best = Some((distance_sq, polygon, at));
                }
                best.map_or(reach_m, |(least, ..)| least.sqrt() + 1e-9)
            },
        );
        best.map(|(_, polygon, at)| (polygon, at))
    }

    fn for_each_in_ring(
        &self,
        (column, row): (usize, usize),
        ring: usize,
        mut visit: impl FnMut((usize, usize), u32),
    ) {
        let rows = row.saturating_sub(ring)..=(row + ring).min(self.rows - 1);
        for r in rows {
            let is_end = r + ring == row || r == row + ring;
            let (left, right) = (column.checked_sub(ring), column + ring);
            let mut take = |c: usize| self.bucket(c, r).iter().for_each(|&polygon| visit((c, r), polygon));
            if is_end {
                (left.unwrap_or(0)..=right.min(self.columns - 1)).for_each(take);
            } else {
                left.into_iter().for_each(&mut take);
                Some(right).filter(|&c| c < self.columns).into_iter().for_each(take);
            }
        }
    }
}
