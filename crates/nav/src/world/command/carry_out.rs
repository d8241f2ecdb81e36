//! Carrying commands out.

use super::{Applied, Command, MAX_CHARACTERS, Setting};
use crate::crowd::{Character, CharacterId, Replan, Speech, WalkEnd, WalkId};
use crate::nav::Place;
use crate::problem::did_you_mean;
use crate::room::{CharacterSpec, Room, RoomChange, difference};
use crate::surface::NextGround;
use crate::world::command_error::{CommandError, MAX_SPEECH_BYTES};
use crate::world::limits::{check_place, check_spec, check_tags, finite};
use crate::world::{EventKind, LogEntry, World, checked, stream};

impl World {
    /// Carries out a command.
    ///
    /// # Errors
    /// [`CommandError`]; the world is then as it was.
    pub fn apply(&mut self, command: Command) -> Result<Applied, CommandError> {
        if let Command::ReplaceRoom(room) = &command {
            checked(room).map_err(CommandError::Ground)?;
        }
        self.apply_checked(command)
    }

    /// [`World::apply`] for a room that was read from a file, which has checked it.
    pub fn apply_checked(&mut self, command: Command) -> Result<Applied, CommandError> {
        if self.outbox.command_log.is_none() {
            return self.carry_out(command);
        }
        let applied = self.carry_out(command.clone())?;
        Ok(self.logged(command, applied))
    }

    /// [`Command::ReplaceRoom`] by a room that was read from a file, which has checked it, made its ground, and found the
    /// [`difference`] from [`World::room`].
    pub fn replace_room_over(
        &mut self,
        room: Room,
        change: &RoomChange,
        next: NextGround,
    ) -> Result<Applied, CommandError> {
        let command = self.outbox.command_log.is_some().then(|| Command::ReplaceRoom(Box::new(room.clone())));
        let applied = self.replace_room(room, change, Some(next))?;
        Ok(match command {
            Some(command) => self.logged(command, applied),
            None => applied,
        })
    }

    fn logged(&mut self, command: Command, applied: Applied) -> Applied {
        if let Some(command_log) =
            self.outbox.command_log.as_mut().filter(|_| applied != Applied::Changed(false))
        {
            command_log.push(LogEntry::Did(command));
        }
        applied
    }

    /// [`World::apply`] by the world itself, without the command log.
    pub(in crate::world) fn carry_out(&mut self, command: Command) -> Result<Applied, CommandError> {
        if let Some(who) = command.walker()
            && self.characters.get(who).is_some_and(|character| character.actor.is_some())
        {
            return Err(CommandError::IsActor(self.name_of(who).to_owned()));
        }
        match command {
            Command::SetTarget { who, to } => {
                check_place(to)?;
                self.set_target(who, to, None).map(Applied::Walking)
            }
            Command::SetExactTarget { who, to, look_at } => {
                check_place(to)?;
                look_at.map_or(Ok(()), check_place)?;
                let walk = self.set_target(who, to, None)?;
                self.walk_exactly(who, look_at);
                Ok(Applied::Walking(walk))
            }
            Command::TalkTo { who, other } => {
                if who == other {
                    return Err(CommandError::Oneself);
                }
                let to = self.present(other)?.position;
                let to = self.ground.place_of(to);
                self.set_target(who, to, Some(other)).map(Applied::Walking)
            }
            Command::Follow { who, other, distance_m } => self.follow(who, other, distance_m, false),
            Command::WalkBeside { who, other } => self.follow(who, other, 0.0, true),
            Command::Turn { who, to } => self.turn(who, to),
            Command::Give { who, thing, count } => self.give(who, thing, count),
            Command::Take { who, thing, count } => self.take(who, &thing, count),
            Command::Stop { who, walk, end } => self.stop(who, walk, end),
            Command::ForceReplan(who) => {
                let walking = self.present(who)?.walk.is_some();
                if walking {
                    self.request_replan(who, Replan::Forced);
                }
                Ok(Applied::Changed(walking))
            }
            Command::Teleport { who, to } => self.teleport(who, to),
            Command::Tune { who, setting } => self.tune(who, setting),
            Command::SetAreaAvailable { area, available } => {
                let Some(id) = self.ground.area_named(&area) else { return Err(self.no_such_area(area)) };
                Ok(Applied::Changed(self.set_area_available(id, available)))
            }
            Command::Spawn(spec) => self.spawn(&spec).map(Applied::Spawned),
            Command::Despawn(who) => self.despawn(who),
            Command::Click(at) => {
                check_place(at)?;
                self.emit(EventKind::Clicked(at));
                Ok(Applied::Done)
            }
            Command::Use { who, object } => self.set_out_to_use(who, object).map(Applied::Walking),
            Command::Say { who, text, seconds } => self.say(who, text, seconds),
            Command::Interrupt(who) => self.interrupt(who),
            Command::Resume { who, level } => self.resume(who, level),
            Command::Steer { who, direction } => self.steer(who, direction),
            Command::AddLink(link) => self.add_link(*link),
            Command::RemoveLink(name) => self.remove_link(&name),
            Command::SetLinkAvailable { link, available } => self.set_link_available(&link, available),
            Command::RecordJump { from, to, velocity_mps, time_s } => {
                self.record_jump(from, to, velocity_mps, time_s)
            }
            Command::Jump { who, to, velocity_mps, time_s } => self.jump(who, to, velocity_mps, time_s),
            Command::AddWaypath(waypath) => self.add_waypath(*waypath),
            Command::RemoveWaypath(name) => self.remove_waypath(&name),
            Command::SetWaypathAvailable { waypath, available } => {
                self.set_waypath_available(&waypath, available)
            }
            Command::TimeCrossing { who, seconds } => self.time_crossing(who, seconds),
            Command::SetFocus(focus) => self.set_focus(focus),
            Command::PlaceActor { who, place } => self.place_actor(who, *place),
            Command::RemoveActor(who) => Ok(Applied::Changed(self.remove_actor(who)?)),
            Command::WalkCells { who, steps, cells_per_s } => {
                self.walk_cells(who, steps, cells_per_s).map(Applied::Walking)
            }
            Command::TakeStance { who, stance } => self.take_stance(who, stance).map(Applied::Walking),
            Command::SetFlying { who, flies } => self.set_flying(who, flies),
            Command::BeginTurn(side) => self.begin_turn(side),
            Command::Push { who, by } => self.push(who, by),
            Command::CallGame { .. } => Ok(Applied::Done),
            Command::SetHotspot { hotspot, change } => self.hotspots.set(&self.room, hotspot, *change),
            Command::ReplaceRoom(room) => {
                let change = difference(&self.room, &room);
                self.replace_room(*room, &change, None)
            }
        }
    }

