//! Bystanders: a spatial index of characters, for queries along a line.

use super::{AgentRow, Character, CharacterId, Neighbours};
use crate::geometry::distance_sq_to_segment;
use crate::nav::{Disc, Position};
use crate::room::CrowdSettings;
use crate::surface::Surface;
use glam::DVec2;
use std::collections::BTreeMap;

/// Whom a path passes at less than this distance, in metres, may be why it leads there.
const BESIDE_M: f64 = 0.5;

/// Spatial indices of characters at one moment: one index of the standing characters, one of all active characters.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bystanders {
    standing: Placed,
    everyone: Placed,
    /// The greatest radius of those who stand and cannot be pushed, in metres.
    widest_firm_m: Option<f64>,
    found: Vec<u32>,
    discs: Vec<Disc>,
}

#[derive(Debug, Clone, Copy)]
struct Person {
    id: CharacterId,
    disc: Disc,
    /// The full radius, if the character cannot be pushed. Walkers must keep clear of it.
    firm_radius_m: Option<f64>,
    mover: bool,
}

#[derive(Debug, Clone, Default)]
struct Placed {
    people: Vec<Person>,
    neighbours: Neighbours,
}

impl Bystanders {
    /// Takes the current positions of all characters.
    pub(crate) fn look(&mut self, characters: &[Character], settings: &CrowdSettings) {
        self.look_at(characters.iter().map(AgentRow::of), settings);
    }

    /// [`Bystanders::look`] at the agents of a snapshot.
    pub(crate) fn look_at(&mut self, rows: impl Iterator<Item = AgentRow>, settings: &CrowdSettings) {
        self.standing.people.clear();
        self.everyone.people.clear();
        self.widest_firm_m = None;
        for row in rows.filter(|row| row.active) {
            let radius_m = row.radius_m * settings.dynamic_obstacle_radius_fraction;
            let firm_radius_m = row.firm.then_some(row.radius_m);
            let disc = Disc { centre: row.position, radius_m };
            let person = Person { id: row.id, disc, firm_radius_m, mover: row.mover };
            self.everyone.people.push(person);
            if row.standing {
                self.standing.people.push(person);
                let widest_m = firm_radius_m.map(|radius_m| radius_m.max(self.widest_firm_m.unwrap_or(0.0)));
                self.widest_firm_m = widest_m.or(self.widest_firm_m);
            }
        }
        let bucket_m = settings.dynamic_obstacle_influence_m.max(1.0);
        for placed in [&mut self.standing, &mut self.everyone] {
            placed.neighbours.rebuild(placed.people.iter().map(|person| person.disc.centre.at), bucket_m);
        }
    }

    /// Whether another character moved near the segment a walker is on.
    pub(crate) fn mover_near_way_of(&self, walker: &Character, settings: &CrowdSettings) -> bool {
        let Some(next) = walker.walk.as_ref().and_then(|walk| walk.corridor.toward()) else { return false };
        let (from, next) = (walker.position.at, next.at);
        let reach_m = settings.replan_trigger_distance_m;
        self.everyone.neighbours.any_along(from, next, reach_m, |index| {
            let Person { id, disc, mover, .. } = self.everyone.people[index as usize];
            mover
                && id != walker.id
                && distance_sq_to_segment(disc.centre.at, from, next) <= reach_m * reach_m
        })
    }

    /// Obstacles of a walk from `from` to `to`: active characters near the straight line, except those in `except`.
    /// Moving characters are included only if `movers_too`. The discs are ordered by id. The disc of a character that
    /// cannot be pushed has the sum of its radius and `own_radius_m`, the walker's radius.
    pub(crate) fn in_the_way(
        &mut self,
        except: [Option<CharacterId>; 2],
        own_radius_m: f64,
        (from, to): (DVec2, DVec2),
        settings: &CrowdSettings,
        movers_too: bool,
    ) -> &[Disc] {
        let placed = if movers_too { &self.everyone } else { &self.standing };
        let reach_m = settings.dynamic_obstacle_influence_m;
        placed.neighbours.along(from, to, reach_m, &mut self.found);
        let found = self.found.iter().map(|&index| &placed.people[index as usize]);
        let others = found.filter(|person| !except.contains(&Some(person.id)));
        let others = others.map(|person| match person.firm_radius_m {
            Some(radius_m) => {
                Disc { radius_m: person.disc.radius_m.max(radius_m + own_radius_m), ..person.disc }
            }
            None => person.disc,
        });
        let near = |disc: &Disc| distance_sq_to_segment(disc.centre.at, from, to) <= reach_m * reach_m;
        self.discs.clear();
        self.discs.extend(others.filter(near));
        &self.discs
    }

