//! Explanations in rooms with links: closed links that would help.

use super::{Budget, Explanation, Hindrance, LinkHint, MOST_WORK, TooDear, explain_path};
use crate::nav::{NoPath, Outcome, Path, Query};
use crate::plan::{LinkNet, find_route_within};
use crate::surface::{SearchMemory, Surface};

/// [`explain_path`] in a room with links. Nothing is in the way of a goal to which open links lead. Otherwise the
/// explanation also names links that would help if they were open, and for everybody.
///
/// # Errors
/// [`TooDear`] if the work would exceed `most_work`.
pub fn explain_route(
    ground: &Surface,
    net: &LinkNet,
    query: &Query,
    memory: &mut SearchMemory,
    most_work: u64,
) -> Result<Explanation, TooDear> {
    if !net.leads_over_gaps() {
        return explain_path(ground, query, memory, most_work);
    }
    let mut budget = Budget::new(most_work.min(MOST_WORK));
    let too_dear = |budget: &Budget| TooDear { work: budget.spent() };
    let route = leads(ground, net, query, memory, &mut budget).ok_or_else(|| too_dear(&budget))?;
    let over_links = !route.crossings.is_empty();
    let mut explanation = match route.outcome {
        Outcome::Complete if over_links => Explanation::of_nothing(),
        _ => explain_path(ground, query, memory, budget.left())?,
    };
    budget.pay(explanation.work);
    if over_links {
        let end = route.waypoints.last().copied();
        explanation.nearest = end;
        explanation.nearest_y_m = end.filter(|_| ground.has_heights()).map(|end| ground.height_m(end));
    }
    if !explanation.is_complete() && ground.is_at_a_floor(query.to) {
        add_links(&mut explanation, (ground, net), query, memory, &mut budget)
            .ok_or_else(|| too_dear(&budget))?;
    }
    explanation.work = budget.spent();
    Ok(explanation)
}

/// The best path over the links. `None` if the budget ran out.
fn leads(
    ground: &Surface,
    net: &LinkNet,
    query: &Query,
    memory: &mut SearchMemory,
    budget: &mut Budget,
) -> Option<Path> {
    let path = find_route_within(ground, net, query.clone(), memory, budget.left());
    budget.pay(path.as_ref().map_or(budget.left(), |path| path.work))?;
    path
}

/// Looks for links that would help. If no ground leads to the goal, whatever opens, links alone or links and doors
/// together are the hindrance.
fn add_links(
    explanation: &mut Explanation,
    (ground, net): (&Surface, &LinkNet),
    query: &Query,
    memory: &mut SearchMemory,
    budget: &mut Budget,
) -> Option<()> {
    let shut: Vec<usize> = (0..net.links().len()).filter(|&index| is_shut(net, index, query)).collect();
    for &index in &shut {
        let opened = with_open(net, &[index]);
        if leads(ground, &opened, query, memory, budget)?.outcome == Outcome::Complete {
            explanation.links_that_help.push(hint(net, index));
        }
    }
    let has_no_ground = |hindrance: &Hindrance| *hindrance == Hindrance::NoGround(NoPath::Unreachable);
    let Some(place) = explanation.hindrances.iter().position(has_no_ground) else { return Some(()) };
    if let Some(first) = explanation.links_that_help.first() {
        explanation.hindrances = vec![Hindrance::ClosedLinks(vec![first.clone()])];
        return Some(());
    }
    budget.pay(ground.rebuild_work())?;
    let all_open = ground.with_all_open();
    if leads(&all_open, &with_open(net, &shut), query, memory, budget)?.outcome != Outcome::Complete {
        return Some(());
    }
    // A least set: what can stay closed is closed again, one after the other.
    let (mut doors, mut ways) = (all_open, shut.clone());
    for area in ground.closed_areas() {
        budget.pay(ground.copy_work() + ground.area_work(area))?;
        let mut without = doors.clone();
        without.set_area_available(area, false);
        if leads(&without, &with_open(net, &ways), query, memory, budget)?.outcome == Outcome::Complete {
            doors = without;
        }
    }
    for &index in &shut {
        let rest: Vec<usize> = ways.iter().copied().filter(|&other| other != index).collect();
        if leads(&doors, &with_open(net, &rest), query, memory, budget)?.outcome == Outcome::Complete {
            ways = rest;
        }
    }
    let closed = ground.closed_areas().into_iter().filter(|&area| doors.area_available(area));
    let names: Vec<String> = closed.map(|area| ground.area_name(area).to_owned()).collect();
    let links: Vec<LinkHint> = ways.into_iter().map(|index| hint(net, index)).collect();
    explanation.exact = names.len() + links.len() <= 1;
    let mut found = Vec::new();
    if !names.is_empty() {
        found.push(Hindrance::Closed(names));
    }
    if !links.is_empty() {
        found.push(Hindrance::ClosedLinks(links));
    }
    explanation.hindrances.splice(place..=place, found);
    Some(())
}

/// Whether the walker of a query cannot use a link, although there may be ground at both ends.
fn is_shut(net: &LinkNet, index: usize, query: &Query) -> bool {
    let placed = &net.links()[index];
    placed.ends.is_some() && !(placed.available && placed.link.is_for(&query.tags))
}

/// The links with some of them open, for everybody.
fn with_open(net: &LinkNet, open: &[usize]) -> LinkNet {
    let mut net = net.clone();
    open.iter().for_each(|&index| net.open_for_all(index));
    net
}

fn hint(net: &LinkNet, index: usize) -> LinkHint {
    let placed = &net.links()[index];
    let only_for = if placed.available { placed.link.tags.clone() } else { Vec::new() };
    LinkHint { name: placed.link.name.clone(), only_for, is_open: placed.available }
}
