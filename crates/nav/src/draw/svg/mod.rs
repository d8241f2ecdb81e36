//! A picture as SVG: a plan on warm paper, for READMEs and pages.
//!
//! The sheet is laid out in pixels. Lines, letters and discs follow the scale of the room within bounds, so that a
//! closet and a street are both legible.

mod floor_plan;
mod graph;
mod legend;
mod levels;
mod links;
mod mesh;
mod pen;
mod people;
mod place;
mod raster;
mod scenery;
mod sectors;
mod theme;
mod waypaths;
mod working;
mod xml;

pub(super) use self::levels::reach_colour;
use self::place::{Placer, Rect};
use self::xml::{Xml, escape, num};
use super::{Picture, Shape};
use glam::DVec2;

/// The parts of an SVG beyond the room itself: by default everything in the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SvgOptions {
    /// The cells of the grid, if the picture has them.
    pub cells: bool,
    /// The names of things.
    pub names: bool,
    /// Title, scale bar and legend.
    pub legend: bool,
}

impl Default for SvgOptions {
    fn default() -> Self {
        Self { cells: true, names: true, legend: true }
    }
}

/// The longer side of an ordinary room on the sheet, pixels: about the width of a README column.
const LONG_SIDE_PX: f64 = 880.0;
/// The longer side of the largest room.
const LONGEST_SIDE_PX: f64 = 1600.0;
/// A large room is drawn no smaller than this, as long as it fits.
const LEAST_PX_PER_M: f64 = 6.0;
/// The nodes of a painted room are drawn no nearer to each other than this, as long as they fit.
const LEAST_SPACING_PX: f64 = 8.0;
/// A small room is drawn no larger than this.
const MOST_PX_PER_M: f64 = 100.0;
/// Paper around everything, pixels.
const MARGIN_PX: f64 = 24.0;
/// Height of the title line, pixels.
const TITLE_PX: f64 = 34.0;
/// Paper around sectors that reach over the shown rectangle, pixels.
const SECTOR_MARGIN_PX: f64 = 3.0;
/// The sheet is at least this wide, so that the legend has room.
const LEAST_WIDTH_PX: f64 = 420.0;

/// Between the plans of two storeys, pixels.
const PLAN_GAP_PX: f64 = 28.0;
/// Height of the caption above the plan of a storey, pixels.
const CAPTION_PX: f64 = 26.0;
/// Several plans together fit into about this width and height, pixels.
const PLANS_PX: DVec2 = DVec2::new(1360.0, 1200.0);

impl Picture {
    /// The picture as a complete SVG document with a background of its own. Storeys are side by side, the lowest
    /// first.
    pub fn to_svg(&self, options: &SvgOptions) -> String {
        if self.storey_count() == 1 {
            return Sheet::new(self, &[self], *options).draw(&[self]);
        }
        let storeys = self.storeys();
        let plans: Vec<&Self> = storeys.iter().collect();
        Sheet::new(self, &plans, *options).draw(&plans)
    }
}

/// A picture of one storey as SVG without names and legend, with the scale to draw over it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StoreyPlan {
    /// The document.
    pub svg: String,
    /// Its width and height, pixels.
    pub size_px: DVec2,
    /// The place of (0, 0) in it, pixels.
    pub origin_px: DVec2,
    /// Its scale.
    pub px_per_m: f64,
    /// What the storey is called, if there are several.
    pub caption: Option<String>,
}

impl Picture {
    /// A plan of each storey, the lowest first.
    pub fn to_plans(&self) -> Vec<StoreyPlan> {
        let options = SvgOptions { names: false, legend: false, ..SvgOptions::default() };
        let plan = |mut storey: Self| {
            let caption = storey.caption.take();
            let sheet = Sheet::new(&storey, &[&storey], options);
            let size_px = DVec2::new(sheet.width_px, sheet.plan.max.y + MARGIN_PX);
            let (origin_px, px_per_m) = (sheet.px(DVec2::ZERO), sheet.px_per_m);
            StoreyPlan { svg: sheet.draw(&[&storey]), size_px, origin_px, px_per_m, caption }
        };
        self.storeys().into_iter().map(plan).collect()
    }
}

