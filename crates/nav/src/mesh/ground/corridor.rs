//! The corridor of polygons that a walker keeps, mended after it was pushed off its path (as in Detour's path
//! corridor, by Mononen).

use super::Mesh;
use crate::nav::{Corridor, FloorId, Position};
use glam::DVec2;

/// Upper limit on the polygons searched for a way back to the corridor.
const NEARBY: usize = 32;

/// A mended path is refused if it is this many times as long as the straight line, and this much longer, in metres.
const MOST_DETOUR: (f64, f64) = (2.0, 2.0);

impl Mesh {
    /// Leads a walker that was pushed aside to the next point of its path: through the polygons of its corridor, and
    /// through a few others from where it stands to them. False if the corridor is broken, or would lead too far round;
    /// then nothing is changed.
    pub(crate) fn mend(&self, corridor: &mut Corridor, position: Position) -> bool {
        let (Some(next), Some(here)) = (corridor.toward(), self.polygon_of(position)) else { return false };
        let floors: Vec<u32> = corridor.floors().iter().map(|floor| floor.0).collect();
        let Some(end) = floors.iter().rposition(|&floor| floor == next.floor.0) else { return false };
        let Some((mut way, joins)) = self.way_to_corridor(here, &floors[..=end]) else { return false };
        way.extend(&floors[joins + 1..=end]);
        let is_open = |&polygon: &u32| polygon < self.polygon_count() && self.is_open(polygon);
        if !way.iter().all(is_open) || !self.shape.polygons.is_plain(&way) {
            return false;
        }
        let Some(path) = self.shape.polygons.pull(&way, position.at, next.at) else { return false };
        let mut at = position.at;
        let length_m: f64 = path.iter().map(|&(_, to)| std::mem::replace(&mut at, to).distance(to)).sum();
        let (times, more_m) = MOST_DETOUR;
        if length_m > times * position.at.distance(next.at) + more_m {
            return false;
        }
        way.extend(&floors[end + 1..]);
        let turns = path[..path.len() - 1].iter();
        let turns = turns.map(|&(polygon, at): &(u32, DVec2)| Position { at, floor: FloorId(polygon) });
        corridor.lead_back(turns.collect(), way.into_iter().map(FloorId).collect());
        true
    }

    /// The polygons from `here` to the corridor, breadth first, and the place in the corridor at which they join it: of
    /// those found with equally few polygons the furthest.
    fn way_to_corridor(&self, here: u32, corridor: &[u32]) -> Option<(Vec<u32>, usize)> {
        let place = |polygon: u32| corridor.iter().rposition(|&other| other == polygon);
        let view = self.view();
        // Polygons with the index of the one before, layer by layer.
        let mut found = vec![(here, 0)];
        let mut layer = 0..1;
        while !layer.is_empty() && found.len() <= NEARBY {
            let joins = layer.clone().filter_map(|index| Some((place(found[index].0)?, index))).max();
            if let Some((joins, mut index)) = joins {
                let mut way = vec![found[index].0];
                while index > 0 {
                    index = found[index].1;
                    way.push(found[index].0);
                }
                way.reverse();
                return Some((way, joins));
            }
            for index in layer.clone() {
                for edge in view.polygons.edge_range(found[index].0) {
                    let behind = view.behind(edge).map(|(behind, _)| behind);
                    if let Some(behind) = behind.filter(|behind| found.iter().all(|known| known.0 != *behind))
                    {
                        found.push((behind, index));
                    }
                }
            }
            layer = layer.end..found.len();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::MeshSearchMemory;
    use crate::mesh::ground::MeshSearch;
    use crate::mesh::test_rooms::{Random, known_rooms, random_room};
    use crate::nav::{Outcome, Path, Query};
    use crate::sweeps::sweeps;

    fn path(mesh: &Mesh, from: Position, to: Position) -> Option<Path> {
        let query = Query::new(mesh.place(from), mesh.place(to)).with_snap_m(1.0);
        let mut search = MeshSearch::new(mesh, &query, MeshSearchMemory::default());
        search.advance(mesh, &query, u64::MAX);
        let (path, _) = search.finish(mesh, &query, None);
        (path.outcome == Outcome::Complete && path.waypoints.len() > 1).then_some(path)
    }

    /// The path from a position that a push took out of sight of its next point leads there through open polygons, in
    /// straight lines, and is not longer than allowed.
    fn mends(mesh: &Mesh, corridor: &mut Corridor, position: Position) -> bool {
        let (next, left_before) = (corridor.toward().unwrap(), corridor.ahead().len());
        let before = corridor.clone();
        if !mesh.mend(corridor, position) {
            assert_eq!(*corridor, before);
            return false;
        }
        let turns = corridor.ahead().len() - left_before;
        assert_eq!(corridor.ahead()[turns], next, "the rest stays");
        let (mut from, mut length_m) = (position, 0.0);
        for &to in &corridor.ahead()[..=turns] {
            assert!(mesh.segment_clear(from, to), "{from:?} to {to:?}");
            length_m += from.distance(to);
            from = to;
        }
        let straight_m = position.distance(next);
        assert!(length_m >= straight_m && length_m <= MOST_DETOUR.0 * straight_m + MOST_DETOUR.1 + 1e-9);
        let floors = corridor.floors();
        assert_eq!(floors.first(), Some(&position.floor));
        for pair in floors.windows(2) {
            assert!(mesh.shape.polygons.portal_between(pair[0].0, pair[1].0), "{pair:?}");
        }
        true
    }

    #[test]
    fn pushed_walkers_find_back_to_their_paths() {
        let rooms = known_rooms().into_iter().map(|(_, room)| room).filter(|room| room.level.is_none());
        let random_rooms = (0..if sweeps() { 1000 } else { 40 }).map(random_room);
        let (mut mended, mut refused) = (0, 0);
        for (seed, room) in rooms.chain(random_rooms).enumerate() {
            let open = vec![true; room.areas.len()];
            let Ok(mesh) = Mesh::of_room(&room, &open) else { continue };
            let mut random = Random(seed as u64);
            let mut draw = || random.within(0.0, 1.0);
            for _ in 0..20 {
                let everywhere = crate::nav::Region::default();
                let mut place = || mesh.random_place(&everywhere, u64::MAX, &mut draw).and_then(|(at, _)| at);
                let (Some(from), Some(to)) = (place(), place()) else { continue };
                let Some(path) = path(&mesh, from, to) else { continue };
                let mut corridor = Corridor::through(path.corridor, path.waypoints);
                // Along the path, with pushes in any direction.
                let mut position = from;
                for _ in 0..200 {
                    let Some(next) = corridor.toward() else { break };
                    if position.at.distance(next.at) < 0.01 {
                        corridor.advance();
                        continue;
                    }
                    let by = DVec2::new(draw() - 0.5, draw() - 0.5) * 2.0;
                    position = mesh.move_along(position, position.at + by).unwrap_or(position);
                    if !mesh.segment_clear(position, next) {
                        let is_mended = mends(&mesh, &mut corridor, position);
                        (mended, refused) = (mended + u32::from(is_mended), refused + u32::from(!is_mended));
                        if !is_mended {
                            break;
                        }
                    }
                    let next = corridor.toward().unwrap().at;
                    let step = position.at.move_towards(next, 0.3);
                    position = mesh.walk_straight(position, step).expect("the next point is in sight");
                }
            }
        }
        assert!(mended > 200 && refused * 5 < mended, "{mended} mended, {refused} not");
    }
}
