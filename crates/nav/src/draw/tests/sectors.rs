//! Pictures of ground made of sectors.

use super::meshes::{picture, room, slab};
use super::well_formed;
use crate::draw::*;
use crate::room::{
    FloodSettings, GroundKind, LevelGeometry, LevelSettings, SectorBox, SectorPortal, Sectors,
};
use glam::{DVec2, DVec3};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A yard with a low roof over a part of it, and to its right a terrace that one only drops from.
fn yard() -> Room {
    let mut level = LevelGeometry {
        settings: LevelSettings { agent_radius_m: 0.3, agent_climb_m: 0.25, ..LevelSettings::default() },
        flood: Some(FloodSettings {
            starts: vec![DVec3::new(8.0, 1.0, 2.0)],
            crouch_height_m: Some(1.2),
            ..FloodSettings::default()
        }),
        ..LevelGeometry::default()
    };
    for quad in [
        slab(0.0, (0.0, 0.0), (6.0, 4.0)),
        slab(1.4, (1.0, 0.0), (3.0, 4.0)),
        slab(1.0, (6.0, 0.0), (10.0, 4.0)),
    ] {
        let first = level.vertices.len() as u32;
        level.vertices.extend(quad.into_iter().map(DVec3::from));
        // Floors face up.
        level.triangles.extend([[0, 2, 1], [0, 3, 2]].map(|corners| corners.map(|corner| first + corner)));
    }
    let mesh = Surface::polygons_of_level(&level, &mut |_| ControlFlow::Continue(())).unwrap();
    let mut room = Room { name: "yard".into(), ..Room::default() };
    room.ground.kind = GroundKind::Mesh;
    room.give_polygons(mesh).unwrap();
    room
}

fn svg(picture: &Picture) -> String {
    let svg = picture.to_svg(&SvgOptions::default());
    well_formed(&svg);
    svg
}

/// The number after each of these words, such as the first coordinate of a path.
fn numbers_after(svg: &str, words: &str) -> Vec<f64> {
    let number = |text: &str| text.split([',', '"', 'L', 'H']).next().unwrap().parse().unwrap();
    svg.split(words).skip(1).map(number).collect()
}

