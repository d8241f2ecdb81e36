//! A tactical level on the screen: the actor that is selected, what it reaches, and the cursor.

use cicerone::draw::{Picture, clean};
use cicerone::glam::DVec2;
use cicerone::tactics::{Cell, ReachTable, Stance};
use cicerone::world::World;

/// What was chosen on a tactical level.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Choice {
    /// The name of the actor that is selected.
    pub(super) actor: Option<String>,
    /// The cell under the cursor.
    pub(super) cursor: Option<Cell>,
}

/// What keys need to know of a tactical level.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct LevelKeys {
    /// Cells along x and y, and levels.
    pub(super) size: [u32; 3],
    /// The edge of a cell, as bits of metres.
    cell_m_bits: u64,
    /// The lowest corner of the first cell, as bits of metres.
    origin_m_bits: [u64; 2],
    /// The actors in order, each with the cells that it stands on.
    pub(super) actors: Vec<(String, Vec<Cell>)>,
}

impl LevelKeys {
    /// Those of a room; `None` if its player is steered over the ground, or if there is no tactical level.
    pub(super) fn of(world: &World) -> Option<Self> {
        let field = world.tactics()?;
        if world.characters().iter().any(|character| character.player && character.actor.is_none()) {
            return None;
        }
        let actors = world.characters().iter().filter_map(|character| {
            let actor = character.actor.as_deref().filter(|_| character.is_active())?;
            Some((character.name.clone(), actor.cells().collect()))
        });
        let cell_m_bits = field.cell_m().to_bits();
        let origin_m_bits = field.origin_m().0.to_array().map(f64::to_bits);
        Some(Self { size: field.size(), cell_m_bits, origin_m_bits, actors: actors.collect() })
    }

    /// The cell at a place of the map, on a level.
    pub(super) fn cell_at(&self, at: DVec2, level: u32) -> Option<Cell> {
        let origin_m = DVec2::from(self.origin_m_bits.map(f64::from_bits));
        let cell = ((at - origin_m) / f64::from_bits(self.cell_m_bits)).floor();
        let [width, depth, _] = self.size.map(f64::from);
        let is_in = cell.x >= 0.0 && cell.y >= 0.0 && cell.x < width && cell.y < depth;
        is_in.then_some([cell.x as u32, cell.y as u32, level])
    }
}

impl Choice {
    /// Selects the actor after the one that is selected.
    pub(super) fn next(&mut self, keys: &LevelKeys) {
        let at = self.actor.as_ref().and_then(|name| keys.actors.iter().position(|(other, _)| other == name));
        let next = at.map_or(0, |at| at + 1) % keys.actors.len().max(1);
        if let Some((name, cells)) = keys.actors.get(next) {
            (self.actor, self.cursor) = (Some(name.clone()), cells.first().copied());
        }
    }

    /// Moves the cursor by a cell, within the level; puts it on the selected actor at first.
    pub(super) fn step(&mut self, [dx, dy]: [i32; 2], level: u32, keys: &LevelKeys) {
        let of_actor = || {
            let name = self.actor.as_ref()?;
            keys.actors.iter().find(|(other, _)| other == name)?.1.first().copied()
        };
        let [x, y, _] = self.cursor.or_else(of_actor).unwrap_or([keys.size[0] / 2, keys.size[1] / 2, level]);
        let step = |at: u32, by: i32, count: u32| at.saturating_add_signed(by).min(count.saturating_sub(1));
        self.cursor = Some([step(x, dx, keys.size[0]), step(y, dy, keys.size[1]), level]);
    }

    /// Puts the cursor on a cell, and selects the actor there.
    pub(super) fn point(&mut self, cell: Cell, keys: &LevelKeys) {
        self.cursor = Some(cell);
        if let Some((name, _)) = keys.actors.iter().find(|(_, cells)| cells.contains(&cell)) {
            self.actor = Some(name.clone());
        }
    }
}

/// The picture with what the selected actor reaches, its way to the cursor, and the cursor; with a line about them.
pub(super) fn with_choice(picture: Picture, world: &World, choice: &Choice) -> (Picture, Option<String>) {
    let picture = match choice.cursor {
        Some(cursor) => picture.with_cursor(cursor),
        None => picture,
    };
    let (Some(field), Some(name)) = (world.tactics(), &choice.actor) else { return (picture, None) };
    let character = world.character_named(name).filter(|character| character.is_active());
    let Some((character, actor)) = character.and_then(|who| Some((who, who.actor.as_deref()?))) else {
        return (picture, None);
    };
    let mut words = format!("{}  {}  {} of {} TU", clean(name), clean(&actor.side), actor.tu, actor.budget);
    let Some(query) = world.cell_query(character.id) else { return (picture, Some(words)) };
    let Some(table) = field.table(actor.cell, actor.size, &query) else { return (picture, Some(words)) };
    let mut picture = picture.with_reach(&table, actor.size, actor.tu);
    if let Some(cursor) = choice.cursor.filter(|&cursor| cursor != actor.cell) {
        let [x, y, level] = cursor;
        let there = format!("cell {x}, {y} on level {level}");
        // Of the places of a big one that cover the cursor, the cheapest.
        match nearest_place(&table, cursor, actor.size) {
            Some((to, stance)) => {
                let tu = table.tu(to, stance).unwrap_or(0);
                let how = if stance == Stance::Crouch { " crouched" } else { "" };
                let left = actor.tu.saturating_sub(tu);
                words.push_str(&format!("  {there}: {tu} TU{how}, {left} left"));
                picture = with_way(picture, &table, (to, stance), actor.size);
            }
            None => words.push_str(&format!("  {there}: out of reach")),
        }
    }
    (picture, Some(words))
}

fn nearest_place(table: &ReachTable, [x, y, level]: Cell, size: u32) -> Option<(Cell, Stance)> {
    let corners = (0..size).flat_map(|dy| (0..size).map(move |dx| (dx, dy)));
    let cells = corners.filter_map(|(dx, dy)| Some([x.checked_sub(dx)?, y.checked_sub(dy)?, level]));
    let places = cells.filter_map(|cell| Some((cell, table.best_stance(cell)?)));
    places.min_by_key(|&(cell, stance)| table.tu(cell, stance))
}

fn with_way(picture: Picture, table: &ReachTable, (to, stance): (Cell, Stance), size: u32) -> Picture {
    let moves = table.path(to, stance).unwrap_or_default();
    picture.with_moves(table.start, size, &moves)
}
