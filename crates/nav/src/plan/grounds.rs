//! The ground of a room, once for each class of walkers.

use super::LinkNet;
use crate::nav::{AreaId, Change, ClassId};
use crate::surface::Surface;
use std::fmt;
use std::ops::Deref;

/// Upper limit on the classes of walkers that a room has at once, beside its own walker. Each has a ground of its own.
pub const MAX_CLASSES: usize = 32;

/// What tells one class of walkers from another: the places that are ground for them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WalkerClass {
    /// The radius of its bodies, in metres. `None`: that of the room's own walker.
    pub radius_m: Option<f64>,
    /// The areas that it may not enter, ascending.
    pub barred: Vec<AreaId>,
}

impl WalkerClass {
    /// Whether it is that of the room's own walker.
    pub fn is_own(&self) -> bool {
        self.radius_m.is_none() && self.barred.is_empty()
    }
}

/// The ground of a room for its own walker, which it is by default, and for every other class of walkers in use. Areas open
/// and close on all of them.
#[derive(Debug, Clone)]
pub struct Grounds {
    own: Surface,
    /// By number. `None`: nobody is of that class any more.
    others: Vec<Option<OfClass>>,
    /// How many grounds of classes were made: no two have the same revisions.
    made: u64,
    /// The revision of the links of the own ground, as the other classes have them.
    links_revision: u64,
}

/// The ground of one class, with the links as far as they have ends there.
#[derive(Debug, Clone)]
struct OfClass {
    class: WalkerClass,
    ground: Surface,
    net: LinkNet,
}

/// The ground of the room's own walker.
impl Deref for Grounds {
    type Target = Surface;

    fn deref(&self) -> &Surface {
        &self.own
    }
}

impl Grounds {
    /// The ground of a room's own walker, without other classes.
    pub fn new(own: Surface) -> Self {
        Self { own, others: Vec::new(), made: 0, links_revision: 0 }
    }

    /// Whether there are other classes than that of the room's own walker.
    pub fn has_classes(&self) -> bool {
        self.others.iter().any(Option::is_some)
    }

    /// The ground of a class. That of the room's own walker for a class that is no more.
    #[inline]
    pub fn of(&self, class: ClassId) -> &Surface {
        if class == ClassId::default() {
            &self.own
        } else {
            self.get(class).map_or(&self.own, |of| &of.ground)
        }
    }

    /// The links as a class may use them; `own` are those of the room's own walker.
    #[inline]
    pub fn net<'a>(&'a self, class: ClassId, own: &'a LinkNet) -> &'a LinkNet {
        if class == ClassId::default() { own } else { self.get(class).map_or(own, |of| &of.net) }
    }

    /// Whether a class may not enter the area of this name.
    pub(crate) fn is_barred(&self, class: ClassId, area: &str) -> bool {
        let barred = self.get(class).map_or(&[][..], |of| &of.class.barred);
        barred.iter().any(|&barred| self.own.area_name(barred) == area)
    }

    fn get(&self, ClassId(number): ClassId) -> Option<&OfClass> {
        self.others.get(usize::from(number).checked_sub(1)?)?.as_ref()
    }

    /// The class of these walkers, if it has a ground.
    pub fn find(&self, class: &WalkerClass) -> Option<ClassId> {
        if class.is_own() {
            return Some(ClassId::default());
        }
        let place = self.others.iter().position(|of| of.as_ref().is_some_and(|of| of.class == *class))?;
        Some(ClassId(place as u16 + 1))
    }

    /// Forgets the classes that nobody is of. They would make changes of the ground larger than a world that is restored
    /// knows them.
    pub fn keep_used(&mut self, is_used: impl Fn(ClassId) -> bool) {
        for (number, of) in (1..).zip(&mut self.others) {
            *of = of.take().filter(|_| is_used(ClassId(number)));
        }
    }

    /// The class of these walkers, with a ground. `leaves`: there may be one more for now, as a class will be left.
    ///
    /// # Errors
    /// [`NoClass`].
    pub fn find_or_make(
        &mut self,
        class: WalkerClass,
        own_net: &LinkNet,
        leaves: bool,
    ) -> Result<ClassId, NoClass> {
        if let Some(known) = self.find(&class) {
            return Ok(known);
        }
        if self.others.iter().flatten().count() >= MAX_CLASSES + usize::from(leaves) {
            return Err(NoClass::TooMany);
        }
        let mut ground = match class.radius_m {
            None => self.own.clone(),
            Some(radius_m) => self.own.for_radius(radius_m).ok_or(NoClass::OneRadius)?,
        };
        class.barred.iter().for_each(|&area| ground.bar_area(area));
        let net = own_net.on_other_ground(&ground);
        self.made += 1;
        ground.set_revision(self.made << 32);
        let of = Some(OfClass { class, ground, net });
        let place = self.others.iter().position(Option::is_none).unwrap_or(self.others.len());
        match self.others.get_mut(place) {
            Some(free) => *free = of,
            None => self.others.push(of),
        }
        Ok(ClassId(place as u16 + 1))
    }

    /// Opens or closes an area, for all who may enter it. `None` when no ground changed.
    pub fn set_area_available(&mut self, area: AreaId, available: bool) -> Option<Change> {
        let mut change = self.own.set_area_available(area, available);
        for of in self.others.iter_mut().flatten().filter(|of| !of.class.barred.contains(&area)) {
            let other = of.ground.set_area_available(area, available);
            change = match (change, other) {
                (Some(one), Some(other)) => Some(one.with(&other)),
                (one, other) => one.or(other),
            };
        }
        change
    }

    /// Like [`Grounds::set_area_available`], but keeps the change only if `accept` returns true for the changed
    /// ground. Otherwise the ground is restored, its revision included. Returns the result of `accept`, and what
    /// changed.
    pub fn try_area_available(
        &mut self,
        area: AreaId,
        available: bool,
        accept: impl FnOnce(&Self) -> bool,
    ) -> (bool, Option<Change>) {
        if self.own.area_available(area) == available {
            return (accept(self), None);
        }
        let revisions: Vec<u64> = self.all_mut().map(|ground| ground.revision()).collect();
        let change = self.set_area_available(area, available);
        if accept(self) {
            return (true, change);
        }
        self.set_area_available(area, !available);
        self.all_mut().zip(revisions).for_each(|(ground, revision)| ground.set_revision(revision));
        (false, None)
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut Surface> {
        std::iter::once(&mut self.own).chain(self.others.iter_mut().flatten().map(|of| &mut of.ground))
    }

    /// Takes the links of the own ground over to the other classes, if they have changed.
    pub fn follow_links(&mut self, own: &LinkNet) {
        if std::mem::replace(&mut self.links_revision, own.revision()) == own.revision() {
            return;
        }
        for of in self.others.iter_mut().flatten() {
            of.net = own.on_other_ground(&of.ground);
        }
    }
}

/// Why there is no ground for some walkers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoClass {
    /// There are [`MAX_CLASSES`] others in use.
    TooMany,
    /// The ground has polygons, which are built for one radius.
    OneRadius,
}

impl fmt::Display for NoClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany => write!(
                f,
                "there are {MAX_CLASSES} kinds of walkers already, told apart by radius and by the areas they may enter"
            ),
            Self::OneRadius => f.write_str(
                "this room's ground has polygons, which are built for bodies of its agentRadius; take ground of cells",
            ),
        }
    }
}