/// One document being drawn.
struct Sheet<'a> {
    picture: &'a Picture,
    options: SvgOptions,
    px_per_m: f64,
    /// The place of the plan on the sheet; of all plans together while none is drawn.
    plan: Rect,
    /// The places of all plans.
    places: Vec<Rect>,
    width_px: f64,
    placer: Placer,
    xml: Xml,
    /// Text waits here until everything else is drawn.
    words: Vec<String>,
}

impl<'a> Sheet<'a> {
    /// An empty sheet for some plans of one size, in columns.
    fn new(picture: &'a Picture, plans: &[&Picture], options: SvgOptions) -> Self {
        let (min, max) = picture.bounds();
        let long_m = (max - min).max_element();
        // A picture behind a painted room is not scaled down, as long as it fits.
        let painted =
            picture.backdrop().and(picture.floor()).map_or(LEAST_PX_PER_M, |floor| 1.0 / floor.size_m);
        let spaced = picture
            .graph()
            .filter(|_| options.cells)
            .map_or(0.0, |graph| LEAST_SPACING_PX / (graph.spacing_px * graph.pixel_m));
        let least = painted.max(spaced).max(LEAST_PX_PER_M);
        let (columns, beside_px_per_m) = columns(plans.len(), max - min);
        let px_per_m = (LONG_SIDE_PX / long_m).min(beside_px_per_m);
        let px_per_m = px_per_m.max(least).min(LONGEST_SIDE_PX / long_m).min(MOST_PX_PER_M.max(spaced));
        let over_px = sectors::reach_over_m(plans) * px_per_m + SECTOR_MARGIN_PX;
        let border = DVec2::splat((0.4 * px_per_m).clamp(14.0, 26.0).max(over_px));
        let size = (max - min) * px_per_m + border * 2.0;
        let caption_px = if plans.iter().any(|plan| plan.caption.is_some()) { CAPTION_PX } else { 0.0 };
        let step = size + DVec2::new(PLAN_GAP_PX, PLAN_GAP_PX + caption_px);
        let all_px = step.x * columns as f64 - PLAN_GAP_PX;
        let width_px = (all_px + MARGIN_PX * 2.0).max(LEAST_WIDTH_PX);
        let top = if options.legend && !picture.title.is_empty() { MARGIN_PX + TITLE_PX } else { MARGIN_PX };
        let corner = DVec2::new((width_px - all_px) / 2.0, top + caption_px);
        let places = (0..plans.len()).map(|i| {
            let min = corner + step * DVec2::new((i % columns) as f64, (i / columns) as f64);
            Rect { min, max: min + size }
        });
        let places: Vec<Rect> = places.collect();
        let corners: Vec<DVec2> = places.iter().flat_map(|place| [place.min, place.max]).collect();
        let plan = Rect::of(&corners);
        Self {
            picture,
            options,
            px_per_m,
            plan,
            places,
            width_px,
            placer: Placer::new(plan),
            xml: Xml::default(),
            words: Vec::new(),
        }
    }

