//! Rooms from assets: what is loaded, and what happens to changed files.

use crate::app::{Game, HALL};
use bevy_asset::{AssetServer, Assets};
use cicerone_bevy::RoomSettings;
use cicerone_bevy::prelude::*;

fn says(text: &str) -> String {
    format!("return {{ run = function(self, npc) npc:say('{text}') end }}")
}

fn refusals(game: &Game) -> Vec<String> {
    let is_refusal =
        |report: &&RoomReport| !matches!(report.news, RoomNews::Opened | RoomNews::Reloaded { .. });
    game.heard().reports.iter().filter(is_refusal).map(ToString::to_string).collect()
}

fn reloads(game: &Game) -> usize {
    game.heard().reports.iter().filter(|report| matches!(report.news, RoomNews::Reloaded { .. })).count()
}

fn has_said(game: &Game, text: &str) -> bool {
    game.texts().iter().any(|line| line.contains(text))
}

#[test]
fn a_changed_script_takes_effect_and_a_bad_one_does_not() {
    let (mut game, room) = Game::hall(&says("one"));
    game.frames(3);
    assert!(has_said(&game, "one") && !has_said(&game, "two"));
    let ann = game.who(room, "ann");

    game.files.save("scripts/ann.lua", &says("two"));
    game.until(|game| has_said(game, "two"));
    assert_eq!((reloads(&game), game.who(room, "ann")), (1, ann));

    game.files.save("scripts/ann.lua", "return {\n run = }");
    game.until(|game| !refusals(game).is_empty());
    assert!(refusals(&game)[0].contains("scripts/ann.lua:2:"), "{:?}", refusals(&game));
    game.frames(3);
    assert_eq!((reloads(&game), game.running(room).runtime().script_errors().count()), (1, 0));

    game.files.save("scripts/ann.lua", &says("three"));
    game.until(|game| has_said(game, "three"));
    assert_eq!((reloads(&game), refusals(&game).len()), (2, 1));
}

#[test]
fn a_good_file_takes_effect_beside_a_bad_one() {
    let (mut game, room) = Game::hall(&says("one"));
    game.files.save("rooms/hall.json", "{ nonsense");
    game.until(|game| !refusals(game).is_empty());
    let moved = HALL.replace("\"at\": [2, 4]", "\"at\": [3, 4]").replace("[8, 5], [0, 5]", "[8, 6], [0, 6]");
    game.files.save("rooms/hall.json", &moved);
    game.until(|game| reloads(game) == 1);
    game.files.save("scripts/ann.lua", "return }");
    game.files.save("rooms/hall.json", &moved.replace("[8, 6], [0, 6]", "[8, 7], [0, 7]"));
    game.until(|game| reloads(game) == 2);
    assert!(refusals(&game).last().is_some_and(|text| text.contains("scripts/ann.lua:1:")));
    assert_eq!(game.running(room).runtime().world().room().areas[0].polygon[2].y, 7.0);
}

#[test]
fn a_module_and_a_script_that_is_spawned_later_are_loaded_and_reloaded() {
    let ann = r#"local words = require("inn.words")
        return { run = function(self, npc)
          npc:say(words.first)
          wait(0.2)
          spawn { name = "guest", at = { x = 4, z = 4 }, script = "scripts/guest.lua" }
        end }"#;
    let mut game = Game::new(&[
        ("inn/rooms/hall.json", HALL),
        ("inn/scripts/ann.lua", ann),
        ("inn/scripts/inn/words.lua", "return { first = 'from a module' }"),
        ("inn/scripts/guest.lua", &says("from a guest")),
    ]);
    game.open("inn/rooms/hall.json", Options::default());
    game.until(|game| has_said(game, "from a guest"));
    assert!(has_said(&game, "from a module"));
    game.files.save("inn/scripts/inn/words.lua", "return { first = 'from a changed module' }");
    game.until(|game| has_said(game, "from a changed module"));
    game.files.save("inn/scripts/guest.lua", &says("from a changed guest"));
    game.until(|game| has_said(game, "from a changed guest"));
    assert_eq!(refusals(&game), [""; 0]);
}

#[test]
fn the_files_of_a_room_come_from_the_source_of_the_room() {
    let script = ("pack/scripts/ann.lua", &*says("from a pack"));
    let mut game = Game::new(&[("pack/rooms/hall.json", HALL), script]);
    game.open("pack://rooms/hall.json", Options::default());
    game.until(|game| has_said(game, "from a pack"));
}

#[test]
fn an_invalid_room_is_reported_with_its_place_and_opens_once_it_is_mended() {
    let mut game =
        Game::new(&[("rooms/hall.json", "{\n  \"areas\": [ }"), ("scripts/ann.lua", &says("one"))]);
    let room = game.add("rooms/hall.json", Options::default());
    game.until(|game| !refusals(game).is_empty());
    assert!(refusals(&game)[0].contains("rooms/hall.json:2:"), "{:?}", refusals(&game));
    game.frames(10);
    assert_eq!(refusals(&game).len(), 1, "told once");
    game.files.save("rooms/hall.json", HALL);
    game.until(|game| game.app.world().get::<RunningRoom>(room).is_some());
    game.until(|game| has_said(game, "one"));
}

#[test]
fn missing_files_are_reported() {
    let mut game = Game::new(&[("rooms/hall.json", HALL)]);
    let nowhere = game.add("rooms/nowhere.json", Options::default());
    game.add("rooms/hall.json", Options::default());
    game.until(|game| refusals(game).len() == 2);
    let reports = &game.heard().reports;
    assert!(reports.iter().any(|it| it.room == nowhere && matches!(it.news, RoomNews::NotLoaded(_))));
    let texts = refusals(&game).join("\n");
    assert!(texts.contains("rooms/hall.json:9:") && texts.contains("scripts/ann.lua"), "{texts}");
}

#[test]
fn scripts_with_computed_names_are_loaded_if_the_settings_say_so() {
    let ann = "return { run = function(self, npc) npc:say(require('wo' .. 'rds')) end }";
    let files =
        [("rooms/hall.json", HALL), ("scripts/ann.lua", ann), ("scripts/words.lua", "return 'found'")];
    let mut game = Game::new(&files);
    game.open("rooms/hall.json", Options::default());
    game.frames(5);
    assert!(!has_said(&game, "found") && has_said(&game, "cannot require"), "{:?}", game.texts());

    let mut game = Game::new(&files);
    let also = |settings: &mut RoomSettings| settings.also = vec!["scripts/words.lua".into()];
    let server = game.app.world().resource::<AssetServer>();
    let files = server.load_builder().with_settings(also).load("rooms/hall.json");
    game.app.world_mut().spawn(Room::new(files));
    game.until(|game| has_said(game, "found"));
}

#[test]
fn files_in_the_games_hands_are_reloaded_too() {
    let mut game = Game::new(&[]);
    let files = RoomFiles::new("rooms/hall.json", HALL).with("scripts/ann.lua", says("one"));
    let files = game.app.world_mut().resource_mut::<Assets<RoomFiles>>().add(files);
    game.app.world_mut().spawn(Room::new(files.clone()));
    game.until(|game| has_said(game, "one"));
    let mut assets = game.app.world_mut().resource_mut::<Assets<RoomFiles>>();
    assets.get_mut(&files).unwrap().set("scripts/ann.lua", says("two"));
    game.until(|game| has_said(game, "two"));
}
