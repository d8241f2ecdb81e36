//! Benchmark of a tactical level: tracing it, its doors, and tables from its places.

use super::timing::{median, quantile, timed};
use super::{BenchArgs, rounded};
use cicerone::room::Room;
use cicerone::tactics::{Actor, Cell, Stance, TacticalField};
use cicerone::world::next_random;
use serde::Serialize;

/// The results. Without a level there are none.
#[derive(Serialize)]
pub(super) struct TacticsReport {
    /// Cells along x and y, and levels.
    size: [u32; 3],
    brushes: usize,
    /// Tracing the level for actors of both sizes.
    trace_ms: f64,
    /// Opening or closing the brushes of an area; none without areas.
    door_us: Option<f64>,
    /// Tables without a budget, both stances, from random places on a floor.
    tables: usize,
    table_median_ms: f64,
    table_worst_ms: f64,
    /// The places in reach, on average.
    mean_reached: f64,
}

/// Tables that are timed.
const TABLES: usize = 20;

pub(super) fn bench(room: &Room, args: &BenchArgs, random: &mut u64) -> Option<TacticsReport> {
    let tactics = room.tactics.as_ref()?;
    let trace = |_| timed(|| TacticalField::new(tactics, |_| false)).0;
    let trace_us: Vec<f64> = (0..args.rounds.clamp(1, 5)).map(trace).collect();
    let mut field = TacticalField::new(tactics, |_| false);
    let areas = field.areas().to_vec();
    let mut door_us = Vec::new();
    for area in areas.iter().flat_map(|area| vec![area; args.rounds.clamp(1, 5) as usize]) {
        for available in [true, false] {
            door_us.push(timed(|| field.set_area_available(area, available)).0);
        }
    }
    let size = field.size();
    let mut below = |count: u32| ((next_random(random) * f64::from(count)) as u32).min(count - 1);
    let mut floor = || -> Option<Cell> {
        let mut cells = (0..10_000).map(|_| size.map(&mut below));
        cells.find(|&cell| field.cell(cell, 1).is_some_and(|view| view.floor >= 0))
    };
    let starts: Vec<Cell> = (0..TABLES).map_while(|_| floor()).collect();
    let actor = Actor::new(Stance::Stand, u16::MAX);
    let tables = starts.iter().map(|&start| timed(|| field.table(start, 1, &actor)));
    let tables: Vec<(f64, usize)> =
        tables.map(|(us, table)| (us, table.map_or(0, |table| table.reached().count()))).collect();
    let us: Vec<f64> = tables.iter().map(|(us, _)| *us).collect();
    let reached: usize = tables.iter().map(|(_, reached)| reached).sum();
    Some(TacticsReport {
        size,
        brushes: tactics.brushes.len(),
        trace_ms: rounded(median(&trace_us) / 1e3),
        door_us: (!door_us.is_empty()).then(|| rounded(median(&door_us))),
        tables: tables.len(),
        table_median_ms: rounded(if us.is_empty() { 0.0 } else { median(&us) / 1e3 }),
        table_worst_ms: rounded(if us.is_empty() { 0.0 } else { quantile(&us, 1.0) / 1e3 }),
        mean_reached: rounded(reached as f64 / tables.len().max(1) as f64),
    })
}

pub(super) fn in_words(report: &TacticsReport) -> String {
    let TacticsReport { size: [x, y, z], brushes, trace_ms, table_median_ms, table_worst_ms, .. } = report;
    let door =
        report.door_us.map(|us| format!("  an area opens or closes in {us:.0} us\n")).unwrap_or_default();
    format!(
        "\ntactical level of {x} x {y} x {z} cells, {brushes} brushes\n  traced for both sizes in {trace_ms:.0} ms\n\
         {door}  {} tables: median {table_median_ms:.1} ms, worst {table_worst_ms:.1} ms, {:.0} places on average",
        report.tables, report.mean_reached
    )
}
