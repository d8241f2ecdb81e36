//! The scripts of a room while none of them runs, and the loan of the room's world to them.
//!
//! The runtime owns the world, so everybody reads it by a plain reference. While scripts run, the world is lent to them:
//! two pointers change places. Then nobody else can look at it, which the compiler proves, as the loan borrows the
//! runtime mutably.

use super::{Errors, ScriptError, Scripts};
use crate::world::World;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

/// Scripts without their world.
pub(crate) struct ParkedScripts {
    /// Locked for a question to them. No code of a script or of the game runs then, so no question waits for itself.
    scripts: Mutex<Scripts>,
    /// Their errors, which can be read without the lock.
    errors: Errors,
}

/// Scripts with their world, until this is dropped.
pub(crate) struct Lent<'a> {
    scripts: &'a mut Scripts,
    world: &'a mut Arc<World>,
    errors: &'a mut Errors,
}

impl ParkedScripts {
    /// Parks scripts; their world is for the runtime to keep.
    pub(crate) fn new(mut scripts: Scripts) -> (Self, Arc<World>) {
        let mut world = scripts.nowhere.clone();
        scripts.host.swap_world(&mut world);
        let errors = std::mem::take(&mut scripts.errors);
        (Self { scripts: Mutex::new(scripts), errors }, world)
    }

    /// Lends them the world.
    pub(crate) fn lend<'a>(&'a mut self, world: &'a mut Arc<World>) -> Lent<'a> {
        let scripts = self.scripts.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut lent = Lent { scripts, world, errors: &mut self.errors };
        lent.change_places();
        lent
    }

    /// Asks them something that runs none of them and changes nothing. They read the world meanwhile, as others may.
    pub(crate) fn ask<R>(&self, world: &Arc<World>, question: impl FnOnce(&Scripts) -> R) -> R {
        let scripts = self.scripts.lock().unwrap_or_else(PoisonError::into_inner);
        let mut world = world.clone();
        scripts.host.swap_world(&mut world);
        let answer = question(&scripts);
        scripts.host.swap_world(&mut world);
        answer
    }

    /// Every distinct error so far (the first thousand), with its count.
    pub(crate) fn errors(&self) -> impl Iterator<Item = &ScriptError> {
        self.errors.values()
    }
}

impl Lent<'_> {
    /// The world and the errors move to the scripts, or back.
    fn change_places(&mut self) {
        self.scripts.host.swap_world(self.world);
        std::mem::swap(&mut self.scripts.errors, self.errors);
    }
}

impl Deref for Lent<'_> {
    type Target = Scripts;

    fn deref(&self) -> &Scripts {
        self.scripts
    }
}

impl DerefMut for Lent<'_> {
    fn deref_mut(&mut self) -> &mut Scripts {
        self.scripts
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.change_places();
    }
}
