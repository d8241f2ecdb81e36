//! Splits of components when cells close, found by floods that run in turns.

use super::block::MOST_REGIONS;
use super::{Components, NO_COMPONENT, Region};
use std::collections::VecDeque;

/// A flood from one seed, or from several seeds whose floods met.
#[derive(Debug, Default)]
struct Flood {
    seen: Vec<Region>,
    waiting: VecDeque<Region>,
    /// The old component of the regions it covered, if they were in one.
    component: Option<u32>,
    /// The flood that it was joined to.
    gone: Option<usize>,
}

/// A region from which a flood begins.
#[derive(Debug)]
struct Seed {
    region: Region,
    is_new: bool,
    /// The old component of the region.
    component: Option<u32>,
    /// The seed it was joined with: an earlier one, or itself.
    group: usize,
}

/// The usual number of regions beside a block.
const A_FEW: usize = 16;

/// While floods run, a reached region holds the number of its flood, with this bit, instead of its component.
const FLOOD: u32 = 1 << 31;

impl Components {
    /// The regions outside the given blocks that touch them. If the blocks change, a component can fall into several
    /// parts. Each part holds one of these regions, or a new region of the blocks. The blocks are ascending.
    pub(super) fn regions_around(&self, blocks: &[u32]) -> Vec<Region> {
        let (mut around, mut beside) = (Vec::with_capacity(A_FEW), Vec::with_capacity(A_FEW));
        for &block in blocks {
            for region in 0..self.blocks[block as usize].components.len() as u32 {
                self.neighbours(block * MOST_REGIONS + region, &mut beside);
                around.extend(
                    beside.iter().filter(|&region| blocks.binary_search(&(region / MOST_REGIONS)).is_err()),
                );
            }
        }
        around.sort_unstable();
        around.dedup();
        around
    }

    /// Puts the new regions of the changed blocks into components, and splits components that are no longer
    /// connected. `around` are the regions of [`Components::regions_around`].
    pub(super) fn split(&mut self, changed: &[u32], around: &[Region]) {
        let seeds = self.seeds(changed, around);
        let mut floods = self.floods_from(&seeds);
        let mut beside = Vec::new();
        loop {
            let mut went_on = false;
            for index in 0..floods.len() {
                if floods[index].gone.is_some() || !self.must_go_on(&floods, index) {
                    continue;
                }
                let Some(region) = floods[index].waiting.pop_front() else { continue };
                went_on = true;
                self.neighbours(region, &mut beside);
                let mut own = index;
                for &next in &beside {
                    let component = *self.component_of(next);
                    if component & FLOOD != 0 {
                        let other = current(&floods, (component & !FLOOD) as usize);
                        if other != own {
                            own = self.meet(&mut floods, own, other);
                        }
                        continue;
                    }
                    let component = self.take(next, own);
                    floods[own].seen.push(next);
                    floods[own].waiting.push_back(next);
                    floods[own].component = self.join_both(floods[own].component, component);
                }
            }
            if !went_on {
                return self.settle(&floods);
            }
        }
    }

    /// The new regions and those around them as seeds. Seeds that share a border with a new region are joined with
    /// it.
    fn seeds(&mut self, changed: &[u32], around: &[Region]) -> Vec<Seed> {
        let mut seeds = Vec::with_capacity(around.len() + A_FEW);
        for &block in changed {
            for region in 0..self.blocks[block as usize].components.len() as u32 {
                self.add_seed(&mut seeds, block * MOST_REGIONS + region, true);
            }
        }
        let new = seeds.len();
        around.iter().for_each(|&region| self.add_seed(&mut seeds, region, false));
        let mut beside = Vec::with_capacity(A_FEW);
        for index in 0..new {
            self.neighbours(seeds[index].region, &mut beside);
            for &next in &beside {
                // Opened cells may touch regions that are not in `around`.
                if *self.component_of(next) & FLOOD == 0 {
                    self.add_seed(&mut seeds, next, false);
                }
                let other = (*self.component_of(next) & !FLOOD) as usize;
                let (one, other) = (group_of(&seeds, index), group_of(&seeds, other));
                seeds[one.max(other)].group = one.min(other);
            }
        }
        seeds
    }

