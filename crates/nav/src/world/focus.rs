//! The focus of path planning: paths that begin near it are searched first.

use super::command_error::CommandError;
use super::{Applied, World, check_place};
use crate::crowd::{Character, CharacterId};
use crate::nav::{Place, Position};
use crate::plan::{PathStats, Urgency};
use serde::{Deserialize, Serialize};

/// What path planning is focused on, as set while the world runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum PathFocus {
    /// Wherever this character is. When it leaves the room, the focus is that of the room file again.
    Character(CharacterId),
    /// This place.
    Place(Place),
}

/// A path request that has waited this long is late: see `plan`'s queue.
const LATE_AFTER_S: f64 = 0.5;

impl World {
    /// What path planning is focused on, if that was set while the world runs. Otherwise it is the room's
    /// [`Room::focus`](crate::room::Room::focus), and without one the player.
    pub fn focus(&self) -> Option<PathFocus> {
        self.planning.focus
    }

    /// Where the focus is now. `None` without a focus and without a player.
    pub fn focus_at(&self) -> Option<Position> {
        let set = match self.planning.focus {
            Some(PathFocus::Character(who)) => self.characters.get(who).map(|character| character.position),
            Some(PathFocus::Place(place)) => Some(self.ground.locate(place)),
            None => None,
        };
        let of_room = || {
            let name = self.room.focus.as_ref()?;
            self.place_named(name).map(|place| self.ground.locate(place))
        };
        set.or_else(of_room).or_else(|| self.player().map(|player| player.position))
    }

    /// How long path requests have waited for their answers since the world began.
    pub fn path_stats(&self) -> PathStats {
        self.planning.queue.stats()
    }

    /// The work of all searches for requests, in expansions, since the world began or was restored.
    pub fn search_work(&self) -> u64 {
        self.planning.queue.work()
    }

    pub(super) fn set_focus(&mut self, focus: Option<PathFocus>) -> Result<Applied, CommandError> {
        match focus {
            Some(PathFocus::Character(who)) => drop(self.present(who)?),
            Some(PathFocus::Place(place)) => check_place(place)?,
            None => {}
        }
        Ok(Applied::Changed(std::mem::replace(&mut self.planning.focus, focus) != focus))
    }

    pub(super) fn late_ticks(&self) -> u64 {
        self.ticks_of(LATE_AFTER_S)
    }
}

