//! Checks paint, hotspots and depth bands for what a schema cannot express: keys that belong together, words that are
//! not colours, bands that overlap.

use crate::problem::{Problem, Source};
use crate::room::check::{brief, suggest};
use crate::room::json::{Node, Value};
use crate::room::locate::{JsonStep, path_text};
use crate::room::mask::parse_colour;

/// Keys of rooms with ground made of sectors.
const FOR_SECTORS: [&str; 5] = ["starts", "boxSize", "crouchHeight", "minSectorBoxes", "minPortalWidth"];

/// Keys that only a painted room has.
const FOR_MASKS: [&str; 7] =
    ["pixelsPerMetre", "walkable", "colours", "sampleRate", "neighbours", "sampling", "shortening"];

/// All problems found, in no particular order.
pub(in crate::room) fn check(source: &Source, root: &Node) -> Vec<Problem> {
    let mut checker = Checker { source, root, problems: Vec::new() };
    match root.get("mask") {
        Some(mask) => checker.painted_room(mask),
        None => checker.room_without_mask(),
    }
    checker.mesh_room();
    checker.colours();
    for (key, what) in [("areas", "an area"), ("hotspots", "a hotspot")] {
        checker.shapes(key, what);
    }
    if let Some(paint) = root.get("walkable") {
        checker.paint(paint, &mut vec![JsonStep::Key("walkable")]);
    }
    checker.depth_bands();
    checker.problems
}

struct Checker<'a> {
    source: &'a Source,
    root: &'a Node,
    problems: Vec<Problem>,
}

impl<'a> Checker<'a> {
    fn painted_room(&mut self, mask: &Node) {
        if self.root.get("pixelsPerMetre").is_none() {
            let problem = self.at(mask, &[JsonStep::Key("mask")], "a mask needs 'pixelsPerMetre' beside it");
            let hint = "write how many pixels a metre takes: \"pixelsPerMetre\": 100";
            self.problems.push(problem.with_hint(hint));
        }
        if let Some(size) = self.root.get("cellSize") {
            let problem = self.at(
                size,
                &[JsonStep::Key("cellSize")],
                "a painted room has no 'cellSize': its cells are pixels",
            );
            self.problems
                .push(problem.with_hint("leave it out; sampleRate says how fine paths are looked for"));
        }
        if let Some(padding) = self.root.get("boundaryPadding")
            && padding.as_number().is_none_or(|metres| metres > 0.0)
        {
            let message = "a painted room keeps no padding to its edge";
            let problem = self.at(padding, &[JsonStep::Key("boundaryPadding")], message);
            self.problems.push(problem.with_hint("leave it out, and paint where people's feet may go"));
        }
        let joined = self.root.get("neighbours");
        if let Some((node, number)) = joined.and_then(|node| Some((node, node.as_number()?)))
            && number.fract() == 0.0
            && (5.0..8.0).contains(&number)
        {
            let message = format!("a node has 4 or 8 neighbours, not {number}");
            let problem = self.at(node, &[JsonStep::Key("neighbours")], &message);
            self.problems.push(problem);
        }
    }

    fn room_without_mask(&mut self) {
        for key in FOR_MASKS {
            if let Some(node) = self.root.get(key) {
                let message = format!("'{key}' is for painted rooms, and this one has no 'mask'");
                let problem = self.at(node, &[JsonStep::Key(key)], &message);
                self.problems
                    .push(problem.with_hint("a mask is an image: \"mask\": \"rooms/kitchen-mask.png\""));
            }
        }
        match self.root.get("areas") {
            _ if self.has_polygons() || self.is_of_sectors() || self.root.get("tactics").is_some() => {}
            None if matches!(self.root.value, Value::Object(_)) && !self.misspelt("areas") => {
                let opening = self.root.span.start..self.root.span.start + 1;
                let problem = self.source.problem(opening, "missing key 'areas' in the room");
                let problem = problem.with_label("has no 'areas'");
                self.problems
                    .push(problem.with_note("areas: Where people may walk: named parts of the ground"));
            }
            Some(areas) if matches!(areas.value, Value::Array(_)) && areas.items().is_empty() => {
                let message = "areas needs at least 1 entry, found 0";
                let problem = self.at(areas, &[JsonStep::Key("areas")], message);
                self.problems.push(problem);
            }
            _ => {}
        }
    }

