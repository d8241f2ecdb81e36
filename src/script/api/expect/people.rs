//! Expectations of characters, of areas and of the room.

use super::areas::state_of;
use super::{not_about, npc_of, position, whereabouts, words_of};
use crate::crowd::{CharacterId, Purpose, WalkEnd};
use crate::problem::did_you_mean;
use crate::script::api::args::{AreaName, Seconds};
use crate::script::api::define::entry;
use crate::script::api::entry::{Call, Entry, Verdict};
use crate::script::api::handle::Area;
use crate::script::api::place::area_named;
use crate::script::api::place::place_of_value;
use crate::script::api::room::RoomObject;
use crate::script::api::values::number;
use crate::script::error::caller;
use crate::script::spec::{Walking, Watch};
use glam::DVec2;
use mlua::Value;

pub(in crate::script::api) const ENTRIES: &[Entry] = &[
    entry! {
        /// Expects a walk to arrive in time. Runs the room until the walk under way has ended, or the next walk if
        /// none is.
        ///
        /// It fails as soon as the walk ends for another reason, and says which.
        watch Expectation.to_arrive_within(seconds: Seconds = "how long at most") also["to_arrive", "to_reach", "arrives"]
        example r#"
            npc:set_target("well")
            expect(npc):to_arrive_within(10)
        "#
        |call, subject| walking(call, subject, WalkEnd::Arrived.as_str().into(), seconds.0, true)
    },
    entry! {
        /// Expects a walk to end for this reason. Runs the room until the walk under way has ended, or the next walk
        /// if none is.
        watch Expectation.to_end_with(
            reason: String as "Reason" = "how the walk must end, for example `partial`",
            seconds: Option<Seconds> = "how long at most; 60 if left out"
        ) also["to_end", "to_finish_with"]
        example r#"
            npc:set_target("barrels")
            expect(npc):to_end_with("partial")
        "#
        |call, subject| walking(call, subject, reason, seconds.map_or(END_S, |seconds| seconds.0), false)
    },
    entry! {
        /// That a character is in an area.
        check Expectation.to_be_in(area: AreaName = "the area's name") also["to_be_inside", "to_be_at"]
        example r#"
            expect(npc):to_be_in("hall")
            expect(npc):not_to_be_in("cellar")
        "#
        |call, subject| {
            let who = npc_of(call, subject)?;
            let id = area_named(call, &area.0)?;
            let at = position(call, who);
            let holds = call.host.world().ground().area_contains(id, at);
            let seen = format!("at {}", whereabouts(call, at));
            Ok(Verdict { holds, claim: format!("to be in {}", area.0), seen, about: vec![who], places: Vec::new() })
        }
    },
    entry! {
        /// That a character is near a place or another character, or that a number is near another number.
        check Expectation.to_be_near(
            place: Value as "Place|number" = "a place, a character, x and z, or a number",
            metres: Value as "number" = "the greatest distance, in metres; for numbers, the greatest difference",
            more: Option<Value> as "number" = "metres, after x and z"
        ) also["to_be_close_to", "toBeCloseTo", "to_be_within"]
        example r#"
            expect(npc):to_be_near("bar", 0.5)
            expect(npc):not_to_be_near(room:npc("ann"), 1)
            expect(0.1 + 0.2):to_be_near(0.3, 1e-9)
        "#
        |call, subject| near(call, subject, &place, &metres, more)
    },
    entry! {
        /// That a character has said something since the test began. With `expect(room)`, any character counts.
        check Expectation.to_have_said(text: String = "the words, or a part of them") also["to_say", "says"]
        example r#"
            npc:say("Good evening!")
            expect(npc):to_have_said("evening")
            expect(room):not_to_have_said("Good night")
        "#
        |call, subject| said(call, subject, &text)
    },
    entry! {
        /// That an area is open.
        check Expectation.to_be_available() also["to_be_open", "to_be_enabled", "to_be_walkable"]
        example r#"
            expect(room:area("hall")):to_be_available()
            expect(room:area("cellar_door")):not_to_be_available()
        "#
        |call, subject| {
            let name = subject.as_userdata().and_then(|it| it.borrow::<Area>().ok().map(|it| it.name.clone()));
            let name = name.ok_or_else(|| not_about(call, subject, "an area, as in expect(room:area(\"NAME\"))"))?;
            let area = area_named(call, &name)?;
            let world = call.host.world();
            let holds = world.ground().area_available(area);
            let corners = world.room().areas.iter().find(|area| area.name == name).map(|area| &area.polygon);
            let places = corners.map(|corners| corners.iter().sum::<DVec2>() / corners.len() as f64);
            drop(world);
            let seen = state_of(call, area);
            let claim = "to be available".into();
            Ok(Verdict { holds, claim, seen, about: Vec::new(), places: places.into_iter().collect() })
        }
    },
    entry! {
        /// That a script of the room has had an error. Without `allow_errors` of `load_room`, such an error fails the
        /// test anyway.
        check Expectation.to_have_reported(text: String = "the error, or a part of it")
        also["to_have_errors", "to_have_failed", "to_log_error"]
        example r#"
            expect(room):not_to_have_reported("attempt to index")
        "#
        |call, subject| {
            if !subject.as_userdata().is_some_and(|subject| subject.is::<RoomObject>()) {
                return Err(not_about(call, subject, "the room, as in expect(room)"));
            }
            let Some(spec) = call.host.spec() else { return Err(call.fail("no spec runs")) };
            let errors = spec.reported.borrow();
            let holds = errors.iter().any(|error| error.contains(&text));
            let seen = match errors.last() {
                None => "there was no error".into(),
                Some(last) => format!("{} errors; the last: {last}", errors.len()),
            };
            let claim = format!("to have reported \"{text}\"");
            Ok(Verdict { holds, claim, seen, about: Vec::new(), places: Vec::new() })
        }
    },
];