/// How urgent the path of a character is.
pub(super) fn urgency_of(character: Option<&Character>, focus: Option<Position>) -> Urgency {
    let Some(character) = character else { return Urgency { player: false, priority: 0, to_focus_m: 0.0 } };
    let to_focus_m = focus.map_or(0.0, |focus| character.landing().distance(focus));
    Urgency { player: character.player, priority: character.priority, to_focus_m }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::PathStats;
    use crate::room::{Area, CharacterSpec, Obstacle, Room};
    use crate::world::{Command, EventKind, Setting, WorldState};
    use glam::{DVec2, dvec2};

    fn rectangle(min: DVec2, size: DVec2) -> Vec<DVec2> {
        vec![min, min + dvec2(size.x, 0.0), min + size, min + dvec2(0.0, size.y)]
    }

    /// 100 m by 100 m, with 900 pillars, and people in it.
    fn large(people: u32) -> Room {
        let pillars = (0..900).map(|index| {
            let at = dvec2(f64::from(index % 30), f64::from(index / 30)) * 3.3 + 1.0;
            let polygon = rectangle(at, DVec2::splat(1.1));
            Obstacle { name: format!("p{index}"), polygon, see_through: false }
        });
        let person = |number: u32| {
            let at = dvec2(0.5, 2.6 + 3.3 * f64::from(number % 25));
            CharacterSpec::at(at).with_name(format!("c{number}"))
        };
        let mut room = Room {
            areas: vec![Area::new("hall", rectangle(DVec2::ZERO, DVec2::splat(101.0)))],
            obstacles: pillars.collect(),
            characters: (0..people).map(person).collect(),
            ..Room::default()
        };
        room.ground.cell_size_m = 0.25;
        room.ground.agent_radius_m = 0.3;
        room
    }

    fn send_all(world: &mut World) {
        let all: Vec<CharacterId> = world.characters().iter().map(|character| character.id).collect();
        for (number, who) in (0..).zip(all) {
            let to = dvec2(100.0, 99.0 - 3.3 * f64::from(number % 25)).into();
            world.apply(Command::SetTarget { who, to }).unwrap();
        }
    }

    #[test]
    fn twenty_requests_at_once_are_answered_within_half_a_second() {
        for kind in [crate::room::PlannerKind::Grid, crate::room::PlannerKind::AnyAngle] {
            let mut room = large(20);
            room.ground.planner = kind;
            let mut world = World::new(room, 1).unwrap();
            send_all(&mut world);
            let half_a_second = world.ticks_of(0.5);
            (0..half_a_second).for_each(|_| world.tick());
            let stats = world.path_stats();
            assert!(stats.answered >= 20 && stats.max_wait_ticks < half_a_second, "{kind:?}: {stats:?}");
            let walks = world.characters().iter().filter_map(|character| character.walk.as_ref());
            assert_eq!(walks.filter(|walk| !walk.corridor.is_empty()).count(), 20, "{kind:?}");
        }
    }

    #[test]
    fn the_focus_is_the_player_or_what_the_room_or_a_command_says() {
        let mut room = large(3);
        room.crowd.search_budget_expansions = 1;
        let goals = [(0, "c0"), (2, "c2")];
        for (player, name) in goals {
            room.characters[player].player = true;
            let world = World::new(room.clone(), 1).unwrap();
            assert_eq!(world.focus_at(), Some(world.character_named(name).unwrap().position));
            room.characters[player].player = false;
        }
        let mut world = World::new(room.clone(), 1).unwrap();
        assert_eq!((world.focus(), world.focus_at()), (None, None));
        room.focus = Some("c1".into());
        room.points.insert("far".into(), dvec2(90.0, 90.0).into());
        world.apply_checked(Command::ReplaceRoom(Box::new(room.clone()))).unwrap();
        let [c0, c1, c2] = [0, 1, 2].map(|index| world.characters()[index].id);
        let at = |world: &World, who| world.character(who).map(|character| character.position);
        assert_eq!(world.focus_at(), at(&world, c1));
        world.apply(Command::SetFocus(Some(PathFocus::Character(c2)))).unwrap();
        assert_eq!(world.focus_at(), at(&world, c2));
        let restored = World::restore(room.clone(), &world.state()).unwrap();
        assert_eq!((restored.focus(), restored.checksum()), (world.focus(), world.checksum()));
        world.apply(Command::Despawn(c2)).unwrap();
        assert_eq!(world.focus_at(), at(&world, c1), "that of the room again");
        assert!(world.apply(Command::SetFocus(Some(PathFocus::Character(c2)))).is_err());
        assert!(world.apply(Command::SetFocus(Some(PathFocus::Place(dvec2(f64::NAN, 0.0).into())))).is_err());
        world.apply(Command::SetFocus(Some(PathFocus::Place(dvec2(3.0, 4.0).into())))).unwrap();
        assert_eq!(world.focus_at().map(|at| at.at), Some(dvec2(3.0, 4.0)));
        let changed = world.apply(Command::SetFocus(None)).unwrap();
        assert_eq!((changed, world.focus_at()), (Applied::Changed(true), at(&world, c1)));
        assert!(at(&world, c0).is_some());
    }

    /// Of eight that want a path, those nearest to the focus are searched first, whatever their ids.
    #[test]
    fn paths_near_the_focus_come_first() {
        for (focus, first) in [("low", ["c0", "c1", "c2", "c3"]), ("high", ["c4", "c5", "c6", "c7"])] {
            let mut room = large(8);
            room.crowd.search_budget_expansions = 1;
            room.points.insert("low".into(), dvec2(0.5, 0.0).into());
            room.points.insert("high".into(), dvec2(0.5, 99.0).into());
            room.focus = Some(focus.into());
            let mut world = World::new(room, 1).unwrap();
            send_all(&mut world);
            world.tick();
            let active = world.snapshot().queue.active;
            let mut names: Vec<&str> = active.iter().map(|(who, _)| world.name_of(*who)).collect();
            names.sort_unstable();
            assert_eq!(names, first, "{focus}");
        }
    }

    /// The state of the queue, its waits and its order survive a save: the restored world does what the world does.
    #[test]
    fn a_saved_queue_continues_in_its_order() {
        let mut room = large(25);
        room.crowd.search_budget_expansions = 900;
        let mut world = World::new(room.clone(), 1).unwrap();
        let c9 = world.characters()[9].id;
        world.apply(Command::Tune { who: c9, setting: Setting::Priority(7) }).unwrap();
        send_all(&mut world);
        (0..40).for_each(|_| world.tick());
        assert!(world.path_stats().waiting > 4, "{:?}", world.path_stats());
        let text = serde_json::to_string(&world.state()).unwrap();
        let state: WorldState = serde_json::from_str(&text).unwrap();
        let mut restored = World::restore(room, &state).unwrap();
        for _ in 0..120 {
            let (stats, again): (PathStats, PathStats) = (world.path_stats(), restored.path_stats());
            assert_eq!((stats, world.checksum()), (again, restored.checksum()));
            world.tick();
            restored.tick();
        }
        let ended = |world: &mut World| {
            let events = world.take_events().into_iter().map(|event| event.kind);
            events.filter(|kind| matches!(kind, EventKind::WalkEnded { .. })).count()
        };
        assert_eq!(ended(&mut world), ended(&mut restored));
        assert!(world.path_stats().answered > 20);
    }
}
