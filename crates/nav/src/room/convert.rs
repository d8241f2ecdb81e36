//! Converts bytes to a room and back: the order in which a file is read, checked and cleaned.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use glam::DVec2;

use super::character::file::CharacterFile;
use super::crowd::CrowdFile;
use super::file::{
    AreaFile, At, ObstacleFile, PaddingFile, PathsFile, PlaceFile, PointFile, RoomFile, WhenOccupiedFile,
};
use super::jsonc::Plain;
use super::link::LinkFile;
use super::mask::Painted;
use super::mask::file::{PaintsFile, SamplingFile, ShorteningFile};
use super::mesh::file::{GroundFile, MeshFile, PlannerFile};
use super::mesh::read::Given;
use super::painted::{Images, images};
use super::scenery::{DepthBandFile, HotspotFile, spot};
use super::tactics::file::TacticsFile;
use super::waypath::WaypathFile;
use super::{
    Area, Brush, DepthBand, GroundKind, GroundSettings, Hotspot, Locator, MAX_PROBLEMS, Obstacle, Parsed,
    PathShape, PlannerKind, ReadFile, Room, RoomReport, Sampling, Shortening, WhenOccupied, check, json,
    link, mesh, polygon, scenery, syntax, tactics, validate, waypath,
};
use crate::geometry::Place;
use crate::problem::{Problem, Source};

/// The hint for an empty file.
const MINIMAL_ROOM_HINT: &str = r#"the least room is {"areas": [{"name": …, "polygon": …}]}"#;

/// See [`super::parse`].
pub(super) fn parse(file_name: &str, bytes: &[u8], read: ReadFile<'_>) -> Result<Parsed, RoomReport> {
    let source = syntax::decode(file_name, bytes, MINIMAL_ROOM_HINT)?;
    let read_all = Plain::of(&source).and_then(|plain| Ok((json::read(&plain)?, plain.text.into_owned())));
    let ((root, mut problems), text) = match read_all {
        Ok(read) => read,
        Err(problem) => return Err(report(vec![*problem], source)),
    };
    problems.extend(check::check(&source, &root));
    problems.extend(validate::validate(&source, &root));
    problems.extend(scenery::check(&source, &root));
    problems.extend(link::check(&source, &root));
    problems.extend(waypath::check(&source, &root));
    problems.extend(tactics::check::check(&source, &root));
    if !problems.is_empty() {
        return Err(report(problems, source));
    }
    match serde_json::from_str::<RoomFile>(&text) {
        Ok(file) => {
            let locator = Locator::new(source, root);
            let parts = images(&file, &locator, read).and_then(|images| {
                let given = mesh::read::given(&file, &locator, read)?;
                Ok((images, given, tactics::objects::brushes(&file, &locator, read)?))
            });
            match parts {
                Ok((images, mut given, objects)) => {
                    let mesh = given.mesh.take();
                    let mut room = room_from_file(file, file_stem(file_name), images, given, objects);
                    let is_given = mesh.is_some();
                    match mesh.map_or(Ok(()), |mesh| mesh::read::give(&mut room, mesh, &locator)) {
                        Ok(()) => {
                            room.ground.kind = if is_given { GroundKind::Mesh } else { room.ground.kind };
                            Ok(Parsed { room, locator })
                        }
                        Err(problems) => Err(report(problems, locator.source().clone())),
                    }
                }
                Err(problems) => Err(report(problems, locator.source().clone())),
            }
        }
        // Not expected, since schema and types come from one definition; but no reason to panic.
        Err(error) => {
            let at = syntax::offset(&text, &error);
            let problem = source.problem(at..at, syntax::plain_message(&error));
            Err(report(vec![problem], source))
        }
    }
}

/// The file as JSON, with every setting written out.
pub(super) fn to_json(room: &Room) -> serde_json::Value {
    serde_json::to_value(file_from_room(room)).unwrap_or_default()
}

/// Sorts by place, removes duplicates, and truncates to `MAX_PROBLEMS`.
pub(super) fn report(mut problems: Vec<Problem>, source: Source) -> RoomReport {
    problems
        .sort_by(|a, b| (a.span.start, a.span.end, &a.message).cmp(&(b.span.start, b.span.end, &b.message)));
    problems.dedup();
    if problems.len() > MAX_PROBLEMS {
        problems.truncate(MAX_PROBLEMS);
        if let Some(last) = problems.last_mut() {
            last.note = Some("there are more problems; these come first".into());
        }
    }
    RoomReport { problems, source }
}