    /// The name that may have been meant instead of `name`, among characters, points, hotspots and areas.
    pub fn similar_place(&self, name: &str) -> Option<&str> {
        let characters = self.characters().iter().map(|c| c.name.as_str());
        let hotspots = self.room().hotspots.iter().map(|hotspot| hotspot.name.as_str());
        let areas = self.room().areas.iter().map(|area| area.name.as_str());
        let points = self.room().points.keys().map(String::as_str);
        did_you_mean(name, points.chain(characters).chain(hotspots).chain(areas))
    }

    /// The error for an area that does not exist.
    pub fn no_such_area(&self, name: String) -> CommandError {
        let names = self.ground().areas().map(|area| self.ground().area_name(area));
        let meant = did_you_mean(&name, names).map(str::to_owned);
        CommandError::NoSuchArea(name, meant)
    }

    pub(in crate::world) fn present(&mut self, who: CharacterId) -> Result<&mut Character, CommandError> {
        self.characters.get_mut(who).ok_or(CommandError::Gone(who))
    }

    fn stop(
        &mut self,
        who: CharacterId,
        walk: Option<WalkId>,
        end: WalkEnd,
    ) -> Result<Applied, CommandError> {
        let character = self.present(who)?;
        let turns = character.turn.map(|turn| turn.id) == walk;
        let following = character.following.as_ref().map(|following| following.id);
        let cell_walk = character.actor.as_ref().and_then(|actor| Some(actor.walk.as_ref()?.id));
        let walks = following.or(character.walk.as_ref().map(|walk| walk.id)).or(cell_walk) == walk;
        Ok(Applied::Changed(match walk {
            None => self.call_off(who, end),
            Some(_) if turns => self.end_turn(who, end),
            Some(_) if walks => self.end_errand(who, end),
            Some(walk) => self.stop_aside(who, walk, &end),
        }))
    }

    fn teleport(&mut self, who: CharacterId, to: Place) -> Result<Applied, CommandError> {
        check_place(to)?;
        let class = self.present(who)?.class;
        let position = self.ground.locate(to);
        if !self.ground.of(class).is_walkable(position) {
            return Err(CommandError::NotWalkable(to));
        }
        self.call_off(who, WalkEnd::Cancelled);
        self.leave_link(who, false);
        let character = self.present(who)?;
        (character.position, character.on_waypath) = (position, None);
        self.post_here(who);
        Ok(Applied::Done)
    }

