//! An app for tests: assets in memory, with a watcher; frames of a fixed length; notes of what happens.

use bevy_app::{App, TaskPoolPlugin, Update};
use bevy_asset::io::memory::{Dir, MemoryAssetReader};
use bevy_asset::io::{AssetSourceBuilder, AssetSourceEvent, AssetSourceId, AssetWatcher};
use bevy_asset::{AssetApp, AssetPlugin, AssetServer};
use bevy_ecs::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use cicerone_bevy::prelude::*;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A hall with a closed cellar; Ann walks about where a script says so.
pub(crate) const HALL: &str = r#"{
  "areas": [
    { "name": "hall", "polygon": [[0, 0], [8, 0], [8, 5], [0, 5]] },
    { "name": "door", "polygon": [[8, 2], [8.5, 2], [8.5, 3.5], [8, 3.5]], "available": false },
    { "name": "cellar", "polygon": [[8.5, 0], [12, 0], [12, 5], [8.5, 5]] }
  ],
  "characters": [
    { "name": "player", "at": [2, 4], "player": true },
    { "name": "ann", "at": [1, 1], "script": "scripts/ann.lua" }
  ]
}"#;

/// A frame as long as a step.
pub(crate) const FRAME: Duration = Duration::from_nanos(1_000_000_000 / 60 + 1);

#[derive(Resource, Default)]
pub(crate) struct Heard {
    pub(crate) events: Vec<RoomEvent>,
    pub(crate) reports: Vec<RoomReport>,
    pub(crate) refused: Vec<OrderRefused>,
}

fn hear(
    mut heard: ResMut<Heard>,
    mut events: MessageReader<RoomEvent>,
    mut reports: MessageReader<RoomReport>,
    mut refused: MessageReader<OrderRefused>,
) {
    heard.events.extend(events.read().cloned());
    heard.reports.extend(reports.read().cloned());
    heard.refused.extend(refused.read().cloned());
}

struct Watcher;

impl AssetWatcher for Watcher {}

type Tell = Box<dyn Fn(AssetSourceEvent) + Send + Sync>;

/// Files in memory that tell the asset server when they are saved.
#[derive(Clone, Default)]
pub(crate) struct Files {
    dir: Dir,
    tell: Arc<Mutex<Option<Tell>>>,
}

impl Files {
    pub(crate) fn save(&self, name: &str, content: &str) {
        self.dir.insert_asset_text(Path::new(name), content);
        if let Some(tell) = &*self.tell.lock().unwrap() {
            tell(AssetSourceEvent::ModifiedAsset(name.into()));
        }
    }

    /// A second source, `pack://`, that is not watched: the folder `pack`.
    fn pack(&self) -> AssetSourceBuilder {
        let root = self.dir.get_or_insert_dir(Path::new("pack"));
        AssetSourceBuilder::new(move || Box::new(MemoryAssetReader { root: root.clone() }))
    }

    fn source(&self) -> AssetSourceBuilder {
        let (dir, tell) = (self.dir.clone(), self.tell.clone());
        AssetSourceBuilder::new(move || Box::new(MemoryAssetReader { root: dir.clone() })).with_watcher(
            move |sender| {
                let send = move |event| sender.try_send(event).unwrap();
                *tell.lock().unwrap() = Some(Box::new(send));
                Some(Box::new(Watcher))
            },
        )
    }
}

pub(crate) struct Game {
    pub(crate) app: App,
    pub(crate) files: Files,
}

impl Game {
    /// An app with these files, without any room.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        Self::with_plugin(files, CiceronePlugin::default())
    }

    pub(crate) fn with_plugin(given: &[(&str, &str)], plugin: CiceronePlugin) -> Self {
        let files = Files::default();
        for (name, content) in given {
            files.save(name, content);
        }
        let mut app = App::new();
        app.register_asset_source(AssetSourceId::Default, files.source());
        app.register_asset_source("pack", files.pack());
        let assets = AssetPlugin { watch_for_changes_override: Some(true), ..AssetPlugin::default() };
        app.add_plugins((TaskPoolPlugin::default(), TimePlugin, assets, TransformPlugin, plugin));
        app.insert_resource(TimeUpdateStrategy::ManualDuration(FRAME));
        app.init_resource::<Heard>().add_systems(Update, hear);
        Self { app, files }
    }

    /// Adds a room; it opens in one of the next frames.
    pub(crate) fn add(&mut self, room: &str, options: Options) -> Entity {
        let files = self.app.world().resource::<AssetServer>().load(room.to_owned());
        self.app.world_mut().spawn(Room::new(files).with_options(options)).id()
    }

    /// Adds a room and waits until it runs.
    pub(crate) fn open(&mut self, room: &str, options: Options) -> Entity {
        let room = self.add(room, options);
        self.until(|game| game.app.world().get::<RunningRoom>(room).is_some());
        room
    }

    /// A game with the hall open, and this script for Ann.
    pub(crate) fn hall(script: &str) -> (Self, Entity) {
        let mut game = Self::new(&[("rooms/hall.json", HALL), ("scripts/ann.lua", script)]);
        let room = game.open("rooms/hall.json", Options::default());
        (game, room)
    }

    pub(crate) fn frames(&mut self, count: u32) {
        (0..count).for_each(|_| self.app.update());
    }

    /// Makes frames until something is so; fails after a while.
    pub(crate) fn until(&mut self, mut is_so: impl FnMut(&mut Self) -> bool) {
        for _ in 0..3000 {
            if is_so(self) {
                return;
            }
            self.app.update();
        }
        panic!("it never came: {:#?}", self.heard().reports);
    }

    pub(crate) fn heard(&self) -> &Heard {
        self.app.world().resource::<Heard>()
    }

    /// The events so far, as text.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.heard().events.iter().map(|event| event.event.to_string()).collect()
    }

    pub(crate) fn running(&self, room: Entity) -> &RunningRoom {
        self.app.world().get::<RunningRoom>(room).expect("it runs")
    }

    pub(crate) fn runtime(&mut self, room: Entity) -> Mut<'_, RunningRoom> {
        self.app.world_mut().get_mut::<RunningRoom>(room).expect("it runs")
    }

    pub(crate) fn who(&self, room: Entity, name: &str) -> Entity {
        self.running(room).entity_named(name).expect("it is there")
    }
}
