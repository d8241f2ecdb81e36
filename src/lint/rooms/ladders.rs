//! Ladders of tactical levels that face the wrong way.

use crate::problem::Problem;
use crate::room::{Facing, JsonStep, Locator, Room};
use crate::tactics::TacticalField;

/// Ladders that face away from what they lean on: those who climb look that way.
pub(super) fn facing_away(room: &Room, locator: &Locator) -> Vec<Problem> {
    let Some(tactics) = &room.tactics else { return Vec::new() };
    let field = TacticalField::untraced(tactics, |_| false);
    let told = field.ladders_that_face_away().into_iter().map(|(index, facing, sides)| {
        let brush = &tactics.brushes[index];
        let name = brush.name.as_ref().map(|name| format!(" '{name}'")).unwrap_or_default();
        let words: Vec<&str> = sides.into_iter().map(Facing::as_str).collect();
        let message = format!(
            "the ladder{name} faces {}, but it leans on what is {} of it",
            facing.as_str(),
            words.join(" and ")
        );
        // Objects of a level file come after the brushes of the room.
        let steps = [
            JsonStep::Key("tactics"),
            JsonStep::Key("brushes"),
            JsonStep::Index(index),
            JsonStep::Key("ladder"),
        ];
        let hint = "it faces the way that those who climb look: towards the wall";
        locator.problem(&steps, message, "", Some(hint.into()))
    });
    told.collect()
}
