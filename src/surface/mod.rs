//! The seam between the kinds of ground and everything that walks on them. [`Surface`] is a closed enum: each question is dispatched
//! once, and the ground answers it with its own data structures. The modules after this one ask these questions, and never see
//! cells, nodes or polygons. Where a question takes a position, a [`Place`] or a point of the plane will do.

mod flood;
mod located;
mod memory;
mod search;

pub use flood::Flood;
pub use located::Located;
pub use memory::{IdleMemory, SearchMemory};
pub use search::Search;

use crate::grid::{Grid, Unseen};
#[cfg(test)]
use crate::mesh::Mesh;
use crate::nav::{
    Anchor, AreaId, Change, Disc, GroundError, HiddenBy, ObstacleId, Pinch, Place, Position, Refuge, Region,
    Threat, Wall,
};
use crate::room::{Room, WhenOccupied};
use glam::DVec2;

/// The ground of a room, of any kind.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(test, allow(clippy::large_enum_variant))] // there is one at a time, and no pointer to follow
pub enum Surface {
    /// Cells: painted from areas and obstacles, given by a text file, or sampled from an image.
    Grid(Grid),
    /// Convex polygons, for the tests of the seam.
    #[cfg(test)]
    Mesh(Mesh),
}

/// Asks the ground of whichever kind it is.
macro_rules! ask {
    ($surface:expr, $ground:ident => $answer:expr) => {
        match $surface {
            Surface::Grid($ground) => $answer,
            #[cfg(test)]
            Surface::Mesh($ground) => $answer,
        }
    };
}

/// Asks a ground about what is on the storey of a position.
macro_rules! ask_at {
    ($surface:expr, $position:expr, $ground:ident => $answer:expr) => {
        match $surface {
            Surface::Grid($ground) => $answer,
            #[cfg(test)]
            Surface::Mesh(mesh) => {
                let $ground = &mesh.on_storey_of($position);
                $answer
            }
        }
    };
}

impl Surface {
    // ---- making and changing it ----

    /// Builds the ground that a room describes, with every area as available as its file says.
    ///
    /// # Errors
    /// [`GroundError::TooLarge`] when the ground would have more cells than fit.
    pub fn new(room: &Room) -> Result<Self, GroundError> {
        Grid::new(room).map(Self::Grid)
    }

    /// The ground of a changed room, with the given availability of its areas (in file order). It equals a fresh build bit for
    /// bit. The second value says what changed, `None` if nothing did.
    ///
    /// # Errors
    /// [`GroundError::TooLarge`], and the old ground is still as it was.
    pub fn rebuilt(&self, room: &Room, available: &[bool]) -> Result<(Self, Option<Change>), GroundError> {
        match self {
            Self::Grid(grid) => {
                grid.rebuilt(room, available).map(|(grid, change)| (Self::Grid(grid), change))
            }
            #[cfg(test)]
            Self::Mesh(mesh) => {
                let (mesh, change) = mesh.rebuilt(room, available);
                Ok((Self::Mesh(mesh), change))
            }
        }
    }

    /// Opens or closes an area. `None` when no ground changed.
    pub fn set_area_available(&mut self, area: AreaId, available: bool) -> Option<Change> {
        ask!(self, ground => ground.set_area_available(area, available))
    }

    /// [`Surface::set_area_available`] if `accept` likes the ground as it would be then; else everything, the revision
    /// included, is as before. Returns whether it was accepted, and what changed.
    pub fn try_area_available(
        &mut self,
        area: AreaId,
        available: bool,
        accept: impl FnOnce(&Self) -> bool,
    ) -> (bool, Option<Change>) {
        let revision = self.revision();
        let change = self.set_area_available(area, available);
        if accept(self) {
            return (true, change);
        }
        self.set_area_available(area, !available);
        ask!(self, ground => ground.set_revision(revision));
        (false, None)
    }

    /// How much opening or closing an area goes over, in words of 64 cells and rows of polygons.
    pub fn toggle_work(&self, area: AreaId) -> u64 {
        ask!(self, ground => ground.toggle_work(area))
    }

