//! What closes may split a piece: floods that run side by side.

use super::block::MOST_REGIONS;
use super::{NO_PIECE, Pieces, Region};
use std::collections::VecDeque;

/// A flood from one place or from several that have met.
#[derive(Debug, Default)]
struct Flood {
    seen: Vec<Region>,
    waiting: VecDeque<Region>,
    /// The piece of what it came over that was in one.
    piece: Option<u32>,
    /// The one it is a part of now.
    gone: Option<usize>,
}

/// While floods run, a region that was seen holds the number of its flood, with this bit, in place of its piece.
const FLOOD: u32 = 1 << 31;

impl Pieces {
    /// The regions of some blocks and of those around them that are in a piece: every part that a piece can fall into when the
    /// blocks change holds one of them, or one of the blocks' new ones.
    pub(super) fn regions_around(&self, blocks: &[u32]) -> Vec<Region> {
        let (width, depth) = self.size;
        let mut around = Vec::new();
        for &block in blocks {
            let (x, z) = (block % width, block / width);
            let beside = [
                (x > 0).then(|| block - 1),
                (x + 1 < width).then_some(block + 1),
                (z > 0).then(|| block - width),
                (z + 1 < depth).then_some(block + width),
            ];
            for block in beside.into_iter().flatten().filter(|block| !blocks.contains(block)) {
                let regions = self.blocks[block as usize].pieces.len() as u32;
                around.extend((0..regions).map(|region| block * MOST_REGIONS + region));
            }
        }
        around.sort_unstable();
        around.dedup();
        around
    }

    /// Puts the new regions of the changed blocks into pieces, and takes pieces apart that hang together no longer. `around` are
    /// the regions of [`Pieces::regions_around`].
    pub(super) fn split(&mut self, changed: &[u32], around: Vec<Region>) {
        let new = changed.iter().flat_map(|&block| {
            let regions = self.blocks[block as usize].pieces.len() as u32;
            (0..regions).map(move |region| block * MOST_REGIONS + region)
        });
        let seeds: Vec<Region> = new.chain(around).collect();
        let mut floods: Vec<Flood> = Vec::new();
        for region in seeds {
            let piece = self.take(region, floods.len());
            floods.push(Flood { seen: vec![region], waiting: [region].into(), piece, gone: None });
        }
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
                    let piece = *self.piece_of(next);
                    if piece & FLOOD != 0 {
                        let other = current(&floods, (piece & !FLOOD) as usize);
                        if other != own {
                            own = self.meet(&mut floods, own, other);
                        }
                        continue;
                    }
                    let piece = self.take(next, own);
                    floods[own].seen.push(next);
                    floods[own].waiting.push_back(next);
                    floods[own].piece = self.join_both(floods[own].piece, piece);
                }
            }
            if !went_on {
                return self.settle(&floods);
            }
        }
    }

    /// Marks a region as seen by a flood; returns the piece it was in.
    fn take(&mut self, region: Region, flood: usize) -> Option<u32> {
        let piece = std::mem::replace(self.piece_of(region), FLOOD | flood as u32);
        (piece != NO_PIECE).then(|| self.root(piece))
    }

    fn join_both(&mut self, one: Option<u32>, other: Option<u32>) -> Option<u32> {
        match (one, other) {
            (Some(one), Some(other)) => Some(self.join(one, other)),
            (one, other) => one.or(other),
        }
    }

    /// Whether a flood may still turn out to be a part of something else: it has no piece, or another one has the same.
    fn must_go_on(&self, floods: &[Flood], index: usize) -> bool {
        let Some(piece) = floods[index].piece.map(|piece| self.root(piece)) else { return true };
        let same = |flood: &Flood| {
            flood.gone.is_none() && flood.piece.is_some_and(|other| self.root(other) == piece)
        };
        floods
            .iter()
            .enumerate()
            .any(|(other, flood)| other != index && !flood.waiting.is_empty() && same(flood))
    }

    /// Two floods are one from now on; returns which.
    fn meet(&mut self, floods: &mut [Flood], one: usize, other: usize) -> usize {
        let (into, from) =
            if floods[one].seen.len() >= floods[other].seen.len() { (one, other) } else { (other, one) };
        let Flood { seen, waiting, piece, .. } = std::mem::take(&mut floods[from]);
        floods[from].gone = Some(into);
        floods[into].seen.extend(seen);
        floods[into].waiting.extend(waiting);
        floods[into].piece = self.join_both(floods[into].piece, piece);
        into
    }

    /// Every flood that is over is a piece. The last one of those that had one piece keeps it, over or not.
    fn settle(&mut self, floods: &[Flood]) {
        let last_with = |pieces: &Self, piece: u32| {
            let same = |flood: &Flood| {
                flood.gone.is_none() && flood.piece.is_some_and(|other| pieces.root(other) == piece)
            };
            let unfinished = floods.iter().position(|flood| same(flood) && !flood.waiting.is_empty());
            unfinished.or_else(|| floods.iter().rposition(same))
        };
        let kept: Vec<Option<u32>> = floods
            .iter()
            .enumerate()
            .map(|(index, flood)| {
                let piece = self.root(flood.piece?);
                (last_with(self, piece) == Some(index)).then_some(piece)
            })
            .collect();
        for (flood, kept) in floods.iter().zip(kept).filter(|(flood, _)| flood.gone.is_none()) {
            let piece = kept.unwrap_or_else(|| self.new_piece());
            for &region in &flood.seen {
                *self.piece_of(region) = piece;
            }
        }
    }
}

/// The flood that one is a part of now.
fn current(floods: &[Flood], index: usize) -> usize {
    let mut at = index;
    while let Some(into) = floods[at].gone {
        at = into;
    }
    at
}
