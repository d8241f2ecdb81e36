//! Level files of boxes, as a modelling program writes them.

use std::fmt::Write as _;

/// The corners of the faces of a box, bit 0 of a number for x, bit 1 for y, bit 2 for z. Outwards in a file, y up.
const FACES: [[usize; 4]; 6] =
    [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

/// An OBJ file of boxes: names of objects, with boxes in the units of a tactical level, 32 to the metre, z up. Boxes of the
/// same name that follow each other are one object.
pub fn obj(boxes: &[(&str, [[f64; 3]; 2])]) -> String {
    let (mut text, mut points, mut last) = (String::new(), 0, "");
    for (name, corners) in boxes {
        if *name != last {
            let _ = writeln!(text, "o {name}");
            last = name;
        }
        let metres = |end: usize, axis: usize| corners[end][axis] / 32.0;
        for corner in 0..8 {
            let [x, y, z] = [metres(corner & 1, 0), metres(corner >> 1 & 1, 2), metres(corner >> 2, 1)];
            let _ = writeln!(text, "v {x} {y} {z}");
        }
        for face in FACES {
            let [a, b, c, d] = face.map(|corner| points + corner + 1);
            let _ = writeln!(text, "f {a} {b} {c} {d}");
        }
        points += 8;
    }
    text
}
