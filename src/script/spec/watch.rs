//! Expectations about later ticks, checked after each tick.

use super::{Finding, ScriptLine, Spec};
use crate::crowd::{CharacterId, Purpose, WalkEnd, WalkId};
use crate::nav::Place;
use crate::script::Scripts;
use crate::script::owner::{Owner, TaskId};
use crate::script::task::Reply;
use crate::world::{Event, EventKind, World};
use glam::DVec2;
use std::collections::btree_map::Entry;

/// An outcome that a sequence waits for.
pub(in crate::script) enum Watch {
    Walk(Walking),
}

/// The end of a walk: the current one, or else the next one.
pub(in crate::script) struct Walking {
    pub(in crate::script) who: CharacterId,
    /// `None` until it has begun.
    pub(in crate::script) walk: Option<WalkId>,
    /// The walk that an undelivered click will replace.
    pub(in crate::script) may_be_called_off: Option<WalkId>,
    /// The name of the expected end.
    pub(in crate::script) wanted: String,
    pub(in crate::script) expected: String,
    pub(in crate::script) from_tick: u64,
    pub(in crate::script) until_tick: u64,
    pub(in crate::script) place: ScriptLine,
}

/// A condition that must hold until the end of the test.
pub(in crate::script) struct Standing {
    pub(in crate::script) who: Who,
    pub(in crate::script) kind: Kind,
    pub(in crate::script) expected: String,
    pub(in crate::script) place: ScriptLine,
}

pub(in crate::script) enum Kind {
    /// Fails when a character is nearer than this.
    ClearOf {
        target: Target,
        least_m: f64,
    },
    NeverIn {
        area: String,
    },
    /// Fails when a walk ends blocked, or makes no progress for this many ticks.
    NotStuck {
        ticks: u32,
    },
}

#[derive(Clone, Copy)]
pub(in crate::script) enum Target {
    Character(CharacterId),
    Point(Place),
}

pub(in crate::script) enum Who {
    These(Vec<CharacterId>),
    Everybody,
}

impl Who {
    pub(in crate::script) fn is(&self, id: CharacterId) -> bool {
        match self {
            Self::These(ids) => ids.contains(&id),
            Self::Everybody => true,
        }
    }
}

/// Maximum different sayings kept for `to_have_said`.
const MOST_SAID: usize = 20_000;

impl Scripts {
    /// Checks events, before scripts get them.
    pub(crate) fn watch_events(&mut self, events: &[Event]) {
        let host = self.host.clone();
        let Some(spec) = host.spec().filter(|_| !events.is_empty()) else { return };
        self.forget_ended(spec);
        let world = host.world();
        for event in events {
            match &event.kind {
                EventKind::Said(who, text) => spec.note_words(*who, text, event.tick),
                EventKind::WalkEnded { who, walk, end, .. } => {
                    for (task, result) in spec.walk_ended(&world, *who, *walk, end) {
                        answer(self, task, result);
                    }
                    spec.look_at_end(&world, *who, end);
                }
                EventKind::Entered(who, area) => spec.look_at_entry(&world, *who, area),
                EventKind::AreaChanged { area, available } => {
                    spec.switched.borrow_mut().insert(area.clone(), (event.tick, *available));
                }
                EventKind::Despawned(who) => {
                    for (task, result) in spec.gone(&world, *who) {
                        answer(self, task, result);
                    }
                }
                _ => {}
            }
        }
    }

    /// Checks the state after a tick.
    pub(crate) fn watch_tick(&mut self) {
        let host = self.host.clone();
        let Some(spec) = host.spec() else { return };
        if spec.watches.borrow().is_empty() && spec.standing.borrow().is_empty() {
            return;
        }
        self.forget_ended(spec);
        let world = host.world();
        for (task, result) in spec.overdue(&world) {
            answer(self, task, result);
        }
        spec.look_at_standing(&world);
    }
}

impl Scripts {
    /// Drops the watches of sequences that have ended, such as a branch that lost its race.
    fn forget_ended(&self, spec: &Spec) {
        let schedule = self.host.schedule.borrow();
        let lives = |task: TaskId| schedule.task(Owner::SPEC, task).is_some();
        spec.watches.borrow_mut().retain(|(task, _)| lives(*task));
        spec.patient.borrow_mut().retain(|task, _| lives(*task));
    }

    /// Fails the conditions that the test still waits for at its end.
    pub(crate) fn fail_unfinished(&self) {
        let Some(spec) = self.host.spec() else { return };
        self.forget_ended(spec);
        let world = self.host.world();
        let seen = || "the test was over before that was known; let it wait for it".to_owned();
        for (_, Watch::Walk(watch)) in spec.watches.take() {
            spec.failed(&world, &watch, seen());
        }
        for (place, expected) in spec.patient.take().into_values() {
            let finding = Finding { expected, seen: seen(), about: Vec::new(), places: Vec::new() };
            spec.fail(&world, place, finding);
        }
    }
}

