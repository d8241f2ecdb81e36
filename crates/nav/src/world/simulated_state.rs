//! All simulated state, in one list: for saves and for checksums.

use super::link_lines::InLine;
use super::rearranging::Rearrangement;
use super::{Departed, Event, HotspotChange, PathFocus, SideTurn};
use crate::crowd::{Character, CharacterId, Replan, RightOfWay};
use crate::nav::{LinkId, WaypathId};
use crate::plan::{PathStats, QueueState};
use crate::room::{Link, Waypath};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// The content of [`WorldState`](super::WorldState): borrowed from a world for hashing, owned for saving. The only list
/// of all simulated state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Snapshot<'a> {
    pub(super) tick: u64,
    pub(super) seed: u64,
    pub(super) room_random: u64,
    pub(super) next_walk: u64,
    pub(super) next_character: u32,
    pub(super) areas: BTreeMap<Cow<'a, str>, AreaState>,
    /// The links, those that scripts added included, in order of id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) links: Vec<LinkState>,
    /// The id of the next link.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) next_link: u32,
    /// The waypaths, those that scripts added included, in order of id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) waypaths: Vec<WaypathState>,
    /// The id of the next waypath.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) next_waypath: u32,
    pub(super) characters: Cow<'a, [Character]>,
    /// The areas each character was in at the end of the last tick.
    pub(super) inside: BTreeMap<CharacterId, Vec<Cow<'a, str>>>,
    pub(super) queue: QueueState<CharacterId>,
    /// Saved, since scripts read it. Not part of the checksum: it says how the state came about, not what it is.
    #[serde(default, skip_serializing_if = "PathStats::is_new")]
    pub(super) path_stats: PathStats,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) focus: Option<PathFocus>,
    /// What of hotspots is other than in the room file, by name.
    #[serde(default = "no_hotspots", skip_serializing_if = "has_no_hotspots")]
    pub(super) hotspots: Cow<'a, BTreeMap<String, HotspotChange>>,
    /// Whose turn it is on the tactical level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) turn: Option<SideTurn>,
    /// All sides that actors were on, in the order of their turns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) sides: Vec<String>,
    pub(super) replans: Cow<'a, BTreeMap<CharacterId, Replan>>,
    pub(super) departed: Cow<'a, BTreeMap<CharacterId, Departed>>,
    pub(super) rights_of_way: Cow<'a, [RightOfWay]>,
    #[serde(default = "none", skip_serializing_if = "is_empty")]
    pub(super) rearrangements: Cow<'a, [Rearrangement]>,
    pub(super) events: Cow<'a, [Event]>,
}

/// The state of an area in a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AreaState {
    pub(super) available: bool,
    /// Whether it waits for characters to leave before it closes.
    pub(super) closing: bool,
}

/// The state of a link in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct LinkState {
    pub(super) id: LinkId,
    pub(super) link: Link,
    pub(super) available: bool,
    /// Characters at the link, in the order in which they came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) line: Vec<InLine>,
}

/// The state of a waypath in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct WaypathState {
    pub(super) id: WaypathId,
    pub(super) waypath: Waypath,
    pub(super) available: bool,
    /// The id of the jump over its first piece.
    pub(super) first_jump: LinkId,
}

fn no_hotspots<'a>() -> Cow<'a, BTreeMap<String, HotspotChange>> {
    Cow::Owned(BTreeMap::new())
}

fn none<'a>() -> Cow<'a, [Rearrangement]> {
    Cow::Owned(Vec::new())
}

fn is_empty(rearrangements: &[Rearrangement]) -> bool {
    rearrangements.is_empty()
}

fn has_no_hotspots(hotspots: &BTreeMap<String, HotspotChange>) -> bool {
    hotspots.is_empty()
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde wants it so
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Why a state cannot be restored: `Display` says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoreError {
    message: String,
}

impl RestoreError {
    pub(super) fn new(message: String) -> Self {
        Self { message }
    }
}

impl fmt::Display for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RestoreError {}

impl Snapshot<'_> {
    pub(super) fn into_owned(self) -> Snapshot<'static> {
        let owned = |name: Cow<'_, str>| Cow::Owned(name.into_owned());
        let all_owned = |names: Vec<Cow<'_, str>>| names.into_iter().map(owned).collect();
        Snapshot {
            tick: self.tick,
            seed: self.seed,
            room_random: self.room_random,
            next_walk: self.next_walk,
            next_character: self.next_character,
            links: self.links,
            next_link: self.next_link,
            waypaths: self.waypaths,
            next_waypath: self.next_waypath,
            areas: self.areas.into_iter().map(|(name, area)| (owned(name), area)).collect(),
            characters: Cow::Owned(self.characters.into_owned()),
            inside: self.inside.into_iter().map(|(who, names)| (who, all_owned(names))).collect(),
            queue: self.queue,
            path_stats: self.path_stats,
            turn: self.turn,
            sides: self.sides,
            focus: self.focus,
            hotspots: Cow::Owned(self.hotspots.into_owned()),
            replans: Cow::Owned(self.replans.into_owned()),
            departed: Cow::Owned(self.departed.into_owned()),
            rights_of_way: Cow::Owned(self.rights_of_way.into_owned()),
            rearrangements: Cow::Owned(self.rearrangements.into_owned()),
            events: Cow::Owned(self.events.into_owned()),
        }
    }
}