    /// Adds a seed that is a group of its own, and marks its region with its number.
    fn add_seed(&mut self, seeds: &mut Vec<Seed>, region: Region, is_new: bool) {
        let group = seeds.len();
        seeds.push(Seed { region, is_new, component: self.take(region, group), group });
    }

    /// A flood from each group of seeds. It does not expand new regions, because all their neighbours are seeds of
    /// the same group.
    fn floods_from(&mut self, seeds: &[Seed]) -> Vec<Flood> {
        let mut floods: Vec<Flood> = Vec::new();
        let mut flood_of = vec![0; seeds.len()];
        for (index, seed) in seeds.iter().enumerate() {
            // The first seed of a group is its root.
            let root = group_of(seeds, index);
            if root == index {
                flood_of[root] = floods.len();
                floods.push(Flood::default());
            }
            let number = flood_of[root];
            *self.component_of(seed.region) = FLOOD | number as u32;
            let component = self.join_both(floods[number].component, seed.component);
            let flood = &mut floods[number];
            flood.component = component;
            flood.seen.push(seed.region);
            if !seed.is_new {
                flood.waiting.push_back(seed.region);
            }
        }
        floods
    }

    /// Marks a region as seen by a flood; returns the component it was in.
    fn take(&mut self, region: Region, flood: usize) -> Option<u32> {
        let component = std::mem::replace(self.component_of(region), FLOOD | flood as u32);
        (component != NO_COMPONENT).then(|| self.root(component))
    }

    fn join_both(&mut self, one: Option<u32>, other: Option<u32>) -> Option<u32> {
        match (one, other) {
            (Some(one), Some(other)) => Some(self.join(one, other)),
            (one, other) => one.or(other),
        }
    }

    /// Whether a flood may still turn out to be part of another one. It may if it has no component, or if another,
    /// unfinished flood has the same old component.
    fn must_go_on(&self, floods: &[Flood], index: usize) -> bool {
        let Some(component) = floods[index].component.map(|component| self.root(component)) else {
            return true;
        };
        let same = |flood: &Flood| {
            flood.gone.is_none() && flood.component.is_some_and(|other| self.root(other) == component)
        };
        floods
            .iter()
            .enumerate()
            .any(|(other, flood)| other != index && !flood.waiting.is_empty() && same(flood))
    }

    /// Joins two floods; returns the joined one.
    fn meet(&mut self, floods: &mut [Flood], one: usize, other: usize) -> usize {
        let (into, from) =
            if floods[one].seen.len() >= floods[other].seen.len() { (one, other) } else { (other, one) };
        let Flood { seen, waiting, component, .. } = std::mem::take(&mut floods[from]);
        floods[from].gone = Some(into);
        floods[into].seen.extend(seen);
        floods[into].waiting.extend(waiting);
        floods[into].component = self.join_both(floods[into].component, component);
        into
    }

    /// Makes every complete flood a component. If several floods have the same old component, the unfinished one keeps
    /// it; if all are complete, the last one does.
    fn settle(&mut self, floods: &[Flood]) {
        let last_with = |components: &Self, component: u32| {
            let same = |flood: &Flood| {
                flood.gone.is_none()
                    && flood.component.is_some_and(|other| components.root(other) == component)
            };
            let unfinished = floods.iter().position(|flood| same(flood) && !flood.waiting.is_empty());
            unfinished.or_else(|| floods.iter().rposition(same))
        };
        let kept: Vec<Option<u32>> = floods
            .iter()
            .enumerate()
            .map(|(index, flood)| {
                let component = self.root(flood.component?);
                (last_with(self, component) == Some(index)).then_some(component)
            })
            .collect();
        for (flood, kept) in floods.iter().zip(kept).filter(|(flood, _)| flood.gone.is_none()) {
            let component = kept.unwrap_or_else(|| self.new_component());
            for &region in &flood.seen {
                *self.component_of(region) = component;
            }
        }
    }
}

