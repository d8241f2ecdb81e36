//! Walking side by side: companions are sent to their places in every tick.

use super::{Near, World};
use crate::crowd::{Character, Following};

impl World {
    /// Sends companions to their places beside those they walk with, who wait for them. A companion that pushes cannot
    /// leave its path, and one of a companion would lead it in a circle: these follow.
    pub(super) fn walk_abreast(&mut self) {
        let Self { followers, characters, near: Near { agents, .. }, ground, scratch, .. } = self;
        let beside = |character: &Character| character.following.as_deref().filter(|f| f.beside).copied();
        let companions = &mut scratch.companions;
        companions.clear();
        for &who in followers.iter() {
            let Some(place) = characters.place_of(who) else { continue };
            let companion = &characters.all()[place];
            let Some(Following { who: other, near_m, .. }) = beside(companion) else { continue };
            let leader =
                characters.place_of(other).filter(|&leader| beside(&characters.all()[leader]).is_none());
            match leader.filter(|_| companion.is_in_crowd() && agents.rows[place].looks_ahead) {
                Some(leader) => companions.push((leader, place)),
                None if near_m > 0.0 => scratch.place_m.push((place, 0.0)),
                None => {}
            }
        }
        companions.sort_unstable();
        let abreast = &mut scratch.abreast;
        for group in companions.chunk_by(|one, other| one.0 == other.0) {
            let leader_place = group[0].0;
            let leader = &characters.all()[leader_place];
            if leader.crossing.is_some() || !leader.is_in_crowd() {
                continue;
            }
            abreast.arrange(leader, group.iter().map(|&(_, place)| &characters.all()[place]), ground);
            for (index, &(_, place)) in group.iter().enumerate() {
                let companion = &characters.all()[place];
                if companion.crossing.is_some() || !ground.floors_touch(companion.position, leader.position) {
                    continue;
                }
                let walks = companion.walk.as_ref();
                let walks = walks.is_some_and(|walk| !walk.corridor.is_empty() && !walk.is_yielding());
                let (beside, near_m) = abreast.join(index, companion, leader, ground);
                if let Some(beside) = beside.filter(|_| walks) {
                    agents.rows[place].go_beside(leader.id, beside);
                }
                scratch.place_m.push((place, near_m));
            }
            // Nobody keeps a player waiting.
            if !leader.player {
                agents.rows[leader_place].speed_mps = abreast.speed_mps;
            }
        }
        for (place, near_m) in scratch.place_m.drain(..) {
            if let Some(following) = &mut characters.all_mut()[place].following {
                following.near_m = near_m;
            }
        }
    }
}
