//! Lines of vision.

use super::args::{Argument, Options};
use super::define::entry;
use super::entry::{Args, Call, Entry, Many};
use super::handle::Npc;
use super::shapes::SIGHT_OPTIONS;
use super::values::number;
use crate::crowd::CharacterId;
use crate::nav::Place;
use crate::world::{Seen, Unseen, View};
use mlua::{IntoLua, MultiValue, Value};
use std::f64::consts::TAU;

pub(super) const ENTRIES: &[Entry] = &[
    entry! {
        /// Whether there is a clear line of vision from one place to another. Walls, closed areas and obstacles block
        /// the view, unless the room file sets `seeThrough` for an area or an obstacle. Characters do not block the
        /// view.
        ///
        /// A character is visible if its middle or one of its sides is. The viewer may lean to a side, too. So an
        /// obstacle narrower than both bodies hides nothing.
        ///
        /// `fov` limits the view to a cone around the viewer's heading, `range` to a distance. If nothing is seen,
        /// `why` is the name of the area or obstacle in between, or `"wall"`, `"storey"`, `"range"` or `"fov"`.
        fn Room.can_see(
            from: Viewpoint = "the character that looks, or a place",
            to: Viewpoint = "the character or place to look at",
            options: Option<Value> as "SightOptions" = "`{fov = radians, range = metres}`"
        ) -> (seen: "boolean" = "whether it is visible", why: "string?" = "what is in the way, if not")
        also["raycast", "linecast", "has_line_of_sight", "sees", "is_visible"]
        example r#"
            assert(room:can_see("bar", "well"))
            local seen, why = room:can_see(npc, "barrels")
            assert(not seen and why == "cellar_door")
        "#
        |call| can_see(call, from, to, options)
    },
    entry! {
        /// Whether the character sees a place or another character: see `room:can_see`.
        fn Npc.can_see(
            other: Viewpoint = "a place or another character",
            options: Option<Value> as "SightOptions" = "`{fov = radians, range = metres}`"
        ) -> (seen: "boolean" = "whether the character sees it", why: "string?" = "what is in the way, if not")
        also["sees", "in_sight", "has_line_of_sight"]
        example r#"
            npc.heading = 0 -- along x
            assert(npc:can_see("well", { fov = math.rad(90), range = 10 }))
            npc.heading = math.pi
            local seen, why = npc:can_see("well", { fov = math.rad(90), range = 10 })
            assert(not seen and why == "fov")
        "#
        |call| {
            let body = call.host.world().body_of(call.who);
            let from = match body {
                Some(body) => Viewpoint { seen: body, who: Some(call.who) },
                None => return Err(call.read(|_| ()).err().unwrap_or_else(|| call.fail("no such character"))),
            };
            can_see(call, from, other, options)
        }
    },
];

/// A place or a character.
pub(super) struct Viewpoint {
    seen: Seen,
    who: Option<CharacterId>,
}

impl Argument for Viewpoint {
    const LUA: &'static str = Place::LUA;
    const NAMES: &'static str = Place::NAMES;

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        let who = match args.peek() {
            Value::UserData(userdata) => userdata.borrow::<Npc>().ok().map(|npc| npc.id),
            Value::String(name) => {
                let name = name.to_string_lossy();
                let world = call.host.world();
                // As for places, a point precedes a character, though they should not share a name.
                let nameless = world.point(&name).is_none();
                world.character_named(&name).filter(|_| nameless).map(|character| character.id)
            }
            _ => None,
        };
        let place = Place::take(call, args, param)?;
        let body = who.and_then(|who| call.host.world().body_of(who));
        Ok(Self {
            seen: body
                .unwrap_or_else(|| Seen { at: call.host.world().ground().locate(place), radius_m: 0.0 }),
            who,
        })
    }
}

/// Instructions charged per look; each corner or cell on the way costs half an instruction more.
const LOOK_COST: u64 = 60;

fn can_see(call: &Call<'_>, from: Viewpoint, to: Viewpoint, options: Option<Value>) -> mlua::Result<Many> {
    let (mut cone, mut range_m) = (None, f64::INFINITY);
    if let Some(options) = options {
        let options = Options::of(call, options, &SIGHT_OPTIONS, "options")?;
        if let Some(fov_rad) = options.get::<Option<f64>>(call, "fov")? {
            if !(0.0..=TAU + 1e-9).contains(&fov_rad) {
                let hint = "; math.rad(90) gives the radians of 90 degrees";
                return Err(call.fail(format!("fov must be from 0 to 2π radians, not {fov_rad}{hint}")));
            }
            let Some(who) = from.who else {
                return Err(call.fail("fov needs a character that looks: a place has no heading"));
            };
            cone = Some((call.host.read(call.lua, who, |c| c.heading_rad)?, fov_rad));
        }
        if let Some(range) = options.get::<Option<Value>>(call, "range")? {
            let metres = number(&range).filter(|metres| *metres >= 0.0);
            range_m =
                metres.ok_or_else(|| call.wrong("range", "a number of metres, zero or more", &range))?;
        }
    }
    let view = View { from: from.seen, to: to.seen, cone, range_m };
    let work = call.host.world().look_work(&view);
    call.host.charge(call.lua, LOOK_COST + work / 2)?;
    let world = call.host.world();
    let seen = world.look(&view);
    if let Some(who) = from.who {
        call.host.glance(who, &view, seen.is_ok());
    }
    let why = match seen {
        Ok(()) => return Ok(Many(MultiValue::from_iter([Value::Boolean(true)]))),
        Err(Unseen::TooFar) => "range",
        Err(Unseen::Beside) => "fov",
        Err(Unseen::OtherStorey) => "storey",
        Err(Unseen::Hidden(by)) => world.name_of_cover(by).unwrap_or("wall"),
    };
    Ok(Many(MultiValue::from_iter([Value::Boolean(false), why.into_lua(call.lua)?])))
}