    /// Whether the ground is to be made of sectors. The word may be misspelt, which is one problem, and not one for each
    /// key of sectors.
    fn is_of_sectors(&self) -> bool {
        let ground = self.root.get("ground").and_then(Node::as_str);
        ground.is_some_and(|word| {
            crate::problem::did_you_mean(word, ["sectors"]).is_some() || word == "sectors"
        })
    }

    /// Whether the file gives the polygons of its ground.
    fn has_polygons(&self) -> bool {
        ["mesh", "geometry"].iter().any(|key| self.root.get(key).is_some())
    }

    /// Keys of mesh rooms that do not go together.
    fn mesh_room(&mut self) {
        let ground = self.root.get("ground");
        let is_grid = ground.and_then(Node::as_str) == Some("grid");
        let is_sectors = self.is_of_sectors();
        let is_mesh = self.has_polygons() || is_sectors || ground.and_then(Node::as_str) == Some("mesh");
        let root = self.root;
        let has = |key: &str| root.get(key).is_some();
        if is_grid && (has("mesh") || has("geometry")) {
            self.refuse(
                "ground",
                "a room with 'mesh' or 'geometry' has no cells",
                "write \"ground\": \"mesh\"",
            );
        }
        self.sectors(is_sectors);
        if has("mesh") && has("geometry") {
            self.refuse("geometry", "a room has 'mesh' or 'geometry', not both", "keep one of the two");
        }
        if let Some(mesh) = root.get("mesh").filter(|mesh| matches!(mesh.value, Value::Object(_))) {
            let given = ["polygons", "faces"].map(|key| mesh.get(key).is_some());
            let wrong = match given {
                [false, false] => Some("a mesh needs 'polygons', or 'vertices' and 'faces'"),
                [true, true] => Some("a mesh has 'polygons' or 'faces', not both"),
                [false, true] if mesh.get("vertices").is_none() => {
                    Some("a mesh with 'faces' needs 'vertices'")
                }
                _ => None,
            };
            if let Some(wrong) = wrong {
                let problem = self.at(mesh, &[JsonStep::Key("mesh")], wrong);
                self.problems.push(problem);
            }
        }
        if is_mesh && has("mask") {
            self.refuse(
                "mask",
                "a mesh room has no mask",
                "leave out one of the two; a painted room has cells",
            );
        }
        if self.has_polygons() && !self.list("obstacles").is_empty() {
            let hint = "leave a hole in the mesh, or close an area there";
            self.refuse(
                "obstacles",
                "obstacles are for ground made of areas; this room gives its polygons",
                hint,
            );
        }
        for (index, area) in self.list("areas").iter().enumerate() {
            for key in ["polygons", "y"] {
                let Some(node) = area.get(key).filter(|_| !self.has_polygons()) else { continue };
                let steps = [JsonStep::Key("areas"), JsonStep::Index(index), JsonStep::Key(key)];
                let message = format!("'{key}' is for rooms with 'mesh' or 'geometry'");
                let problem = self.at(node, &steps, &message);
                self.problems.push(problem.with_hint("give the corners of the area as its polygon"));
            }
            let Some(node) = area.get("y") else { continue };
            let heights: Vec<f64> = node.items().iter().filter_map(Node::as_number).collect();
            if let &[low, high] = &heights[..]
                && low > high
            {
                let steps = [JsonStep::Key("areas"), JsonStep::Index(index), JsonStep::Key("y")];
                let problem = self.at(node, &steps, "the lowest height is above the greatest");
                self.problems.push(problem.with_hint(format!("write [{high}, {low}]")));
            }
        }
    }

