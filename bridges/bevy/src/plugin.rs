//! The plugin and its system sets.

use crate::event::{RoomEvent, RoomReport};
use crate::files::{RoomFiles, RoomLoader};
use crate::{load, order, sync};
use bevy_app::{App, Plugin, PostUpdate};
use bevy_asset::AssetApp;
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_transform::TransformSystems;

/// Runs rooms of cicerone. Needs `AssetPlugin` and `TimePlugin` before it; `DefaultPlugins` has both.
///
/// Rooms step in [`PostUpdate`], before transforms are propagated: orders given in `Update` show in the same frame, and
/// messages arrive in the next `Update`.
#[derive(Debug, Clone)]
pub struct CiceronePlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

impl Default for CiceronePlugin {
    fn default() -> Self {
        Self::in_schedule(PostUpdate)
    }
}

impl CiceronePlugin {
    /// Steps rooms in another schedule. In `FixedUpdate` they step by its fixed time.
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

/// The plugin's systems, in this order, for `before`, `after` and `run_if`.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CiceroneSystems {
    /// Rooms open, changed files are taken over, characters without entities leave.
    Load,
    /// Rooms step by the time of the frame.
    Step,
    /// Entities are spawned, moved and despawned; events are handed out.
    Show,
}

impl Plugin for CiceronePlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<RoomFiles>().init_asset_loader::<RoomLoader>();
        app.add_message::<RoomEvent>().add_message::<RoomReport>();
        order::add_orders(app);
        app.add_observer(sync::on_room_ended).add_observer(sync::on_room_removed);
        let sets = (CiceroneSystems::Load, CiceroneSystems::Step, CiceroneSystems::Show);
        app.configure_sets(self.schedule, sets.chain().before(TransformSystems::Propagate));
        let load =
            (load::report_missing_rooms, load::reload_rooms, load::open_rooms, sync::dismiss_characters);
        app.add_systems(
            self.schedule,
            (
                load.chain().in_set(CiceroneSystems::Load),
                sync::step_rooms.in_set(CiceroneSystems::Step),
                sync::show_rooms.in_set(CiceroneSystems::Show),
            ),
        );
        #[cfg(feature = "gizmos")]
        crate::gizmos::add_gizmos(app);
    }
}