/// The flood that a flood is now part of.
fn current(floods: &[Flood], index: usize) -> usize {
    let mut at = index;
    while let Some(into) = floods[at].gone {
        at = into;
    }
    at
}

/// The root of a seed's group.
fn group_of(seeds: &[Seed], index: usize) -> usize {
    let mut at = index;
    while seeds[at].group != at {
        at = seeds[at].group;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::frame::CellRect;
    use crate::grid::raster::Raster;
    use glam::I64Vec2;
    use std::collections::BTreeMap;

    const WIDTH: u32 = 200;
    const DEPTH: u32 = 170;

    /// The reference: the connected components, cell by cell. Each cell has the number of its component.
    fn parts(cells: &Raster) -> Vec<u32> {
        let mut parts = vec![0; (WIDTH * DEPTH) as usize];
        let mut count = 0;
        for begin in 0..WIDTH * DEPTH {
            let is_new =
                |parts: &[u32], x: u32, z: u32| cells.get(x, z) && parts[(z * WIDTH + x) as usize] == 0;
            if !is_new(&parts, begin % WIDTH, begin / WIDTH) {
                continue;
            }
            count += 1;
            parts[begin as usize] = count;
            let mut waiting = vec![begin];
            while let Some(at) = waiting.pop() {
                let (x, z) = (at % WIDTH, at / WIDTH);
                for (x, z) in [(x + 1, z), (x.wrapping_sub(1), z), (x, z + 1), (x, z.wrapping_sub(1))] {
                    if x < WIDTH && z < DEPTH && is_new(&parts, x, z) {
                        parts[(z * WIDTH + x) as usize] = count;
                        waiting.push(z * WIDTH + x);
                    }
                }
            }
        }
        parts
    }

    #[test]
    fn components_are_what_hangs_together_whatever_opens_and_closes() {
        let mut random = 1_u64;
        let mut below = |limit: u32| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((random >> 33) % u64::from(limit)) as u32
        };
        let (mut cells, mut transposed) = (Raster::new(WIDTH, DEPTH), Raster::new(DEPTH, WIDTH));
        let mut components = Components::new(WIDTH, DEPTH);
        for round in 0..600 {
            let most = if round == 0 { (WIDTH, DEPTH) } else { (1 + below(70), 1 + below(60)) };
            let (x, z) = if round == 0 { (0, 0) } else { (below(WIDTH), below(DEPTH)) };
            let (columns, rows) = (x..(x + most.0).min(WIDTH), z..(z + most.1).min(DEPTH));
            // Halls, walls, bars with gaps, and scattered cells: opened and closed in one step.
            let (kind, apart, gap) = (below(5), 2 + below(9), below(40));
            let mut closed = false;
            for z in rows.clone() {
                for x in columns.clone() {
                    let on = match kind {
                        0 => true,
                        1 => false,
                        2 => x % apart > 0 || z % 40 == gap,
                        3 => z % apart > 0 || x % 40 == gap,
                        _ => below(10) < 6,
                    };
                    closed |= cells.get(x, z) && !on;
                    cells.set(x, z, on);
                }
            }
            transposed.transpose_from(&cells, rows.clone(), columns.clone());
            let corner = |x: u32, z: u32| I64Vec2::new(i64::from(x), i64::from(z));
            let rect =
                CellRect { min: corner(columns.start, rows.start), max: corner(columns.end, rows.end) };
            components.update(&cells, &transposed, rect, closed);
            let mut of_part = BTreeMap::new();
            let mut of_component = BTreeMap::new();
            for (at, part) in (0..).zip(parts(&cells)).filter(|(_, part)| *part > 0) {
                let (x, z) = (at % WIDTH, at / WIDTH);
                let component = components.component_at(&cells, corner(x, z));
                assert_eq!(
                    *of_part.entry(part).or_insert(component),
                    component,
                    "round {round}: ({x}, {z}) is cut off"
                );
                assert_eq!(
                    *of_component.entry(component).or_insert(part),
                    part,
                    "round {round}: ({x}, {z}) is joined"
                );
            }
        }
    }
}
