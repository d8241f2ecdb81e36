//! The plan of a tactical level: cells, walls, doors, stairs, ladders, and the TU of what is in reach.

use super::place::Rect;
use super::xml::{num, outline, pair};
use super::{Sheet, theme};
use crate::draw::{CellKind, LevelPlan, PlanBorder, PlanCell, Rgb};
use crate::room::Stance;
use crate::tactics::Border;
use glam::DVec2;
use std::fmt::Write;

/// Numbers are written in cells of at least this size, pixels.
const LEAST_NUMBERED_PX: f64 = 15.0;
/// The arrow of a drop and the treads of stairs, as parts of a cell.
const DROP_PART: f64 = 0.14;
const TREAD_PART: f64 = 0.18;

/// The colours of what is in reach, from near to far.
const NEAR: Rgb = Rgb::hex(0x9fce92);
const MIDDLE: Rgb = Rgb::hex(0xf3e08f);
const FAR: Rgb = Rgb::hex(0xeba377);

/// The colour of a cell in reach.
pub(in crate::draw) fn reach_colour(tu: u16, most_tu: u16) -> Rgb {
    let share = f64::from(tu) / f64::from(most_tu.max(1));
    match share < 0.5 {
        true => NEAR.mix(MIDDLE, share * 2.0),
        false => MIDDLE.mix(FAR, share * 2.0 - 1.0),
    }
}

