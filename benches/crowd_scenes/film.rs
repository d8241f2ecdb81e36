//! A film of a scene: frames at equal times on one sheet. Bodies are discs with a nose where they look, and a trail that
//! fades.

use super::film_groups::{Groups, Look};
use super::measure::{Pose, tracks_per_s};
use super::scenes::{Errand, Gauge, Scene};
use super::sheet::extent;
use glam::{DVec2, dvec2};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Width of a sheet, and the space between frames, in pixels.
const WIDTH_PX: f64 = 960.0;
const GAP_PX: f64 = 12.0;

/// Height of the head of a sheet, and of the line above a frame, in pixels.
const HEAD_PX: f64 = 44.0;
const LABEL_PX: f64 = 22.0;

/// Space round the places that people come to, and of wall round the room, in metres.
const MARGIN_M: f64 = 1.0;
const WALL_M: f64 = 0.3;

/// Where a flow is measured, this far from the line is shown, in metres.
const NEAR_FLOW_M: f64 = 14.0;

/// Of a hall wider and deeper than this, in metres, a part of this size is shown.
const LARGE_M: f64 = 100.0;
const PART_M: DVec2 = dvec2(42.0, 28.0);

/// Bodies are hard to see in a smaller scale, in pixels a metre.
const LEAST_SCALE: f64 = 12.5;

/// Frames of a sheet.
const FRAMES: usize = 6;

/// Times between frames that are easy to read, in seconds.
const STEPS_S: [f64; 17] =
    [0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 15.0, 20.0, 25.0, 30.0, 40.0];

/// The film of those who never rest ends after this time.
const ENDLESS_S: f64 = 60.0;

/// The parts of a trail, from the body back: how many seconds each is long, its opacity, and its width as a part of the
/// body's radius.
const TRAIL: [(f64, f64, f64); 3] = [(0.5, 0.6, 0.9), (0.5, 0.35, 0.65), (0.5, 0.18, 0.4)];

/// The film as SVG.
pub fn film(scene: &Scene, tracks: &[Vec<Pose>], ticks_per_second: u32) -> String {
    let reel = Reel::new(scene, tracks, tracks_per_s(ticks_per_second));
    let (low, high) = reel.shown_part();
    let columns = columns(high - low);
    let width_px = frame_width_px(columns);
    let scale = width_px / (high - low).x;
    let height_px = (high - low).y * scale;
    let sheet_px = HEAD_PX + FRAMES.div_ceil(columns) as f64 * (height_px + LABEL_PX + GAP_PX);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH_PX}\" height=\"{sheet_px:.0}\" \
         viewBox=\"0 0 {WIDTH_PX} {sheet_px:.0}\" font-family=\"Helvetica,Arial,sans-serif\" fill=\"#333\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    let view = View { low, high, scale };
    text += &view.room(scene);
    text += &reel.head(&view);
    for frame in 0..FRAMES {
        let x = GAP_PX + (frame % columns) as f64 * (width_px + GAP_PX);
        let y = HEAD_PX + (frame / columns) as f64 * (height_px + LABEL_PX + GAP_PX);
        let _ = writeln!(
            text,
            "<text x=\"{x:.0}\" y=\"{:.0}\" font-size=\"16\">{} s</text>\n\
             <svg x=\"{x:.1}\" y=\"{:.1}\" width=\"{width_px:.1}\" height=\"{height_px:.1}\">\n\
             <use href=\"#room\"/>",
            y + LABEL_PX - 6.0,
            frame as f64 * reel.step_s,
            y + LABEL_PX
        );
        text += &reel.people(frame, &view);
        let _ = writeln!(
            text,
            "</svg>\n<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{width_px:.1}\" height=\"{height_px:.1}\" fill=\"none\" \
             stroke=\"#cfcbc2\"/>",
            y + LABEL_PX
        );
    }
    text + "</svg>\n"
}

/// As many frames side by side as make a sheet about as wide as high, or fewer if bodies would be too small.
fn columns(size_m: DVec2) -> usize {
    match size_m.x / size_m.y {
        aspect if aspect > 2.6 => 1,
        aspect if aspect > 1.3 || frame_width_px(3) / size_m.x < LEAST_SCALE => 2,
        _ => 3,
    }
}

fn frame_width_px(columns: usize) -> f64 {
    (WIDTH_PX - (columns + 1) as f64 * GAP_PX) / columns as f64
}

/// Where metres are in a frame.
struct View {
    low: DVec2,
    high: DVec2,
    scale: f64,
}

impl View {
    fn at(&self, place: DVec2) -> DVec2 {
        // To a tenth of a pixel, so that relative steps add up.
        ((place - self.low) * self.scale * 10.0).round() / 10.0
    }

