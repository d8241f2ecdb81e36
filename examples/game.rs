//! A small game around the gatehouse: its scripts call the game's own functions for sounds, dialogs, animations and coins
//! (`scripts/game_api.json` declares them), and wait for a dialog and for animations.
//!
//! The game plays three times: with coins, with an empty purse, and without any game, from the recording of the first.
//!
//! Run it: `cargo run --example game`. Its specs: `cargo run -- test tests/scenarios/gatehouse_spec.lua`
#![allow(clippy::print_stdout)] // an example talks to its reader

use cicerone::nav::Place;
use cicerone::record::{Buffer, Recording, Replay};
use cicerone::runtime::{Input, Options, Runtime, RuntimeEvent};
use cicerone::script::{CallId, Called, GameApi, Note};
use cicerone::world::{CharacterId, EventKind};
use std::error::Error;
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The parts of the game that scripts reach while they run. They are shared with the functions given to them.
#[derive(Default)]
struct Shared {
    coins: AtomicI64,
    sounds: Mutex<Vec<String>>,
}

/// Something that takes a while, and that a script waits for.
struct Playing {
    call: CallId,
    what: What,
    left_s: f64,
}

enum What {
    Animation(String),
    Dialog { topic: String },
}

struct Game {
    room: Runtime,
    shared: Arc<Shared>,
    playing: Vec<Playing>,
    time_s: f64,
}

/// What scripts can call. The signatures are those of `scripts/game_api.json`; a difference is a warning.
fn functions(api: GameApi, shared: &Arc<Shared>) -> GameApi {
    let (purse, mixer) = (shared.clone(), shared.clone());
    api.function("play_sound(name: string, at?: Place)", "Plays a sound.", move |call| {
        let mut sounds = mixer.sounds.lock().map_err(|_| "the mixer is gone")?;
        sounds.push(match call.place(1) {
            Ok(Place { at, .. }) => format!("{} at ({:.1}, {:.1})", call.text(0)?, at.x, at.y),
            Err(_) => call.text(0)?.to_owned(),
        });
        Ok(())
    })
    .function("take_coins(count: integer) -> paid: boolean", "Takes coins from the purse.", move |call| {
        let count = call.integer(0)?;
        let there = purse.coins.load(Ordering::Relaxed);
        if there < count {
            return Ok(false);
        }
        purse.coins.store(there - count, Ordering::Relaxed);
        Ok(true)
    })
    // These take a while: the game gets the call as an event, and tells when it is over.
    .waiting("start_dialog(speaker: Npc, topic: string) -> answer: string", "Opens a dialog.")
    .waiting("npc:play_animation(name: string)", "Plays an animation.")
    .value("toll", "What the keeper asks for, in coins.", 3)
}

impl Game {
    fn new(coins: i64) -> Result<Self> {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("rooms/gatehouse.json");
        let shared = Arc::new(Shared { coins: coins.into(), ..Shared::default() });
        let options = Options::default().with_seed(7).game_api(|api| functions(api, &shared));
        Ok(Self { room: Runtime::open(&file, options)?, shared, playing: Vec::new(), time_s: 0.0 })
    }

    fn player(&self) -> Result<CharacterId> {
        Ok(self.room.world().character_named("player").ok_or("no character is the player")?.id)
    }

    /// One frame of the game, of any length.
    fn frame(&mut self, frame_s: f64) -> Result<()> {
        self.time_s += frame_s;
        self.end_what_is_over(frame_s)?;
        self.room.advance(frame_s);
        for event in self.room.take_events() {
            match event {
                RuntimeEvent::Note(Note::Called(call)) => self.begin(&call)?,
                // A script was reloaded or called off: nobody waits for this animation any more.
                RuntimeEvent::Note(Note::GivenUp(id)) => self.playing.retain(|playing| playing.call != id),
                RuntimeEvent::Note(Note::Error(error)) => return Err(error.to_string().into()),
                RuntimeEvent::Event { kind: EventKind::Said(..), text, .. } => self.say(&text),
                _ => {}
            }
        }
        let sounds = std::mem::take(&mut *self.shared.sounds.lock().map_err(|_| "the mixer is gone")?);
        sounds.iter().for_each(|sound| self.say(&format!("* {sound}")));
        Ok(())
    }

