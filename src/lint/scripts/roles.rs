//! Scripts in the wrong place: a room's script on a character, or the reverse; files that are used nowhere.

use super::handlers::{functions, guess};
use super::survey::{Script, Survey};
use crate::problem::{Problem, Source};
use crate::room::{JsonStep, Locator, Room};
use crate::script::api::Object;

/// Warnings for scripts that a room's file gives to the wrong kind of object.
pub(super) fn misplaced(survey: &Survey, room: &Room, locator: &Locator) -> Vec<Problem> {
    let meant_for = |file: &str| {
        let script = survey.scripts.get(file)?;
        guess(script, &functions(script))
    };
    let mut problems = Vec::new();
    if let Some(file) = &room.script
        && meant_for(file) == Some(Object::Behaviour)
    {
        let message = format!("the room follows '{file}', which is a character's script");
        let hint = "give it to a character, under \"characters\"".to_owned();
        let problem =
            locator.problem(&[JsonStep::Key("script")], message, "its handlers get (self, npc)", Some(hint));
        problems.push(problem.as_warning());
    }
    for (index, spec) in room.characters.iter().enumerate() {
        let Some(file) = spec.script.as_ref().filter(|file| meant_for(file) == Some(Object::RoomScript))
        else {
            continue;
        };
        let steps = [JsonStep::Key("characters"), JsonStep::Index(index), JsonStep::Key("script")];
        let message = format!("'{}' follows '{file}', which is a room's script", spec.name);
        let hint = "give it to the room, as its \"script\"".to_owned();
        problems
            .push(locator.problem(&steps, message, "its handlers get (room, …)", Some(hint)).as_warning());
    }
    problems
}

/// A script outside of `scripts/` that no room, script or spec names.
pub(super) fn lost(survey: &Survey, script: &Script, source: &Source) -> Option<Problem> {
    let file = source.name.as_str();
    let is_inside = survey.project.resolve(file).is_ok() && !file.starts_with('/');
    let is_elsewhere = is_inside && !file.starts_with("scripts/") && !file.starts_with("tests/");
    let has_scripts = survey.project.root().join("scripts").is_dir();
    if script.is_spec || !is_elsewhere || !has_scripts || survey.is_used(file) {
        return None;
    }
    let message = "no room and no script names this file, and it is not in scripts/".to_owned();
    let problem = source.problem_at_line(1, None, message).as_warning();
    Some(problem.with_hint("move it to scripts/, where editors and specs look"))
}