#[test]
fn each_sector_is_a_rectangle_and_each_portal_a_stroke() {
    let room = yard();
    let Sectors { sectors, portals, .. } = room.mesh.as_ref().unwrap().sectors.as_deref().unwrap();
    let svg = svg(&picture(&room));
    let low = sectors.iter().filter(|sector| sector.is_low).count();
    let drops = portals.iter().filter(|portal| portal.one_way).count();
    assert!(low > 0 && low < sectors.len() && drops > 0 && drops < portals.len(), "{sectors:?} {portals:?}");
    for (sign, count) in [
        (r#"<path class="sector""#, sectors.len() - low),
        (r#"<path class="sector crouch""#, low),
        ("<title>portal between sectors", portals.len() - drops),
        ("<title>drop from sector", drops),
        // With those of the legend.
        (r#"<path class="arrowhead""#, drops + 1),
        (r#"<path class="passage""#, portals.len() - drops + 1),
        (">sector<", 1),
        (">low sector<", 1),
        (">portal between sectors<", 1),
        (">drop, one way only<", 1),
        (">foot of a drop<", 1),
        // Only the arrows of the drops.
        (">one way only<", 0),
        (r#"class="ledge""#, 0),
    ] {
        assert_eq!(svg.matches(sign).count(), count, "{sign} in {svg}");
    }
    for (number, sector) in sectors.iter().enumerate() {
        let low = if sector.is_low { ", low" } else { "" };
        assert_eq!(svg.matches(&format!("<title>sector {number}{low}</title>")).count(), 1, "{number}");
    }
}

/// From the terrace at the greater x, and over a side of both sectors.
#[test]
fn the_arrow_points_down_the_drop() {
    let room = yard();
    let picture = picture(&room);
    let drops: Vec<_> = picture.sector_portals().filter(|portal| portal.one_way).collect();
    assert!(drops.iter().all(|drop| drop.out == -DVec2::X), "{drops:?}");
    for portal in picture.sector_portals() {
        let (middle, step) = (portal.ends[0].midpoint(portal.ends[1]), portal.out * 0.1);
        for (sector, at) in portal.sectors.into_iter().zip([middle - step, middle + step]) {
            let sector = picture.sectors().find(|view| view.number == sector).unwrap();
            assert!(at.cmpgt(sector.min).all() && at.cmplt(sector.max).all(), "{portal:?} {sector:?}");
        }
    }
    let svg = svg(&picture);
    let plan = svg.split("</svg>").next().unwrap();
    let tails = numbers_after(plan, r#"<path class="arrow" d="M"#);
    let tips = numbers_after(plan, r#"<path class="arrowhead" d="M"#);
    assert_eq!(tails.len(), drops.len());
    assert!(tails.iter().zip(&tips).all(|(tail, tip)| tip < tail), "{tails:?} {tips:?}");
}

/// The ground keeps off the borders of sectors, so they reach over what other pictures show.
#[test]
fn sectors_are_not_cut_off_at_the_edge_of_the_plan() {
    let mut room = yard();
    let mut mesh = room.mesh.as_deref().unwrap().clone();
    let mut sectors = mesh.sectors.as_deref().unwrap().clone();
    let leftmost = sectors.sectors.iter_mut().min_by(|a, b| a.min.x.total_cmp(&b.min.x));
    leftmost.unwrap().min.x -= 5.0;
    mesh.sectors = Some(Arc::new(sectors));
    room.mesh = Some(Arc::new(mesh));
    let svg = svg(&picture(&room));
    let plan = numbers_after(&svg.replacen("<svg", "", 1), r#"<svg x=""#)[0];
    let left = numbers_after(&svg, r#"<path class="sector" d="M"#).into_iter().fold(f64::MAX, f64::min);
    assert!(left > plan && left < plan + 10.0, "{left} {plan}");
}

/// Two edges at one place are none that can be read.
#[test]
fn edges_between_polygons_are_drawn_beside_sectors_if_asked_for() {
    let room = yard();
    let ground = Surface::new(&room).unwrap();
    let edges = [r#"<path class="portal""#, ">edge between polygons<"];
    let plain = svg(&Picture::of_room(&room, &ground));
    assert!(edges.iter().all(|sign| !plain.contains(sign)), "{plain}");
    let searched = svg(&Picture::of_room(&room, &ground).with_search(&ground));
    assert!(edges.iter().all(|sign| searched.contains(sign)), "{searched}");
}

/// As in a recording.
#[test]
fn without_sectors_the_polygons_are_drawn_as_ever() {
    let mut room = yard();
    Arc::make_mut(room.mesh.as_mut().unwrap()).sectors = None;
    let svg = svg(&picture(&room));
    assert!(!svg.contains("sector"), "{svg}");
    assert!(svg.contains(">edge between polygons<") && svg.contains(">one way only<"), "{svg}");
}

fn sector(y: (f64, f64), min: (f64, f64), max: (f64, f64)) -> SectorBox {
    let (min, max) = (DVec3::new(min.0, y.0, min.1), DVec3::new(max.0, y.1, max.1));
    SectorBox { min, max, boxes: 1, is_low: false }
}

fn portal((from, to): (u32, u32), y: f64, ends: [(f64, f64); 2], one_way: bool) -> SectorPortal {
    SectorPortal { from, to, ends: ends.map(|(x, z)| DVec3::new(x, y, z)), one_way }
}

/// A hall, a ramp to a landing in one sector, a loft above the hall, and a shelf beside the loft on which nobody fits.
#[test]
fn sectors_are_on_the_storeys_of_their_polygons() {
    let ramp = vec![(6.0, 0.0, 4.0), (10.0, 3.0, 4.0), (10.0, 3.0, 6.0), (6.0, 0.0, 6.0)];
    let polygons = [
        slab(0.0, (0.0, 0.0), (6.0, 6.0)),
        ramp,
        slab(3.0, (10.0, 4.0), (12.0, 6.0)),
        slab(3.0, (0.0, 0.0), (12.0, 4.0)),
    ];
    let mut room = room(&polygons, &[]);
    let sectors = Sectors {
        box_size_m: 0.5,
        sectors: vec![
            sector((0.0, 0.0), (0.0, 0.0), (6.0, 6.0)),
            sector((0.0, 3.0), (5.5, 3.5), (12.5, 6.5)),
            sector((3.0, 3.0), (0.0, 0.0), (12.0, 4.0)),
            sector((3.1, 3.1), (-0.5, 0.0), (0.0, 0.5)),
        ],
        portals: vec![
            portal((0, 1), 0.0, [(6.0, 4.0), (6.0, 6.0)], false),
            portal((1, 2), 3.0, [(10.0, 4.0), (12.0, 4.0)], false),
            portal((2, 0), 3.0, [(0.0, 4.0), (6.0, 4.0)], true),
        ],
    };
    Arc::make_mut(room.mesh.as_mut().unwrap()).sectors = Some(Arc::new(sectors));
    let picture = picture(&room);
    let storey = |number: usize| {
        let storey = picture.storey(number).unwrap();
        let sectors: Vec<_> = storey.sectors().map(|view| (view.number, view.min, view.max)).collect();
        let portals: Vec<_> =
            storey.sector_portals().map(|view| (view.sectors, view.between_storeys)).collect();
        (sectors, portals)
    };
    let at = DVec2::new;
    // The sector with the ramp ends where it goes on on the other storey.
    let hall = [(0, at(0.0, 0.0), at(6.0, 6.0)), (1, at(5.5, 3.5), at(10.0, 6.5))];
    assert_eq!(storey(1), (hall.to_vec(), vec![([0, 1], false), ([2, 0], true)]));
    let loft = [
        (1, at(10.0, 3.5), at(12.5, 6.5)),
        (2, at(0.0, 0.0), at(12.0, 4.0)),
        (3, at(-0.5, 0.0), at(0.0, 0.5)),
    ];
    assert_eq!(storey(2), (loft.to_vec(), vec![([1, 2], false), ([2, 0], true)]));
    assert!(picture.sector_portals().filter(|portal| portal.one_way).all(|drop| drop.out == DVec2::Y));
    let both = svg(&picture);
    assert_eq!(both.matches("<title>sector 1</title>").count(), 2, "a part on each plan");
    assert_eq!(both.matches(r#"<path class="arrowhead""#).count(), 3, "on both plans and in the legend");
}
