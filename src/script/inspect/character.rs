//! What the world knows of a character: its state, its walk, and how the last one ended.

use super::super::answer::{Datum, Record};
use super::{Inspection, Onlooker, Row, Section, metres};
use crate::crowd::{Character, CharacterId, Following, LastWalk, Purpose, Walk, WalkEnd};
use crate::script::owner::Owner;
use crate::world::Delay;

impl Onlooker<'_> {
    pub(super) fn character(&self, who: CharacterId) -> Option<Inspection> {
        let Some(character) = self.world.character(who) else { return self.departed(who) };
        let mut all = Inspection { name: character.name.clone(), sections: Vec::new() };
        all.add(self.state(character));
        all.add(self.walk(character));
        all.add(self.last_walk(character));
        let owner = Owner::Character(who);
        let memory = self.host.instances.borrow().get(who).map(|instance| instance.memory.clone());
        if let Some(memory) = memory {
            all.add(self.table("self", &memory));
            all.add(self.handlers(owner, "handlers"));
        }
        all.add(self.sequences(&[owner]));
        all.add(self.timers(&[owner]));
        all.add(self.messages(Some(who)));
        all.add(self.arrivals(character));
        Some(all)
    }

    /// What is still known of a character that left.
    fn departed(&self, who: CharacterId) -> Option<Inspection> {
        let gone = self.world.departed(who)?;
        let mut section = Section::new("character");
        let ago = self.seconds(self.now.saturating_sub(gone.tick));
        section.say("left", format!("{ago} ago, in tick {}", gone.tick));
        if !gone.tags.is_empty() {
            section.say("tags", gone.tags.join(", "));
        }
        Some(Inspection { name: gone.name.clone(), sections: vec![section] })
    }

    fn state(&self, character: &Character) -> Section {
        let mut section = Section::new("character");
        let state = match (character.is_active(), character.alive) {
            (false, true) => "disabled: it does not take part",
            (false, false) => "dead: it does not take part",
            (true, _) if character.crossing.is_some() => "crosses a link",
            (true, _) if character.steering.is_some() => "is steered",
            (true, _) if character.is_standing() && character.walk.is_some() => "waits",
            (true, _) if !character.is_moving() => "stands",
            (true, _) => "walks",
        };
        section.say("state", state);
        section.say("place", metres(self.world.seen_at(character)));
        let ground = self.world.ground();
        let within = ground.areas().filter(|&area| ground.area_contains(area, character.position));
        let areas: Vec<&str> = within.map(|area| ground.area_name(area)).collect();
        let corners: usize = self.world.room().areas.iter().map(|area| 80 + area.polygon.len()).sum();
        self.spend(corners as u64 / 4);
        if !areas.is_empty() {
            section.say("area", areas.join(", "));
        }
        section.say("heading", format!("{:.0}°", character.heading_rad.to_degrees()));
        if let Some(file) = &character.behaviour {
            section.rows.push(Row::of("script").text(file).at((file.clone(), 1)));
        }
        let now_mps = character.velocity_mps().length();
        let now = if now_mps > 0.01 { format!(", now {now_mps:.2} m/s") } else { String::new() };
        let here = match character.ground_speed {
            1.0 => String::new(),
            factor => format!(", {factor} times on this ground"),
        };
        section.say("speed", format!("{:.2} m/s{here}{now}", character.walk_speed_mps));
        let radius_m = self.world.radius_m(character);
        let keeps = match character.collision_radius_m {
            same if same == radius_m => String::new(),
            other => format!(", {other:.2} m for others"),
        };
        section.say("radius", format!("{radius_m:.2} m{keeps}"));
        let shut = ground.areas().filter(|&area| !self.world.may_enter(character, area));
        let shut: Vec<&str> = shut.map(|area| ground.area_name(area)).collect();
        if !shut.is_empty() {
            section.say("may not enter", shut.join(", "));
        }
        section.say("priority", character.priority.to_string());
        for (label, holds) in [("player", character.player), ("pinned", character.pinned)] {
            if holds {
                section.say(label, "yes");
            }
        }
        if character.returns_to_post {
            section.say("post", self.place(ground.place_of(character.post)));
        }
        if let Some(actor) = &character.actor {
            let [x, y, level] = actor.cell;
            let (side, tu, budget) = (&actor.side, actor.tu, actor.budget);
            section.say("actor", format!("of {side}, at {x}, {y}, {level}, {tu} of {budget} TU left"));
        }
        if !character.tags.is_empty() {
            section.say("tags", character.tags.join(", "));
        }
        if !character.inventory.is_empty() {
            let item = |(name, count): (&String, &u32)| {
                (Datum::Text(name.clone()), Datum::Integer(i64::from(*count)))
            };
            let fields = character.inventory.iter().map(item).collect();
            section.rows.push(Row::of("pockets").value(Datum::Table(Record { fields, ..Record::default() })));
        }
        let speech = character.speech.as_ref().filter(|speech| speech.until_tick > self.now);
        if let Some(speech) = speech {
            let left = self.seconds(speech.until_tick - self.now);
            let words = Datum::Text(speech.text.clone());
            section.rows.push(Row::of("says").text(format!("for {left} more")).value(words));
        }
        section
    }

    fn walk(&self, character: &Character) -> Section {
        let mut section = Section::new("walk");
        if let Some(walk) = &character.walk {
            self.errand(character, walk, &mut section);
        }
        if let Some(following) = &character.following {
            section.say("follows", self.following(following));
        }
        if let Some(crossing) = &character.crossing {
            let name = if crossing.link.is_empty() { "the air" } else { &crossing.link };
            let time = match crossing.ticks {
                Some(_) => format!("{} left", self.seconds(crossing.left_ticks(self.now))),
                None => "until the game or on_link ends it".to_owned(),
            };
            let back = if crossing.is_return { ", back to where it set out" } else { "" };
            section.say("crosses", format!("{name}, {time}{back}"));
        }
        if let Some(turn) = &character.turn {
            section.say("turns", format!("to {}", self.place(turn.to)));
        }
        if let Some(by) = character.steering {
            section.say("steered", format!("({:.2}, {:.2})", by.x, by.y));
        }
        if let Some(on) = &character.on_waypath {
            let waypaths = self.world.links().waypaths();
            let placed = waypaths.iter().find(|placed| placed.id == on.waypath);
            let name = placed.map_or("one that is gone", |placed| &placed.waypath.name);
            let point = on.point.map(|point| format!(", last at point {}", point + 1)).unwrap_or_default();
            section.say("waypath", format!("{name}{point}"));
        }
        for aside in character.set_aside.iter().rev() {
            let walk = aside.walks_to().map(|place| format!("the walk to {}", self.place(place)));
            let following = || aside.following.as_ref().map(|it| format!("following {}", self.following(it)));
            let turn = || aside.turn.as_ref().map(|turn| format!("the turn to {}", self.place(turn.to)));
            let task = walk.or_else(following).or_else(turn).unwrap_or_else(|| "nothing".into());
            let ago = self.seconds(self.now.saturating_sub(aside.since_tick));
            section.say("set aside", format!("{task}, since {ago}"));
        }
        let schedule = self.host.schedule.borrow();
        if let Some((owner, id)) = schedule.director_of(character.id) {
            let beginning = schedule.task(owner, id).map(|task| task.beginning.clone()).unwrap_or_default();
            let text = format!("directed by {}", self.owner(owner));
            section.rows.push(Row::of("scene").text(text).at(beginning));
        }
        section
    }

    fn following(&self, following: &Following) -> String {
        let beside = if following.beside { ", at its side" } else { "" };
        format!("{}{beside}, {:.2} m apart", self.world.name_of(following.who), following.near_m)
    }

    fn errand(&self, character: &Character, walk: &Walk, section: &mut Section) {
        let goal = match (walk.goal.up_to, &walk.goal.to_use) {
            (Some(other), _) => format!("up to {}", self.world.name_of(other)),
            (None, Some(object)) => format!("{object}, to use it"),
            (None, None) => self.place(walk.goal.place),
        };
        match walk.purpose {
            Purpose::Errand => section.say("to", goal),
            Purpose::StepAside => {
                section.say("to", format!("{goal}, of its own: aside, or back to its post"))
            }
        }
        let left_m = walk.corridor.left_m(character.landing());
        let left = if walk.corridor.is_empty() { "no path yet".into() } else { format!("{left_m:.2} m") };
        section.say("left", left);
        section.say("since", self.seconds(self.now.saturating_sub(walk.began_tick)));
        if walk.partial {
            let text = "the path leads only as near as there is a way";
            section.rows.push(Row::of("partial").text(text).bad(true));
        }
        for delay in self.world.delays_of(character.id) {
            let is_bad = matches!(delay, Delay::HeldUp { .. });
            section.rows.push(Row::of("waits").text(self.delay(&delay)).bad(is_bad));
        }
    }

    fn delay(&self, delay: &Delay) -> String {
        let name = |who: CharacterId| self.world.name_of(who);
        match delay {
            Delay::Path { walks_on: false } => "for its path, which is being looked for".into(),
            Delay::Path { walks_on: true } => "for another path, and walks on meanwhile".into(),
            Delay::GivesWay { to, is_there: false } => format!("steps out of the way of {}", name(*to)),
            Delay::GivesWay { to, is_there: true } => {
                format!("out of the way until {} has passed", name(*to))
            }
            Delay::RightOfWay => "lets others pass who have the right of way".into(),
            Delay::Queue { behind } => format!("in a queue behind {}", name(*behind)),
            Delay::Link { name, others_before: 0 } => format!("in line for {name}, as the next one"),
            Delay::Link { name, others_before } => {
                format!("in line for {name}, behind {others_before} others")
            }
            Delay::Area { name } => format!("before {name}, which is about to close"),
            Delay::HeldUp { by: Some(by), ticks } => {
                format!("held up by {} for {}", name(*by), self.seconds(u64::from(*ticks)))
            }
            Delay::HeldUp { by: None, ticks } => format!("stuck for {}", self.seconds(u64::from(*ticks))),
            Delay::NoSpeed => "its walking speed is zero".into(),
        }
    }

    fn last_walk(&self, character: &Character) -> Section {
        let mut section = Section::new("last walk");
        let Some(last) = character.last_walk.as_deref() else { return section };
        let LastWalk { requested, reached, ref end, ticks, ended_tick, .. } = *last;
        let is_bad = !matches!(end, WalkEnd::Arrived | WalkEnd::Cancelled);
        section.rows.push(Row::of("end").text(self.end(character.id, last)).bad(is_bad));
        section.say("to", self.place(requested));
        section.say("ago", self.seconds(self.now.saturating_sub(ended_tick)));
        section.say("took", self.seconds(ticks));
        let missed_m = self.world.ground().missed_m(requested, reached);
        section.say("ended", format!("{missed_m:.2} m from where it was to go"));
        section
    }

    /// How a walk ended, and why.
    fn end(&self, who: CharacterId, last: &LastWalk) -> String {
        let reason = match &last.end {
            WalkEnd::Arrived => return "arrived".into(),
            WalkEnd::Partial => "there is no way to the goal itself, so it went as near as it could".into(),
            WalkEnd::NoPath => "there is no way at all".into(),
            WalkEnd::Blocked(Some(by)) => format!("{by} held it up for too long"),
            WalkEnd::Blocked(None) => "it made no progress for too long".into(),
            WalkEnd::Cancelled => {
                let cancelled = self.host.people.cancelled.borrow();
                let by = cancelled.get(&who).filter(|(walk, _)| *walk == last.walk).map(|(_, by)| by);
                by.map_or("something else came first".into(), |by| format!("called off by {by}"))
            }
            WalkEnd::Timeout => "it took longer than its script allowed".into(),
            WalkEnd::Despawned => "it left the room".into(),
        };
        format!("{}: {reason}", last.end.as_str())
    }
}
