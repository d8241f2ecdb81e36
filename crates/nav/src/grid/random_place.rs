//! Random places on the ground, uniformly distributed over a region.

use super::anchors::anchored_node;
use super::raster::Raster;
use super::{Grid, Reach};
use crate::geometry::for_words;
use crate::nav::Region;
use glam::{DVec2, I64Vec2};

/// The number of places drawn before the region is searched cell by cell. This is enough for all but slivers of
/// regions.
const DRAWS: u32 = 24;

impl Grid {
    /// A random place in a region, and the work of the draw in expansions of a search. Every place is equally likely.
    /// The result is `None` if the draw exceeds `most_work`.
    ///
    /// This is rejection sampling: a random cell that the region may touch, then a random place in it, until a place
    /// lies in the region. If `DRAWS` draws fail, the middle of a random cell of the region is taken. If the region
    /// holds no middle of a cell, the place is `None`.
    pub fn random_place(
        &self,
        region: &Region,
        most_work: u64,
        mut draw: impl FnMut() -> f64,
    ) -> Option<(Option<DVec2>, u64)> {
        let (cells, mut work) = self.cells_of(region);
        let total: u64 = cells.counts.iter().sum();
        if total == 0 {
            return Some((None, work));
        }
        // For sampled nodes with eight neighbours, reachability is not known without a flood.
        let mut reach = None;
        if region.reachable_from.is_some() && self.field().components.is_none() {
            reach = self.flooded(region, &mut work, most_work)?;
        }
        for _ in 0..DRAWS {
            work += 1;
            let cell = cells.nth(((draw() * total as f64) as u64).min(total - 1));
            let inside = DVec2::new(draw(), draw());
            let place = self.frame.centre(cell) + (inside - 0.5) * self.frame.cell_size_m;
            if self.is_in(region, place, reach.as_ref()) {
                return Some((Some(place), work));
            }
        }
        if reach.is_none() {
            reach = self.flooded(region, &mut work, most_work)?;
        }
        work += total / 8;
        if work > most_work {
            return None;
        }
        let middles = cells.all().map(|cell| self.frame.centre(cell));
        let middles: Vec<DVec2> =
            middles.filter(|&place| self.is_in(region, place, reach.as_ref())).collect();
        let chosen = (draw() * middles.len() as f64) as usize;
        Some((middles.get(chosen.min(middles.len().saturating_sub(1))).copied(), work))
    }

    /// The flood over the reachable nodes, if the region says from where. `None` once it has taken more than
    /// `most_work`.
    fn flooded(&self, region: &Region, work: &mut u64, most_work: u64) -> Option<Option<Reach>> {
        let Some(from) = region.reachable_from.as_ref().and_then(anchored_node) else { return Some(None) };
        let mut reach = Reach::new(self, most_work.saturating_sub(*work));
        reach.spread(self, from, None);
        *work += reach.work();
        (*work <= most_work).then_some(Some(reach))
    }

    fn is_in(&self, region: &Region, place: DVec2, reach: Option<&Reach>) -> bool {
        let inside = region.disc.is_none_or(|disc| disc.holds(place))
            && region.area.is_none_or(|area| self.area_contains(area, place));
        if !inside {
            return false;
        }
        let Some(node) = self.node_at(place) else { return false };
        match (region.reachable_from.as_ref().and_then(anchored_node), reach) {
            (None, _) => true,
            (Some(_), Some(reach)) => reach.holds(self, node),
            (Some(from), None) => self.may_reach(from, node),
        }
    }

    /// The walkable cells that a region may touch, reachable or not.
    fn cells_of(&self, region: &Region) -> (Cells, u64) {
        let whole = (DVec2::NEG_INFINITY, DVec2::INFINITY);
        let (low, high) = region
            .disc
            .map_or(whole, |disc| (disc.centre.at - disc.radius_m, disc.centre.at + disc.radius_m));
        let far = DVec2::splat(1e9);
        let last = I64Vec2::new(i64::from(self.frame.width), i64::from(self.frame.depth)) - 1;
        let mut min = self.frame.cell_at(low.clamp(-far, far)).max(I64Vec2::ZERO);
        let mut max = self.frame.cell_at(high.clamp(-far, far)).min(last);
        let layer = region.area.map(|area| &self.painter.areas[area.0].layer);
        if let Some(layer) = layer {
            (min, max) = (min.max(layer.rect.min), max.min(layer.rect.max - 1));
        }
        if min.cmpgt(max).any() {
            return (Cells { first_row: 0, bits: Raster::new(0, 0), counts: Vec::new() }, 1);
        }
        let columns = min.x as u32..max.x as u32 + 1;
        let mut bits = Raster::new(self.frame.width, (max.y - min.y + 1) as u32);
        let mut counts = Vec::new();
        for z in min.y as u32..=max.y as u32 {
            let line = bits.row_mut(z - min.y as u32);
            match layer {
                Some(layer) => {
                    for run in layer.row(z) {
                        for_words(
                            line,
                            run.start.max(columns.start)..run.end.min(columns.end),
                            |word, mask| *word |= mask,
                        );
                    }
                }
                None => for_words(line, columns.clone(), |word, mask| *word |= mask),
            }
            let walkable = self.walkable.row(z).iter();
            line.iter_mut().zip(walkable).for_each(|(word, walkable)| *word &= walkable);
            counts.push(line.iter().map(|word| u64::from(word.count_ones())).sum());
        }
        let work = 1 + bits.all().len() as u64 / 64;
        (Cells { first_row: min.y, bits, counts }, work)
    }
}

/// A set of cells, row by row.
struct Cells {
    first_row: i64,
    bits: Raster,
    counts: Vec<u64>,
}

impl Cells {
    /// All of them, row by row.
    fn all(&self) -> impl Iterator<Item = I64Vec2> + '_ {
        let row = move |row: usize| {
            let words = self.bits.row(row as u32).iter().enumerate();
            words.flat_map(move |(index, &word)| {
                let set = (0..64).filter(move |bit| word >> bit & 1 == 1);
                set.map(move |bit| I64Vec2::new(index as i64 * 64 + bit, self.first_row + row as i64))
            })
        };
        (0..self.counts.len()).flat_map(row)
    }

    /// A cell by its number, which is less than the total count.
    fn nth(&self, mut number: u64) -> I64Vec2 {
        for (row, &count) in self.counts.iter().enumerate() {
            if number >= count {
                number -= count;
                continue;
            }
            for (index, &word) in self.bits.row(row as u32).iter().enumerate() {
                let ones = u64::from(word.count_ones());
                if number >= ones {
                    number -= ones;
                    continue;
                }
                let mut left = word;
                for _ in 0..number {
                    left &= left - 1;
                }
                let column = index as i64 * 64 + i64::from(left.trailing_zeros());
                return I64Vec2::new(column, self.first_row + row as i64);
            }
        }
        I64Vec2::new(0, self.first_row)
    }
}
