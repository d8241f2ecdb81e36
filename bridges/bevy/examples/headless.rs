//! A room without a window: the player waits for the gate, walks to the garden, and meets a visitor there.
//!
//! `cargo run --example headless`
#![allow(clippy::print_stdout)] // an example talks to its reader

use bevy_app::{App, AppExit, ScheduleRunnerPlugin, TaskPoolPlugin, Update};
use bevy_asset::{AssetPlugin, AssetServer};
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use cicerone_bevy::prelude::*;
use std::time::Duration;

#[derive(Resource, Default)]
struct Seen {
    gate_opened: bool,
    player_arrived: bool,
    visitor_spoke: bool,
}

fn main() -> AppExit {
    App::new()
        // Without a window: as fast as it goes, with frames that count as one sixtieth of a second.
        .add_plugins((TaskPoolPlugin::default(), TimePlugin, ScheduleRunnerPlugin::run_loop(Duration::ZERO)))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / 60))
        .add_plugins((AssetPlugin::default(), TransformPlugin, CiceronePlugin::default()))
        .init_resource::<Seen>()
        .add_systems(bevy_app::Startup, open)
        .add_systems(Update, (tell, finish).chain())
        .add_observer(begin)
        .run()
}

fn open(assets: Res<AssetServer>, mut commands: Commands) {
    let room = Room::new(assets.load("rooms/yard.json")).with_options(Options::default().with_seed(7));
    commands
        .spawn(room)
        .observe(|_: On<AreaChanged>, mut seen: ResMut<Seen>| seen.gate_opened = true)
        .observe(|arrived: On<Arrived>, characters: Query<&Character>, mut seen: ResMut<Seen>| {
            let who = characters.get(arrived.original_event_target());
            seen.player_arrived |= who.is_ok_and(|character| character.name == "player");
        })
        .observe(|said: On<Said>, mut seen: ResMut<Seen>| seen.visitor_spoke |= said.text.contains("garden"));
}

/// The player is there: the gate opens, and the player walks through.
fn begin(added: On<Add, Character>, characters: Query<&Character>, mut commands: Commands) {
    let Ok(character) = characters.get(added.entity) else { return };
    if character.name == "player" {
        commands.trigger(SetAreaAvailable { entity: character.room, area: "gate".into(), available: true });
        commands.trigger(WalkTo { entity: added.entity, to: Vec3::new(12.0, 0.0, 4.0) });
    }
}

fn tell(mut events: MessageReader<RoomEvent>, mut reports: MessageReader<RoomReport>) {
    reports.read().for_each(|report| println!("{report}"));
    events.read().for_each(|event| println!("{}", event.event));
}

/// Ends the app when all has happened, and with an error after a minute of game time.
fn finish(time: Res<bevy_time::Time>, seen: Res<Seen>, mut exit: MessageWriter<AppExit>) {
    if seen.gate_opened && seen.player_arrived && seen.visitor_spoke {
        println!("all that was to happen has happened after {:.1} s", time.elapsed_secs());
        exit.write(AppExit::Success);
    } else if time.elapsed_secs() > 60.0 {
        println!("something never happened");
        exit.write(AppExit::error());
    }
}
