//! Questions to the ground without anybody walking: paths, paths within a budget, the nearest place, walkable points,
//! and why a place cannot be reached. One `SearchMemory` serves all of them.
//!
//! Run it: `cargo run --example path_queries`
#![allow(clippy::print_stdout)] // an example talks to its reader

use cicerone::draw::Picture;
use cicerone::nav::{Outcome, Place, Position, Query};
use cicerone::plan::{explain_path, find_path, find_path_within};
use cicerone::surface::{SearchMemory, Surface};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("rooms/tavern.json");
    let room = cicerone::room::parse("tavern.json", &std::fs::read(file)?)?.room;
    let ground = Surface::new(&room)?;
    let point = |name: &str| room.points.get(name).copied().ok_or(format!("no point '{name}'"));
    let mut memory = SearchMemory::default(); // kept between queries, it allocates nothing any more

    println!("is_walkable");
    for (place, at) in [("the hall", Place::new(6.0, 3.0)), ("the counter", Place::new(7.6, 2.0))] {
        println!("  {place} {at}: {}", ground.is_walkable(at));
    }
    assert!(ground.is_walkable(Place::new(6.0, 3.0)) && !ground.is_walkable(Place::new(7.6, 2.0)));

    println!("find_path from the street");
    let street = point("street")?;
    for name in ["bar_middle", "hearth_north", "bar_middle_inside", "snug_seat"] {
        let path = find_path(&ground, Query::new(street, point(name)?), &mut memory);
        assert_eq!(path.outcome, Outcome::Complete, "{name}: {}", path.describe());
        let (length_m, turns, work) = (path.length_m, path.waypoints.len() - 1, path.work);
        println!("  to {name:17} {length_m:5.2} m, {turns} turns, {work} expansions of work");
    }

    println!("find_path_within a budget");
    let to_the_snug = Query::new(street, point("snug_seat")?);
    let mut budget = 1;
    let path = loop {
        match find_path_within(&ground, to_the_snug.clone(), &mut memory, budget) {
            Some(path) => break path,
            None => println!("  {budget} expansions do not suffice"),
        }
        budget *= 8;
    };
    println!("  {budget} expansions do");
    assert!(budget > 1 && path.outcome == Outcome::Complete);

    println!("Surface::find_nearest: from the bar to one of three seats, as one walks");
    let seats = [point("hearth_east")?, point("window_east")?, point("snug_seat")?];
    let is_seat = |place: Position| seats.iter().any(|seat| seat.distance(place) < 0.3);
    let way = ground.find_nearest(point("bar_middle")?, &[], 20.0, &mut memory, is_seat);
    let seat = way.and_then(|way| way.last().copied()).ok_or("no seat within 20 m")?;
    println!("  the seat at {seat:.2}");
    assert!(seat.distance(seats[1]) < 0.3, "the window seat is the nearest");

    println!("explain_path: why no character gets to the barrels");
    let to_the_barrels = Query::new(street, point("barrels")?);
    let partial = find_path(&ground, to_the_barrels.clone(), &mut memory);
    assert_eq!(partial.outcome, Outcome::Partial);
    let why = explain_path(&ground, &to_the_barrels, &mut memory, 100_000).map_err(|_| "too dear")?;
    println!("  {why}");
    assert!(why.to_string().contains("cellar_door"));

    let picture = Picture::of_room(&room, &ground).with_cells(&ground);
    let text = picture.with_path(to_the_snug.from.at, to_the_snug.to.at, &path).to_text(100);
    println!("the path to the snug\n{text}");
    assert!(text.contains('*'));
    Ok(())
}
