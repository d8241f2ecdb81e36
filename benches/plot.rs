//! Curves on logarithmic axes, as SVG: how something grows is a slope there.

use plotters::prelude::*;
use std::error::Error;
use std::ops::Range;
use std::path::Path;

/// One line of a plot.
pub struct Curve {
    pub name: &'static str,
    pub points: Vec<(f64, f64)>,
}

/// What is measured against what.
pub struct Plot<'a> {
    pub title: &'a str,
    pub x: &'a str,
    pub y: &'a str,
    /// Where x is marked.
    pub marks: &'a [f64],
    pub curves: &'a [Curve],
}

/// One for each curve; told apart without seeing colours, too, by where they lie.
const COLOURS: [RGBColor; 4] =
    [RGBColor(178, 94, 32), RGBColor(40, 98, 140), RGBColor(120, 120, 120), RGBColor(86, 130, 60)];

impl Plot<'_> {
    /// Writes it into a file.
    pub fn save(&self, file: &Path) -> Result<(), Box<dyn Error>> {
        let mut svg = String::new();
        self.draw(SVGBackend::with_string(&mut svg, (760, 440)).into_drawing_area())?;
        svg.push('\n');
        Ok(std::fs::write(file, svg)?)
    }

    fn draw(&self, area: DrawingArea<SVGBackend<'_>, plotters::coord::Shift>) -> Result<(), Box<dyn Error>> {
        area.fill(&WHITE)?;
        let all = || self.curves.iter().flat_map(|curve| curve.points.iter().copied());
        let (x, y) = (range(all().map(|(x, _)| x), 1.15), range(all().map(|(_, y)| y), 2.0));
        let mut chart = ChartBuilder::on(&area)
            .caption(self.title, ("sans-serif", 19))
            .margin(14)
            .x_label_area_size(44)
            .y_label_area_size(70)
            .build_cartesian_2d(x.log_scale().with_key_points(self.marks.to_vec()), y.log_scale())?;
        chart
            .configure_mesh()
            .light_line_style(RGBColor(240, 240, 240))
            .bold_line_style(RGBColor(220, 220, 220))
            .x_desc(self.x)
            .y_desc(self.y)
            .label_style(("sans-serif", 13))
            .x_label_formatter(&|x| with_thousands(*x))
            .y_label_formatter(&|y| with_thousands(*y))
            .draw()?;
        for (curve, colour) in self.curves.iter().zip(COLOURS) {
            chart
                .draw_series(LineSeries::new(curve.points.iter().copied(), colour.stroke_width(2)))?
                .label(curve.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
            chart.draw_series(curve.points.iter().map(|&at| Circle::new(at, 3, colour.filled())))?;
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .margin(12)
            .label_font(("sans-serif", 14))
            .background_style(WHITE.filled())
            .border_style(RGBColor(200, 200, 200))
            .draw()?;
        area.present()?;
        Ok(())
    }
}

/// From the least to the largest value, with this much room around.
fn range(values: impl Iterator<Item = f64>, room: f64) -> Range<f64> {
    let (least, most) =
        values.fold((f64::INFINITY, 0.0_f64), |(least, most), value| (least.min(value), most.max(value)));
    least / room..most * room
}

fn with_thousands(value: f64) -> String {
    if value < 1.0 {
        return format!("{value}");
    }
    let digits = format!("{value:.0}");
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).expect("digits")).collect();
    groups.join(",")
}
