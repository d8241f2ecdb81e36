//! `cicerone path`: one query, one picture.

use super::draw::storey_of;
use super::move_along::move_along;
use super::place::{Avoid, PlaceArg};
use super::room::{Doors, RoomArgs};
use super::walker::{Walker, WalkerArgs};
use super::{NO, OK, print};
use cicerone::draw::{Picture, SvgOptions, clean_lines};
use cicerone::geometry::Cubic;
use cicerone::nav::{
    CURVE_TOLERANCE_M, Curve, Disc, FloorId, LinkCrossing, LinkWay, NoPath, Outcome, PathTrace, Place,
    Position, Step, Try,
};
use cicerone::plan::{Explanation, LinkNet, find_route_traced};
use cicerone::problem::length_text;
use cicerone::room::Rgba;
use cicerone::surface::{Located, SearchMemory, Surface};
use clap::{Args, ValueEnum};
use glam::DVec2;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Find a path in a room and print or draw it
///
/// Exits with 0 if the path is complete, 1 if it is partial or there is none. People standing about are not in the
/// way; put some there with --avoid.
#[derive(Args)]
pub(super) struct PathArgs {
    #[command(flatten)]
    room: RoomArgs,
    /// Where from: X,Z (or X,Y,Z with a height) in metres, or the name of a point, character, hotspot or area
    /// [default: the player]
    #[arg(long, value_name = "PLACE", allow_hyphen_values = true)]
    from: Option<PlaceArg>,
    /// Where to
    #[arg(long, value_name = "PLACE", allow_hyphen_values = true)]
    to: PlaceArg,
    #[command(flatten)]
    doors: Doors,
    /// Put a disc of R metres in the way, like a standing character (may be given several times). The path leads
    /// round all of them if it can, else through them
    #[arg(long, value_name = "X,[Y,]Z,R", allow_hyphen_values = true)]
    avoid: Vec<Avoid>,
    #[command(flatten)]
    walker: WalkerArgs,
    /// Say what is in the way to a goal that cannot be reached: closed areas, obstacles, a gap that is too narrow
    #[arg(long)]
    explain: bool,
    /// Show how the path came about, too: the cells or nodes that the search found, and the lines that were tried to
    /// make it short
    #[arg(long)]
    raw: bool,
    /// Make the path a curve, as characters walk it in rooms with "paths": "curved"
    #[arg(long)]
    curved: bool,
    /// Move in a straight line instead, as far as walls allow, and slide along them (moveAlongSurface)
    #[arg(long, conflicts_with_all = ["avoid", "explain", "raw", "curved", "mask", "storey"])]
    move_along: bool,
    /// In a painted room: say what colour the mask has at both ends
    #[arg(long)]
    mask: bool,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    format: PathFormat,
    /// Draw only this storey of a room with several; 1 is the lowest [default: all]
    #[arg(long, value_name = "N")]
    storey: Option<usize>,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum PathFormat {
    Text,
    Json,
    Ascii,
    Svg,
}

#[derive(Serialize)]
struct Answer {
    outcome: Outcome,
    reason: Option<NoPath>,
    /// The closed area of the goal.
    closed_area: Option<String>,
    /// The requested place.
    to: [f64; 3],
    /// The start of the path, if it differs from the requested one.
    snapped_from: Option<[f64; 3]>,
    /// The end of the path, if it differs from the requested one.
    snapped_to: Option<[f64; 3]>,
    missed_by_m: f64,
    /// The step that gave the path; none if there is no path.
    step: Option<Step>,
    cost_cells: f64,
    length_m: f64,
    waypoints: Vec<[f64; 3]>,
    /// The polygons that the path goes through, on a mesh.
    #[serde(skip_serializing_if = "Option::is_none")]
    polygons: Option<Vec<FloorId>>,
    /// The links that the path crosses, in walking order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    links: Vec<Crossed>,
    /// The waypaths that the path leads along, in walking order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    waypaths: Vec<Along>,
    /// With --curved: the control points of every cubic of the curve, in walking order.
    #[serde(skip_serializing_if = "Option::is_none")]
    curve: Option<Vec<[[f64; 3]; 4]>>,
    expansions: u64,
    #[serde(flatten)]
    why: Option<Why>,
    #[serde(flatten)]
    raw: Option<RawWay>,
    /// With --mask: the colours of the mask at the start and at the requested goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    mask: Option<[Option<Colour>; 2]>,
}

/// A link on the path.
#[derive(Serialize)]
struct Crossed {
    link: String,
    /// Whether it is crossed from its end to its beginning.
    backward: bool,
    /// Index of the waypoint where the crossing begins. It ends at the next one.
    waypoint: usize,
}

/// A waypath on the path.
#[derive(Serialize)]
struct Along {
    waypath: String,
    /// Indices of the waypoints where the path joins it and leaves it.
    waypoints: [usize; 2],
}

/// What `--raw` adds.
#[derive(Serialize)]
struct RawWay {
    raw: Vec<[f64; 3]>,
    shortening: Vec<Tried>,
}

#[derive(Serialize)]
struct Tried {
    from: [f64; 3],
    to: [f64; 3],
    clear: bool,
    blocked_at: Option<[f64; 3]>,
}

/// The colour of a pixel.
#[derive(Serialize)]
struct Colour {
    red: u8,
    green: u8,
    blue: u8,
    alpha: u8,
}

/// Search budget of an explanation that was not requested.
const MOST_WORK_UNASKED: u64 = 1_000_000;

/// The output of `--explain`. All is null if the analysis would have taken too long.
#[derive(Default, Serialize)]
struct Why {
    blocked_by: Option<Vec<String>>,
    exact: Option<bool>,
    /// Closed links each of which would lead to the goal.
    links_that_help: Option<Vec<String>>,
    nearest: Option<[f64; 3]>,
    gap_m: Option<f64>,
    needed_m: Option<f64>,
}

pub(super) fn path(root: Option<&Path>, args: &PathArgs) -> u8 {
    let mut world = match args.room.open(root, &args.doors) {
        Ok(world) => world,
        Err(code) => return code,
    };
    let walker = match Walker::find(&mut world, &args.walker) {
        Ok(walker) => walker,
        Err(message) => return print::complain(&message),
    };
    let Walker { class, tags, .. } = walker;
    let from = args.from.as_ref().map_or(walker.start, |from| from.find(&world, None));
    let ends = from.and_then(|from| Ok((from, args.to.find(&world, Some(from))?)));
    let (from, to) = match ends {
        Ok(ends) => ends,
        Err(message) => return print::complain(&message),
    };
    if args.move_along {
        return move_along(world.ground_in(class), from, to, (args.format, args.output.as_deref()));
    }
    let discs: Vec<Disc> = args.avoid.iter().map(|avoid| avoid.disc_in(&world)).collect();
    let query = world.query_in(class, from, to).with_obstacles(discs.clone()).with_tags(tags.clone());
    let (ground, net) = (world.ground_in(class), world.links_in(class));
    let (path, raw) = find_route_traced(ground, net, query, &mut SearchMemory::default());
    let raw = args.raw.then_some(raw);
    let curves = args.curved.then(|| curves(ground, from, &path, &discs, world.room().crowd.snap_distance_m));
    let step = (path.outcome != Outcome::None).then_some(path.step);
    let code = if path.outcome == Outcome::Complete { OK } else { NO };
    // A person wants the reason; a program requests it.
    let explains = args.explain || code != OK && matches!(args.format, PathFormat::Text);
    let most = if args.explain { u64::MAX } else { MOST_WORK_UNASKED };
    let explanation = explains.then(|| {
        let query = world.query_in(class, from, to).with_tags(tags.clone());
        world.explain(&query, most).ok()
    });
    let picture = || {
        let picture = Picture::of_world(&world).with_discs(&discs);
        let picture = match &curves {
            Some(curves) => picture.with_curves(to, &path, curves),
            None => picture.with_path(from, to, &path),
        };
        let picture = raw.iter().fold(picture, |picture, raw| picture.with_trace(raw));
        match args.format {
            PathFormat::Ascii => storey_of(picture.with_cells(ground), args.storey),
            _ => storey_of(picture, args.storey),
        }
    };
    // An open area in which it has no ground.
    let is_open = |area: &String| world.is_area_available(area) == Some(true);
    let colours = args.mask.then(|| [from, to].map(|place| world.room().mask_at(place.at)));
    let content = match args.format {
        PathFormat::Text => {
            let why = explanation.filter(|why| args.explain || why.is_some());
            let why = why.map(|why| in_a_line(why.as_ref())).unwrap_or_default();
            let colours = colours.map(|[from, to]| format!("mask: {}, {}\n", hex(from), hex(to)));
            let raw = raw.as_ref().map(raw_in_words).unwrap_or_default();
            let raw = curves.as_ref().map(|curves| curves_in_words(curves)).unwrap_or_default() + &raw;
            clean_lines(
                &(in_words(&path, from, (ground, world.links()), is_open)
                    + &raw
                    + &why
                    + &colours.unwrap_or_default()),
            )
        }
        PathFormat::Ascii | PathFormat::Svg => match picture() {
            Ok(picture) if args.format == PathFormat::Ascii => picture.to_text(terminal_width()),
            Ok(picture) => picture.to_svg(&SvgOptions::default()),
            Err(message) => return print::complain(&message),
        },
        PathFormat::Json => print::pretty_json(&Answer {
            outcome: path.outcome,
            reason: path.reason,
            closed_area: path.closed_area.clone(),
            to: point(ground, to),
            snapped_from: moved_start(&path, from, ground).map(|at| point(ground, at)),
            snapped_to: path.snapped_to.map(|end| point(ground, end)),
            missed_by_m: micrometres(path.missed_by_m),
            step,
            cost_cells: path.cost_cells,
            length_m: path.length_m,
            waypoints: path.waypoints.iter().map(|&at| point(ground, at)).collect(),
            polygons: ground.as_mesh().map(|_| path.corridor.clone()),
            links: crossed(&path, world.links()),
            waypaths: along(&path, world.links()),
            curve: curves.as_ref().map(|curves| control_points(curves, ground)),
            expansions: path.expansions,
            why: explanation.map(|why| why.map_or_else(Why::default, |why| Why::new(&why, ground))),
            raw: raw.as_ref().map(|raw| RawWay::new(raw, ground)),
            mask: colours.map(|colours| colours.map(|colour| colour.map(Colour::of))),
        }),
    };
    code.max(print::to_file_or_stdout(&content, args.output.as_deref()))
}

/// The path as curves, one for each leg. None if there is no path.
fn curves(
    ground: &Surface,
    from: Place,
    path: &cicerone::nav::Path,
    discs: &[Disc],
    snap_m: f64,
) -> Vec<Curve> {
    let Some(start) = ground.anchor(from, snap_m).filter(|_| path.outcome != Outcome::None) else {
        return Vec::new();
    };
    let floor = path.corridor.first().copied().unwrap_or(start.at.floor);
    let avoided = if path.step == Step::Avoiding { discs } else { &[] };
    ground.curves(Position { floor, ..start.at }, path, avoided)
}

fn curves_in_words(curves: &[Curve]) -> String {
    let cubics: usize = curves.iter().map(|curve| curve.cubics.len()).sum();
    let length_m: f64 = curves.iter().map(Curve::length_m).sum();
    format!("curve: {length_m:.2} m, {cubics} cubic{}\n", if cubics == 1 { "" } else { "s" })
}

/// The control points of all cubics. A handle has the height of the floor at its end of the cubic, and a cubic begins at
/// the height where the one before it ends.
fn control_points(curves: &[Curve], ground: &Surface) -> Vec<[[f64; 3]; 4]> {
    let on_floor = |at: DVec2, floor: FloorId| {
        let height_m = ground.height_m(Position { at, floor });
        [at.x, height_m, at.y]
    };
    let of_curve = |curve: &Curve| {
        let (mut begin, mut waypoints) = (curve.start.floor, curve.waypoints.iter());
        let of_cubic = |cubic: &Cubic| {
            let count = cubic.pieces(CURVE_TOLERANCE_M) as usize;
            let end = waypoints.by_ref().take(count).last().map_or(FloorId::GROUND, |end| end.floor);
            let floors = [begin, begin, end, end];
            begin = end;
            [0, 1, 2, 3].map(|i: usize| on_floor(cubic.points[i], floors[i]))
        };
        curve.cubics.iter().map(of_cubic).collect::<Vec<_>>()
    };
    curves.iter().flat_map(of_curve).collect()
}

impl RawWay {
    fn new(raw: &PathTrace, ground: &Surface) -> Self {
        let place = |at: &DVec2| point(ground, *at);
        let tried = |attempt: &Try| Tried {
            from: place(&attempt.from),
            to: place(&attempt.to),
            clear: attempt.clear,
            blocked_at: attempt.blocked_at.as_ref().map(place),
        };
        Self {
            raw: raw.points.iter().map(place).collect(),
            shortening: raw.tries.iter().map(tried).collect(),
        }
    }
}

/// A place as JSON has it: x, y, z.
pub(super) fn point(ground: &Surface, place: impl Located) -> [f64; 3] {
    let position = ground.locate(place);
    [position.at.x, ground.height_m(position), position.at.y]
}

/// The path before shortening, and the lines that were tried, numbered as in the picture.
fn raw_in_words(raw: &PathTrace) -> String {
    let mut text = format!("raw path: {} points\n", raw.points.len());
    raw.points.iter().for_each(|at| text.push_str(&format!("  {:.2}, {:.2}\n", at.x, at.y)));
    let lines = if raw.tries.len() == 1 { "line" } else { "lines" };
    text.push_str(&format!("shortening: {} {lines} of sight tried\n", raw.tries.len()));
    for (number, Try { from, to, clear, blocked_at, .. }) in (1..).zip(&raw.tries) {
        let found = match (clear, blocked_at) {
            (true, _) => "clear".to_owned(),
            (false, Some(at)) => format!("blocked at {:.2}, {:.2}", at.x, at.y),
            (false, None) => "a character is in the way".to_owned(),
        };
        let line = format!("{:.2}, {:.2} to {:.2}, {:.2}", from.x, from.y, to.x, to.y);
        text.push_str(&format!("  {number}. {line}: {found}\n"));
    }
    text
}

impl Why {
    fn new(why: &Explanation, ground: &Surface) -> Self {
        Self {
            blocked_by: Some(why.blocked_by().into_iter().map(str::to_owned).collect()),
            exact: Some(why.exact),
            links_that_help: Some(why.links_that_help.iter().map(|link| link.name.clone()).collect()),
            nearest: why.nearest.map(|at| point(ground, at)),
            gap_m: why.gap_m().map(micrometres),
            needed_m: why.needed_m().map(micrometres),
        }
    }
}

fn in_a_line(why: Option<&Explanation>) -> String {
    match why {
        Some(why) => format!("{why}\n"),
        None => "what is in the way would take too long to find out\n".into(),
    }
}

/// Where a path begins, if its start is no walkable ground: the first waypoint is that place only then.
fn moved_start(path: &cicerone::nav::Path, from: Place, ground: &Surface) -> Option<Position> {
    path.waypoints.first().copied().filter(|_| !ground.is_walkable(from))
}

fn crossed(path: &cicerone::nav::Path, net: &LinkNet) -> Vec<Crossed> {
    // Jumps of waypaths are no links.
    let name = |way: LinkWay| net.get(way.link).map(|placed| placed.link.name.clone());
    let of = |crossing: &LinkCrossing| {
        let LinkCrossing { way, waypoint, .. } = *crossing;
        Some(Crossed { link: name(way)?, backward: way.backward, waypoint })
    };
    path.crossings.iter().filter_map(of).collect()
}

fn along(path: &cicerone::nav::Path, net: &LinkNet) -> Vec<Along> {
    let mut all: Vec<Along> = Vec::new();
    for step in &path.steps {
        let name = net.waypath(step.waypath).map_or_else(String::new, |placed| placed.waypath.name.clone());
        match all.last_mut().filter(|last| step.along && last.waypath == name) {
            Some(last) => last.waypoints[1] = step.waypoint,
            None => all.push(Along { waypath: name, waypoints: [step.waypoint; 2] }),
        }
    }
    all
}

fn in_words(
    path: &cicerone::nav::Path,
    from: Place,
    (ground, net): (&Surface, &LinkNet),
    is_for_others: impl Fn(&String) -> bool,
) -> String {
    let why = match path.closed_area.as_ref().filter(|area| is_for_others(area)) {
        Some(area) => format!("the area '{area}' is not for this walker"),
        None => path.describe(),
    };
    let mut text = match path.outcome {
        // The polygons under waypaths are not known.
        Outcome::Complete if ground.as_mesh().is_some() && path.steps.is_empty() => {
            let count = path.corridor.len();
            let polygons = if count == 1 { "polygon" } else { "polygons" };
            format!("complete: {:.2} m through {count} {polygons}\n", path.length_m)
        }
        Outcome::Complete if ground.as_mesh().is_some() => format!("complete: {:.2} m\n", path.length_m),
        Outcome::Complete => format!("complete: {:.2} m, {:.3} cells\n", path.length_m, path.cost_cells),
        Outcome::Partial => format!(
            "partial: {why}; {:.2} m to the nearest point that can be reached, which is {} away from it (step: nearest)\n",
            path.length_m,
            length_text(path.missed_by_m)
        ),
        Outcome::None => format!("none: {why}\n"),
    };
    if path.outcome != Outcome::None && path.step == Step::Ignoring {
        text.push_str("no way leads round what is in the way: this one goes through it (step: ignoring)\n");
    }
    if path.outcome == Outcome::Complete && path.snapped_to.is_some() {
        text.push_str(&format!(
            "the goal is no walkable ground; the path ends {} away\n",
            length_text(path.missed_by_m)
        ));
    }
    if let Some(begins) = moved_start(path, from, ground) {
        text.push_str(&format!(
            "the start is no walkable ground; the nearest is {} away, where the path begins\n",
            length_text(begins.at.distance(from.at))
        ));
    }
    let (crossed, along) = (crossed(path, net), along(path, net));
    for (index, waypoint) in path.waypoints.iter().enumerate() {
        let DVec2 { x, y: z } = waypoint.at;
        let height = ground.has_heights().then(|| format!("{:.2}, ", ground.height_m(*waypoint)));
        let link = crossed.iter().find(|crossed| crossed.waypoint == index);
        let link = link.map(|crossed| format!("  over '{}' to", crossed.link)).unwrap_or_default();
        let lane = along.iter().find(|along| (along.waypoints[0]..along.waypoints[1]).contains(&index));
        let lane = lane.map(|along| format!("  along '{}' to", along.waypath)).unwrap_or_default();
        text.push_str(&format!("  {x:.2}, {}{z:.2}{link}{lane}\n", height.unwrap_or_default()));
    }
    text
}

impl Colour {
    fn of(Rgba { red, green, blue, alpha }: Rgba) -> Self {
        Self { red, green, blue, alpha }
    }
}

/// A colour as paint programs write it: red, green, blue and alpha in hexadecimal.
fn hex(colour: Option<Rgba>) -> String {
    let text = |Rgba { red, green, blue, alpha }| format!("#{red:02x}{green:02x}{blue:02x}{alpha:02x}");
    colour.map_or("none".into(), text)
}

/// Rounded to a micrometre, which is precise enough and easier to read.
pub(super) fn micrometres(metres: f64) -> f64 {
    (metres * 1e6).round() / 1e6
}

/// Columns that a text picture may take.
pub(super) fn terminal_width() -> usize {
    crossterm::terminal::size().map_or(100, |(columns, _)| usize::from(columns))
}