/// Default time of `to_end_with`, in seconds.
const END_S: f64 = 60.0;

/// The ends that a walk can have.
const ENDS: [&str; 7] = ["arrived", "partial", "no_path", "blocked", "cancelled", "timeout", "despawned"];

fn walking(
    call: &Call<'_>,
    subject: &Value,
    wanted: String,
    seconds: f64,
    arrives: bool,
) -> mlua::Result<Watch> {
    let who = npc_of(call, subject)?;
    if !ENDS.contains(&wanted.as_str()) {
        let hint = did_you_mean(&wanted, ENDS).map(|near| format!("; did you mean '{near}'?"));
        let hint = hint.unwrap_or_else(|| format!("; there is {}", ENDS.join(", ")));
        return Err(call.fail(format!("no walk ends with '{wanted}'{hint}")));
    }
    let world = call.host.world();
    let walk = world.character(who).and_then(|character| {
        // A follower's walks share one number, also while it stands.
        let errand = character.walk.as_ref().filter(|walk| walk.purpose == Purpose::Errand);
        errand.map(|walk| walk.id).or(character.following.as_ref().map(|following| following.id))
    });
    // An undelivered click starts its walk in the next tick, and the expectation is about that walk.
    let is_clicked = world.character(who).is_some_and(|character| character.player)
        && call.host.spec().is_some_and(|spec| !spec.clicks.borrow().is_empty());
    let (walk, may_be_called_off) = if is_clicked { (None, walk) } else { (walk, None) };
    let name = words_of(call, subject);
    let expected = match arrives {
        true => format!("{name} to arrive within {seconds} s"),
        false => format!("a walk of {name} to end with {wanted} within {seconds} s"),
    };
    let from_tick = world.tick_number();
    Ok(Watch::Walk(Walking {
        who,
        walk,
        may_be_called_off,
        wanted,
        expected,
        from_tick,
        until_tick: from_tick + world.ticks_of(seconds),
        place: caller(call.lua).map(|(file, line)| (file, line as u32)).unwrap_or_default(),
    }))
}