    /// Counts changes of the ground. Equal revisions of one ground mean equal ground.
    pub fn revision(&self) -> u64 {
        ask!(self, ground => ground.revision())
    }

    /// Calls `word` with the whole state of the ground in a fixed order: for checksums.
    pub fn for_each_state_word(&self, word: impl FnMut(u64)) {
        ask!(self, ground => ground.for_each_state_word(word));
    }

    // ---- places ----

    /// The position of a place, walkable or not: on the floor nearest to its height, the highest one if it has none. A position
    /// stays what it is.
    pub fn locate(&self, place: impl Located) -> Position {
        place.position_on(self)
    }

    /// The place of a position, with its height where the ground has more than one.
    pub fn place_of(&self, position: impl Located) -> Place {
        let position = self.locate(position);
        let y_m = self.has_heights().then(|| self.height_m(position));
        Place { at: position.at, y_m }
    }

    /// Whether positions of the ground differ in height.
    pub fn has_heights(&self) -> bool {
        ask!(self, ground => ground.has_heights())
    }

    /// Whether two positions are on one storey, so that characters there push, see and meet each other. Asked of characters
    /// that are near each other on the plane.
    pub fn floors_touch(&self, one: impl Located, other: impl Located) -> bool {
        let (one, other) = (self.locate(one), self.locate(other));
        one.floor == other.floor || ask!(self, ground => ground.floors_touch(one, other))
    }

    /// Whether a character's centre may be at a position.
    pub fn is_walkable(&self, position: impl Located) -> bool {
        let position = self.locate(position);
        ask_at!(self, position, ground => ground.is_walkable(position.at))
    }

    /// Whether there is any place to stand.
    pub fn has_ground(&self) -> bool {
        ask!(self, ground => ground.has_ground())
    }

    /// The place to stand that is nearest to a point by straight line and at most `reach_m` away.
    pub fn nearest(&self, position: impl Located, reach_m: f64) -> Option<Position> {
        let position = self.locate(position);
        ask_at!(self, position, ground => ground.nearest_place(position.at, reach_m).map(|at| ground.locate(at.into())))
    }

    /// The place where a walk can begin or end: the point itself where it is walkable, else the nearest place within `snap_m`.
    pub fn anchor(&self, position: impl Located, snap_m: f64) -> Option<Anchor> {
        let position = self.locate(position);
        ask_at!(self, position, ground => ground.anchor(position.at, snap_m))
    }

    /// The point itself with the node that a walk from there begins at: its own, or the nearest one within `snap_m`.
    pub fn node_anchor(&self, position: impl Located, snap_m: f64) -> Option<Anchor> {
        let position = self.locate(position);
        ask_at!(self, position, ground => ground.node_anchor(position.at, snap_m))
    }

    /// The height of a position, in metres.
    pub fn height_m(&self, position: impl Located) -> f64 {
        let position = self.locate(position);
        ask!(self, ground => ground.height_m(position))
    }

    /// A random place in a region, and the work it took in expansions of a search. Every place is equally likely. `None` once
    /// it has taken more than `most_work`.
    pub fn random_place(
        &self,
        region: &Region,
        most_work: u64,
        draw: impl FnMut() -> f64,
    ) -> Option<(Option<Position>, u64)> {
        let (found, work) = ask!(self, ground => ground.random_place(region, most_work, draw))?;
        Some((found.map(|at| self.locate(at)), work))
    }

    /// The smallest distance that the ground tells apart, in metres: the edge of a cell.
    pub fn resolution_m(&self) -> f64 {
        ask!(self, ground => ground.resolution_m())
    }

    /// The rectangle around the ground: smallest and largest coordinates, in metres.
    pub fn bounds(&self) -> (DVec2, DVec2) {
        ask!(self, ground => ground.bounds())
    }

    /// How much ground is walkable, in square metres.
    pub fn walkable_m2(&self) -> f64 {
        ask!(self, ground => ground.walkable_m2())
    }

    /// How many nodes a search may see at most.
    pub fn node_limit(&self) -> usize {
        ask!(self, ground => ground.node_limit())
    }

    /// How much of the ground a look at all of it goes over, in cells.
    pub fn size(&self) -> usize {
        ask!(self, ground => ground.size())
    }

