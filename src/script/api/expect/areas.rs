//! An area in words: since when it is open or closed, which characters stand in it, what it waits for.

use crate::nav::AreaId;
use crate::script::api::entry::Call;
use crate::world::World;

/// Maximum characters named.
const NAMES: usize = 4;

/// The full state of an area, in words.
pub(super) fn state_of(call: &Call<'_>, area: AreaId) -> String {
    let world = call.host.world();
    let name = world.ground().area_name(area);
    let available = world.ground().area_available(area);
    let word = if available { "open" } else { "closed" };
    let at_first = world.room().areas.iter().any(|area| area.name == name && area.available == available);
    let told = call.host.spec().and_then(|spec| spec.switched.borrow().get(name).copied());
    let since = match told {
        Some((tick, state)) if state == available => {
            format!("it has been {word} since {:.2} s", tick as f64 * world.dt_s())
        }
        None if at_first => format!("it has been {word} from the beginning"),
        // Events are delivered one tick later.
        _ => format!("it is {word} since just now"),
    };
    let people = people_in(&world, area);
    let inside = if people.is_empty() { String::new() } else { format!("; {people} in it") };
    let waits = match (world.is_closing(area), people.is_empty()) {
        (false, _) => "",
        (true, false) => ", and it waits for that to end before it closes",
        (true, true) => "; it waits to close until no character stands at its edge",
    };
    format!("{since}{inside}{waits}")
}

fn people_in(world: &World, area: AreaId) -> String {
    let inside = world.characters().iter().filter(|c| world.ground().area_contains(area, c.position));
    let names: Vec<&str> = inside.map(|character| character.name.as_str()).collect();
    let more = names.len().saturating_sub(NAMES);
    let shown = names.iter().take(NAMES).copied().collect::<Vec<_>>().join(", ");
    match (names.len(), more) {
        (0, _) => String::new(),
        (1, _) => format!("{shown} stands"),
        (_, 0) => format!("{shown} stand"),
        (..) => format!("{shown} and {more} more stand"),
    }
}
