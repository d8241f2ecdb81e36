//! Draws running rooms with gizmos: for development.

use crate::place::point_of;
use crate::room::RunningRoom;
use bevy_app::{App, PostUpdate};
use bevy_color::Color;
use bevy_color::palettes::css;
use bevy_ecs::prelude::*;
use bevy_gizmos::config::GizmoConfigStore;
use bevy_gizmos::gizmos::Gizmos;
use bevy_math::{Vec2, Vec3};
use bevy_transform::TransformSystems;
use bevy_transform::components::GlobalTransform;
use cicerone::glam::DVec2;
use cicerone::nav::Place;
use cicerone::runtime::Runtime;
use std::f32::consts::TAU;

/// Draws running rooms while this resource is there: `app.init_resource::<CiceroneGizmos>()`. Needs `GizmoPlugin`,
/// which `DefaultPlugins` has. Each part can be switched off; its colour is given here.
#[derive(Resource, Debug, Clone, PartialEq)]
pub struct CiceroneGizmos {
    /// Outlines of open areas.
    pub open_areas: Option<Color>,
    /// Outlines of closed areas, crossed out.
    pub closed_areas: Option<Color>,
    /// Outlines of obstacles.
    pub obstacles: Option<Color>,
    /// Edges of the polygons of mesh rooms.
    pub mesh: Option<Color>,
    /// What is left of the path of each walk.
    pub paths: Option<Color>,
    /// A circle with the radius of each character, and a line to where it looks.
    pub characters: Option<Color>,
}

impl Default for CiceroneGizmos {
    fn default() -> Self {
        Self {
            open_areas: Some(css::LIGHT_GREEN.into()),
            closed_areas: Some(css::TOMATO.into()),
            obstacles: Some(css::ORANGE.into()),
            mesh: Some(css::DIM_GRAY.into()),
            paths: Some(css::AQUA.into()),
            characters: Some(css::WHITE.into()),
        }
    }
}

/// Lines in the space of the world.
struct Pen<'a, 'w, 's> {
    gizmos: &'a mut Gizmos<'w, 's>,
    to_world: &'a GlobalTransform,
}

impl Pen<'_, '_, '_> {
    fn line(&mut self, points: impl IntoIterator<Item = Vec3>, color: Color) {
        let to_world = self.to_world;
        self.gizmos.linestrip(points.into_iter().map(|point| to_world.transform_point(point)), color);
    }

    fn outline(&mut self, points: &[Vec3], color: Color) {
        self.line(points.iter().chain(points.first()).copied(), color);
    }
}

fn draw_rooms(
    rooms: Query<(&RunningRoom, &GlobalTransform)>,
    shown: Res<CiceroneGizmos>,
    mut gizmos: Gizmos,
) {
    for (running, to_world) in &rooms {
        let runtime = running.runtime();
        let mut pen = Pen { gizmos: &mut gizmos, to_world };
        draw_ground(runtime, &shown, &mut pen);
        draw_characters(runtime, &shown, &mut pen);
    }
}

fn draw_ground(runtime: &Runtime, shown: &CiceroneGizmos, pen: &mut Pen) {
    let world = runtime.world();
    let (room, ground) = (world.room(), world.ground());
    let on_ground = |corners: &[DVec2]| -> Vec<Vec3> {
        corners.iter().map(|at| point_of(ground.place_of(Place::from(*at)))).collect()
    };
    if let (Some(mesh), Some(color)) = (&room.mesh, shown.mesh) {
        for polygon in &mesh.polygons {
            let corner = |index: &u32| mesh.vertices.get(*index as usize);
            let corners = polygon.corners.iter().filter_map(corner);
            let corners: Vec<Vec3> =
                corners.map(|at| Vec3::new(at.x as f32, at.y as f32, at.z as f32)).collect();
            pen.outline(&corners, color);
        }
    }
    for area in &room.areas {
        let is_open = ground.area_named(&area.name).is_none_or(|id| ground.area_available(id));
        let corners = on_ground(&area.polygon);
        match (is_open, shown.open_areas, shown.closed_areas) {
            (true, Some(color), _) => pen.outline(&corners, color),
            (false, _, Some(color)) => {
                pen.outline(&corners, color);
                let half = corners.len() / 2;
                corners.iter().zip(&corners[half..]).for_each(|(one, other)| pen.line([*one, *other], color));
            }
            _ => {}
        }
    }
    if let Some(color) = shown.obstacles {
        room.obstacles.iter().for_each(|obstacle| pen.outline(&on_ground(&obstacle.polygon), color));
    }
}

fn draw_characters(runtime: &Runtime, shown: &CiceroneGizmos, pen: &mut Pen) {
    let world = runtime.world();
    for character in world.characters() {
        let Some(pose) = runtime.pose(character.id) else { continue };
        let here = point_of(pose.place);
        if let (Some(color), Some(walk)) = (shown.paths, &character.walk) {
            let ahead = walk.corridor.ahead().iter().map(|turn| point_of(world.ground().place_of(*turn)));
            pen.line([here].into_iter().chain(ahead), color);
        }
        if let Some(color) = shown.characters {
            let radius = character.collision_radius_m as f32;
            let side = |angle: f32, length: f32| {
                let by = Vec2::from_angle(angle) * length;
                here + Vec3::new(by.x, 0.0, by.y)
            };
            let circle = (0..=24).map(|step| side(TAU * step as f32 / 24.0, radius));
            pen.line(circle, color);
            pen.line([here, side(pose.heading_rad as f32, radius * 1.6)], color);
        }
    }
}

/// Adds the system that draws. It does nothing in an app without gizmos.
pub(crate) fn add_gizmos(app: &mut App) {
    let is_on = resource_exists::<CiceroneGizmos>.and_then(resource_exists::<GizmoConfigStore>);
    app.add_systems(PostUpdate, draw_rooms.after(TransformSystems::Propagate).run_if(is_on));
}
