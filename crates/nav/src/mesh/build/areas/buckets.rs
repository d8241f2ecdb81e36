//! Candidate pairs: edges and vertices that are near each other.

use super::problem::BuildProblem;
use glam::I64Vec2;

/// Upper limit on the entries of edges in squares.
const MAX_ENTRIES: usize = 40_000_000;

/// Upper limit on pairs that are looked at.
const MAX_PAIRS: u64 = 200_000_000;

/// Marks the number of a vertex among those of edges.
const VERTEX: u32 = 1 << 31;

/// Calls `found` for every square that edges pass, with the edges and the vertices in it. Edges that are within
/// `reach` steps of each other or of a vertex are together in at least one square. It ends at the first problem.
pub(super) fn for_each_square(
    points: &[I64Vec2],
    edges: &[(u32, u32)],
    vertices: &[u32],
    reach: i64,
    mut found: impl FnMut(&[u32], &[u32]) -> Result<(), BuildProblem>,
) -> Result<(), BuildProblem> {
    let entries = entries(points, edges, vertices, reach)?;
    let mut pairs = 0;
    let (mut here, mut near): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
    for square in entries.chunk_by(|one, other| one.0 == other.0) {
        here.clear();
        near.clear();
        for &(_, number) in square {
            if number & VERTEX == 0 { here.push(number) } else { near.push(number & !VERTEX) }
        }
        pairs += here.len() as u64 * (here.len() + near.len()) as u64;
        if pairs > MAX_PAIRS {
            return Err(BuildProblem::TooDense);
        }
        found(&here, &near)?;
    }
    Ok(())
}

/// Pairs of a square and the number of an edge or a vertex, by square.
fn entries(
    points: &[I64Vec2],
    edges: &[(u32, u32)],
    vertices: &[u32],
    reach: i64,
) -> Result<Vec<(u64, u32)>, BuildProblem> {
    let at = |vertex: u32| points[vertex as usize];
    let nothing = (I64Vec2::MAX, I64Vec2::MIN);
    let (low, high) =
        vertices.iter().fold(nothing, |(low, high), &vertex| (low.min(at(vertex)), high.max(at(vertex))));
    let Some(extent) = high.x.checked_sub(low.x).and_then(|x| Some(x.max(high.y.checked_sub(low.y)?))) else {
        return Ok(Vec::new());
    };
    let low = low - reach;
    // As long as an average edge: so an edge is in a few squares, whatever their number.
    let longer = |(a, b): &(u32, u32)| (at(*b) - at(*a)).abs().max_element() as f64;
    let total: f64 = edges.iter().map(longer).sum();
    let size = ((total / edges.len().max(1) as f64) as i64).max(8 * reach).max(extent >> 30);
    let key = |column: i64, row: i64| ((row as u64) << 32) | column as u64;
    let mut entries = Vec::with_capacity(edges.len() * 4 + vertices.len());
    for (number, &(a, b)) in edges.iter().enumerate() {
        let (a, b) = (at(a) - low, at(b) - low);
        for row in (a.y.min(b.y) - reach) / size..=(a.y.max(b.y) + reach) / size {
            let (from, to) = span(a, b, (row * size - reach, (row + 1) * size + reach));
            let columns = (from - reach).max(0) / size..=(to + reach) / size;
            entries.extend(columns.map(|column| (key(column, row), number as u32)));
        }
        if entries.len() > MAX_ENTRIES {
            return Err(BuildProblem::TooDense);
        }
    }
    entries.extend(vertices.iter().map(|&vertex| {
        let place = (at(vertex) - low) / size;
        (key(place.x, place.y), vertex | VERTEX)
    }));
    entries.sort_unstable();
    Ok(entries)
}

/// The smallest and largest x of a segment between two heights, rounded outwards.
fn span(a: I64Vec2, b: I64Vec2, (from, to): (i64, i64)) -> (i64, i64) {
    let (low, high) = if a.y < b.y { (a, b) } else { (b, a) };
    if low.y >= from && high.y <= to {
        return (a.x.min(b.x), a.x.max(b.x));
    }
    let slope = (high.x - low.x) as f64 / (high.y - low.y).max(1) as f64;
    let at = |y: i64| low.x as f64 + slope * (y.clamp(low.y, high.y) - low.y) as f64;
    let (one, other) = (at(from), at(to));
    ((one.min(other)).floor() as i64 - 1, one.max(other).ceil() as i64 + 1)
}
