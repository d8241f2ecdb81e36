//! What the game's own functions may do with the room while a script calls them.

use crate::common::project::{HALL, Project, reload};
use crate::game_api::{project, run_of, steps};
use cicerone::glam::DVec2;
use cicerone::nav::{ClassId, Place};
use cicerone::room::{ActorSpec, Link, LinkKind, Stance, Waypath, WaypathKind};
use cicerone::runtime::{Options, Reload};
use cicerone::script::GameApi;
use cicerone::world::{ActorPlace, CharacterId, Command, PathFocus, Setting, WalkEnd, World};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Barrier, Mutex};
use std::time::Duration;

const ANN: CharacterId = CharacterId(0);
const BOB: CharacterId = CharacterId(1);

/// A command of each kind, for the hall.
fn commands(world: &World) -> Vec<Command> {
    let (to, far) = (Place::new(5.0, 1.0), Place::new(7.0, 3.0));
    let (thing, text, name) = (|| "coin".to_owned(), || "hello".to_owned(), || "ladder".to_owned());
    let ladder = Link::new(name(), LinkKind::Ladder, [1.0, 1.0], [7.0, 1.0]);
    let lane = Waypath::new(name(), WaypathKind::OneWay, [[1.0, 2.0], [7.0, 2.0]]);
    let spec = world.room().character_at(to).with_name("cid");
    vec![
        Command::SetTarget { who: ANN, to },
        Command::TalkTo { who: ANN, other: BOB },
        Command::Follow { who: ANN, other: BOB, distance_m: 1.0 },
        Command::Turn { who: ANN, to },
        Command::Give { who: ANN, thing: thing(), count: 2 },
        Command::Take { who: ANN, thing: thing(), count: 1 },
        Command::Stop { who: ANN, walk: None, end: WalkEnd::Cancelled },
        Command::ForceReplan(ANN),
        Command::Teleport { who: ANN, to },
        Command::Tune { who: ANN, setting: Setting::WalkSpeed(2.0) },
        Command::SetAreaAvailable { area: "door".into(), available: true },
        Command::SetHotspot { hotspot: name(), change: Box::default() },
        Command::Spawn(Box::new(spec)),
        Command::Click(to),
        Command::Say { who: ANN, text: text(), seconds: 1.0 },
        Command::Use { who: ANN, object: thing() },
        Command::Interrupt(ANN),
        Command::Resume { who: ANN, level: 0 },
        Command::Steer { who: ANN, direction: DVec2::X },
        Command::AddLink(Box::new(ladder)),
        Command::SetLinkAvailable { link: name(), available: false },
        Command::RemoveLink(name()),
        Command::RecordJump { from: to, to: far, velocity_mps: None, time_s: Some(0.5) },
        Command::Jump { who: ANN, to: far, velocity_mps: None, time_s: Some(0.5) },
        Command::AddWaypath(Box::new(lane)),
        Command::SetWaypathAvailable { waypath: name(), available: false },
        Command::RemoveWaypath(name()),
        Command::TimeCrossing { who: ANN, seconds: 1.0 },
        Command::SetFocus(Some(PathFocus::Character(ANN))),
        Command::PlaceActor {
            who: ANN,
            place: Box::new(ActorPlace { cell: [1, 1, 0], actor: ActorSpec::on_side("red") }),
        },
        Command::RemoveActor(ANN),
        Command::WalkCells { who: ANN, steps: vec![([1, 1, 0], Stance::Stand)], cells_per_s: 1.0 },
        Command::TakeStance { who: ANN, stance: Stance::Crouch },
        Command::SetFlying { who: ANN, flies: true },
        Command::BeginTurn(None),
        Command::SetExactTarget { who: ANN, to, look_at: Some(far) },
        Command::WalkBeside { who: ANN, other: BOB },
        Command::Push { who: ANN, by: DVec2::X },
        Command::CallGame { who: Some(ANN), call: text() },
        Command::ReplaceRoom(Box::new(world.room().clone())),
        Command::Despawn(BOB),
    ]
}

/// Everything about paths and places that can be asked of the world, in words.
fn questions(world: &World) -> String {
    let (from, to) = (Place::new(1.0, 1.0), Place::new(7.0, 3.0));
    let query = world.plain_query(from, to);
    let of_all = world.characters().iter().map(|one| {
        let way = world.find_path(one.position.at, to);
        let round = world.find_path_to_nearest(one.position.at, to, Some(one.id), 10_000);
        format!("{way:?}, {round:?}, {:?}", world.find_path_within(one.position.at, to, 10))
    });
    let of_all: String = of_all.collect();
    let door =
        world.area_named("door").map(|door| world.place_in_area(ClassId::default(), door, None, 10_000));
    let why = world.explain_path(from, [11.0, 2.0], 1_000_000);
    let explained = world.explain(&query, 1_000_000);
    format!("{of_all} {door:?} {why:?} {explained:?} {:?} {}", world.answer(query, 10_000), world.checksum())
}