    fn draw(mut self, plans: &[&'a Picture]) -> String {
        let legend = if self.options.legend { self.legend() } else { legend::Legend::default() };
        let height = self.plan.max.y + legend.height_px + MARGIN_PX;
        self.head(height);
        let (whole, all) = (self.picture, self.plan);
        for (&picture, place) in plans.iter().zip(self.places.clone()) {
            (self.picture, self.plan, self.placer) = (picture, place, Placer::new(place));
            self.plan_of_storey();
        }
        (self.picture, self.plan) = (whole, all);
        self.foot(&legend);
        self.xml.finish()
    }

    /// One plan, with its caption.
    fn plan_of_storey(&mut self) {
        let Rect { min, .. } = self.plan;
        let size = self.plan.size();
        if let Some(caption) = &self.picture.caption {
            let (x, y) = (num(min.x), num(min.y - 9.0));
            self.xml.line(&format!(r#"<text class="name" x="{x}" y="{y}">{}</text>"#, escape(caption)));
        }
        // Obstacles may lie far outside the areas; the inner svg clips them.
        let [x, y, w, h] = [min.x, min.y, size.x, size.y].map(num);
        self.xml
            .open("svg", &format!(r#"x="{x}" y="{y}" width="{w}" height="{h}" viewBox="{x} {y} {w} {h}""#));
        self.backdrop();
        self.floor();
        self.sector_floors();
        self.areas();
        self.cells();
        self.sectors();
        self.hotspots();
        self.walls();
        self.sector_portals();
        self.obstacles();
        self.discs();
        self.waypaths();
        self.links();
        self.trails();
        self.working();
        self.routes();
        self.points();
        self.figures();
        self.name_everything();
        for words in std::mem::take(&mut self.words) {
            self.xml.line(&words);
        }
        self.xml.close();
    }

    fn head(&mut self, height: f64) {
        let (w, h) = (num(self.width_px), num(height));
        let size = format!(r#"width="{w}" height="{h}" viewBox="0 0 {w} {h}""#);
        self.xml.open(
            "svg",
            &format!(r#"xmlns="http://www.w3.org/2000/svg" class="cicerone" {size} role="img""#),
        );
        self.xml.line(&format!("<title>{}</title>", escape(&self.picture.title)));
        let has_mesh = self.has(|shape| matches!(shape, Shape::Mesh(_)));
        let has_links = self.has(|shape| matches!(shape, Shape::Link(_)));
        let has_waypaths = self.has(|shape| matches!(shape, Shape::Waypath(_)));
        let has_levels = self.has(|shape| matches!(shape, Shape::Level(_)));
        let has_sectors = self.has(|shape| matches!(shape, Shape::Sector(_)));
        theme::styles(
            &mut self.xml,
            self.px_per_m,
            [has_mesh, has_sectors, has_links, has_waypaths, has_levels],
        );
        self.xml.line(&format!(r#"<rect class="paper" width="{w}" height="{h}"/>"#));
        if self.options.legend && !self.picture.title.is_empty() {
            let (x, y) = (num(self.left()), num(MARGIN_PX + 18.0));
            let title = escape(&self.picture.title);
            self.xml.line(&format!(r#"<text class="title" x="{x}" y="{y}">{title}</text>"#));
        }
    }

    /// The left edge of title, scale bar and legend.
    fn left(&self) -> f64 {
        self.plan.min.x.min((self.width_px - LEAST_WIDTH_PX) / 2.0 + MARGIN_PX)
    }

    /// A place of the room on the sheet.
    fn px(&self, point: DVec2) -> DVec2 {
        let (min, max) = self.picture.bounds();
        self.plan.middle() + (point - min.midpoint(max)) * self.px_per_m
    }

    fn polygon_px(&self, polygon: &[DVec2]) -> Vec<DVec2> {
        polygon.iter().map(|&corner| self.px(corner)).collect()
    }

    /// Whether any shape is of a kind.
    fn has(&self, kind: impl Fn(&Shape) -> bool) -> bool {
        self.picture.shapes().iter().any(kind)
    }
}

/// The number of columns of plans of a size, and the pixels per metre then: side by side, unless they could be twice
/// as large below each other.
fn columns(plans: usize, size_m: DVec2) -> (usize, f64) {
    if plans == 1 {
        return (1, f64::INFINITY);
    }
    let px_per_m = |columns: usize| {
        let number = DVec2::new(columns as f64, plans.div_ceil(columns) as f64);
        ((PLANS_PX - (number - 1.0) * PLAN_GAP_PX).max(DVec2::ONE) / (number * size_m)).min_element()
    };
    let largest = (1..=plans).map(px_per_m).fold(0.0, f64::max).min(MOST_PX_PER_M);
    let most = (1..=plans).rev().find(|&columns| px_per_m(columns) * 2.0 > largest).unwrap_or(1);
    (most, px_per_m(most))
}