    /// Circles round those beside a path, on its storey, who stand and cannot be pushed, with the sum of their radius and
    /// `own_radius_m`.
    pub(crate) fn firm_beside(
        &mut self,
        from: Position,
        path: &[Position],
        own_radius_m: f64,
        ground: &Surface,
    ) -> Vec<(DVec2, f64)> {
        let Some(widest_m) = self.widest_firm_m else { return Vec::new() };
        let mut beside = BTreeMap::new();
        for (from, to) in std::iter::once(&from).chain(path).zip(path) {
            self.standing.neighbours.along(
                from.at,
                to.at,
                widest_m + own_radius_m + BESIDE_M,
                &mut self.found,
            );
            for person in self.found.iter().map(|&index| &self.standing.people[index as usize]) {
                let Some(firm_radius_m) = person.firm_radius_m else { continue };
                let (centre, radius_m) = (person.disc.centre, firm_radius_m + own_radius_m);
                let is_near = distance_sq_to_segment(centre.at, from.at, to.at).sqrt() <= radius_m + BESIDE_M;
                if is_near && [from, to].into_iter().any(|end| ground.floors_touch(centre, *end)) {
                    beside.insert(person.id, (centre.at, radius_m));
                }
            }
        }
        beside.into_values().collect()
    }

    /// The active characters whose centres were within `reach_m` of a point, ordered by id.
    pub(crate) fn within(&mut self, point: DVec2, reach_m: f64) -> impl Iterator<Item = CharacterId> + '_ {
        self.everyone.neighbours.along(point, point, reach_m, &mut self.found);
        let found = self.found.iter().map(|&index| &self.everyone.people[index as usize]);
        let near =
            found.filter(move |person| person.disc.centre.at.distance_squared(point) <= reach_m * reach_m);
        near.map(|person| person.id)
    }

    /// A superset of the active characters within `reach_m` of a point, ordered by id.
    pub(crate) fn around(&mut self, point: DVec2, reach_m: f64) -> impl Iterator<Item = CharacterId> + '_ {
        self.everyone.neighbours.along(point, point, reach_m, &mut self.found);
        self.found.iter().map(|&index| self.everyone.people[index as usize].id)
    }
}

/// Hash of a list of obstacles: FNV-1a over the bits of the numbers, with −0 as 0. Equal lists give equal paths, so an
/// unchanged hash means that replanning is pointless.
pub(crate) fn fingerprint(discs: &[Disc]) -> u64 {
    let words = discs.iter().flat_map(|disc| [disc.centre.at.x, disc.centre.at.y, disc.radius_m]);
    words.fold(0xcbf2_9ce4_8422_2325, |hash: u64, number| {
        (hash ^ (number + 0.0).to_bits()).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::tests::person;
    use crate::crowd::{Purpose, Walk, WalkId};
    use crate::nav::Position;

    #[test]
    fn only_those_who_stand_near_the_line_are_in_the_way() {
        let (walker, near, far) = (person(0, 0.0, 0.0), person(1, 10.0, 5.9), person(2, 10.0, 6.1));
        let mut walks = person(3, 5.0, 0.0);
        walks.walk = Some(Walk::new(WalkId(1), Purpose::Errand, DVec2::ZERO.into()));
        let (mut dead, mut disabled) = (person(4, 5.0, 1.0), person(5, 5.0, 2.0));
        (dead.alive, disabled.enabled) = (false, false);
        let behind = person(6, -5.9, 0.0);
        let people = [walker, near, far, walks, dead, disabled, behind];
        let settings = CrowdSettings::default();
        let mut bystanders = Bystanders::default();
        bystanders.look(&people, &settings);
        let line = (DVec2::ZERO, DVec2::new(20.0, 0.0));
        let mut centres = |except, movers_too| -> Vec<Position> {
            let discs = bystanders.in_the_way(except, 0.5, line, &settings, movers_too);
            assert!(discs.iter().all(|disc| disc.radius_m == 0.3), "0.6 of the radius");
            discs.iter().map(|disc| disc.centre).collect()
        };
        let me = [Some(CharacterId(0)), None];
        assert_eq!(centres(me, false), [people[1].position, people[6].position]);
        assert_eq!(centres(me, true), [people[1].position, people[3].position, people[6].position]);
        assert_eq!(centres([me[0], Some(CharacterId(1))], false), [people[6].position]);
    }
}