/// The file name without folders and extension: `rooms/tavern.json` is the room `tavern`.
pub(super) fn file_stem(file_name: &str) -> &str {
    let name = file_name.rsplit(['/', '\\']).next().unwrap_or(file_name);
    match name.rfind('.') {
        Some(dot) if dot > 0 => name.get(..dot).unwrap_or(name),
        _ => name,
    }
}

fn room_from_file(
    file: RoomFile,
    default_name: &str,
    images: Images,
    given: Given,
    objects: (Vec<Brush>, Vec<String>),
) -> Room {
    let place_of = |at: &At| match at {
        At::Position(PlaceFile(place)) => (Some(positive_zeros(*place)), None),
        At::Point(name) => (file.points.get(name).map(|place| positive_zeros(place.0)), Some(name.clone())),
    };
    let character = |spec: &CharacterFile| {
        let (at, at_point) = place_of(&spec.at);
        // Unknown points were refused before.
        spec.spec(file.agent_radius, (at.unwrap_or_default(), at_point))
    };
    let pixel_m = images.mask.as_ref().map(|mask| 1.0 / mask.pixels_per_metre);
    let ground = GroundSettings {
        kind: match file.ground {
            Some(GroundFile::Mesh | GroundFile::Sectors) => GroundKind::Mesh,
            None if given.level.is_some() => GroundKind::Mesh,
            _ => GroundKind::Grid,
        },
        planner: match file.planner {
            Some(PlannerFile::AnyAngle) => PlannerKind::AnyAngle,
            Some(PlannerFile::Portals) => PlannerKind::Portals,
            Some(PlannerFile::Grid) | None => PlannerKind::Grid,
        },
        cell_size_m: pixel_m.or(file.cell_size).unwrap_or(GroundSettings::default().cell_size_m),
        agent_radius_m: file.agent_radius,
        object_padding_m: file.object_padding,
        boundary_padding_m: file.boundary_padding.metres(file.agent_radius),
        floor_y_m: file.floor_y + 0.0,
        sampling: pixel_m.and_then(|_| sampling(&file)),
        shortening: match (pixel_m, file.shortening.unwrap_or_default()) {
            (Some(_), ShorteningFile::Divide) => Shortening::Divide,
            _ => Shortening::Pull,
        },
    };
    let shape = |places: &[PointFile], painted: &Option<Painted>| match painted {
        Some(painted) => painted.outline(ground.cell_size_m),
        None => corners(places),
    };
    let hotspot = |(spec, painted): (&HotspotFile, Option<Painted>)| {
        let (walk_to, walk_to_point) = spec.walk_to.as_ref().map_or((None, None), place_of);
        let polygon = shape(&spec.polygon, &painted);
        Hotspot {
            name: spec.name.clone(),
            spot: spot(&polygon, painted.as_ref(), ground.cell_size_m),
            polygon,
            painted,
            walk_to,
            walk_to_point,
            cursor: spec.cursor.clone(),
            enabled: spec.enabled,
            moved_m: DVec2::ZERO,
        }
    };
    let mut depth_bands: Vec<DepthBand> = file.depth_bands.iter().map(DepthBandFile::band).collect();
    depth_bands.sort_by(|a, b| a.z_m[0].total_cmp(&b.z_m[0]));
    let none = std::iter::repeat(None);
    let tactics = file.tactics.as_ref().map(|tactics| Arc::new(tactics.tactics(objects)));
    let is_outlined = ground.kind == GroundKind::Grid && pixel_m.is_none();
    let mut of_level =
        tactics.as_ref().filter(|_| is_outlined).map_or_else(Vec::new, |tactics| tactics.areas());
    if !file.areas.is_empty() {
        // The file says what the ground is. Brushes without an area of their own could never be opened.
        of_level.retain(|area| !area.available && !file.areas.iter().any(|own| own.name == area.name));
    }
    Room {
        characters: file.characters.iter().map(character).collect(),
        hotspots: file
            .hotspots
            .iter()
            .zip(images.hotspots.into_iter().chain(none.clone()))
            .map(hotspot)
            .collect(),
        depth_bands,
        areas: file
            .areas
            .iter()
            .zip(images.areas.into_iter().chain(none))
            .map(|(spec, painted)| area(spec, shape(&spec.polygon, &painted), painted))
            .chain(of_level)
            .collect(),
        name: file.name.unwrap_or_else(|| default_name.to_owned()),
        ground,
        grid: images.floor,
        mesh: None,
        level: given.level.map(Arc::new),
        mask: images.mask,
        background: images.background,
        obstacles: obstacles(file.obstacles),
        links: file.links.iter().map(|link| link.link(place_of)).collect(),
        waypaths: file.waypaths.iter().map(|waypath| waypath.waypath(place_of)).collect(),
        tactics,
        goals: file.goals,
        paths: match file.paths {
            Some(PathsFile::Curved) => PathShape::Curved,
            Some(PathsFile::Straight) | None => PathShape::Straight,
        },
        focus: file.focus,
        points: file.points.into_iter().map(|(name, place)| (name, positive_zeros(place.0))).collect(),
        script: file.script,
        crowd: (&file.crowd).into(),
        limits: file.limits,
        ticks_per_second: file.ticks_per_second,
    }
}

