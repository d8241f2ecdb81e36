//! `cicerone bake`: the walkable ground of a room: a grid as a text file, a mesh as JSON.

use super::print;
use super::print::TextOrJson;
use super::room::{Doors, RoomArgs, room_file};
use cicerone::internals::mesh::{Behind, Mesh, PolygonView};
use cicerone::project::MAX_ROOM_BYTES;
use cicerone::room::{Room, SectorBox, SectorPortal};
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Write the walkable grid of a room as a text file, which is a room too; or the polygons of its mesh as JSON
///
/// Every path through the grid is as in the room; areas, obstacles, points and people are not in it. Baking a text
/// grid gives the same bytes again.
#[derive(Args)]
pub(super) struct BakeArgs {
    #[command(flatten)]
    room: RoomArgs,
    #[command(flatten)]
    doors: Doors,
    /// How to write it: a grid as text, a mesh as JSON
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The ground of a mesh.
#[derive(Serialize)]
struct BakedMesh<'a> {
    polygons: Vec<BakedPolygon<'a>>,
    portals: Vec<BakedPortal>,
    /// Of ground made of sectors: the rectangles of boxes, and the portals between them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sectors: Vec<BakedSector>,
    #[serde(rename = "sectorPortals", skip_serializing_if = "Vec::is_empty")]
    sector_portals: Vec<BakedPortal>,
}

/// A sector with its smallest and its largest corner, at the heights of its lowest and highest ground.
#[derive(Serialize)]
struct BakedSector {
    number: usize,
    min: [f64; 3],
    max: [f64; 3],
    boxes: usize,
    low: bool,
}

#[derive(Serialize)]
struct BakedPolygon<'a> {
    number: usize,
    areas: Vec<&'a str>,
    open: bool,
    /// x, y, z, counter-clockwise on the plane.
    corners: Vec<[f64; 3]>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BakedPortal {
    from: usize,
    to: u32,
    ends: [[f64; 3]; 2],
    both_ways: bool,
}

pub(super) fn bake(root: Option<&Path>, args: &BakeArgs) -> u8 {
    // A grid under the extension of another kind of room could not be read again, and might overwrite a room.
    let is_text = |file: &Path| file.extension().is_some_and(|end| end.eq_ignore_ascii_case("txt"));
    let is_device = |file: &Path| file.metadata().is_ok_and(|metadata| !metadata.is_file());
    let is_grid = args.format == TextOrJson::Text;
    if let Some(file) = args.output.as_deref().filter(|file| is_grid && !is_text(file) && !is_device(file)) {
        let meant = file.with_extension("txt");
        return print::complain(&format!(
            "the name of a text grid ends in .txt: write -o {}",
            meant.display()
        ));
    }
    let world = match args.room.open(root, &args.doors) {
        Ok(world) => world,
        Err(code) => return code,
    };
    if let Some(file) = args.output.as_deref().filter(|file| !is_grid && is_the_room(root, args, file)) {
        return print::complain(&format!("{} is the room itself: write to another file", file.display()));
    }
    let ground = world.ground();
    let content = match args.format {
        TextOrJson::Json => {
            let mesh = ground.as_mesh().map(|mesh| print::pretty_json(&baked_mesh(world.room(), mesh)));
            mesh.ok_or(
                "the ground of this room is made of cells, which are baked as text: leave out --format json",
            )
        }
        TextOrJson::Text => {
            ground.to_text_grid().ok_or("the ground of this room is a mesh: bake it with --format json")
        }
    };
    match content {
        Ok(grid) if is_grid && grid.len() as u64 > MAX_ROOM_BYTES => {
            print::complain("the grid is larger than a room file may be; make cellSize larger")
        }
        Ok(content) => print::to_file_or_stdout(&content, args.output.as_deref()),
        Err(message) => print::complain(message),
    }
}

fn is_the_room(root: Option<&Path>, args: &BakeArgs, file: &Path) -> bool {
    let room = room_file(root, &args.room.room).ok().and_then(|room| room.canonicalize().ok());
    room.is_some() && room == file.canonicalize().ok()
}

