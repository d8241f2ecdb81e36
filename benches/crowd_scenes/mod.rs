//! Crowds in standard situations, measured in numbers and drawn.

pub mod company;
pub mod corridors;
pub mod doors;
pub mod film;
mod film_groups;
pub mod grounds;
pub mod measure;
pub mod open_ground;
pub mod run;
pub mod scenes;
pub mod sheet;
pub mod stage;

use measure::Figures;
use scenes::Scene;
use serde_json::json;

/// The head of the table. Their meaning is in [`measure`].
pub const HEAD: &str = "scene               arrived  blocked  left   ratio mean/most  jumps/s  sideways    step  overlap  contact  more";

/// A line of the table.
pub fn line(scene: &Scene, figures: &Figures) -> String {
    let percent = |share: f64| format!("{:.1} %", share * 100.0);
    let ratio = match figures.ratio_most > 0.0 {
        true => format!("{:.2}/{:.2}", figures.ratio_mean, figures.ratio_most),
        false => "-".into(),
    };
    let mut more = Vec::new();
    more.extend(figures.flow.map(|flow| format!("{flow:.2} persons a second and metre")));
    more.extend(figures.speed_mps.map(|mps| format!("{mps:.2} m/s")));
    more.extend(
        figures
            .together
            .map(|(abreast, m)| format!("{} abreast, {m:.1} m from the leader", percent(abreast))),
    );
    more.extend(figures.moved_m.map(|(most, end)| format!("moved {most:.2} m, {end:.2} m at the end")));
    format!(
        "{:<20}{:>7}{:>9}{:>6}{:>18}{:>9.2}{:>10}{:>8}{:>9}{:>9}  {}",
        scene.name,
        figures.arrived,
        figures.blocked + figures.other,
        figures.under_way,
        ratio,
        figures.jumps_per_s,
        percent(figures.sideways),
        format!("{:.1} cm", figures.step_cm),
        percent(figures.overlap),
        percent(figures.contact),
        more.join(", ")
    )
}

/// The figures as data.
pub fn to_json(scene: &Scene, figures: &Figures) -> serde_json::Value {
    let rounded = |value: f64| (value * 1e4).round() / 1e4;
    json!({
        "scene": scene.name,
        "people": scene.errands.len(),
        "arrived": figures.arrived,
        "blocked": figures.blocked,
        "ended_otherwise": figures.other,
        "under_way": figures.under_way,
        "ratio_mean": rounded(figures.ratio_mean),
        "ratio_most": rounded(figures.ratio_most),
        "lost_s": rounded(figures.lost_s),
        "jumps_per_s": rounded(figures.jumps_per_s),
        "sideways": rounded(figures.sideways),
        "step_cm": rounded(figures.step_cm),
        "overlap": rounded(figures.overlap),
        "contact": rounded(figures.contact),
        "flow_per_s_and_m": figures.flow.map(rounded),
        "speed_mps": figures.speed_mps.map(rounded),
        "abreast": figures.together.map(|(share, _)| rounded(share)),
        "leader_m": figures.together.map(|(_, metres)| rounded(metres)),
        "moved_m": figures.moved_m.map(|(most, _)| rounded(most)),
        "off_place_m": figures.moved_m.map(|(_, end)| rounded(end)),
        "seconds": rounded(figures.seconds),
    })
}
