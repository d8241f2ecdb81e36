//! Levels of closed meshes against the same levels of convex brushes.

use super::random::random_brushes;
use super::*;
use crate::geometry::{Solid, TriangleMesh};
use crate::mesh::test_rooms::Random;
use crate::sweeps::sweeps;
use std::collections::BTreeMap;
use std::sync::Arc;

fn brush(shape: SolidShape) -> Brush {
    Brush::new(shape)
}

fn mesh(points: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> SolidShape {
    SolidShape::Mesh(Arc::new(TriangleMesh { points, triangles }))
}

/// Polygons that face outwards as a mesh, each cut into a fan. Points at the same place get one number.
fn of_faces(faces: &[Vec<[f64; 3]>]) -> SolidShape {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    let mut numbers: BTreeMap<[i64; 3], u32> = BTreeMap::new();
    let mut number = |at: &[f64; 3]| {
        *numbers.entry(at.map(|x| (x * 1024.0) as i64)).or_insert_with(|| {
            points.push(DVec3::from(*at));
            points.len() as u32 - 1
        })
    };
    for face in faces {
        let corners: Vec<u32> = face.iter().map(&mut number).collect();
        triangles.extend((2..corners.len()).map(|i| [corners[0], corners[i - 1], corners[i]]));
    }
    mesh(points, triangles)
}

/// The face of a box towards an axis (0 to 2), at its lower or its upper end, seen from outside.
fn face([min, max]: [[f64; 3]; 2], axis: usize, is_upper: bool) -> Vec<[f64; 3]> {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let corner = |at_u: bool, at_v: bool| {
        let mut at = if is_upper { max } else { min };
        at[u] = if at_u { max[u] } else { min[u] };
        at[v] = if at_v { max[v] } else { min[v] };
        at
    };
    let around = vec![corner(false, false), corner(true, false), corner(true, true), corner(false, true)];
    if is_upper { around } else { around.into_iter().rev().collect() }
}

fn faces(bounds: [[f64; 3]; 2]) -> Vec<Vec<[f64; 3]>> {
    (0..6).map(|side| face(bounds, side / 2, side % 2 == 1)).collect()
}

fn bounds(brush: &Brush) -> [[f64; 3]; 2] {
    let SolidShape::Box(bounds) = &brush.shape else { panic!("boxes only") };
    bounds.map(|at| at.to_array())
}

/// A convex brush as a mesh. Of corners, tetrahedra and wedges (two triangles above each other) are known.
fn meshed(brush: &Brush) -> Brush {
    let shape = match &brush.shape {
        SolidShape::Box(_) => of_faces(&faces(bounds(brush))),
        SolidShape::Points(corners) => {
            let at = |i: usize| corners[i];
            let triangles: Vec<[usize; 3]> = match corners.len() {
                4 => vec![[0, 1, 2], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
                _ => [[0, 1, 2], [3, 4, 5]].into_iter().chain(sides_of_wedge()).collect(),
            };
            let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
            let outwards = |[a, b, c]: [usize; 3]| {
                let faces_out = (at(b) - at(a)).cross(at(c) - at(a)).dot(at(a) - middle) > 0.0;
                (if faces_out { [a, b, c] } else { [a, c, b] }).map(|i| i as u32)
            };
            mesh(corners.clone(), triangles.into_iter().map(outwards).collect())
        }
        other => other.clone(),
    };
    Brush { shape, ..brush.clone() }
}

fn sides_of_wedge() -> impl Iterator<Item = [usize; 3]> {
    (0..3).flat_map(|i| {
        let j = (i + 1) % 3;
        [[i, j, j + 3], [i, j + 3, i + 3]]
    })
}

/// What all boxes fill together, as one mesh: the border of the cells between all their coordinates.
fn merged(boxes: &[[[f64; 3]; 2]]) -> SolidShape {
    let lines: [Vec<f64>; 3] = std::array::from_fn(|axis| {
        let mut all: Vec<f64> = boxes.iter().flat_map(|[min, max]| [min[axis], max[axis]]).collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        all
    });
    let cell = |at: [usize; 3]| {
        let corner = |more: usize| std::array::from_fn(|axis| lines[axis][at[axis] + more]);
        [corner(0), corner(1)]
    };
    let is_filled = |at: [i64; 3]| {
        if (0..3).any(|axis| at[axis] < 0 || at[axis] + 1 >= lines[axis].len() as i64) {
            return false;
        }
        let [low, high]: [[f64; 3]; 2] = cell(at.map(|at| at as usize));
        let holds = |[min, max]: &[[f64; 3]; 2]| (0..3).all(|i| min[i] <= low[i] && high[i] <= max[i]);
        boxes.iter().any(holds)
    };
    let mut all = Vec::new();
    let count = |axis: usize| 0..lines[axis].len() as i64 - 1;
    for at in count(0).flat_map(|x| count(1).flat_map(move |y| count(2).map(move |z| [x, y, z]))) {
        for side in (0..6).filter(|_| is_filled(at)) {
            let mut beyond = at;
            beyond[side / 2] += if side % 2 == 1 { 1 } else { -1 };
            if !is_filled(beyond) {
                all.push(face(cell(at.map(|at| at as usize)), side / 2, side % 2 == 1));
            }
        }
    }
    of_faces(&all)
}

fn assert_same(a: Vec<Brush>, b: Vec<Brush>, about: &str) {
    for brush in &b {
        if !matches!(brush.kind, BrushKind::Ladder(_)) {
            assert_eq!(Solid::new(&brush.shape).err(), None, "{about}: {:?}", brush.shape);
        }
    }
    let [convex, of_meshes] = [a, b].map(field);
    assert_eq!(convex.size(), of_meshes.size(), "{about}");
    for (a, b) in convex.traces.iter().zip(&of_meshes.traces) {
        let differs = (0..a.cells.len()).find(|&index| a.cells[index] != b.cells[index]);
        let [width, depth, _] = a.size.map(|count| count as usize);
        let told = differs.map(|index| {
            let cell = [index % width, index / width % depth, index / width / depth];
            format!("at {cell:?} for {}: {:?}, not {:?}", a.actor, b.cells[index], a.cells[index])
        });
        assert_eq!(told, None, "{about}");
    }
    assert!(convex.ladders == of_meshes.ladders, "{about}");
    let actor = walker();
    for size in [1, 2] {
        let [a, b] = [&convex, &of_meshes].map(|field| {
            let table = field.table([0, 0, 0], size, &actor)?;
            Some(table.reached().map(|at| (at.cell, at.stance, at.tu)).collect::<Vec<_>>())
        });
        assert_eq!(a, b, "{about}");
    }
}

/// Corners at whole units on a level of random boxes: tetrahedra and wedges, steep and gentle.
fn random_slopes(random: &mut Random) -> Vec<Brush> {
    let mut at = |most: u64| random.below(most + 1) as f64;
    let mut brushes = Vec::new();
    while brushes.len() < 6 {
        let mut corner = || DVec3::new(at(192), at(160), at(160));
        let corners = match brushes.len() % 2 {
            0 => (0..4).map(|_| corner()).collect(),
            _ => {
                let [a, b, c] = [corner(), corner(), corner()];
                let [p, q, r] = [a, b, c].map(|at| at.truncate().extend(at.z / 4.0));
                let higher = [p, q, r].map(|at| at + DVec3::Z * (8.0 + (at.x + at.y) / 8.0));
                vec![p, q, r, higher[0], higher[1], higher[2]]
            }
        };
        let shape = SolidShape::Points(corners);
        // Of slivers, the corners may not pass as corners.
        if Solid::new(&shape).is_ok() {
            brushes.push(brush(shape));
        }
    }
    brushes
}

#[test]
fn brushes_and_their_meshes_trace_to_the_same() {
    for seed in 0..if sweeps() { 2000 } else { 60 } {
        let mut random = Random(seed ^ 0x3e5b);
        let mut brushes = random_brushes(&mut random);
        brushes.extend(random_slopes(&mut random));
        let ladder = BrushKind::Ladder(Facing::North);
        brushes.push(Brush { kind: ladder, ..solid([40.0, 40.0, 8.0], [56.0, 48.0, 100.0]) });
        let meshes = brushes.iter().map(meshed).collect();
        assert_same(brushes, meshes, &format!("seed {seed}"));
    }
}

#[test]
fn one_mesh_traces_as_the_boxes_that_it_is_made_of() {
    let mut merges = 0;
    for seed in 0..if sweeps() { 1000 } else { 60 } {
        let brushes = random_brushes(&mut Random(seed ^ 0x0e3d));
        let (clips, solids): (Vec<Brush>, Vec<Brush>) =
            brushes.iter().cloned().partition(|brush| brush.kind == BrushKind::Clip);
        let boxes: Vec<_> = solids.iter().map(bounds).collect();
        let shape = merged(&boxes);
        // Boxes that touch along an edge only make no clean surface together.
        if Solid::new(&shape).is_err() {
            continue;
        }
        merges += 1;
        let together = clips.iter().cloned().chain([brush(shape)]).collect();
        assert_same(brushes.clone(), together, &format!("seed {seed}, merged"));
        // The parts of one mesh may overlap.
        let parts = boxes.iter().flat_map(|bounds| match of_faces(&faces(*bounds)) {
            SolidShape::Mesh(mesh) => Some(mesh),
            _ => None,
        });
        let all = parts.fold(TriangleMesh::default(), |mut all, part| {
            let first = all.points.len() as u32;
            all.points.extend(&part.points);
            all.triangles.extend(part.triangles.iter().map(|corners| corners.map(|at| at + first)));
            all
        });
        let overlapping = clips.into_iter().chain([brush(SolidShape::Mesh(Arc::new(all)))]).collect();
        assert_same(brushes, overlapping, &format!("seed {seed}, overlapping"));
    }
    assert!(merges > 20, "{merges}");
}

/// Hills: a net of triangles whose corners and diagonals lie on the middles and the corners of cells.
#[test]
fn hills_trace_as_the_wedges_that_they_are_made_of() {
    for seed in 0..if sweeps() { 1000 } else { 40 } {
        let mut random = Random(seed ^ 0x4111);
        let (count, side) = (6, [16.0, 32.0, 24.0][random.below(3) as usize]);
        let heights: Vec<f64> =
            (0..(count + 1) * (count + 1)).map(|_| 1.0 + random.below(60) as f64).collect();
        let at = |x: usize, y: usize, is_top: bool| {
            let z = if is_top { heights[y * (count + 1) + x] } else { 0.0 };
            [x as f64 * side, y as f64 * side, z]
        };
        let (mut wedges, mut skin) = (Vec::new(), Vec::new());
        for (x, y) in (0..count).flat_map(|y| (0..count).map(move |x| (x, y))) {
            for ring in [[(x, y), (x + 1, y), (x + 1, y + 1)], [(x, y), (x + 1, y + 1), (x, y + 1)]] {
                let [low, top] = [false, true].map(|is_top| ring.map(|(x, y)| at(x, y, is_top)));
                wedges.push(brush(SolidShape::Points(low.into_iter().chain(top).map(DVec3::from).collect())));
                skin.push(top.to_vec());
                skin.push(low.into_iter().rev().collect());
            }
        }
        for i in 0..count {
            for [(ax, ay), (bx, by)] in [
                [(i, 0), (i + 1, 0)],
                [(i + 1, count), (i, count)],
                [(0, i + 1), (0, i)],
                [(count, i), (count, i + 1)],
            ] {
                skin.push(vec![at(ax, ay, false), at(bx, by, false), at(bx, by, true), at(ax, ay, true)]);
            }
        }
        assert_same(wedges, vec![brush(of_faces(&skin))], &format!("seed {seed}, side {side}"));
    }
}

/// A sealed room as one mesh, its inside a cavity: the same as six slabs.
#[test]
fn a_cavity_is_free() {
    let (outer, inner) = ([[0.0; 3], [160.0, 160.0, 128.0]], [[16.0, 16.0, 8.0], [144.0, 144.0, 100.0]]);
    let mut all = faces(outer);
    all.extend(faces(inner).into_iter().map(|face| face.into_iter().rev().collect::<Vec<_>>()));
    let slabs = vec![
        solid([0.0, 0.0, 0.0], [160.0, 160.0, 8.0]),
        solid([0.0, 0.0, 100.0], [160.0, 160.0, 128.0]),
        solid([0.0, 0.0, 0.0], [16.0, 160.0, 128.0]),
        solid([144.0, 0.0, 0.0], [160.0, 160.0, 128.0]),
        solid([0.0, 0.0, 0.0], [160.0, 16.0, 128.0]),
        solid([0.0, 144.0, 0.0], [160.0, 160.0, 128.0]),
    ];
    let room = brush(of_faces(&all));
    assert_eq!(field(vec![room.clone()]).cell([2, 2, 0], 1).unwrap().floor, 2, "the floor inside");
    assert_same(slabs, vec![room], "a sealed room");
    // Without the outer shell, or with it moved away, it is inside out.
    let moved = |by: f64| {
        let mut all = faces(outer.map(|at| [at[0] + by, at[1], at[2]]));
        all.extend(faces(inner).into_iter().map(|face| face.into_iter().rev().collect::<Vec<_>>()));
        Solid::new(&of_faces(&all)).is_ok()
    };
    assert_eq!([0.0, 20.0, 200.0].map(moved), [true, false, false]);
}

/// An arch, drawn by hand: two posts under a lintel, in one mesh. One walks through, and over it.
#[test]
fn an_arch_has_a_floor_below_and_one_above() {
    let profile = [
        [0.0, 8.0],
        [8.0, 8.0],
        [8.0, 64.0],
        [56.0, 64.0],
        [56.0, 8.0],
        [64.0, 8.0],
        [64.0, 72.0],
        [0.0, 72.0],
    ];
    let (near, far) = (0.0, 32.0);
    let quads = [[0, 1, 2, 7], [2, 3, 6, 7], [3, 4, 5, 6]];
    let at = |i: usize, y: f64| [profile[i][0], y, profile[i][1]];
    let mut all: Vec<Vec<[f64; 3]>> = Vec::new();
    for quad in quads {
        all.push(quad.map(|i| at(i, near)).to_vec());
        all.push(quad.into_iter().rev().map(|i| at(i, far)).collect());
    }
    for i in 0..8 {
        let j = (i + 1) % 8;
        all.push(vec![at(j, near), at(i, near), at(i, far), at(j, far)]);
    }
    let floor = solid([0.0, 0.0, 0.0], [64.0, 32.0, 8.0]);
    let boxes = vec![
        floor.clone(),
        solid([0.0, 0.0, 8.0], [8.0, 32.0, 72.0]),
        solid([56.0, 0.0, 8.0], [64.0, 32.0, 72.0]),
        solid([0.0, 0.0, 64.0], [64.0, 32.0, 72.0]),
    ];
    let arch = vec![floor, brush(of_faces(&all))];
    let field = field(arch.clone());
    let view = field.cell([0, 0, 0], 1).unwrap();
    assert_eq!((view.floor, view.ceiling), (2, 16));
    assert_eq!(field.cell([0, 0, 1], 1).unwrap().floor, 2, "on the lintel");
    assert_same(boxes, arch, "the arch");
}

/// A door of a mesh is traced again as the whole level is.
#[test]
fn a_partial_trace_of_meshes_equals_a_full_one() {
    for seed in 0..if sweeps() { 300 } else { 20 } {
        let mut random = Random(seed ^ 0xd007);
        let mut brushes: Vec<Brush> = random_brushes(&mut random).iter().map(meshed).collect();
        brushes.extend(random_slopes(&mut random).iter().map(meshed));
        for brush in brushes.iter_mut().skip(1) {
            brush.area = (random.below(3) == 0).then(|| "door".into());
        }
        let tactics = level(brushes);
        let mut field = TacticalField::new(&tactics, |_| false);
        for is_open in [true, false, true] {
            field.set_area_available("door", is_open);
            let full = TacticalField::new(&tactics, |_| is_open);
            assert!(field.traces == full.traces, "seed {seed}: {:?}", tactics.brushes);
        }
    }
}