    /// A script called a function that takes a while.
    fn begin(&mut self, call: &Called) -> Result<()> {
        let (what, left_s) = match call.function {
            "npc:play_animation" => (What::Animation(call.text(0)?.to_owned()), 1.2),
            "start_dialog" => (What::Dialog { topic: call.text(1)?.to_owned() }, 2.0),
            other => return Err(format!("the game does not know {other}").into()),
        };
        self.say(&call.text);
        self.playing.push(Playing { call: call.id, what, left_s });
        Ok(())
    }

    fn end_what_is_over(&mut self, frame_s: f64) -> Result<()> {
        self.playing.iter_mut().for_each(|playing| playing.left_s -= frame_s);
        let (over, left) = std::mem::take(&mut self.playing).into_iter().partition(|p| p.left_s <= 0.0);
        self.playing = left;
        for Playing { call, what, .. } in Vec::<Playing>::into_iter(over) {
            match what {
                What::Animation(name) => {
                    self.say(&format!("the animation {name} has ended"));
                    self.room.finish_call(call, ())?;
                }
                What::Dialog { topic } => {
                    self.say(&format!("the player chooses \"pay\" in the dialog about the {topic}"));
                    self.room.finish_call(call, "pay")?;
                }
            }
        }
        Ok(())
    }

    /// Frames of a screen of 144 Hz, until something is so.
    fn until(&mut self, what: &str, at_most_s: f64, is_so: impl Fn(&Self) -> bool) -> Result<()> {
        let end_s = self.time_s + at_most_s;
        while self.time_s < end_s {
            self.frame(1.0 / 144.0)?;
            if is_so(self) {
                return Ok(());
            }
        }
        Err(format!("{what} did not come within {at_most_s} s").into())
    }

    fn is_open(&self) -> bool {
        let world = self.room.world();
        world.area_named("gate").is_some_and(|gate| world.ground().area_available(gate))
    }

    fn say(&self, words: &str) {
        println!("{:6.2} s  {words}", self.time_s);
    }
}

fn main() -> Result<()> {
    println!("-- with five coins");
    let mut game = Game::new(5)?;
    let tape = Buffer::default();
    game.room.record(Box::new(tape.clone()))?;
    let keeper = game.room.world().character_named("keeper").ok_or("no keeper")?.position;
    game.room.send(Input::Click(keeper.at.into())); // the player walks up to the keeper and talks
    game.until("the toll", 60.0, |game| game.shared.coins.load(Ordering::Relaxed) == 2)?;
    game.until("the gate", 30.0, Game::is_open)?;
    game.room.send(Input::Click(Place::new(14.0, 5.0)));
    let player = game.player()?;
    game.until("the town", 30.0, |game| game.room.pose(player).is_some_and(|pose| pose.place.at.x > 13.5))?;
    game.until("the closed gate", 60.0, |game| !game.is_open())?;
    game.room.stop_recording()?;
    let (ticks, hash) = (game.room.world().tick_number(), game.room.world().checksum());

    println!("-- with an empty purse");
    let mut poor = Game::new(0)?;
    poor.room.send(Input::Click(keeper.at.into()));
    poor.until("a refusal", 60.0, |game| {
        let world = game.room.world();
        let keeper = world.character_named("keeper").and_then(|keeper| keeper.speech.as_ref());
        keeper.is_some_and(|speech| speech.text == "That is not enough.")
    })?;

    println!("-- the first one again, without scripts and without the game");
    let recording = Recording::read(&tape.bytes())?;
    let mut replay = Replay::new(&recording)?;
    while let Some(same) = replay.step()? {
        same.map_err(|difference| format!("{difference:?}"))?;
    }
    assert_eq!((replay.world().tick_number(), replay.world().checksum()), (ticks, hash));
    println!("{ticks} ticks, the same hash: {hash:016x}");
    Ok(())
}