    // ---- lines ----

    /// Whether a character can walk from one point to another in a straight line.
    pub fn segment_clear(&self, from: impl Located, to: impl Located) -> bool {
        let (from, to) = (self.locate(from), self.locate(to));
        self.floors_touch(from, to) && ask_at!(self, from, ground => ground.segment_clear(from.at, to.at))
    }

    /// The position at the end of a straight walk, if nothing blocks it.
    pub fn walk_straight(&self, from: impl Located, to: DVec2) -> Option<Position> {
        let from = self.locate(from);
        ask_at!(self, from, ground => ground.segment_clear(from.at, to).then(|| ground.locate(to.into())))
    }

    /// The first blocked place on a straight line, or its end if nothing blocks it.
    pub fn first_blocked(&self, from: impl Located, to: DVec2) -> DVec2 {
        let from = self.locate(from);
        ask_at!(self, from, ground => ground.first_blocked(from.at, to))
    }

    /// Whether a straight line is a way that a search over nodes may not find. Always false on a plain grid.
    pub fn is_straight_way(&self, from: impl Located, to: impl Located) -> bool {
        let (from, to) = (self.locate(from), self.locate(to));
        ask_at!(self, from, ground => ground.is_straight_way(from.at, to.at))
    }

    /// What hides one place from another, the nearest to `from` if several do.
    pub fn hidden_by(&self, from: impl Located, to: impl Located) -> Option<HiddenBy> {
        let (from, to) = (self.locate(from), self.locate(to));
        ask_at!(self, from, ground => ground.hidden_by(from.at, to.at))
    }

    /// Whether a place lies on ground that characters can see over.
    pub fn is_lit(&self, position: impl Located) -> bool {
        let position = self.locate(position);
        ask_at!(self, position, ground => ground.is_lit(position.at))
    }

    /// What asking [`Surface::hidden_by`] once costs, in corners and cells looked at.
    pub fn sight_work(&self, from: impl Located, to: impl Located) -> u64 {
        let (from, to) = (self.locate(from), self.locate(to));
        ask_at!(self, from, ground => ground.sight_work(from.at, to.at))
    }

    /// Whether a search may avoid some obstacles of its query and not the others; else it avoids all of them or none.
    pub fn avoids_singly(&self) -> bool {
        ask!(self, ground => ground.avoids_singly())
    }

    // ---- reach ----

    /// Whether a way may lead from one place to another. "No" is certain. So is "yes", except in painted rooms with eight neighbours,
    /// which need a search to know. False where a place has no node.
    pub fn may_reach(&self, from: impl Located, to: impl Located) -> bool {
        let (from, to) = (self.locate(from), self.locate(to));
        self.floors_touch(from, to) && ask_at!(self, from, ground => ground.may_connect(from.at, to.at))
    }

    /// Floods everything that can be walked to from an anchor; it may stop early at `until`.
    pub fn flood(&self, from: &Anchor, until: Option<&Anchor>, most_work: u64) -> Flood {
        Flood::new(self, from, until, most_work)
    }

    /// The path to the nearest place, as a character walks, that `accept` likes; at most `reach_m` of way, round the obstacles. The waypoints
    /// leave out `from`; the list is empty if the place itself will do.
    pub fn find_nearest(
        &self,
        from: impl Located,
        obstacles: &[Disc],
        reach_m: f64,
        memory: &mut SearchMemory,
        mut accept: impl FnMut(Position) -> bool,
    ) -> Option<Vec<Position>> {
        let from = self.locate(from);
        let accept = |at: DVec2| accept(self.locate(at));
        let path = match self {
            Self::Grid(grid) => grid.find_nearest(from.at, obstacles, reach_m, &mut memory.grid, accept),
            #[cfg(test)]
            Self::Mesh(mesh) => mesh.on_storey_of(from).find_nearest(from.at, obstacles, reach_m, accept),
        };
        path.map(|path| path.into_iter().map(|at| self.locate(at)).collect())
    }