fn baked_mesh<'a>(room: &'a Room, mesh: &Mesh) -> BakedMesh<'a> {
    let mut views = mesh.polygon_views();
    give_exact_heights(room, &mut views);
    let name = |area: usize| room.areas.get(area).map(|area| area.name.as_str());
    let polygon = |(number, view): (usize, &PolygonView)| BakedPolygon {
        number,
        areas: view.areas.iter().filter_map(|area| name(area.0)).collect(),
        open: view.is_open,
        corners: view.corners.iter().map(|corner| corner.to_array()).collect(),
    };
    let mut portals = Vec::new();
    for (from, view) in views.iter().enumerate() {
        for (begin, end, behind) in view.edges() {
            let (to, both_ways) = match behind {
                Behind::Wall => continue,
                Behind::OneWay(to) => (to, false),
                // The other polygon has told of it.
                Behind::Portal(to) if (to as usize) < from => continue,
                Behind::Portal(to) => (to, true),
            };
            portals.push(BakedPortal { from, to, ends: [begin.to_array(), end.to_array()], both_ways });
        }
    }
    let given = room.mesh.as_ref().and_then(|mesh| mesh.sectors.as_deref());
    let sector = |(number, sector): (usize, &SectorBox)| BakedSector {
        number,
        min: sector.min.to_array(),
        max: sector.max.to_array(),
        boxes: sector.boxes,
        low: sector.is_low,
    };
    let portal = |portal: &SectorPortal| BakedPortal {
        from: portal.from as usize,
        to: portal.to,
        ends: portal.ends.map(|end| end.to_array()),
        both_ways: !portal.one_way,
    };
    BakedMesh {
        polygons: views.iter().enumerate().map(polygon).collect(),
        portals,
        sectors: given.map_or(&[][..], |given| &given.sectors).iter().enumerate().map(sector).collect(),
        sector_portals: given.map_or(&[][..], |given| &given.portals).iter().map(portal).collect(),
    }
}

/// The mesh measures heights between corners, which rounds. Where the room gives its polygons, they have the heights
/// of the file.
fn give_exact_heights(room: &Room, views: &mut [PolygonView]) {
    let Some(given) = &room.mesh else { return };
    for (view, polygon) in views.iter_mut().zip(&given.polygons) {
        let vertices: Vec<_> =
            polygon.corners.iter().filter_map(|&corner| given.vertices.get(corner as usize)).collect();
        for corner in &mut view.corners {
            let same = vertices.iter().find(|vertex| (vertex.x, vertex.z) == (corner.x, corner.z));
            corner.y = same.map_or(corner.y, |vertex| vertex.y);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cicerone::glam::{DVec2, DVec3};
    use cicerone::room::{Area, GroundKind, MeshPolygons, RawPolygon};
    use cicerone::surface::Surface;
    use serde_json::json;
    use std::sync::Arc;

    /// A slope, a square behind it, and a closed one to which a portal leads one way only. Measured, 0.1 m at the end
    /// of a slope from 0.7 m is 0.09999999999999998 m.
    fn ledge() -> Room {
        let vertices = [
            [0.0, 0.7, 0.0],
            [1.0, 0.1, 0.0],
            [2.0, 0.1, 0.0],
            [3.0, 0.1, 0.0],
            [0.0, 0.7, 1.0],
            [1.0, 0.1, 1.0],
            [2.0, 0.1, 1.0],
            [3.0, 0.1, 1.0],
        ];
        let square = |corners: [u32; 4], neighbours: [i64; 4]| RawPolygon {
            corners: corners.to_vec(),
            neighbours: neighbours.iter().map(|&n| u32::try_from(n).ok()).collect(),
        };
        let polygons = vec![
            square([0, 1, 5, 4], [-1, 1, -1, -1]),
            square([1, 2, 6, 5], [-1, 2, -1, 0]),
            square([2, 3, 7, 6], [-1, -1, -1, -1]),
        ];
        let mut room = Room::default();
        room.ground.kind = GroundKind::Mesh;
        room.mesh = Some(Arc::new(MeshPolygons::new(vertices.map(DVec3::from_array).to_vec(), polygons)));
        let mut yard = Area::new("yard", vec![DVec2::ZERO, DVec2::X, DVec2::Y]);
        yard.mesh_polygons = vec![2];
        yard.available = false;
        room.areas = vec![yard];
        room
    }

    #[test]
    fn a_mesh_is_baked_as_json_with_each_portal_once() {
        let room = ledge();
        let ground = Surface::new(&room).unwrap();
        let baked = serde_json::to_value(baked_mesh(&room, ground.as_mesh().unwrap())).unwrap();
        let polygon = |number: u32, areas: &[&str], x: f64, y: [f64; 2]| {
            json!({ "number": number, "areas": areas, "open": areas.is_empty(), "corners":
                [[x, y[0], 0.0], [x + 1.0, y[1], 0.0], [x + 1.0, y[1], 1.0], [x, y[0], 1.0]] })
        };
        assert_eq!(
            baked["polygons"],
            json!([
                polygon(0, &[], 0.0, [0.7, 0.1]),
                polygon(1, &[], 1.0, [0.1, 0.1]),
                polygon(2, &["yard"], 2.0, [0.1, 0.1])
            ])
        );
        assert_eq!(
            baked["portals"],
            json!([
                { "from": 0, "to": 1, "ends": [[1.0, 0.1, 0.0], [1.0, 0.1, 1.0]], "bothWays": true },
                { "from": 1, "to": 2, "ends": [[2.0, 0.1, 0.0], [2.0, 0.1, 1.0]], "bothWays": false }
            ])
        );
    }
}