impl Sheet<'_> {
    /// Floors, in runs of one colour.
    pub(super) fn level_floor(&mut self, plan: &LevelPlan) {
        for z in 0..plan.depth {
            let look = |x: usize| plan.cell(x, z).and_then(|cell| fill_of(cell, plan.most_tu));
            let mut x = 0;
            while x < plan.width {
                let first = x;
                let fill = look(x);
                while x < plan.width && look(x) == fill {
                    x += 1;
                }
                if let Some(fill) = fill {
                    let rectangle = outline(&self.rectangle_px(plan, [first, z], [x, z + 1]));
                    self.xml.line(&format!(r#"<path {fill} d="{rectangle}"/>"#));
                }
            }
        }
        let d = self.grid_of_level(plan);
        self.line_of("cellgrid", &d);
        let ladders = cells(plan).filter(|(_, cell)| cell.ladder).map(|(at, _)| self.ladder_px(plan, at));
        let d: String = ladders.collect();
        self.line_of("rungs", &d);
    }

    fn rectangle_px(&self, plan: &LevelPlan, from: [usize; 2], to: [usize; 2]) -> Vec<DVec2> {
        let [min, max] = [from, to].map(|[x, z]| self.px(plan.corner(x, z)));
        vec![min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)]
    }

    /// Thin lines between floors.
    fn grid_of_level(&self, plan: &LevelPlan) -> String {
        self.borders_px(plan, |border, cells| {
            border == PlanBorder::Plain(Border::Free) || cells.contains(&CellKind::Air) && is_open(border)
        })
    }

    /// Walls, doors and the edges of floors.
    pub(super) fn level_walls(&mut self, plan: &LevelPlan) {
        let plain = |wanted: &'static [Border]| move |border: PlanBorder, _: [CellKind; 2]| matches!(border, PlanBorder::Plain(border) if wanted.contains(&border));
        let is_solid = |border, cells: [CellKind; 2]| {
            border == PlanBorder::Plain(Border::Wall) && !cells.contains(&CellKind::Shut)
        };
        for (class, d) in [
            ("edge", self.borders_px(plan, plain(&[Border::Edge]))),
            ("drop", self.borders_px(plan, plain(&[Border::Drop, Border::DropBack]))),
            ("low", self.borders_px(plan, plain(&[Border::Low]))),
            ("stairs", self.stairs_px(plan)),
            ("wall", self.borders_px(plan, is_solid)),
            ("dooropen", self.borders_px(plan, |border, _| border == PlanBorder::Door { open: true })),
            ("doorshut", self.borders_px(plan, |border, _| border == PlanBorder::Door { open: false })),
        ] {
            self.line_of(class, &d);
        }
        let d = self.drops_px(plan);
        self.line_of("drophead", &d);
        self.numbers(plan);
    }

    pub(super) fn name_doors(&mut self) {
        let picture = self.picture;
        for door in picture.level_plan().into_iter().flat_map(|plan| &plan.doors) {
            let name = if door.open { door.name.clone() } else { format!("{} · closed", door.name) };
            self.name(&name, "shut", -1.5, Rect::around(self.px(door.at), DVec2::splat(6.0)), false);
        }
    }

    /// The borders that are wanted, as lines; `wanted` gets the two cells, too.
    fn borders_px(&self, plan: &LevelPlan, wanted: impl Fn(PlanBorder, [CellKind; 2]) -> bool) -> String {
        let is_wanted = |at: [usize; 2], side: usize| {
            plan.border(at[0], at[1], side).is_some_and(|border| wanted(border, kinds(plan, at, side)))
        };
        let mut d = String::new();
        for side in 0..2 {
            // Borders in a line are one line.
            let (lines, steps) = if side == 0 { (plan.width, plan.depth) } else { (plan.depth, plan.width) };
            let at = |line: usize, step: usize| if side == 0 { [line, step] } else { [step, line] };
            for line in 0..lines {
                let mut step = 0;
                while step < steps {
                    let first = step;
                    while step < steps && is_wanted(at(line, step), side) {
                        step += 1;
                    }
                    if first < step {
                        let from = border_ends(plan, at(line, first), side)[0];
                        let to = border_ends(plan, at(line, step - 1), side)[1];
                        let _ = write!(d, "M{}L{}", pair(self.px(from)), pair(self.px(to))); // cannot fail
                    }
                    step += 1;
                }
            }
        }
        d
    }

    /// Three treads across each border with stairs.
    fn stairs_px(&self, plan: &LevelPlan) -> String {
        let mut d = String::new();
        for (at, side, border) in borders(plan) {
            if !matches!(border, PlanBorder::Plain(Border::Stairs { .. })) {
                continue;
            }
            let [from, to] = border_ends(plan, at, side);
            let across = (to - from).perp() * TREAD_PART;
            for share in [-1.0, 0.0, 1.0] {
                let [from, to] = [from.lerp(to, 0.12), from.lerp(to, 0.88)].map(|end| end + across * share);
                let _ = write!(d, "M{}L{}", pair(self.px(from)), pair(self.px(to)));
            }
        }
        d
    }

    /// An arrow over each drop, to the lower side.
    fn drops_px(&self, plan: &LevelPlan) -> String {
        let drops = borders(plan).filter_map(|(at, side, border)| match border {
            PlanBorder::Plain(Border::Drop) => Some((at, side, 1.0)),
            PlanBorder::Plain(Border::DropBack) => Some((at, side, -1.0)),
            _ => None,
        });
        let head = |(at, side, sign): ([usize; 2], usize, f64)| {
            let [from, to] = border_ends(plan, at, side).map(|end| self.px(end));
            let out = if side == 0 { DVec2::X } else { DVec2::Y } * sign;
            let (middle, size) = (from.midpoint(to), (plan.cell_m * self.px_per_m * DROP_PART).min(7.0));
            outline(&[
                middle + out * size,
                middle + out.perp() * size * 0.8,
                middle - out.perp() * size * 0.8,
            ])
        };
        drops.map(head).collect()
    }

    fn ladder_px(&self, plan: &LevelPlan, [x, z]: [usize; 2]) -> String {
        let (at, cell) = (self.px(plan.corner(x, z)), plan.cell_m * self.px_per_m);
        let point = |x: f64, y: f64| pair(at + DVec2::new(x, y) * cell);
        let mut d =
            format!("M{}L{}M{}L{}", point(0.36, 0.2), point(0.36, 0.8), point(0.64, 0.2), point(0.64, 0.8));
        for rung in [0.3, 0.43, 0.57, 0.7] {
            let _ = write!(d, "M{}L{}", point(0.36, rung), point(0.64, rung));
        }
        d
    }

    /// The TU in each cell, at its upper left corner, where people do not hide them; those along the way stand out.
    fn numbers(&mut self, plan: &LevelPlan) {
        let cell_px = plan.cell_m * self.px_per_m;
        if cell_px < LEAST_NUMBERED_PX {
            return;
        }
        let font = (cell_px * 0.24).clamp(8.0, 11.5);
        let mut groups = [String::new(), String::new(), String::new()];
        for ([x, z], cell) in cells(plan) {
            let (group, tu) = match (cell.spent, cell.tu) {
                (Some(tu), _) => (2, tu),
                (None, Some((tu, Stance::Crouch))) => (1, tu),
                (None, Some((tu, _))) => (0, tu),
                (None, None) => continue,
            };
            let at = self.px(plan.corner(x, z)) + DVec2::new(font * 0.28, font * 1.02);
            let _ = write!(groups[group], r#"<text x="{}" y="{}">{tu}</text>"#, num(at.x), num(at.y));
            let size = DVec2::new(font * 0.6 * tu.to_string().len() as f64, font);
            self.placer
                .block(Rect { min: at - DVec2::new(0.0, font), max: at + DVec2::new(size.x, 0.0) }, 0.8);
        }
        for (class, texts) in ["tu", "tu crouched", "tu spent"].iter().zip(groups) {
            if !texts.is_empty() {
                self.xml.line(&format!(r#"<g class="{class}" font-size="{}">{texts}</g>"#, num(font)));
            }
        }
    }

    /// The signs of plans, for the legend.
    pub(super) fn level_signs(&self, add: &mut impl FnMut(bool, String, &'static str)) {
        let plans: Vec<&LevelPlan> = self.plans().collect();
        if plans.is_empty() {
            return;
        }
        let any_cell = |wanted: fn(&PlanCell) -> bool| plans.iter().any(|plan| plan.cells.iter().any(wanted));
        let any_border = |wanted: fn(PlanBorder) -> bool| {
            plans.iter().any(|plan| borders(plan).any(|(_, _, border)| wanted(border)))
        };
        let swatch = |look: &str| format!(r#"<rect {look} x="1" y="1" width="20" height="12" rx="2"/>"#);
        let line = |class: &str| format!(r#"<path class="{class}" d="M1,7H21"/>"#);
        add(any_cell(|cell| cell.kind == CellKind::Floor), swatch(&floor_fill()), "floor");
        add(any_cell(|cell| cell.kind == CellKind::Solid), swatch(r#"class="rock""#), "solid");
        let shades = [NEAR, MIDDLE, FAR].iter().zip([1, 8, 15]).map(|(colour, x)| {
            format!(r#"<rect fill="{}" x="{x}" y="1" width="7" height="12"/>"#, colour.css())
        });
        add(any_cell(|cell| cell.tu.is_some()), shades.collect(), "in reach, with its TU");
        let is_crouched = |cell: &PlanCell| matches!(cell.tu, Some((_, Stance::Crouch)));
        let number = r#"<text class="small tu crouched" x="4" y="11">9</text>"#;
        add(any_cell(is_crouched), number.into(), "crouched");
        add(any_border(|border| border == PlanBorder::Plain(Border::Wall)), line("wall"), "wall");
        add(any_border(|border| border == PlanBorder::Door { open: true }), line("dooropen"), "open door");
        let has_shut = any_border(|border| border == PlanBorder::Door { open: false });
        add(has_shut || any_cell(|cell| cell.kind == CellKind::Shut), line("doorshut"), "closed door");
        add(any_border(|border| border == PlanBorder::Plain(Border::Low)), line("low"), "only crouched");
        let is_drop = |border| matches!(border, PlanBorder::Plain(Border::Drop | Border::DropBack));
        let drop = r#"<path class="drop" d="M1,7H21"/><path class="drophead" d="M11,13L7,7H15Z"/>"#;
        add(any_border(is_drop), drop.into(), "drop");
        add(any_border(|border| border == PlanBorder::Plain(Border::Edge)), line("edge"), "edge");
        let is_stairs = |border| matches!(border, PlanBorder::Plain(Border::Stairs { .. }));
        let stairs = r#"<path class="stairs" d="M4,1V13M9,1V13M14,1V13M19,1V13"/>"#;
        add(any_border(is_stairs), stairs.into(), "stairs to another level");
        let rungs = r#"<path class="rungs" d="M8,0V14M14,0V14M8,3H14M8,7H14M8,11H14"/>"#;
        add(any_cell(|cell| cell.ladder), rungs.into(), "ladder");
    }

    pub(super) fn plans(&self) -> impl Iterator<Item = &LevelPlan> {
        self.picture.shapes().iter().filter_map(|shape| match shape {
            crate::draw::Shape::Level(plan) => Some(plan),
            _ => None,
        })
    }
}

fn floor_fill() -> String {
    format!(r#"fill="{}""#, theme::floor(0))
}

/// The look of a cell. `None` for mid-air, where paper shows.
fn fill_of(cell: &PlanCell, most_tu: u16) -> Option<String> {
    match (cell.kind, cell.tu) {
        (_, Some((tu, _))) => Some(format!(r#"fill="{}""#, reach_colour(tu, most_tu).css())),
        (CellKind::Floor, None) => Some(floor_fill()),
        (CellKind::Air, None) => None,
        (CellKind::Shut, None) => Some(r#"class="closed""#.into()),
        (CellKind::Solid, None) => Some(r#"class="rock""#.into()),
    }
}

/// Whether something passes a border on foot.
fn is_open(border: PlanBorder) -> bool {
    matches!(border, PlanBorder::Plain(Border::Stairs { .. }))
}

fn cells(plan: &LevelPlan) -> impl Iterator<Item = ([usize; 2], &PlanCell)> {
    plan.cells.iter().enumerate().map(|(index, cell)| ([index % plan.width, index / plan.width], cell))
}

/// All borders: the cell, the side, and what is there.
fn borders(plan: &LevelPlan) -> impl Iterator<Item = ([usize; 2], usize, PlanBorder)> + '_ {
    plan.borders.iter().enumerate().flat_map(move |(index, sides)| {
        let at = [index % plan.width, index / plan.width];
        (0..2).filter_map(move |side| Some((at, side, sides[side]?)))
    })
}

fn kinds(plan: &LevelPlan, [x, z]: [usize; 2], side: usize) -> [CellKind; 2] {
    let next = if side == 0 { [x + 1, z] } else { [x, z + 1] };
    [[x, z], next].map(|[x, z]| plan.cell(x, z).map(|cell| cell.kind).unwrap_or_default())
}

/// Both ends of a border, metres.
fn border_ends(plan: &LevelPlan, [x, z]: [usize; 2], side: usize) -> [DVec2; 2] {
    let behind = plan.corner(x + 1, z + 1);
    [if side == 0 { plan.corner(x + 1, z) } else { plan.corner(x, z + 1) }, behind]
}