    /// The refuge from a threat for a character at `from`: of all places that are far enough away and whose shortest way does not
    /// lead past the threat, the one with the shortest way. If there is none, the farthest place that such a way leads to. At
    /// most `most_work` expansions are spent. `None` where nothing is walkable.
    pub fn find_refuge(&self, from: impl Located, threat: Threat, most_work: u64) -> Option<Refuge> {
        let from = self.locate(from);
        ask_at!(self, from, ground => ground.find_refuge(from.at, threat, most_work))
    }

    // ---- areas ----

    /// All areas in file order.
    pub fn areas(&self) -> impl Iterator<Item = AreaId> + use<> {
        (0..ask!(self, ground => ground.area_count())).map(AreaId)
    }

    /// The area with this name.
    pub fn area_named(&self, name: &str) -> Option<AreaId> {
        self.areas().find(|&area| self.area_name(area) == name)
    }

    /// An area's name.
    pub fn area_name(&self, area: AreaId) -> &str {
        ask!(self, ground => ground.area_name(area))
    }

    /// Whether an area is open.
    pub fn area_available(&self, area: AreaId) -> bool {
        ask!(self, ground => ground.area_available(area))
    }

    /// What happens to characters inside when an area closes.
    pub fn area_when_occupied(&self, area: AreaId) -> WhenOccupied {
        ask!(self, ground => ground.area_when_occupied(area))
    }

    /// Whether a point lies in an area, open or closed.
    pub fn area_contains(&self, area: AreaId, position: impl Located) -> bool {
        let position = self.locate(position);
        ask_at!(self, position, ground => ground.area_contains(area, position.at))
    }

    /// How far it is at least from a point to where it would lie in other areas, in metres.
    pub fn area_border_m(&self, position: impl Located) -> f64 {
        let position = self.locate(position);
        ask_at!(self, position, ground => ground.area_border_m(position.at))
    }

    /// The middle of the rectangle around an area, in metres.
    pub fn area_middle(&self, area: AreaId) -> Position {
        ask!(self, ground => ground.locate(ground.area_middle(area).into()))
    }

    /// The point of an area that is nearest to `from` by straight line: on ground that can be reached from the anchor if there is
    /// any, else on other ground, else where ground would be if the area were open. Also returns how many nodes were looked
    /// at. `None` if no node lies in the area.
    pub fn nearest_in_area(
        &self,
        area: AreaId,
        from: impl Located,
        start: Option<&Anchor>,
    ) -> (Option<Position>, u64) {
        let from = self.locate(from);
        let (found, looked_at) = ask_at!(self, from, ground => ground.nearest_in_area(area, from.at, start));
        (found.map(|at| self.locate(at)), looked_at)
    }

    /// Where a path enters an area: the first point of it on ground of the area, clear of the border if the path comes to such a
    /// point. `None` if it does not enter.
    pub fn enters_area(&self, area: AreaId, from: impl Located, path: &[Position]) -> Option<Position> {
        let from = self.locate(from);
        let path: Vec<DVec2> = path.iter().map(|position| position.at).collect();
        ask!(self, ground => ground.enters_area(area, from.at, &path)).map(|at| self.locate(at))
    }

    /// The closed areas, in file order.
    pub fn closed_areas(&self) -> Vec<AreaId> {
        ask!(self, ground => ground.closed_areas())
    }

    /// The closed area that keeps characters off a point: the point lies in it, in no open area, and is not walkable.
    pub fn closed_area_over(&self, position: impl Located) -> Option<AreaId> {
        let position = self.locate(position);
        ask_at!(self, position, ground => ground.closed_area_over(position.at))
    }

    /// [`Surface::closed_area_over`] where the node of the point may lie outside of that area, as in a painted room.
    pub fn closed_area_apart(&self, position: impl Located) -> Option<AreaId> {
        let position = self.locate(position);
        ask_at!(self, position, ground => ground.closed_area_apart(position.at))
    }

    // ---- the ground as it might be ----

    /// The same ground with every area open.
    #[must_use]
    pub fn with_all_open(&self) -> Self {
        match self {
            Self::Grid(grid) => Self::Grid(grid.with_all_open()),
            #[cfg(test)]
            Self::Mesh(mesh) => Self::Mesh(mesh.with_all_open()),
        }
    }

