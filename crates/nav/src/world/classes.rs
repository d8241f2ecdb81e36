//! What is ground for whom: the classes of walkers, by the radius of their bodies and the areas that they may not enter.

use super::{CommandError, Setting, World};
use crate::crowd::{Character, CharacterId, Replan};
use crate::nav::{AreaId, ClassId};
use crate::plan::{Grounds, LinkNet, WalkerClass};
use crate::room::{Room, Traits};
use crate::surface::Surface;

impl World {
    /// What is ground for a character: the room's ground, as far as its body fits and it may enter.
    pub fn ground_of(&self, who: &Character) -> &Surface {
        self.ground.of(who.class)
    }

    /// What is ground for a class of walkers.
    pub fn ground_in(&self, class: ClassId) -> &Surface {
        self.ground.of(class)
    }

    /// The links and waypaths with ends on the ground of a class.
    pub fn links_in(&self, class: ClassId) -> &LinkNet {
        self.ground.net(class, &self.links)
    }

    /// The class of a character; that of the room's own walker for one that has left.
    pub fn class_of(&self, who: CharacterId) -> ClassId {
        self.characters.get(who).map_or_else(ClassId::default, |character| character.class)
    }

    /// The class of bodies with this radius in metres (`None`: the room's own) and these tags. Its ground is made if there
    /// is nobody of it.
    ///
    /// # Errors
    /// [`CommandError::NoClass`] if there is no such ground.
    pub fn find_class(&mut self, radius_m: Option<f64>, tags: &[String]) -> Result<ClassId, CommandError> {
        let traits = Traits { radius_m, tags: tags.into(), ..Traits::default() };
        traits.check().map_err(CommandError::BadNumber)?;
        self.class_for(&traits)
    }

    /// Whether a character may enter an area, open or not: whether `only` and `never` of the area let it.
    pub fn may_enter(&self, who: &Character, area: AreaId) -> bool {
        self.room.areas.get(area.0).is_none_or(|area| area.admits(&who.tags))
    }

    /// The radius of a character's body, in metres.
    pub fn radius_m(&self, who: &Character) -> f64 {
        who.traits.radius_m.unwrap_or(self.room.ground.agent_radius_m)
    }

    /// The class of one with these traits. Its ground is made if it is the first of its class.
    pub(super) fn class_for(&mut self, traits: &Traits) -> Result<ClassId, CommandError> {
        self.class_instead(traits, None)
    }

    /// [`World::class_for`] for one that was of another class.
    fn class_instead(&mut self, traits: &Traits, before: Option<ClassId>) -> Result<ClassId, CommandError> {
        let class = walker_class(&self.room, traits);
        let of_that = self.characters().iter().filter(|character| Some(character.class) == before);
        let leaves = before.is_some_and(|before| before != ClassId::default()) && of_that.count() == 1;
        self.forget_classes();
        self.ground.find_or_make(class, &self.links, leaves).map_err(CommandError::NoClass)
    }

    /// Forgets the classes that nobody is of.
    pub(super) fn forget_classes(&mut self) {
        if self.ground.has_classes() {
            let Self { ground, characters, .. } = self;
            ground.keep_used(|id| characters.all().iter().any(|one| one.class == id));
        }
    }

    /// The class of a character with another setting. `None`: it stays as it is.
    pub(super) fn class_with(
        &mut self,
        who: CharacterId,
        setting: &Setting,
    ) -> Result<Option<ClassId>, CommandError> {
        if !matches!(setting, Setting::Radius(_) | Setting::Tags(_)) {
            return Ok(None);
        }
        let character = self.present(who)?;
        let (mut traits, before, at) = (character.traits.clone(), character.class, character.position);
        setting.clone().set(&mut traits).map_err(CommandError::BadNumber)?;
        let class = self.class_instead(&traits, Some(before))?;
        if !self.ground_in(class).has_ground() {
            return Err(CommandError::NoGround(self.ground.place_of(at)));
        }
        Ok(Some(class))
    }

    /// A character has another radius or other tags. If its class has changed, it is put on the nearest ground of its own, and
    /// plans again.
    pub(super) fn join_class(&mut self, who: CharacterId, class: ClassId) {
        let Some(character) = self.characters.get_mut(who) else { return };
        if std::mem::replace(&mut character.class, class) == class {
            return;
        }
        let waits_for_path = character.walk.as_ref().is_some_and(|walk| walk.path_request.is_some());
        if waits_for_path {
            self.planning.queue.cancel(who); // it may be under way over the other ground
            self.planning.queue.submit(who, self.tick);
        }
        self.evict(who);
        self.request_replan(who, Replan::GroundChanged);
    }

    /// The classes of all characters over the ground of a room that has none yet.
    ///
    /// # Errors
    /// [`CommandError::NoClass`] if there is no ground for one of them.
    pub(super) fn classes_over(
        &self,
        ground: &mut Grounds,
        room: &Room,
    ) -> Result<Vec<ClassId>, CommandError> {
        let class_of = |character: &Character| {
            let class = walker_class(room, &character.traits);
            ground.find_or_make(class, &self.links, false).map_err(CommandError::NoClass)
        };
        self.characters().iter().map(class_of).collect()
    }
}

/// The ground for one with these traits, if it is not that of the room's own walker. `None`, too, if there is none.
#[doc(hidden)]
pub fn ground_for(room: &Room, ground: &Surface, traits: &Traits) -> Option<Surface> {
    let class = walker_class(room, traits);
    let mut grounds = Grounds::new(ground.clone());
    let class = grounds.find_or_make(class, &LinkNet::default(), false).ok()?;
    (class != ClassId::default()).then(|| grounds.of(class).clone())
}

/// The class of one with these traits.
pub(super) fn walker_class(room: &Room, traits: &Traits) -> WalkerClass {
    let own_radius_m = room.ground.agent_radius_m;
    let barred = room.areas.iter().enumerate().filter(|(_, area)| !area.admits(&traits.tags));
    WalkerClass {
        radius_m: traits.radius_m.filter(|radius_m| *radius_m != own_radius_m),
        barred: barred.map(|(number, _)| AreaId(number)).collect(),
    }
}