fn sampling(file: &RoomFile) -> Option<Sampling> {
    let sampling = Sampling {
        rate_px: file.sample_rate.unwrap_or(Sampling::DEFAULT_RATE_PX),
        eight: file.neighbours == Some(8),
        cover: file.sampling == Some(SamplingFile::Cover),
    };
    (!sampling.is_every_pixel()).then_some(sampling)
}

fn area(file: &AreaFile, polygon: Vec<DVec2>, painted: Option<Painted>) -> Area {
    Area {
        name: file.name.clone(),
        polygon,
        mesh_polygons: file.polygons.clone(),
        heights_m: file.y.map(|range| range.0),
        painted,
        available: file.available,
        when_occupied: match file.when_occupied {
            WhenOccupiedFile::Evict => WhenOccupied::Evict,
            WhenOccupiedFile::Hold => WhenOccupied::Hold,
        },
        see_through: file.see_through,
        speed: file.speed,
        only: file.only.clone(),
        never: file.never.clone(),
    }
}

/// Names unnamed obstacles by their index in the list, or by the next free number if that name is taken.
fn obstacles(files: Vec<ObstacleFile>) -> Vec<Obstacle> {
    let mut taken: BTreeSet<String> = files.iter().filter_map(|obstacle| obstacle.name.clone()).collect();
    let mut past = files.len();
    let mut result = Vec::with_capacity(files.len());
    for (index, file) in files.into_iter().enumerate() {
        let name = file.name.unwrap_or_else(|| {
            let mut name = format!("obstacle_{}", index + 1);
            while taken.contains(&name) {
                past += 1;
                name = format!("obstacle_{past}");
            }
            taken.insert(name.clone());
            name
        });
        let (polygon, see_through) = (corners(&file.polygon), file.see_through);
        result.push(Obstacle { name, polygon, see_through });
    }
    result
}

fn corners(places: &[PointFile]) -> Vec<DVec2> {
    let points: Vec<DVec2> = places.iter().map(|place| vector(*place)).collect();
    polygon::clean(&points)
}

/// Turns −0 into 0, so that equal rooms have equal bits.
fn vector(PointFile([x, z]): PointFile) -> DVec2 {
    DVec2::new(x + 0.0, z + 0.0)
}

/// [`vector`] for a place.
fn positive_zeros(Place { at, y_m }: Place) -> Place {
    Place { at: at + 0.0, y_m: y_m.map(|y| y + 0.0) }
}