    /// The same ground for characters that keep only this share (0 to 1) of the distance to everything.
    #[must_use]
    pub fn with_share_of_room(&self, share: f64) -> Self {
        match self {
            Self::Grid(grid) => Self::Grid(grid.with_share_of_room(share)),
            #[cfg(test)]
            Self::Mesh(mesh) => Self::Mesh(mesh.clone()),
        }
    }

    /// All obstacles in file order.
    pub fn obstacles(&self) -> impl Iterator<Item = ObstacleId> + use<> {
        (0..ask!(self, ground => ground.obstacle_count())).map(ObstacleId)
    }

    /// An obstacle's name.
    pub fn obstacle_name(&self, obstacle: ObstacleId) -> &str {
        ask!(self, ground => ground.obstacle_name(obstacle))
    }

    /// Whether a point lies in an obstacle.
    pub fn obstacle_contains(&self, obstacle: ObstacleId, position: impl Located) -> bool {
        let position = self.locate(position);
        ask!(self, ground => ground.obstacle_contains(obstacle, position.at))
    }

    /// Takes an obstacle away. It keeps its number and its name.
    pub fn lift_obstacle(&mut self, obstacle: ObstacleId) {
        ask!(self, ground => ground.lift_obstacle(obstacle));
    }

    /// Puts an obstacle back that [`Surface::lift_obstacle`] took away, as it is in `whole`, a ground of the same kind.
    pub fn put_obstacle_back(&mut self, obstacle: ObstacleId, whole: &Self) {
        match (self, whole) {
            (Self::Grid(grid), Self::Grid(whole)) => grid.put_obstacle_back(obstacle, whole),
            #[cfg(test)]
            _ => {}
        }
    }

    /// All edges of obstacles and the outline of the open areas.
    pub fn walls(&self) -> Vec<Wall> {
        ask!(self, ground => ground.walls())
    }

    /// The narrowest place of the widest way between two anchors; `bare` is the ground for characters that keep no distance.
    /// `Some(None)` if no way over nodes leads there, `None` if it takes more than `most_work`. Also returns the work.
    pub fn pinch(
        &self,
        bare: &Self,
        ends: (&Anchor, &Anchor),
        walls: &[Wall],
        most_work: u64,
    ) -> (Option<Option<Pinch>>, u64) {
        match (self, bare) {
            (Self::Grid(grid), Self::Grid(bare)) => grid.pinch(bare, ends, walls, most_work),
            #[cfg(test)]
            _ => (Some(None), 0),
        }
    }

    /// What opening or closing an area costs, in expansions of a search; roughly, as in the next ones.
    pub fn area_work(&self, area: AreaId) -> u64 {
        ask!(self, ground => ground.area_work(area))
    }

    /// What taking an obstacle away or putting it back costs.
    pub fn obstacle_work(&self, obstacle: ObstacleId) -> u64 {
        ask!(self, ground => ground.obstacle_work(obstacle))
    }

    /// What a copy of the ground costs.
    pub fn copy_work(&self) -> u64 {
        ask!(self, ground => ground.copy_work())
    }

    /// What painting everything anew costs, margins included.
    pub fn rebuild_work(&self) -> u64 {
        ask!(self, ground => ground.rebuild_work())
    }

    /// What [`Surface::walls`] costs.
    pub fn walls_work(&self) -> u64 {
        ask!(self, ground => ground.walls_work())
    }

    // ---- the ground itself, for pictures and measurements of cells ----

    /// The grid, if the ground is one.
    pub fn as_grid(&self) -> Option<&Grid> {
        match self {
            Self::Grid(grid) => Some(grid),
            #[cfg(test)]
            Self::Mesh(_) => None,
        }
    }

    /// The walkable pixels of a painted room that see no node.
    pub fn unseen(&self) -> Option<Unseen> {
        self.as_grid()?.unseen()
    }

    /// The ground as the text of a `.txt` room, if it is made of cells.
    pub fn to_text_grid(&self) -> Option<String> {
        self.as_grid().map(Grid::to_text_grid)
    }
}
