//! The yard in a window, from above. A click sends the player there; G opens and closes the gate; P pauses.
//!
//! `cargo run --features hot_reload`, then save a file in `../assets`.

use bevy::prelude::*;
use cicerone_bevy::CiceroneGizmos;
use cicerone_bevy::cicerone;
use cicerone_bevy::prelude::*;

/// Pixels of the window for a metre of the room.
const PIXELS_PER_METRE: f32 = 60.0;

fn main() -> AppExit {
    let assets = AssetPlugin { file_path: "../assets".into(), ..default() };
    App::new()
        .add_plugins((DefaultPlugins.set(assets), CiceronePlugin::default()))
        .init_resource::<CiceroneGizmos>()
        .add_systems(Startup, open)
        .add_systems(Update, (walk_to_clicks, press_keys, tell))
        .run()
}

fn open(assets: Res<AssetServer>, mut commands: Commands) {
    commands.spawn(Room::new(assets.load("rooms/yard.json")));
    // From above: x to the right, z down the screen.
    let above_the_middle =
        Transform::from_xyz(7.0, 50.0, 3.0).looking_at(Vec3::new(7.0, 0.0, 3.0), Vec3::NEG_Z);
    let projection =
        OrthographicProjection { scale: 1.0 / PIXELS_PER_METRE, ..OrthographicProjection::default_2d() };
    commands.spawn((Camera2d, Projection::Orthographic(projection), above_the_middle));
}

fn walk_to_clicks(
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
    rooms: Query<(Entity, &GlobalTransform), With<RunningRoom>>,
    mut commands: Commands,
) {
    let (camera, camera_at) = *camera;
    let ray = window.cursor_position().and_then(|at| camera.viewport_to_world(camera_at, at).ok());
    let Some(ray) = ray.filter(|_| buttons.just_pressed(MouseButton::Left)) else { return };
    let Some(point) = ray.plane_intersection_point(Vec3::ZERO, InfinitePlane3d::new(Vec3::Y)) else { return };
    for (entity, room_at) in &rooms {
        let at = room_at.affine().inverse().transform_point3(point);
        commands.trigger(ClickRoom { entity, at });
    }
}

fn press_keys(
    keys: Res<ButtonInput<KeyCode>>,
    rooms: Query<(Entity, &RunningRoom, Has<RoomPaused>)>,
    mut commands: Commands,
) {
    for (entity, running, is_paused) in &rooms {
        if keys.just_pressed(KeyCode::KeyG) {
            let is_open = |world: &cicerone::world::World| {
                world.area_named("gate").is_some_and(|gate| world.ground().area_available(gate))
            };
            let available = !is_open(running.runtime().world());
            commands.trigger(SetAreaAvailable { entity, area: "gate".into(), available });
        }
        if keys.just_pressed(KeyCode::KeyP) {
            match is_paused {
                true => commands.entity(entity).remove::<RoomPaused>(),
                false => commands.entity(entity).insert(RoomPaused),
            };
        }
    }
}

fn tell(mut events: MessageReader<RoomEvent>) {
    events.read().for_each(|event| info!("{}", event.event));
}
