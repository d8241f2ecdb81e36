//! Random places.

use super::args::{Options, Start};
use super::define::entry;
use super::entry::{Call, Entry};
use super::place::area_named;
use super::place::position_table;
use super::random::whose_stream;
use super::shapes::RANDOM_POINT;
use crate::crowd::CharacterId;
use crate::nav::{ClassId, Disc, Place, Position, Region};
use crate::room::MAX_COORDINATE_M;
use crate::script::host::EXPANSION_COST;
use mlua::{Table, Value};

pub(super) const ENTRIES: &[Entry] = &[entry! {
    /// A random place where a character can stand, or nil if there is none. All such places are equally likely.
    ///
    /// It is drawn as by `random`: from the world's seed, by the stream of the character whose script calls.
    fn Room.random_point(options: Option<Value> as "RandomPoint" = "`{area=, near=, within=}`; anywhere if left out")
        -> (position: "Point?" = "`{x=, z=}` in metres") also["random_place", "random_reachable_point", "get_random_point"]
    example r#"
        local here = room:random_point{ area = "hall", near = npc, within = 3 }
        assert(room:is_walkable(here) and npc:distance_to(here) <= 3)
        assert(room:random_point{ area = "cellar", near = npc } == nil) -- its door is closed
    "#
    |call| {
        let region = options.map_or(Ok(Some(Region::default())), |options| region(call, options))?;
        let place = region.map_or(Ok(None), |region| random_place(call, &region))?;
        place.map(|place| position_table(call, place)).transpose() as mlua::Result<Option<Table>>
    }
}];

/// The region described by a table; `None` if no character can set out from its `near`.
fn region(call: &Call<'_>, options: Value) -> mlua::Result<Option<Region>> {
    let options = Options::of(call, options, &RANDOM_POINT, "options")?;
    let start = options.get::<Option<Start>>(call, "near")?;
    let near = start.as_ref().map(|start| start.place);
    let within_m = options.get::<Option<f64>>(call, "within")?;
    let area = options.get::<Option<String>>(call, "area")?;
    if within_m.is_some() && near.is_none() {
        return Err(call.fail("within needs near: within how many metres of what?"));
    }
    let walker = start.and_then(|start| start.walker).or_else(|| whose_stream(call.host));
    region_of(call, walker, area.as_deref(), near.zip(within_m), near)
}

/// A region for a character, or for the room's own walker: in an area, around a place, and within reach of a place; `None` if no character can set out
/// there.
pub(super) fn region_of(
    call: &Call<'_>,
    walker: Option<CharacterId>,
    area: Option<&str>,
    around: Option<(Place, f64)>,
    from: Option<Place>,
) -> mlua::Result<Option<Region>> {
    let area = area.map(|name| area_named(call, name)).transpose()?;
    if let Some((_, within_m)) = around
        && !(0.0..=MAX_COORDINATE_M).contains(&within_m)
    {
        return Err(call.fail(format!("within must be a number of metres, zero or more, not {within_m}")));
    }
    let locate = |place: Place| call.host.world().ground().locate(place);
    let disc = around.map(|(centre, radius_m)| Disc { centre: locate(centre), radius_m });
    let class = walker.map_or_else(ClassId::default, |walker| call.host.world().class_of(walker));
    let start = from.map(|from| call.host.world().anchor_near(class, locate(from)));
    if start == Some(None) {
        return Ok(None);
    }
    Ok(Some(Region { area, disc, reachable_from: start.flatten(), class }))
}

/// A random place in a region, drawn from the stream of the character whose code runs. Charges its cost.
pub(super) fn random_place(call: &Call<'_>, region: &Region) -> mlua::Result<Option<Position>> {
    let who = whose_stream(call.host);
    let most = call.host.meter.affords(EXPANSION_COST);
    let found = call.host.world_mut().random_place(who, region, most);
    let (place, work) = found.ok_or_else(|| call.host.search_given_up(call.lua))?;
    call.host.charge(call.lua, (work + 1) * EXPANSION_COST)?;
    Ok(place)
}