    fn polygon(&self, corners: &[DVec2]) -> String {
        let corners = corners.iter().map(|&corner| self.at(corner));
        corners.fold("M".into(), |text, at| format!("{text}{} {} ", at.x, at.y)) + "z"
    }

    /// The room, to be used by each frame: wall, and floors with one outline round all of them.
    fn room(&self, scene: &Scene) -> String {
        let floors: String = scene.room.areas.iter().map(|area| self.polygon(&area.polygon)).collect();
        let blocks: String = scene.room.obstacles.iter().map(|block| self.polygon(&block.polygon)).collect();
        let mut text = format!(
            "<defs><g id=\"room\"><rect width=\"100%\" height=\"100%\" fill=\"#d9d6cf\"/>\
             <path d=\"{floors}\" stroke=\"#8d877b\" stroke-width=\"2\"/><path d=\"{floors}\" fill=\"#faf9f6\"/>"
        );
        if !blocks.is_empty() {
            let _ = write!(text, "<path d=\"{blocks}\" fill=\"#c4bfb4\" stroke=\"#8d877b\"/>");
        }
        text + "</g></defs>\n"
    }
}

/// A scene with the times of its frames.
struct Reel<'a> {
    scene: &'a Scene,
    tracks: &'a [Vec<Pose>],
    per_s: f64,
    step_s: f64,
    groups: Groups,
}

impl<'a> Reel<'a> {
    fn new(scene: &'a Scene, tracks: &'a [Vec<Pose>], per_s: f64) -> Self {
        let least_s = end_s(scene, tracks, per_s) / (FRAMES - 1) as f64;
        let step_s = STEPS_S.into_iter().find(|step_s| *step_s >= least_s).unwrap_or(60.0);
        Self { scene, tracks, per_s, step_s, groups: Groups::of(scene) }
    }

    /// The index of a frame's poses. The first ones were noted some ticks after the start.
    fn index(&self, frame: usize) -> usize {
        ((frame as f64 * self.step_s * self.per_s).round() as usize).saturating_sub(1)
    }