fn near(
    call: &Call<'_>,
    subject: &Value,
    place: &Value,
    metres: &Value,
    more: Option<Value>,
) -> mlua::Result<Verdict> {
    if let (Some(is), Some(wanted)) = (number(subject), number(place)) {
        let tolerance = number(metres).ok_or_else(|| call.wrong("tolerance", "a number", metres))?;
        let claim = format!("to be near {wanted}, by {tolerance} at most");
        let apart = (is - wanted).abs();
        let (holds, seen) = (apart <= tolerance, format!("{is}, {apart} apart"));
        return Ok(Verdict { holds, claim, seen, about: Vec::new(), places: Vec::new() });
    }
    let who = npc_of(call, subject)?;
    let by_numbers = number(place).is_some();
    call.host.call.walker.set(Some(who));
    let at = place_of_value(call, place, metres, "place")?;
    let least = if by_numbers { more.unwrap_or(Value::Nil) } else { metres.clone() };
    let least_m = number(&least).ok_or_else(|| call.wrong("metres", "a number", &least))?;
    let from = position(call, who);
    let words = match place {
        Value::String(name) => name.to_string_lossy(),
        Value::UserData(_) => words_of(call, place),
        _ => format!("({:.2}, {:.2})", at.at.x, at.at.y),
    };
    let distance_m = call.host.world().ground().place_of(from).distance_in_space(at);
    Ok(Verdict {
        holds: distance_m <= least_m,
        claim: format!("to be within {least_m} m of {words}"),
        seen: format!("{distance_m:.2} m away, at {}", whereabouts(call, from)),
        about: [who].into_iter().chain(npc_of(call, place).ok()).collect(),
        places: vec![at.at],
    })
}

fn said(call: &Call<'_>, subject: &Value, text: &str) -> mlua::Result<Verdict> {
    let anybody = subject.as_userdata().is_some_and(|subject| subject.is::<RoomObject>());
    let who = if anybody { None } else { Some(npc_of(call, subject)?) };
    let Some(spec) = call.host.spec() else { return Err(call.fail("no spec runs")) };
    let said = spec.said.borrow();
    let is_theirs = |id: &CharacterId| who.is_none_or(|who| who == *id);
    let told = said.iter().filter(|((who, _), _)| is_theirs(who));
    let told = told.map(|((who, words), &(first, last))| (first, last, *who, words.as_str()));
    // Words said in this tick have not been delivered yet.
    let world = call.host.world();
    let now = world.tick_number();
    let speakers = world.characters().iter().filter(|character| is_theirs(&character.id));
    let shown = speakers.filter_map(|c| Some((now, now, c.id, c.speech.as_ref()?.text.as_str())));
    let all: Vec<(u64, u64, CharacterId, &str)> = told.chain(shown).collect();
    let found = all.iter().filter(|(.., words)| words.contains(text)).min_by_key(|(first, ..)| *first);
    if found.is_none() && spec.more_was_said.get() {
        return Err(
            call.fail("too many different things were said to know; ask earlier, or let them say less")
        );
    }
    let seen = match (found, all.iter().max_by_key(|(_, last, ..)| *last)) {
        (Some((first, _, speaker, words)), _) => {
            let seconds = *first as f64 * world.dt_s();
            format!("{} said “{words}” at {seconds:.2} s", world.name_of(*speaker))
        }
        (None, Some((.., last))) => format!("the last words were “{last}”"),
        (None, None) => "nothing was said".into(),
    };
    let about = who.or(found.map(|(_, _, speaker, _)| *speaker)).into_iter().collect();
    Ok(Verdict {
        holds: found.is_some(),
        claim: format!("to have said “{text}”"),
        seen,
        about,
        places: Vec::new(),
    })
}
