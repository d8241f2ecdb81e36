//! What is remembered of a flood, so that a changed level is flooded again only where it can matter.

use super::columns::Columns;
use super::flood::Steps;
use super::lattice::Lattice;
use super::settings::Settings;
use super::strips::mark;
use glam::DVec3;

/// The last flood.
#[derive(Debug, Clone, Default)]
pub(crate) struct SectorMemory {
    known: Option<Known>,
}

#[derive(Debug, Clone)]
struct Known {
    lattice: Lattice,
    triangles: Vec<[DVec3; 3]>,
    settings: Settings,
    columns: Columns,
    steps: Steps,
}

impl SectorMemory {
    /// The columns of a level, and the steps that are as in the last flood. `None` if none are: the settings or the
    /// bounds of the level are others.
    pub(super) fn renew(
        &self,
        lattice: &Lattice,
        triangles: &[[DVec3; 3]],
        settings: &Settings,
    ) -> Option<(Columns, Steps)> {
        let known = self.known.as_ref()?;
        let starts_apart = Settings { starts: settings.starts.clone(), ..known.settings.clone() };
        if known.lattice != *lattice || starts_apart != *settings {
            return None;
        }
        let mut changed = vec![false; lattice.columns()];
        for corners in different(&sorted(&known.triangles), &sorted(triangles)) {
            mark(lattice, corners, &mut changed);
        }
        let columns = known.columns.renewed(lattice, triangles, settings, &changed);
        let steps = known.steps.kept(&known.columns, &columns, lattice, &changed);
        Some((columns, steps))
    }

    /// Keeps a flood.
    pub(super) fn keep(
        &mut self,
        lattice: Lattice,
        triangles: Vec<[DVec3; 3]>,
        settings: Settings,
        columns: Columns,
        steps: Steps,
    ) {
        self.known = Some(Known { lattice, triangles, settings, columns, steps });
    }

    /// The number of steps that the last flood tested.
    #[cfg(test)]
    pub(super) fn tested(&self) -> usize {
        self.known.as_ref().map_or(0, |known| known.steps.tested)
    }
}

fn key(corners: &[DVec3; 3]) -> [u64; 9] {
    let mut bits = [0; 9];
    let parts = corners.iter().flat_map(|corner| corner.to_array());
    bits.iter_mut().zip(parts).for_each(|(bits, part)| *bits = part.to_bits());
    bits
}

fn sorted(triangles: &[[DVec3; 3]]) -> Vec<[DVec3; 3]> {
    let mut sorted = triangles.to_vec();
    sorted.sort_by_cached_key(key);
    sorted
}

/// The triangles that are in one of two sorted lists and not in the other.
fn different(one: &[[DVec3; 3]], other: &[[DVec3; 3]]) -> Vec<[DVec3; 3]> {
    let (mut different, mut rest) = (Vec::new(), other.iter().peekable());
    for corners in one {
        while let Some(next) = rest.next_if(|next| key(next) < key(corners)) {
            different.push(*next);
        }
        if rest.next_if(|next| key(next) == key(corners)).is_none() {
            different.push(*corners);
        }
    }
    different.extend(rest);
    different
}