    fn tune(&mut self, who: CharacterId, setting: Setting) -> Result<Applied, CommandError> {
        let present = self.characters.get(who).ok_or(CommandError::Gone(who))?;
        let comes_back_at = self.place_to_come_back(present, &setting)?;
        let mut setting = setting;
        if let Setting::Tags(tags) = &mut setting {
            tags.sort();
            tags.dedup();
            check_tags(tags)?;
        }
        let class = self.class_with(who, &setting)?;
        let own_radius_m = self.room.ground.agent_radius_m;
        let character = self.present(who)?;
        match setting {
            Setting::Heading(v) => {
                character.heading_rad = libm::remainder(finite("heading", v)?, std::f64::consts::TAU);
                character.post_heading_rad = character.heading_rad;
            }
            Setting::Behaviour(v) => character.behaviour = v,
            setting => {
                let is_radius = matches!(setting, Setting::Radius(_));
                let had_post = character.returns_to_post;
                let radius_m = character.traits.radius_m.unwrap_or(own_radius_m);
                let is_as_wide = character.collision_radius_m == radius_m;
                setting.set(&mut character.traits).map_err(CommandError::BadNumber)?;
                if character.returns_to_post && !had_post {
                    (character.post, character.post_heading_rad) =
                        (character.position, character.heading_rad);
                }
                if is_as_wide && is_radius {
                    character.collision_radius_m = character.traits.radius_m.unwrap_or(own_radius_m);
                }
            }
        }
        if !character.is_active() {
            character.on_waypath = None;
            self.call_off(who, WalkEnd::Cancelled);
            self.leave_link(who, true);
        }
        self.come_back(who, comes_back_at);
        class.into_iter().for_each(|class| self.join_class(who, class));
        Ok(Applied::Done)
    }

    pub(in crate::world) fn spawn(&mut self, spec: &CharacterSpec) -> Result<CharacterId, CommandError> {
        check_place(spec.at)?;
        check_spec(spec)?;
        if self.characters.all().len() >= MAX_CHARACTERS {
            return Err(CommandError::Full(MAX_CHARACTERS));
        }
        if self.characters.named(&spec.name).is_some() || self.room.points.contains_key(&spec.name) {
            return Err(CommandError::NameTaken(spec.name.clone()));
        }
        let class = self.class_for(&spec.traits)?;
        let ground = self.ground.of(class);
        let place = match self.nearest_on(ground, spec.at) {
            Some(place) => Some(place),
            None => ground.nearest(ground.locate(spec.at), f64::INFINITY),
        };
        let place = place.ok_or(CommandError::NoGround(spec.at))?;
        let id = self.characters.next_id();
        let is_moved = place.at != spec.at.at;
        let character = Character::new(id, spec, place, stream(self.random.seed, &spec.name));
        self.characters.add(Character { class, ..character });
        // Nobody is put upon others because its own place is no ground.
        if is_moved && let Some(character) = self.characters.get(id) {
            let free = self.free_ground(character, place);
            if let Some(character) = self.characters.get_mut(id) {
                (character.position, character.post) = (free, free);
            }
        }
        self.emit(EventKind::Spawned(id));
        self.spawn_actor(id, spec);
        Ok(id)
    }

    pub(in crate::world) fn despawn(&mut self, who: CharacterId) -> Result<Applied, CommandError> {
        self.present(who)?;
        self.call_off(who, WalkEnd::Despawned);
        self.drop_all_aside(who, &WalkEnd::Despawned);
        self.leave_link(who, true);
        for area in self.occupancy.inside.remove(&who).unwrap_or_default() {
            let name = self.ground.area_name(area).to_owned();
            self.emit(EventKind::Left(who, name));
        }
        if let Some(character) = self.characters.remove(who) {
            self.register.note_departed(character, self.tick);
        }
        self.emit(EventKind::Despawned(who));
        Ok(Applied::Done)
    }

    fn say(&mut self, who: CharacterId, text: String, seconds: f64) -> Result<Applied, CommandError> {
        if !(0.0..=3600.0).contains(&seconds) {
            return Err(CommandError::BadNumber(format!(
                "seconds must be between 0 and 3600, not {seconds}"
            )));
        }
        if text.len() > MAX_SPEECH_BYTES {
            return Err(CommandError::BadText);
        }
        let until_tick = self.tick + self.ticks_of(seconds);
        self.present(who)?.speech = Some(Box::new(Speech { text: text.clone(), until_tick }));
        self.emit(EventKind::Said(who, text));
        Ok(Applied::Done)
    }
}