    /// Keys of ground made of sectors.
    fn sectors(&mut self, is_sectors: bool) {
        let root = self.root;
        let has = |key: &str| root.get(key).is_some();
        let is_level = |file: &Node| file.as_str().is_none_or(|file| !file.ends_with(".json"));
        let hint = "give 'geometry': an .obj, .glb or .gltf file";
        match root.get("geometry") {
            _ if !is_sectors => {}
            Some(file) if !is_level(file) => {
                self.refuse(
                    "geometry",
                    "sectors are flooded in level geometry; this file has polygons",
                    hint,
                );
            }
            None if has("mesh") => {
                self.refuse("mesh", "sectors are flooded in level geometry; a mesh has polygons", hint);
            }
            None if !self.misspelt("geometry") => {
                self.refuse("ground", "sectors are flooded in level geometry; this room has none", hint);
            }
            Some(_) if !has("starts") && !self.misspelt("starts") => {
                let hint = "give 'starts': [[x, y, z], ...], places on the floor";
                self.refuse("ground", "sectors are flooded from 'starts'; this room has none", hint);
            }
            _ => {}
        }
        if is_sectors {
            self.refuse("cellSize", "sectors have boxes, not cells", "write 'boxSize' instead");
        }
        for key in FOR_SECTORS.iter().filter(|_| !is_sectors) {
            let what = format!("'{key}' is for ground made of sectors");
            self.refuse(key, &what, "write \"ground\": \"sectors\", or leave it out");
        }
    }

    fn refuse(&mut self, key: &'static str, what: &str, hint: &str) {
        if let Some(node) = self.root.get(key) {
            let problem = self.at(node, &[JsonStep::Key(key)], what);
            self.problems.push(problem.with_hint(hint));
        }
    }

    /// With `aeras` in the file, a second message "`areas` is missing" would be noise.
    fn misspelt(&self, key: &str) -> bool {
        let near = |written: &str| crate::problem::did_you_mean(written, [key]).is_some();
        self.root.members().iter().any(|member| member.key != key && near(&member.key))
    }

    fn colours(&mut self) {
        let members = self.root.get("colours").map(Node::members).unwrap_or_default();
        for member in members {
            if let Some(word) = member.value.as_str().filter(|word| parse_colour(word).is_none()) {
                let steps = [JsonStep::Key("colours"), JsonStep::Key(&member.key)];
                let message = format!("'{}' is no colour", brief(word));
                let problem = self.at(&member.value, &steps, &message);
                self.problems.push(problem.with_hint("write #rrggbb: \"#3060ff\""));
            }
        }
    }

    /// Each area and hotspot has either paint or a polygon.
    fn shapes(&mut self, key: &'static str, what: &str) {
        for (index, item) in self.list(key).iter().enumerate() {
            if !matches!(item.value, Value::Object(_)) {
                continue;
            }
            let mut steps = vec![JsonStep::Key(key), JsonStep::Index(index)];
            if item.get("polygons").is_some() && self.has_polygons() {
                continue;
            }
            match (item.get("polygon"), item.get("paint")) {
                (None, None) => {
                    let near = |key: &str| crate::problem::did_you_mean(key, ["polygon", "paint"]).is_some();
                    if item.members().iter().any(|member| near(&member.key)) {
                        continue;
                    }
                    let opening = item.span.start..item.span.start + 1;
                    let message = format!("missing key 'polygon' in {what}");
                    let problem = self.source.problem(opening, message).at_path(&path_text(&steps));
                    let mut problem = problem.with_label("has no 'polygon'");
                    if self.root.get("mask").is_some() {
                        problem = problem.with_hint("or 'paint', if it is painted on the mask");
                    }
                    self.problems.push(problem.with_note("polygon: The corners, at least three"));
                }
                (Some(_), Some(paint)) => {
                    steps.push(JsonStep::Key("paint"));
                    let message = format!("{what} has a polygon or paint, not both");
                    let problem = self.at(paint, &steps, &message);
                    self.problems.push(problem);
                }
                (None, Some(paint)) => {
                    steps.push(JsonStep::Key("paint"));
                    if self.root.get("mask").is_none() {
                        let problem =
                            self.at(paint, &steps, "there is no 'mask' that it could be painted on");
                        let hint = "add \"mask\": \"rooms/kitchen-mask.png\", or give a polygon";
                        self.problems.push(problem.with_hint(hint));
                    }
                    self.paint(paint, &mut steps);
                }
                (Some(_), None) => {}
            }
            if let Some(place) = item.get("walkTo") {
                let steps = [JsonStep::Key(key), JsonStep::Index(index), JsonStep::Key("walkTo")];
                self.walk_to(place, &steps);
            }
        }
    }

