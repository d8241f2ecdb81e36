//! Changed links and waypaths.

use crate::room::{Link, Waypath};

/// A link or a waypath in both versions and its differences; at least one.
#[derive(Debug, Clone, PartialEq)]
pub struct WayChange {
    /// Its name.
    pub name: String,
    /// The new `available`, if the file's value changed.
    pub available: Option<bool>,
    /// Something else of it changed.
    pub others: bool,
}

pub(super) fn link_change(old: &Link, new: &Link) -> Option<WayChange> {
    let available = (old.available != new.available).then_some(new.available);
    let others = Link { available: old.available, ..new.clone() } != *old;
    (others || available.is_some()).then(|| WayChange { name: new.name.clone(), available, others })
}

pub(super) fn waypath_change(old: &Waypath, new: &Waypath) -> Option<WayChange> {
    let available = (old.available != new.available).then_some(new.available);
    let others = Waypath { available: old.available, ..new.clone() } != *old;
    (others || available.is_some()).then(|| WayChange { name: new.name.clone(), available, others })
}
