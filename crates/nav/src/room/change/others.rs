//! Things reduced to what a change has no field for. A key that is new in a file is noticed without a change here.
#![allow(clippy::needless_update)] // at present there is no such key

use crate::room::{Area, CrowdSettings, GroundSettings, Room, ScriptLimits, WhenOccupied};
use std::collections::BTreeMap;

pub(super) fn of_room(room: &Room) -> Room {
    Room {
        name: String::new(),
        ground: GroundSettings::default(),
        grid: None,
        mesh: None,
        level: None,
        mask: None,
        background: None,
        areas: Vec::new(),
        obstacles: Vec::new(),
        hotspots: Vec::new(),
        depth_bands: Vec::new(),
        links: Vec::new(),
        waypaths: Vec::new(),
        tactics: None,
        points: BTreeMap::new(),
        goals: Vec::new(),
        characters: Vec::new(),
        script: None,
        crowd: CrowdSettings::default(),
        limits: ScriptLimits::default(),
        ticks_per_second: 0,
        ..room.clone()
    }
}

pub(super) fn of_area(area: &Area) -> Area {
    Area {
        polygon: Vec::new(),
        mesh_polygons: Vec::new(),
        heights_m: None,
        painted: None,
        available: true,
        when_occupied: WhenOccupied::default(),
        see_through: false,
        ..area.clone()
    }
}