/// Gives a sequence of the test the result of its wait.
fn answer(scripts: &Scripts, task: TaskId, result: Result<(), String>) {
    scripts.host.schedule.borrow_mut().give_answer(Owner::SPEC, task, Reply::Outside(result));
}

type Answers = Vec<(TaskId, Result<(), String>)>;

impl Spec {
    fn note_words(&self, who: CharacterId, words: &str, tick: u64) {
        let mut said = self.said.borrow_mut();
        let is_full = said.len() >= MOST_SAID;
        match said.entry((who, words.to_owned())) {
            Entry::Occupied(mut known) => known.get_mut().1 = tick,
            Entry::Vacant(_) if is_full => self.more_was_said.set(true),
            Entry::Vacant(new) => drop(new.insert((tick, tick))),
        }
    }

    fn walk_ended(&self, world: &World, who: CharacterId, walk: WalkId, end: &WalkEnd) -> Answers {
        let called_off =
            |watch: &Walking| *end == WalkEnd::Cancelled && watch.may_be_called_off == Some(walk);
        let concerned = |Watch::Walk(watch): &Watch| {
            watch.who == who && watch.walk.is_none_or(|expected| expected == walk) && !called_off(watch)
        };
        self.settle(concerned, |watch| {
            if end.as_str() == watch.wanted {
                return Ok(());
            }
            Err(self.failed(world, watch, ended_otherwise(world, who, end)))
        })
    }

    fn gone(&self, world: &World, who: CharacterId) -> Answers {
        let left = |watch: &Walking| Err(self.failed(world, watch, "it left the room".into()));
        self.settle(|Watch::Walk(watch)| watch.who == who, left)
    }

    fn overdue(&self, world: &World) -> Answers {
        let now = world.tick_number();
        self.settle(
            |Watch::Walk(watch)| watch.until_tick <= now,
            |watch| Err(self.failed(world, watch, not_there_yet(world, watch))),
        )
    }

    /// Removes the watches that are decided now, with their answers.
    fn settle(
        &self,
        is_decided: impl Fn(&Watch) -> bool,
        decide: impl Fn(&Walking) -> Result<(), String>,
    ) -> Answers {
        let mut watches = self.watches.borrow_mut();
        let decided = watches.extract_if(.., |(_, watch)| is_decided(watch)).collect::<Vec<_>>();
        drop(watches);
        decided.into_iter().map(|(task, Watch::Walk(watch))| (task, decide(&watch))).collect()
    }

    fn failed(&self, world: &World, watch: &Walking, seen: String) -> String {
        let finding = Finding {
            expected: watch.expected.clone(),
            seen,
            about: vec![watch.who],
            places: goal(world, watch.who),
        };
        self.fail(world, watch.place.clone(), finding)
    }

    fn look_at_end(&self, world: &World, who: CharacterId, end: &WalkEnd) {
        let WalkEnd::Blocked(by) = end else { return };
        let by = by.as_ref().map(|by| format!(" by {by}")).unwrap_or_default();
        self.break_standing(world, |standing| {
            let stuck = matches!(standing.kind, Kind::NotStuck { .. }) && standing.who.is(who);
            stuck.then(|| {
                let seen = format!("a walk of {} was blocked{by} at {}", world.name_of(who), at(world, who));
                (seen, vec![who])
            })
        });
    }

    fn look_at_entry(&self, world: &World, who: CharacterId, entered: &str) {
        self.break_standing(world, |standing| {
            let Kind::NeverIn { area } = &standing.kind else { return None };
            (area == entered && standing.who.is(who)).then(|| {
                let seen = format!("{} entered it at {}", world.name_of(who), at(world, who));
                (seen, vec![who])
            })
        });
    }

    fn look_at_standing(&self, world: &World) {
        if !self.standing.borrow().is_empty() {
            self.break_standing(world, |standing| {
                too_near(world, standing).or_else(|| idle(world, standing))
            });
        }
    }

    /// Removes the conditions that no longer hold, each with a failure.
    fn break_standing(
        &self,
        world: &World,
        broken: impl Fn(&Standing) -> Option<(String, Vec<CharacterId>)>,
    ) {
        self.standing.borrow_mut().retain(|standing| {
            let Some((seen, about)) = broken(standing) else { return true };
            let places = match standing.kind {
                Kind::ClearOf { target: Target::Point(place), .. } => vec![place.at],
                _ => Vec::new(),
            };
            let finding = Finding { expected: standing.expected.clone(), seen, about, places };
            self.fail(world, standing.place.clone(), finding);
            false
        });
    }
}

