//! Opens rooms whose files are loaded, and takes changed files over.

use crate::event::{RoomNews, RoomReport};
use crate::files::RoomFiles;
use crate::room::{Room, RunningRoom};
use bevy_asset::{AssetEvent, AssetId, AssetLoadFailedEvent, Assets};
use bevy_ecs::prelude::*;
use cicerone::problem::{Problem, Source};
use cicerone::project::Project;
use cicerone::runtime::{Reload, Runtime};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// On a room whose files are invalid: it is tried again when they change.
#[derive(Component)]
pub(crate) struct Invalid;

/// Opens every room whose files are there.
pub(crate) fn open_rooms(
    waiting: Query<(Entity, Ref<Room>, Has<Invalid>), Without<RunningRoom>>,
    assets: Res<Assets<RoomFiles>>,
    mut changes: MessageReader<AssetEvent<RoomFiles>>,
    mut reports: MessageWriter<RoomReport>,
    mut commands: Commands,
) {
    let changed = changed_assets(&mut changes);
    for (entity, room, is_invalid) in &waiting {
        let id = room.files.id();
        let Some(files) = assets.get(id) else { continue };
        if is_invalid && !room.is_changed() && !changed.contains(&id) {
            continue;
        }
        let project = Project::of_files(files.clone());
        let news = match Runtime::open_in(project, files.room().as_ref(), room.options.clone()) {
            Ok(runtime) => {
                commands
                    .entity(entity)
                    .insert(RunningRoom::new(runtime, id, files.clone()))
                    .remove::<Invalid>();
                RoomNews::Opened
            }
            Err(error) => {
                commands.entity(entity).insert(Invalid);
                RoomNews::NotOpened(error.problems)
            }
        };
        report(entity, news, &mut reports);
    }
}

/// Reports rooms whose file cannot be loaded.
pub(crate) fn report_missing_rooms(
    rooms: Query<(Entity, &Room)>,
    mut failures: MessageReader<AssetLoadFailedEvent<RoomFiles>>,
    mut reports: MessageWriter<RoomReport>,
) {
    for failure in failures.read() {
        for (entity, _) in rooms.iter().filter(|(_, room)| room.files.id() == failure.id) {
            report(entity, RoomNews::NotLoaded(failure.error.to_string()), &mut reports);
        }
    }
}

/// Gives changed files to the rooms that run with them, and ends rooms whose [`Room`] names other files now.
pub(crate) fn reload_rooms(
    mut rooms: Query<(Entity, &Room, &mut RunningRoom)>,
    assets: Res<Assets<RoomFiles>>,
    mut changes: MessageReader<AssetEvent<RoomFiles>>,
    mut reports: MessageWriter<RoomReport>,
    mut commands: Commands,
) {
    let changed = changed_assets(&mut changes);
    for (entity, room, mut running) in &mut rooms {
        if running.asset != room.files.id() {
            commands.entity(entity).remove::<RunningRoom>();
        } else if changed.contains(&running.asset)
            && let Some(files) = assets.get(running.asset)
        {
            for news in take_over(&mut running, files) {
                report(entity, news, &mut reports);
            }
        }
    }
}

fn changed_assets(changes: &mut MessageReader<AssetEvent<RoomFiles>>) -> Vec<AssetId<RoomFiles>> {
    let id = |event: &AssetEvent<RoomFiles>| match event {
        AssetEvent::Modified { id } => Some(*id),
        _ => None,
    };
    changes.read().filter_map(id).collect()
}

/// Changed files take effect together. If some are invalid, the others are tried without them.
fn take_over(running: &mut RunningRoom, files: &RoomFiles) -> Vec<RoomNews> {
    let mut news = Vec::new();
    let mut changed = files.changed_since(&running.files);
    while !changed.is_empty() {
        let batch: Vec<(&str, &[u8])> =
            changed.iter().map(|(name, content)| (name.as_str(), &**content)).collect();
        match running.runtime_mut().replace_files(&batch) {
            Ok(Reload::Done { files, changes, .. }) => {
                news.push(RoomNews::Reloaded { files, changes });
                running.files.accept(changed);
                break;
            }
            Ok(Reload::Refused { files, problems, blamed }) => {
                news.push(RoomNews::Refused { files, problems });
                let innocent = |name: &String| !blamed.contains(Path::new(name));
                let rest: BTreeMap<String, Arc<[u8]>> = changed
                    .iter()
                    .filter(|(name, _)| innocent(name))
                    .map(|(n, c)| (n.clone(), c.clone()))
                    .collect();
                if rest.len() == changed.len() {
                    break;
                }
                changed = rest;
            }
            Err(error) => {
                let files = changed.keys().cloned().collect();
                news.push(RoomNews::Refused { files, problems: vec![problem(error.to_string())] });
                break;
            }
            // The same content as before, or files that nothing has asked for yet.
            Ok(_) => {
                running.files.accept(changed);
                break;
            }
        }
    }
    news
}

fn problem(message: String) -> Problem {
    Source::new("", "").problem(0..0, message)
}

fn report(room: Entity, news: RoomNews, reports: &mut MessageWriter<RoomReport>) {
    let report = RoomReport { room, news };
    // What went well, cicerone logs itself.
    if !matches!(report.news, RoomNews::Opened | RoomNews::Reloaded { .. }) {
        log::error!("{report}");
    }
    reports.write(report);
}