    /// Somebody's poses from so many seconds before a frame to so many.
    fn shown(&self, track: &'a [Pose], frame: usize, from_s: f64, to_s: f64) -> &'a [Pose] {
        let last = self.index(frame).min(track.len().saturating_sub(1));
        let before = |back_s: f64| (last as f64 - back_s * self.per_s).round().max(0.0) as usize;
        &track[before(from_s)..(before(to_s) + 1).min(track.len())]
    }

    /// The rectangle that all frames show: where anybody comes to, or is near the line of a flow.
    fn shown_part(&self) -> (DVec2, DVec2) {
        let is_near = |at: &DVec2| match self.scene.gauge {
            Gauge::FlowX { x_m, .. } => (at.x - x_m).abs() < NEAR_FLOW_M,
            Gauge::FlowZ { z_m, .. } => (at.y - z_m).abs() < NEAR_FLOW_M,
            _ => true,
        };
        let all = self.tracks.iter().flat_map(|track| (0..FRAMES).map(move |frame| (track, frame)));
        let places = all.flat_map(|(track, frame)| self.shown(track, frame, 1.0, 0.0));
        let (low, high) = extent(places.map(|pose| pose.at).filter(is_near));
        let floors = self.scene.room.areas.iter().flat_map(|area| area.polygon.iter().copied());
        let (room_low, room_high) = extent(floors);
        let low = (low - MARGIN_M).max(room_low - WALL_M);
        let high = (high + MARGIN_M).min(room_high + WALL_M);
        let is_large = (high - low).min_element() > LARGE_M;
        (low, if is_large { low + PART_M } else { high })
    }

    /// The title, what the colours mean, and a scale.
    fn head(&self, view: &View) -> String {
        let people = self.scene.errands.len();
        let mut text = format!(
            "<text x=\"{GAP_PX}\" y=\"28\" font-size=\"20\" font-weight=\"bold\">{}<tspan font-size=\"15\" \
             font-weight=\"normal\" dx=\"10\">{people} people, a frame every {} s</tspan></text>\n",
            self.scene.name, self.step_s
        );
        let bar_m = [1.0, 2.0, 5.0, 10.0, 20.0].into_iter().find(|m| m * view.scale > 50.0).unwrap_or(50.0);
        let right = WIDTH_PX - GAP_PX;
        let left = right - bar_m * view.scale;
        let _ = writeln!(
            text,
            "<path d=\"M{left:.1} 23v6H{right}v-6\" fill=\"none\" stroke=\"#555\" stroke-width=\"1.5\"/>\
             <text x=\"{:.1}\" y=\"20\" font-size=\"14\" text-anchor=\"middle\">{bar_m} m</text>",
            0.5 * (left + right)
        );
        text + &self.groups.legend(left - 30.0)
    }

    /// Trails first, then bodies, then noses.
    fn people(&self, frame: usize, view: &View) -> String {
        let mut trails: BTreeMap<(usize, Look), String> = BTreeMap::new();
        let mut bodies: BTreeMap<Look, (String, String)> = BTreeMap::new();
        for (index, track) in self.tracks.iter().enumerate() {
            let Some(pose) = self.shown(track, frame, 0.0, 0.0).first() else { continue };
            if pose.at.clamp(view.low - MARGIN_M, view.high + MARGIN_M) != pose.at {
                continue;
            }
            let look = self.groups.look(self.scene, index, pose);
            let radius_px = f64::from(look.radius_mm) * 0.001 * view.scale;
            let (at, (sin, cos)) = (view.at(pose.at), libm::sincos(pose.heading_rad));
            let (body, noses) = bodies.entry(look).or_default();
            let _ = write!(body, "M{} {}h.1", at.x, at.y);
            let (from, to) = (dvec2(cos, sin) * radius_px * 0.2, dvec2(cos, sin) * radius_px * 1.4);
            let (from, to) = (at + from, to - from);
            let _ = write!(noses, "M{:.1} {:.1}l{:.1} {:.1}", from.x, from.y, to.x, to.y);
            let mut back_s = 0.0;
            for (part, (long_s, ..)) in TRAIL.into_iter().enumerate() {
                let line = self.shown(track, frame, back_s + long_s, back_s).iter().map(|pose| pose.at);
                *trails.entry((part, look)).or_default() += &polyline(line, view);
                back_s += long_s;
            }
        }
        let mut text = String::new();
        for ((part, look), path) in trails.iter().rev().filter(|(_, path)| !path.is_empty()) {
            let (_, opacity, width) = TRAIL[*part];
            let _ = writeln!(
                text,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-opacity=\"{opacity}\" stroke-width=\"{:.1}\" \
                 stroke-linejoin=\"round\"/>",
                look.colour,
                width * f64::from(look.radius_mm) * 0.001 * view.scale
            );
        }
        for (look, (body, noses)) in &bodies {
            let width_px = 2.0 * f64::from(look.radius_mm) * 0.001 * view.scale;
            let fill = if look.rests { look.pale } else { look.colour };
            let _ = writeln!(
                text,
                "<g stroke-linecap=\"round\" fill=\"none\" stroke=\"{}\"><path d=\"{body}\" stroke-width=\"{width_px:.1}\"/>\
                 <path d=\"{body}\" stroke=\"{fill}\" stroke-width=\"{:.1}\"/>\
                 <path d=\"{noses}\" stroke-width=\"{:.1}\"/></g>",
                look.edge,
                width_px - 1.4,
                (0.12 * width_px).clamp(1.2, 2.5)
            );
        }
        text
    }
}

/// A line as steps, without the places that lie on it to a third of a pixel. Nothing for somebody who stands.
fn polyline(places: impl Iterator<Item = DVec2>, view: &View) -> String {
    let places: Vec<DVec2> = places.map(|place| view.at(place)).collect();
    let Some(&first) = places.first() else { return String::new() };
    if places.iter().all(|place| place.distance(first) < 0.5) {
        return String::new();
    }
    let mut text = format!("M{} {}", first.x, first.y);
    let mut from = 0;
    while from + 1 < places.len() {
        let off = |to: usize, between: &DVec2| {
            let along = (places[to] - places[from]).normalize_or_zero();
            (*between - places[from]).perp_dot(along).abs()
        };
        let is_straight = |to: &usize| places[from..*to].iter().all(|between| off(*to, between) < 0.33);
        let to = (from + 1..places.len()).rev().find(is_straight).unwrap_or(from + 1);
        let by = ((places[to] - places[from]) * 10.0).round() / 10.0;
        let _ = write!(text, "l{} {}", by.x, by.y);
        from = to;
    }
    text
}

/// When most walks to one goal are over or most people have passed the line of the flow, or a time for those who never
/// rest.
fn end_s(scene: &Scene, tracks: &[Vec<Pose>], per_s: f64) -> f64 {
    let passed = |pose: &Pose| match scene.gauge {
        Gauge::FlowX { x_m, .. } => pose.at.x > x_m,
        Gauge::FlowZ { z_m, .. } => pose.at.y > z_m,
        _ => false,
    };
    let end = |track: &[Pose]| match track.iter().position(passed) {
        Some(index) => index,
        None => track.iter().rposition(|pose| pose.walks).map_or(0, |index| index + 1),
    };
    let once = tracks.iter().zip(&scene.errands).filter(|(_, errand)| matches!(errand, Errand::Once(_)));
    let mut ends: Vec<usize> = once.map(|(track, _)| end(track)).collect();
    ends.sort_unstable();
    match ends.get(ends.len() * 3 / 4) {
        Some(&end) => end as f64 / per_s,
        None => ENDLESS_S.min(scene.seconds),
    }
}
