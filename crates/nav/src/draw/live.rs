//! What is drawn over the picture of a room while it runs: where its characters are, and where they go.

use super::{Picture, Route, Shape, figure};
use crate::crowd::{Character, CharacterId};
use crate::nav::{Place, Position};
use crate::world::World;
use glam::DVec2;

impl Picture {
    /// The shapes with their storeys, from 0; `None` for those that are on all of them.
    pub fn shapes_on_storeys(&self) -> impl Iterator<Item = (&Shape, Option<usize>)> {
        self.shapes.iter().zip(self.storeys_of_shapes.iter().copied())
    }

    /// The storey of a position, from 0.
    pub fn storey_of_position(&self, position: Position) -> usize {
        self.storey_of(position).unwrap_or(0)
    }

    /// The storey of a place, from 0.
    pub fn storey_of_spot(&self, place: Place) -> usize {
        self.storey_of_place(place).unwrap_or(0)
    }

    /// Half the width that a character has in the picture, in metres.
    pub fn radius_m(&self, world: &World, character: &Character, at: DVec2) -> f64 {
        let radius_m = match (&character.actor, self.levels()) {
            (Some(actor), Some(levels)) => figure::actor_radius_m(actor.size, actor.stance, levels.cell_m()),
            _ => character.collision_radius_m,
        };
        radius_m * world.room().depth_at(at.y).map_or(1.0, |(_, scale)| scale)
    }

    /// The storey on which a character is drawn, from 0, among those of this picture.
    pub fn storey_of_character(&self, world: &World, character: &Character) -> usize {
        self.storey_on(world, character).unwrap_or(0)
    }

    pub(super) fn storey_on(&self, world: &World, character: &Character) -> Option<usize> {
        let level = character.actor.as_deref().and_then(|actor| self.storey_of_level(actor.cell[2]));
        match &character.crossing {
            _ if level.is_some() => level.map(|number| number - 1),
            Some(crossing) if self.storey_of(crossing.from) == self.storey_of(crossing.to) => {
                self.storey_of(crossing.from)
            }
            Some(_) => self.storey_of_place(world.seen_at(character)),
            None => self.storey_of(character.position),
        }
    }

    /// The remaining paths of characters, part by part: the character, the storey from 0, and the part.
    pub fn routes_of<'a>(
        &self,
        characters: impl Iterator<Item = &'a Character>,
    ) -> Vec<(CharacterId, usize, Route)> {
        let mut over = Self { storeyed: self.storeyed.clone(), ..Self::default() };
        let mut routes = Vec::new();
        for character in characters {
            over.add_walk(character);
            let storeys = over.storeys_of_shapes.drain(..);
            for (shape, storey) in over.shapes.drain(..).zip(storeys) {
                if let Shape::Path(route) = shape {
                    routes.push((character.id, storey.unwrap_or(0), route));
                }
            }
        }
        routes
    }

    /// The polygons that a character's path goes through from where it is, with their storeys from 0; at most so many.
    pub fn corridor_of(&self, world: &World, character: &Character, most: usize) -> Vec<(usize, Vec<DVec2>)> {
        let (Some(walk), Some(mesh)) = (&character.walk, world.ground().as_mesh()) else { return Vec::new() };
        let floors = walk.corridor.floors_ahead(character.position.floor).take(most);
        let outlined = floors.filter_map(|floor| {
            let corners = mesh.outline(floor)?;
            let at = *corners.first()?;
            Some((self.storey_of_position(Position { at, floor }), corners))
        });
        outlined.collect()
    }
}
