//! Checks of saved actors and sides, so that the world can rely on them.

use super::turns::{MAX_SIDES, SideTurn};
use super::walk::MAX_STEPS;
use crate::crowd::{ActorState, Character};
use crate::room::MAX_NAME_BYTES;
use crate::tactics::TacticalField;
use std::collections::BTreeSet;

/// What is wrong with a saved actor. `tick` and `next_walk` are the world's.
pub(in crate::world) fn actor(
    character: &Character,
    field: Option<&TacticalField>,
    (tick, next_walk): (u64, u64),
) -> Result<(), &'static str> {
    let Some(actor) = character.actor.as_deref() else { return Ok(()) };
    let field = field.ok_or("it is an actor, but the room has no tactical level")?;
    if !(1..=2).contains(&actor.size) {
        return Err("it is an actor of neither 1 nor 2 cells");
    }
    let fits =
        |cell| field.holds(cell) && ActorState::cells_of(cell, actor.size).all(|cell| field.holds(cell));
    let Some(walk) = &actor.walk else {
        return if fits(actor.cell) { Ok(()) } else { Err("its cell is outside the tactical level") };
    };
    let under_way = walk.under_way.map(|(step, _)| step.to);
    let steps = walk.steps.iter().map(|(cell, _)| *cell);
    if !steps.chain(under_way).chain([actor.cell]).all(fits) || walk.steps.len() > MAX_STEPS {
        return Err("its walk leads out of the tactical level, or has too many steps");
    }
    let is_young = walk.id.0 <= next_walk && walk.began_tick <= tick;
    let is_timed = walk.under_way.is_none_or(|(_, [began, ends])| began <= tick && began < ends);
    let is_sound =
        is_young && is_timed && character.is_active() && (1..=1_000_000).contains(&walk.ticks_a_cell);
    if is_sound { Ok(()) } else { Err("its walk over cells is none that can be") }
}

/// What is wrong with the saved order of sides.
pub(in crate::world) fn sides(
    sides: &[String],
    turn: Option<&SideTurn>,
    characters: &[Character],
) -> Result<(), &'static str> {
    let known: BTreeSet<&str> = sides.iter().map(String::as_str).collect();
    let names = sides.iter().all(|side| (1..=MAX_NAME_BYTES).contains(&side.len()));
    if known.len() < sides.len() || sides.len() > MAX_SIDES || !names {
        return Err("its sides are too many, or the name of one is taken, empty or too long");
    }
    let actors = characters.iter().filter_map(|character| character.actor.as_deref());
    let in_use = actors.map(|actor| actor.side.as_str()).chain(turn.map(|turn| turn.side.as_str()));
    if in_use.into_iter().all(|side| known.contains(side)) {
        Ok(())
    } else {
        Err("a side is not in the order of turns")
    }
}

#[cfg(test)]
mod tests {
    use crate::tactics::{Move, MoveKind, Stance};
    use crate::world::{Command, World};

    /// Why a world is not restored whose state was changed like this.
    fn refusal(change: impl Fn(&mut World)) -> String {
        let text = r#"{ "tactics": { "brushes": [{ "box": [[0, 0, 0], [128, 64, 8]] }] },
            "characters": [{ "name": "ann", "at": [0.5, 0.5], "actor": { "side": "squad" } }] }"#;
        let room = crate::room::parse("site.json", text.as_bytes()).unwrap().room;
        let mut world = World::new(room.clone(), 1).unwrap();
        let who = world.characters()[0].id;
        let steps = vec![([1, 0, 0], Stance::Stand), ([2, 0, 0], Stance::Stand)];
        world.apply(Command::WalkCells { who, steps, cells_per_s: 1.0 }).unwrap();
        world.tick();
        change(&mut world);
        World::restore(room, &world.state()).map_or_else(|error| error.to_string(), |_| "restored".into())
    }

    #[test]
    fn states_that_cannot_be_are_refused() {
        let actor = |world: &mut World, change: &dyn Fn(&mut crate::crowd::ActorState)| {
            let character = &mut world.characters.all_mut()[0];
            change(character.actor.as_deref_mut().unwrap());
        };
        assert_eq!(refusal(|_| {}), "restored");
        let of_walk = |change: &dyn Fn(&mut crate::crowd::CellWalk)| {
            refusal(|world| actor(world, &|actor| change(actor.walk.as_mut().unwrap())))
        };
        let step = Move { kind: MoveKind::Walk(0), to: [1, 0, 0], stance: Stance::Stand, tu: 2 };
        for (told, expected) in [
            (refusal(|world| actor(world, &|actor| actor.cell = [u32::MAX, 0, 0])), "leads out of"),
            (refusal(|world| actor(world, &|actor| actor.size = 3)), "neither 1 nor 2 cells"),
            (
                refusal(|world| actor(world, &|actor| actor.side = "nobody".into())),
                "not in the order of turns",
            ),
            (refusal(|world| world.turns.sides.push("squad".into())), "the name of one is taken"),
            (of_walk(&|walk| walk.steps.push(([9, 0, 0], Stance::Stand))), "leads out of"),
            (of_walk(&|walk| walk.under_way = Some((step, [900, 901]))), "none that can be"),
            (of_walk(&|walk| walk.ticks_a_cell = 0), "none that can be"),
        ] {
            assert!(told.contains(expected), "{expected}: {told}");
        }
    }
}
