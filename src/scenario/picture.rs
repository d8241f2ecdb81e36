//! The moment when a test failed: recent events, and where the characters are.

use super::memory::Memory;
use crate::crowd::{Character, CharacterId};
use crate::draw::{Picture, Shape, SvgOptions, TextLook, Tint, clean};
use crate::script::Failure;
use crate::world::World;
use glam::DVec2;
use std::collections::BTreeSet;

/// The largest width of a picture, in columns.
const COLUMNS: usize = 100;

/// A room up to this size is shown as a whole, metres.
const ALL_OF_IT_M: f64 = 20.0;

/// Of a larger room, the margin shown around the failure, metres.
const AROUND_M: f64 = 4.0;

/// Upper limit on the characters in the report.
const PEOPLE: usize = 6;

/// The surroundings as text.
pub(super) fn text(world: &World, failure: &Failure, memory: &Memory) -> String {
    let picture = picture(world, failure, memory);
    let marked = failure.about.iter().filter_map(|&id| world.character(id)).map(|c| c.name.clone());
    let mut look = TextLook::default();
    (look.width_limit, look.walls) = (COLUMNS, true);
    look.part = Some(part(world, failure, memory));
    look.doors = doors(world, memory).into_iter().collect();
    look.marked = marked.collect();
    picture.to_text_with(&look)
}

/// The whole room as SVG.
pub(super) fn svg(world: &World, failure: &Failure, memory: &Memory) -> String {
    picture(world, failure, memory).to_svg(&SvgOptions::default())
}

fn picture(world: &World, failure: &Failure, memory: &Memory) -> Picture {
    let mut picture = Picture::of_moment(world, &failure.about);
    for &who in &failure.about {
        let Some(character) = world.character(who) else { continue };
        let mut points = memory.trail(who);
        points.push(character.position.at);
        if let Some(ways) = &failure.ways {
            picture.add(Shape::Trail { points: ways.recorded.clone(), tint: Tint::Past });
            points.clone_from(&ways.now);
        }
        picture.add(Shape::Trail { points, tint: Tint::of(character) });
    }
    picture
}

/// The part to show, `(min, max)` in metres.
fn part(world: &World, failure: &Failure, memory: &Memory) -> (DVec2, DVec2) {
    let (min, max) = Picture::of_room(world.room(), world.ground()).bounds();
    let people = failure.about.iter().filter_map(|&id| world.character(id)).map(|c| c.position.at);
    let trails = failure.about.iter().flat_map(|&id| memory.trail(id));
    let all = people.chain(trails).chain(failure.places.iter().copied());
    let around = all.filter(|at| at.is_finite()).fold(None, |found: Option<(DVec2, DVec2)>, at| {
        let (least, most) = found.unwrap_or((at, at));
        Some((least.min(at), most.max(at)))
    });
    match around {
        Some((least, most)) if (max - min).max_element() > ALL_OF_IT_M => {
            ((least - AROUND_M).max(min), (most + AROUND_M).min(max))
        }
        _ => (min, max),
    }
}

/// Areas that opened or closed, and those whose state differs from their file.
fn doors(world: &World, memory: &Memory) -> BTreeSet<String> {
    let others = world.room().areas.iter().filter(|area| {
        let open = world.area_named(&area.name).is_none_or(|id| world.ground().area_available(id));
        !area.available || !open
    });
    others.map(|area| area.name.clone()).chain(memory.doors.iter().cloned()).collect()
}

/// Recent events of the characters concerned, each with its position, and of the room.
pub(super) fn events(world: &World, failure: &Failure, memory: &Memory) -> Vec<(String, Vec<String>)> {
    let told = |who: Option<CharacterId>| {
        memory
            .events(who)
            .filter(|(tick, _)| *tick <= failure.tick)
            .map(|(tick, text)| format!("{:8.2} s  {}", *tick as f64 * world.dt_s(), clean(text)))
    };
    let mut all = Vec::new();
    for who in concerned(world, failure) {
        let heading = match world.character(who) {
            Some(character) => state(world, character),
            None => format!("{} has left", clean(world.name_of(who))),
        };
        all.push((heading, told(Some(who)).collect()));
    }
    let of_room: Vec<String> = told(None).collect();
    if !of_room.is_empty() {
        all.push(("the room".into(), of_room));
    }
    all
}

/// The characters the failure is about; without any, the nearest ones.
fn concerned(world: &World, failure: &Failure) -> Vec<CharacterId> {
    let mut people = failure.about.clone();
    if people.is_empty() {
        let mut all: Vec<&Character> = world.characters().iter().collect();
        if let Some(&place) = failure.places.first() {
            let away_m = |character: &Character| character.position.at.distance(place);
            all.sort_by(|one, other| away_m(one).total_cmp(&away_m(other)));
        }
        people.extend(all.iter().map(|character| character.id));
    }
    people.truncate(PEOPLE);
    people
}

fn state(world: &World, character: &Character) -> String {
    let at = character.position;
    let ground = world.ground();
    let areas: Vec<&str> = ground
        .areas()
        .filter(|&area| ground.area_contains(area, at))
        .map(|area| ground.area_name(area))
        .collect();
    let inside = if areas.is_empty() { String::new() } else { format!(" in {}", areas.join(", ")) };
    let doing = match (&character.walk, &character.last_walk) {
        (Some(walk), _) => {
            let left_m = walk.corridor.left_m(at);
            format!(
                "walks to ({:.2}, {:.2}), {left_m:.1} m to go",
                walk.goal.place.at.x, walk.goal.place.at.y
            )
        }
        (None, Some(walk)) => format!("stands; its last walk: {}", walk.end),
        (None, None) => "stands".into(),
    };
    format!("{} at ({:.2}, {:.2}){}: {doing}", clean(&character.name), at.at.x, at.at.y, clean(&inside))
}
