//! Actors of a room file: where they start, and what is wrong there.

use crate::crowd::ActorState;
use crate::room::{ActorSpec, CharacterSpec, Room};
use crate::tactics::{Cell, TacticalField};
use std::collections::BTreeMap;

/// The cell of an actor in a room file.
pub(super) fn start_cell(field: &TacticalField, spec: &CharacterSpec, actor: &ActorSpec) -> Option<Cell> {
    let cell = field.cell_under(spec.at.at, actor.level, actor.size)?;
    field.landing(cell, actor.size, actor.flies)
}

/// What is wrong with the tactical level of a room and with its actors: the index of the character, if it is one's fault,
/// what is wrong, and a hint.
pub fn check_actors(room: &Room) -> Vec<(Option<usize>, String, Option<String>)> {
    let is_open = |name: &str| room.areas.iter().any(|area| area.name == name && area.available);
    let Some(tactics) = &room.tactics else { return Vec::new() };
    let mut field = TacticalField::untraced(tactics, is_open);
    if field.is_too_large() {
        let message = "the tactical level is larger than 256 × 256 cells on 8 levels".to_owned();
        let hint = "a cell is 32 × 32 × 64 units: move far brushes nearer, or check the scale";
        return vec![(None, message, Some(hint.into()))];
    }
    if !field.finds_floor() {
        let message = "the tactical level has no floor: nobody can stand anywhere".to_owned();
        return vec![(None, message, Some("a floor is the top of a brush with room above it".into()))];
    }
    let mut taken: BTreeMap<Cell, &str> = BTreeMap::new();
    let mut faults = Vec::new();
    for (index, spec) in room.characters.iter().enumerate() {
        let Some(actor) = &spec.actor else { continue };
        if let Some(cell) = field.cell_under(spec.at.at, actor.level, actor.size) {
            field.trace_column(cell, actor.size);
        }
        let Some(cell) = start_cell(&field, spec, actor) else {
            let message = format!("'{}' starts in a wall, or where no floor is", spec.name);
            let hint = match field.cell_under(spec.at.at, actor.level, actor.size) {
                Some([x, y, level]) => format!("there is no room for it at cell {x}, {y} on level {level}"),
                None => {
                    let [width, depth, levels] = field.size();
                    format!(
                        "the level has {width} × {depth} cells of {} m on {levels} levels",
                        field.cell_m()
                    )
                }
            };
            faults.push((Some(index), message, Some(hint)));
            continue;
        };
        let mut other = None;
        for cell in ActorState::cells_of(cell, actor.size) {
            other = other.or(taken.insert(cell, &spec.name));
        }
        if let Some(other) = other {
            let [x, y, level] = cell;
            let message = format!("'{}' starts on the cell of '{other}'", spec.name);
            faults.push((Some(index), message, Some(format!("it is cell {x}, {y} on level {level}"))));
        }
    }
    faults
}
