//! The search graph of a painted room: nodes, edges, rejected samples, parts cut off, and pixels that see no node.

use super::pen::Pen;
use super::raster::{MOST_PATH_BYTES, Raster};
use super::xml::num;
use super::{Sheet, theme};
use crate::draw::{Graph, Sample};
use std::fmt::Write;

/// The size of a node as a part of the spacing, within limits in pixels.
const NODE_PART: f64 = 0.42;
const NODE_PX: (f64, f64) = (1.1, 6.0);
/// Smaller nodes have no border.
const LEAST_BORDERED_PX: f64 = 2.6;

impl Sheet<'_> {
    /// The graph of a painted room: as lines and squares, or cell by cell where there are too many of them.
    pub(super) fn graph(&mut self) {
        let Some(graph) = self.picture.graph() else { return };
        let lines = match self.graph_as_lines(graph) {
            Some(lines) => lines,
            None => self.graph_as_pixels(graph).into_iter().collect(),
        };
        lines.iter().for_each(|line| self.xml.line(line));
    }

    fn graph_as_lines(&self, graph: &Graph) -> Option<Vec<String>> {
        let cell_px = graph.pixel_m * self.px_per_m;
        let spacing_px = graph.spacing_px * cell_px;
        let over_picture = self.picture.backdrop().is_some();
        let mut lines = Vec::new();
        // Nodes stand in the middle of their pixels.
        let place = |shift: f64| {
            let at = self.px(graph.min + shift * graph.pixel_m);
            format!(r#"transform="translate({},{}) scale({cell_px})""#, num(at.x), num(at.y))
        };
        let mut unseen = Pen::default();
        for (row, run) in &graph.unseen {
            unseen.block((i64::from(run.start), i64::from(*row)), (i64::from(run.end - run.start), 1));
        }
        if !unseen.is_empty() {
            lines.push(format!(r#"<path class="unseen" {} d="{}"/>"#, place(0.0), unseen.data()));
        }
        let edge_px = (spacing_px * 0.12).clamp(0.5, 1.4);
        for (cut, class) in
            [(false, if over_picture { "graph light" } else { "graph" }), (true, "graph lost")]
        {
            let mut pen = Pen::default();
            for ([x, z], [to_x, to_z], _) in graph.edges.iter().filter(|edge| edge.2 == cut) {
                pen.go(i64::from(*x), i64::from(*z));
                pen.line(i64::from(*to_x), i64::from(*to_z));
                if pen.len() > MOST_PATH_BYTES {
                    return None;
                }
            }
            if !pen.is_empty() {
                let width = num_small(edge_px / cell_px);
                lines.push(format!(
                    r#"<path class="{class}" stroke-width="{width}" {} d="{}"/>"#,
                    place(0.5),
                    pen.data()
                ));
            }
        }
        let mut bytes: usize = lines.iter().map(String::len).sum();
        let node_px = (spacing_px * NODE_PART).clamp(NODE_PX.0, NODE_PX.1);
        let bordered = node_px >= LEAST_BORDERED_PX;
        for (kind, class) in
            [(Sample::Rejected, "rejected"), (Sample::Node, "node"), (Sample::CutOff, "node lost")]
        {
            let (d, dashes) = squares(graph, kind);
            bytes += d.len();
            if bytes > MOST_PATH_BYTES {
                return None;
            }
            if d.is_empty() {
                continue;
            }
            let size = if kind == Sample::Rejected { node_px * 0.62 } else { node_px };
            let mut square = |class: &str, size: f64| {
                lines.push(format!(
                    r#"<path class="{class}" stroke-width="{}" stroke-dasharray="{dashes}" {} d="{d}"/>"#,
                    num_small(size / cell_px),
                    place(0.5)
                ));
            };
            let plain = if bordered || over_picture || kind != Sample::Node { class } else { "node dark" };
            if bordered && kind != Sample::Rejected {
                square("node rim", size + 1.6);
            }
            square(plain, size);
        }
        Some(lines)
    }

    /// Every pixel of the mask in the colour of its role in the graph.
    fn graph_as_pixels(&self, graph: &Graph) -> Option<String> {
        // Indices into the palette below; important ones lie over others.
        let [unseen, rejected, edge, lost_edge, node, lost_node] = [1, 2, 3, 4, 5, 6];
        let mut raster = Raster::new(graph.size.0, graph.size.1);
        for (row, run) in &graph.unseen {
            run.clone().for_each(|x| raster.set(x, *row, unseen));
        }
        for ([x, z], [to_x, to_z], cut) in &graph.edges {
            let steps = x.abs_diff(*to_x).max(z.abs_diff(*to_z)).max(1);
            let along = |from: u32, to: u32, step: u32| {
                (i64::from(from) + (i64::from(to) - i64::from(from)) * i64::from(step) / i64::from(steps))
                    as u32
            };
            for step in 0..=steps {
                raster.set(
                    along(*x, *to_x, step),
                    along(*z, *to_z, step),
                    if *cut { lost_edge } else { edge },
                );
            }
        }
        for ([x, z], sample) in &graph.samples {
            raster.set(
                *x,
                *z,
                match sample {
                    Sample::Rejected => rejected,
                    Sample::Node => node,
                    Sample::CutOff => lost_node,
                },
            );
        }
        let over_picture = self.picture.backdrop().is_some();
        let (line, square) =
            if over_picture { (theme::LIGHT, theme::LIGHT) } else { (theme::EDGE, theme::NODE) };
        let palette = [
            (theme::REJECTED, 0.0),
            (theme::UNSEEN, 0.85),
            (theme::REJECTED, 0.4),
            (line, 0.6),
            (theme::LOST, 0.6),
            (square, 1.0),
            (theme::LOST, 1.0),
        ];
        raster.element(self.px(graph.min), graph.pixel_m * self.px_per_m, &palette)
    }
}

/// Squares at all samples of a kind, as dashes of lines along the rows: the path data, and the dash pattern.
fn squares(graph: &Graph, kind: Sample) -> (String, String) {
    // A very short dash with square ends is a square as wide as the line.
    const POINT: f64 = 0.01;
    let spacing = graph.spacing_px;
    let is_even = spacing.fract() == 0.0;
    let (mut d, mut at) = (String::new(), [0_i64; 2]);
    // The start of a run, and its number of squares.
    let mut run: Option<([i64; 2], i64)> = None;
    let mut draw = |([x, z], count): ([i64; 2], i64)| {
        let length = (count - 1) as f64 * spacing + POINT;
        let comma = if z < at[1] { "" } else { "," };
        let back = (count - 1) * spacing as i64;
        // writing to a String cannot fail
        let _ = write!(d, "m{}{comma}{}h{}h-{}", x - at[0], z - at[1], num_small(length), num_small(POINT));
        at = [x + back, z];
    };
    for ([x, z], _) in graph.samples.iter().filter(|(_, sample)| *sample == kind) {
        let here = [i64::from(*x), i64::from(*z)];
        run = match run {
            Some((first, count))
                if is_even && first[1] == here[1] && first[0] + count * spacing as i64 == here[0] =>
            {
                Some((first, count + 1))
            }
            other => {
                other.into_iter().for_each(&mut draw);
                Some((here, 1))
            }
        };
    }
    run.into_iter().for_each(&mut draw);
    (d, format!("{} {}", num_small(POINT), num_small(spacing - POINT)))
}

/// A number in units of cells, which may be large on the sheet.
fn num_small(value: f64) -> String {
    let digits = format!("{value:.4}");
    digits.trim_end_matches('0').trim_end_matches('.').to_owned()
}
