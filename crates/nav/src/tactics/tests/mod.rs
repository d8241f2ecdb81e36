//! Tests of tactical levels: against an oracle, and at the bounds of every rule.

mod borders;
mod boundaries;
mod meshes;
mod oracle;
mod random;
mod settings;

use super::{Actor, Cell, Move, MoveKind, ReachTable, Reached, Stance, TacticalField};
use crate::geometry::SolidShape;
use crate::room::{Brush, BrushKind, Facing, Tactics, TacticsSettings};
use glam::DVec3;

/// A solid box.
fn solid(min: [f64; 3], max: [f64; 3]) -> Brush {
    Brush::new(SolidShape::Box([DVec3::from(min), DVec3::from(max)]))
}

fn level(brushes: Vec<Brush>) -> Tactics {
    Tactics::new(TacticsSettings::default(), brushes)
}

fn field(brushes: Vec<Brush>) -> TacticalField {
    TacticalField::new(&level(brushes), |_| false)
}

fn walker() -> Actor {
    Actor::new(Stance::Stand, 1000)
}

fn table(field: &TacticalField, start: Cell, actor: &Actor) -> ReachTable {
    field.table(start, 1, actor).expect("there is room at the start")
}