/// A character too near to what it should stay clear of.
fn too_near(world: &World, standing: &Standing) -> Option<(String, Vec<CharacterId>)> {
    let Kind::ClearOf { target, least_m } = standing.kind else { return None };
    let (point, other) = match target {
        Target::Character(id) => (world.ground().place_of(world.character(id)?.position), Some(id)),
        Target::Point(point) => (point, None),
    };
    let mut all = world.characters().iter().filter(|c| Some(c.id) != other && standing.who.is(c.id));
    let ground = world.ground();
    let near =
        all.find(|c| c.position.at.distance(point.at) < least_m && ground.floors_touch(c.position, point))?;
    let distance_m = near.position.at.distance(point.at);
    let seen = format!("{} came within {distance_m:.2} m, at {}", near.name, at(world, near.id));
    Some((seen, [near.id].into_iter().chain(other).collect()))
}

/// A character without progress.
fn idle(world: &World, standing: &Standing) -> Option<(String, Vec<CharacterId>)> {
    let Kind::NotStuck { ticks } = standing.kind else { return None };
    let is_idle =
        |walk: &crate::crowd::Walk| walk.purpose == Purpose::Errand && walk.progress.idle_ticks > ticks;
    let mut all = world.characters().iter().filter(|c| standing.who.is(c.id));
    let stuck = all.find(|c| c.walk.as_ref().is_some_and(is_idle))?;
    let by = stuck.walk.as_ref().and_then(|walk| walk.held_up.by.or(walk.held_up.before_by));
    let held = by.map(|by| format!(", held up by {}", world.name_of(by))).unwrap_or_default();
    let seconds = f64::from(ticks) * world.dt_s();
    let seen = format!("{} did not get on for {seconds:.1} s at {}{held}", stuck.name, at(world, stuck.id));
    Some((seen, [stuck.id].into_iter().chain(by).collect()))
}

fn ended_otherwise(world: &World, who: CharacterId, end: &WalkEnd) -> String {
    let last = world.character(who).and_then(|character| character.last_walk.as_ref());
    let to = last.map(|walk| format!(" to ({:.2}, {:.2})", walk.requested.at.x, walk.requested.at.y));
    let took = last.map(|walk| format!(" after {:.2} s", walk.ticks as f64 * world.dt_s()));
    let (to, took) = (to.unwrap_or_default(), took.unwrap_or_default());
    let why = match (end, last) {
        (WalkEnd::Partial | WalkEnd::NoPath | WalkEnd::Blocked(None), Some(walk)) => {
            why_not(world, who, walk.requested).map(|why| format!(": {why}")).unwrap_or_default()
        }
        (WalkEnd::Cancelled, _) => match world.character(who).and_then(|c| c.walk.as_ref()) {
            Some(other) => {
                format!(
                    ": another target called it off, ({:.2}, {:.2})",
                    other.goal.place.at.x, other.goal.place.at.y
                )
            }
            None => ": a stop or a teleport called it off".into(),
        },
        _ => String::new(),
    };
    format!("its walk{to} ended as {end}{took}{why}")
}

fn not_there_yet(world: &World, watch: &Walking) -> String {
    let seconds = (watch.until_tick - watch.from_tick) as f64 * world.dt_s();
    let Some(character) = world.character(watch.who) else { return "it left the room".into() };
    let here = at(world, watch.who);
    match &character.walk {
        Some(walk) => {
            let left_m = walk.corridor.left_m(character.position);
            let held = walk.held_up.by.map(|by| format!(", held up by {}", world.name_of(by)));
            let held = held.unwrap_or_default();
            format!("after {seconds:.2} s it is still on its way at {here}, {left_m:.1} m from the end{held}")
        }
        None => format!("after {seconds:.2} s no walk has ended, and it stands at {here}"),
    }
}

/// What is in the way; `None` if nothing is.
pub(in crate::script) fn why_not(world: &World, who: CharacterId, to: Place) -> Option<String> {
    // The world, with its search cache, must not change, so a clone is searched.
    let explanation = world.clone().explain(&world.query_of(who, to)?, MOST_WORK).ok()?;
    (!explanation.is_complete()).then(|| explanation.to_string())
}

/// Maximum work of an explanation for a report, in expansions: some tens of milliseconds.
const MOST_WORK: u64 = 1_000_000;

fn goal(world: &World, who: CharacterId) -> Vec<DVec2> {
    let character = world.character(who);
    let target = character.and_then(|c| c.target().or(c.last_walk.as_ref().map(|walk| walk.requested)));
    target.into_iter().map(|target| target.at).collect()
}

fn at(world: &World, who: CharacterId) -> String {
    world
        .character(who)
        .map_or("nowhere".into(), |c| format!("({:.2}, {:.2})", c.position.at.x, c.position.at.y))
}
