//! Commands of the game around a room: taken or refused, and the game is told which.

use crate::common::project::{HALL, Project};
use cicerone::runtime::{Input, RuntimeEvent};
use cicerone::world::{Applied, CharacterId, Command};

/// Ann in the hall, where nothing goes on.
fn quiet_hall() -> Project {
    Project::new(&[("rooms/hall.json", HALL), ("scripts/room.lua", "return {}")])
}

fn open_bar() -> Command {
    Command::SetAreaAvailable { area: "no such area".into(), available: true }
}

#[test]
fn a_command_from_the_inbox_that_is_refused_is_an_event() {
    let project = quiet_hall();
    let mut room = project.open();
    room.send(Input::Do(open_bar()));
    room.step();
    let refused: Vec<String> = room
        .take_events()
        .iter()
        .filter(|event| matches!(event, RuntimeEvent::Refused(_)))
        .map(ToString::to_string)
        .collect();
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert!(refused[0].starts_with("refused: ") && refused[0].contains("no such area"), "{refused:?}");
}

#[test]
fn a_command_is_answered_at_once_and_does_what_the_inbox_would() {
    let project = quiet_hall();
    let (mut at_once, mut by_inbox) = (project.open(), project.open());
    assert!(at_once.apply(open_bar()).unwrap_err().to_string().contains("no such area"));
    let ann = at_once.world().character_named("ann").unwrap().id;
    let walk = Command::SetTarget { who: ann, to: glam::dvec2(7.0, 3.0).into() };
    assert!(matches!(at_once.apply(walk.clone()), Ok(Applied::Walking(_))));
    let nobody = Command::Despawn(CharacterId(999));
    assert!(at_once.apply(nobody).is_err());
    by_inbox.send(Input::Do(walk));
    for _ in 0..300 {
        at_once.step();
        by_inbox.step();
        assert_eq!(at_once.world().checksum(), by_inbox.world().checksum());
    }
}

#[test]
fn events_that_nobody_takes_are_lost_and_counted() {
    let project = quiet_hall();
    let mut room = project.open();
    (0..10).for_each(|_| room.step());
    room.take_events(); // who comes in
    let rounds = 25_u32;
    for _ in 0..rounds {
        (0..10_000).for_each(|_| room.send(Input::Do(open_bar())));
        room.step();
    }
    let events = room.take_events();
    let Some(RuntimeEvent::Lost(lost)) = events.first() else { panic!("{:?}", events.first()) };
    assert!(events.len() <= cicerone::runtime::MAX_EVENTS, "{}", events.len());
    assert_eq!(lost + events.len() - 1, rounds as usize * 10_000, "each one is kept or counted");
}