    fn walk_to(&mut self, place: &Node, steps: &[JsonStep<'_>]) {
        let points = self.root.get("points").map(Node::members).unwrap_or_default();
        let Some(wanted) = place.as_str() else { return };
        if points.iter().any(|point| point.key == wanted) {
            return;
        }
        let problem = self.at(place, steps, &format!("unknown point '{}'", brief(wanted)));
        let problem = problem.with_label("no point has this name");
        self.problems.push(match points.is_empty() {
            true => problem.with_hint("the room has no points; give a place [x, z]"),
            false => suggest(problem, wanted, points.iter().map(|point| point.key.as_str())),
        });
    }

    fn paint(&mut self, paint: &'a Node, steps: &mut Vec<JsonStep<'a>>) {
        match &paint.value {
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    steps.push(JsonStep::Index(index));
                    self.paint(item, steps);
                    steps.pop();
                }
            }
            Value::Object(_) if paint.get("bit").is_some() == paint.get("value").is_some() => {
                let problem =
                    self.at(paint, steps, "a paint is a bit or a value of a channel, one of the two");
                let hint = r#"{"channel": "blue", "bit": 7}, or {"channel": "red", "value": 3}"#;
                self.problems.push(problem.with_hint(hint));
            }
            Value::String(word) if parse_colour(word).is_none() => {
                let colours = self.root.get("colours").map(Node::members).unwrap_or_default();
                if colours.iter().any(|colour| colour.key == *word) {
                    return;
                }
                let problem = self.at(paint, steps, &format!("unknown colour '{}'", brief(word)));
                let problem = problem.with_label("neither #rrggbb nor a name from 'colours'");
                let meant = suggest(problem, word, colours.iter().map(|colour| colour.key.as_str()));
                self.problems.push(match meant.hint {
                    Some(_) => meant,
                    None => {
                        meant.with_hint("write #rrggbb, or name it: \"colours\": {\"water\": \"#3060ff\"}")
                    }
                });
            }
            _ => {}
        }
    }

    fn depth_bands(&mut self) {
        let mut taken: Vec<([f64; 2], u32)> = Vec::new();
        for (index, band) in self.list("depthBands").iter().enumerate() {
            let Some(z) = band.get("z") else { continue };
            let [from, to] = z.items() else { continue };
            let (Some(from), Some(to)) = (from.as_number(), to.as_number()) else { continue };
            let steps = [JsonStep::Key("depthBands"), JsonStep::Index(index), JsonStep::Key("z")];
            if from >= to {
                let problem = self.at(
                    z,
                    &steps,
                    &format!("a band goes from a smaller z to a larger one, not {from} to {to}"),
                );
                self.problems.push(problem);
                continue;
            }
            let over = taken.iter().find(|([other_from, other_to], _)| from < *other_to && to > *other_from);
            if let Some((_, line)) = over {
                let problem = self.at(z, &steps, "this band overlaps another one");
                self.problems
                    .push(problem.with_hint(format!("the other is in line {line}; bands may only touch")));
            }
            let (line, _) = self.source.line_column(z.span.start);
            taken.push(([from, to], line));
        }
    }

    fn list(&self, key: &str) -> &'a [Node] {
        self.root.get(key).map(Node::items).unwrap_or_default()
    }

    fn at(&self, node: &Node, steps: &[JsonStep<'_>], message: &str) -> Problem {
        self.source.problem(node.span.clone(), message).at_path(&path_text(steps))
    }
}
