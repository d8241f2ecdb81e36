//! Things reduced to what a change has no field for. A key that is new in a file is noticed without a change here.
#![allow(clippy::needless_update)] // at present there is no such key

use crate::geometry::Place;
use crate::room::{Area, CharacterSpec, CrowdSettings, GroundSettings, Room, ScriptLimits, WhenOccupied};
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

pub(super) fn of_character(spec: &CharacterSpec) -> CharacterSpec {
    CharacterSpec {
        at: Place::default(),
        at_point: None,
        script: None,
        player: false,
        priority: 0,
        pinned: false,
        returns_to_post: false,
        avoidance: None,
        patience: None,
        walk_speed_mps: 0.0,
        rotation_speed_radps: 0.0,
        collision_radius_m: 0.0,
        tags: Vec::new(),
        alive: true,
        enabled: true,
        heading_rad: 0.0,
        actor: None,
        ..spec.clone()
    }
}