#[test]
fn a_function_of_the_game_asks_and_orders_anything() {
    // By the names of the variants in the sources, this is a command of each kind.
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/nav/src/world/command.rs");
    let source = std::fs::read_to_string(source).unwrap();
    let body = source.split("pub enum Command {").nth(1).unwrap().split("\n}\n").next().unwrap();
    let is_variant =
        |line: &&str| line.starts_with("    ") && line[4..].starts_with(|c: char| c.is_ascii_uppercase());
    let first_word =
        |text: &str| text.trim().split(|c: char| !c.is_alphanumeric()).next().unwrap().to_owned();
    let variants: BTreeSet<String> = body.lines().filter(is_variant).map(first_word).collect();

    let project = project(&run_of("for i = 1, count() do order(i) end log.info('done')"));
    let number = {
        let room = project.open();
        let all = commands(room.world());
        let told: BTreeSet<String> = all.iter().map(|command| first_word(&format!("{command:?}"))).collect();
        assert_eq!(told, variants);
        all.len() as i64
    };
    let add = |api: GameApi| {
        api.function("count() -> n: integer", "How many.", move |_| Ok(number)).function(
            "order(n: integer)",
            "Gives an order.",
            |call| {
                let before = questions(call.world());
                assert_eq!(questions(call.world()), before);
                let command = commands(call.world()).swap_remove(call.integer(0)? as usize - 1);
                let refused = call.apply(command.clone()).is_err();
                if refused {
                    assert_eq!(questions(call.world()), before, "{command:?}: it was refused");
                }
                questions(call.world());
                Ok(())
            },
        )
    };
    let seen = steps(&mut project.open_with(Options::default().game_api(add)), 60);
    assert_eq!((seen.errors, seen.log), (Vec::<String>::new(), vec!["done".to_owned()]));
}

#[test]
fn arguments_of_a_call_stay_while_the_room_changes() {
    let add = |api: GameApi| {
        api.function("unlock(area: string) -> area: string", "Opens an area.", |call| {
            let (area, same) = (call.text(0)?, call.argument(0));
            call.apply(Command::SetAreaAvailable { area: area.to_owned(), available: true })?;
            assert_eq!(call.called().text(0)?, area);
            Ok(same.clone())
        })
    };
    let project = project(&run_of("log.info(unlock('door'), room:area('door').available)"));
    let seen = steps(&mut project.open_with(Options::default().game_api(add)), 10);
    assert_eq!((seen.errors, seen.log), (Vec::<String>::new(), vec!["door true".to_owned()]));
}

#[test]
fn a_refused_reload_takes_back_what_the_game_did_for_it() {
    let add = |api: GameApi| {
        api.function("unlock()", "Opens the door.", |call| {
            call.apply(Command::SetAreaAvailable { area: "door".into(), available: true })?;
            Ok(())
        })
    };
    let project = Project::new(&[("rooms/hall.json", HALL), ("scripts/room.lua", "return {}")]);
    let mut room = project.open_with(Options::default().game_api(add));
    room.step();
    let before = room.world().checksum();
    project.write("scripts/room.lua", "unlock() error('no')");
    assert!(matches!(reload(&project, &mut room, &["scripts/room.lua"]), Reload::Refused { .. }));
    assert_eq!(room.world().is_area_available("door"), Some(false));
    assert_eq!(room.world().checksum(), before);
}

#[test]
fn a_function_of_the_game_may_step_another_room() {
    let other = project(&run_of("log.info(tick())"));
    let add = |api: GameApi| {
        api.function("tick() -> n: integer", "The tick.", |call| Ok(call.world().tick_number() as i64))
    };
    let mut inner = other.open_with(Options::default().game_api(add));
    let add = move |api: GameApi| {
        api.function("both() -> a: integer, b: integer", "Steps the other room.", move |call| {
            let world = call.world();
            inner.step();
            assert!(inner.find_path([1.0, 1.0], [6.0, 3.0]).length_m > 1.0);
            Ok((world.tick_number() as i64, inner.world().tick_number() as i64))
        })
    };
    let project = project(&run_of("log.info(both())"));
    let seen = steps(&mut project.open_with(Options::default().game_api(add)), 10);
    assert_eq!((seen.errors, seen.log), (Vec::<String>::new(), vec!["0 1".to_owned()]));
}

#[test]
fn code_that_waits_for_itself_over_two_threads_is_an_error_of_a_script() {
    // Each thread runs code that steps a room whose script calls the code of the other thread.
    let barrier = Arc::new(Barrier::new(2));
    let rooms: [Arc<Mutex<Option<cicerone::runtime::Runtime>>>; 2] = [Arc::default(), Arc::default()];
    let add = |api: GameApi| {
        (0..2).fold(api, |api, index| {
            let (barrier, room) = (barrier.clone(), rooms[index].clone());
            api.function(&format!("go_{index}()"), "Steps a room.", move |_| {
                let Some(mut inner) = room.lock().map_err(|_| "gone")?.take() else { return Ok(()) };
                barrier.wait(); // both threads run code
                inner.step();
                let errors = inner.script_errors().count();
                if errors == 0 { Ok(()) } else { Err("the other room could not call".into()) }
            })
        })
    };
    let options = Options::default().game_api(add);
    let outer = [0, 1].map(|index| {
        let own = project(&run_of(&format!("go_{index}() log.info('back')")));
        let of_other = project(&run_of(&format!("go_{}()", 1 - index)));
        *rooms[index].lock().unwrap() = Some(of_other.open_with(options.clone()));
        let room = own.open_with(options.clone());
        (own, of_other, room)
    });
    let (tell, told) = std::sync::mpsc::channel();
    for (own, of_other, mut room) in outer {
        let tell = tell.clone();
        std::thread::spawn(move || {
            let seen = steps(&mut room, 1);
            drop((own, of_other));
            tell.send((seen.errors, seen.log)).unwrap();
        });
    }
    let both =
        [(); 2].map(|()| told.recv_timeout(Duration::from_secs(30)).expect("they wait for each other"));
    let failed =
        both.iter().filter(|(errors, _)| errors.iter().any(|error| error.contains("could not call")));
    assert_eq!(failed.count(), 1, "{both:?}");
    assert!(both.iter().any(|(_, log)| *log == ["back"]), "{both:?}");
}