fn file_from_room(room: &Room) -> RoomFile {
    let places =
        |polygon: &[DVec2]| polygon.iter().map(|corner| PointFile(corner.to_array())).collect::<Vec<_>>();
    let polygon = |corners: &[DVec2], painted: &Option<Painted>| match painted {
        Some(_) => Vec::new(),
        None => places(corners),
    };
    let paint = |painted: &Option<Painted>| painted.as_ref().map(|painted| PaintsFile::of(&painted.paints));
    let is_painted = room.mask.is_some();
    let sampling = room.ground.sampling.unwrap_or(Sampling { rate_px: 1.0, eight: true, cover: false });
    RoomFile {
        schema: None,
        name: Some(room.name.clone()),
        ground: (room.ground.kind == GroundKind::Mesh).then_some(GroundFile::Mesh),
        planner: match room.ground.planner {
            PlannerKind::Grid => None,
            PlannerKind::AnyAngle => Some(PlannerFile::AnyAngle),
            PlannerKind::Portals => Some(PlannerFile::Portals),
        },
        mesh: room.mesh.as_ref().map(|mesh| MeshFile::of(mesh)),
        geometry: None,
        up: None,
        scale: None,
        agent_height: None,
        agent_climb: None,
        agent_slope: None,
        starts: Vec::new(),
        box_size: None,
        crouch_height: None,
        min_sector_boxes: None,
        min_portal_width: None,
        cell_size: (!is_painted).then_some(room.ground.cell_size_m),
        mask: room.mask.as_ref().map(|mask| mask.file.clone()),
        pixels_per_metre: room.mask.as_ref().map(|mask| mask.pixels_per_metre),
        walkable: room.mask.as_ref().map(|mask| PaintsFile::of(&mask.walkable)),
        colours: BTreeMap::new(),
        sample_rate: is_painted.then_some(sampling.rate_px),
        neighbours: is_painted.then_some(if sampling.eight { 8 } else { 4 }),
        sampling: is_painted.then_some(match sampling.cover {
            true => SamplingFile::Cover,
            false => SamplingFile::Point,
        }),
        shortening: is_painted.then_some(match room.ground.shortening {
            Shortening::Pull => ShorteningFile::Pull,
            Shortening::Divide => ShorteningFile::Divide,
        }),
        background: room.background.as_ref().map(|picture| picture.file.clone()),
        hotspots: room
            .hotspots
            .iter()
            .map(|hotspot| HotspotFile {
                name: hotspot.name.clone(),
                paint: paint(&hotspot.painted),
                polygon: polygon(&hotspot.polygon, &hotspot.painted),
                walk_to: match &hotspot.walk_to_point {
                    Some(point) => Some(At::Point(point.clone())),
                    None => hotspot.walk_to.map(|place| At::Position(PlaceFile(place))),
                },
                cursor: hotspot.cursor.clone(),
                enabled: hotspot.enabled,
            })
            .collect(),
        depth_bands: room.depth_bands.iter().map(DepthBandFile::of).collect(),
        agent_radius: room.ground.agent_radius_m,
        object_padding: room.ground.object_padding_m,
        boundary_padding: PaddingFile::Metres(room.ground.boundary_padding_m),
        floor_y: room.ground.floor_y_m,
        areas: room
            .areas
            .iter()
            .map(|area| AreaFile {
                name: area.name.clone(),
                polygon: polygon(&area.polygon, &area.painted),
                polygons: area.mesh_polygons.clone(),
                y: None,
                paint: paint(&area.painted),
                available: area.available,
                when_occupied: match area.when_occupied {
                    WhenOccupied::Evict => WhenOccupiedFile::Evict,
                    WhenOccupied::Hold => WhenOccupiedFile::Hold,
                },
                see_through: area.see_through,
                speed: area.speed,
                only: area.only.clone(),
                never: area.never.clone(),
            })
            .collect(),
        obstacles: room
            .obstacles
            .iter()
            .map(|obstacle| ObstacleFile {
                name: Some(obstacle.name.clone()),
                polygon: places(&obstacle.polygon),
                see_through: obstacle.see_through,
            })
            .collect(),
        links: room.links.iter().map(LinkFile::of).collect(),
        waypaths: room.waypaths.iter().map(WaypathFile::of).collect(),
        tactics: room.tactics.as_deref().map(TacticsFile::of),
        goals: room.goals.clone(),
        paths: (room.paths == PathShape::Curved).then_some(PathsFile::Curved),
        focus: room.focus.clone(),
        points: room.points.iter().map(|(name, at)| (name.clone(), PlaceFile(*at))).collect(),
        characters: room
            .characters
            .iter()
            .map(|spec| CharacterFile::of(spec, room.ground.agent_radius_m))
            .collect(),
        script: room.script.clone(),
        crowd: CrowdFile::from(&room.crowd),
        limits: room.limits,
        ticks_per_second: room.ticks_per_second,
    }
}
