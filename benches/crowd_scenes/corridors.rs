//! Scenes in corridors and lanes.

use super::scenes::{Errand, Gauge, Scene};
use super::stage::{RADIUS_M, SPEED_MPS, floor, next, places, room};
use cicerone::world::stream;
use glam::{DVec2, dvec2};

/// Sixty people round the corner of a corridor.
pub(super) fn corner(width_m: f64) -> Scene {
    let mut corridor = room("corner");
    floor(&mut corridor, (-30.0, 0.0), (30.0, width_m));
    floor(&mut corridor, (0.0, 0.0), (width_m, 45.0));
    let mut scene = Scene::new(format!("corner-{width_m:.0}"), corridor, 120.0)
        .gauged(Gauge::FlowZ { z_m: width_m + 0.5, width_m });
    let mut random = stream(7, "corner");
    let columns = 60.0 / (width_m / 0.8).floor();
    let starts = places((-3.0 - columns * 0.8, 0.0), (columns * 0.8 + 0.8, width_m), 0.8, &mut random);
    for (index, from) in starts.into_iter().rev().take(60).enumerate() {
        let lane = (index as f64 * 0.618).fract();
        scene.walks(from, dvec2(0.4 + lane * (width_m - 0.8), 12.0 + (60 - index) as f64 * 0.5));
    }
    scene
}

/// People of different speeds in a corridor two metres wide.
pub(super) fn slower_people() -> Scene {
    let mut corridor = room("slower");
    floor(&mut corridor, (0.0, 0.0), (80.0, 2.0));
    let mut scene = Scene::new("slower-people", corridor, 200.0);
    let mut random = stream(7, "slower");
    for index in 0..30 {
        let from = dvec2(25.0 - index as f64 * 0.8, 0.5 + next(&mut random));
        let who = scene.walks(from, dvec2(78.0 - index as f64 * 0.8, 0.4 + 1.2 * next(&mut random)));
        scene.room.characters[who].walk_speed_mps = if index % 3 == 0 { 0.8 } else { SPEED_MPS };
    }
    scene
}

/// A corridor three metres wide round a block, with so many people on a square metre.
pub(super) fn ring(per_m2: f64) -> Scene {
    const OUTER_M: f64 = 24.0;
    const WIDTH_M: f64 = 3.0;
    let mut corridor = room("ring");
    let inner_m = OUTER_M - WIDTH_M;
    floor(&mut corridor, (0.0, 0.0), (OUTER_M, WIDTH_M));
    floor(&mut corridor, (inner_m, WIDTH_M), (WIDTH_M, inner_m - WIDTH_M));
    floor(&mut corridor, (0.0, inner_m), (OUTER_M, WIDTH_M));
    floor(&mut corridor, (0.0, WIDTH_M), (WIDTH_M, inner_m - WIDTH_M));
    let mut scene = Scene::new(format!("ring-{per_m2:.1}"), corridor, 70.0).gauged(Gauge::Speed);
    let area_m2 = OUTER_M * OUTER_M - (inner_m - WIDTH_M) * (inner_m - WIDTH_M);
    let count = (area_m2 * per_m2).round() as usize;
    let lanes = if per_m2 > 1.5 { 4 } else { 3 };
    let middle_m = OUTER_M - WIDTH_M;
    let round_m = 4.0 * middle_m;
    // The sides of a square, walked round; `off_m` is the way from its middle line to the outside.
    let turned = |along_m: f64, off_m: f64, side: usize| {
        let half = 0.5 * middle_m;
        let (x, z) = (along_m - half, -half - off_m);
        let turned = match side % 4 {
            0 => dvec2(x, z),
            1 => dvec2(-z, x),
            2 => dvec2(-x, -z),
            _ => dvec2(z, -x),
        };
        turned + 0.5 * OUTER_M
    };
    let at = |along_m: f64, off_m: f64| turned(along_m % middle_m, off_m, (along_m / middle_m) as usize);
    // As many in each lane as its length allows, the same number on every side, so that the lanes of a side keep step.
    let sides = 4 * lanes;
    for side_of_lane in 0..sides {
        let (lane, side) = (side_of_lane % lanes, side_of_lane / lanes);
        let off_m = (lane as f64 / (lanes - 1) as f64 - 0.5) * (WIDTH_M - 2.0 * RADIUS_M - 0.1);
        let places = count / sides + usize::from(side_of_lane < count % sides);
        let goals = |first: usize| {
            (0..40).map(|lap| at(((first + lap) as f64 + 0.5) * middle_m % round_m, off_m)).collect()
        };
        for place in 0..places {
            let length_m = middle_m + 2.0 * off_m;
            let along_m = length_m * (place as f64 / places as f64) - off_m;
            // Goals in the middles of the sides, given up for the next one long before they are reached.
            let start = turned(along_m, off_m, side);
            scene.add(start, Errand::On(goals(side + 1), 8.0));
        }
    }
    scene
}

/// Twenty people pass somebody that stands in a lane three metres wide.
pub(super) fn keeper(player: bool) -> Scene {
    let mut lane = room("keeper");
    floor(&mut lane, (-25.0, -1.5), (50.0, 3.0));
    let name = if player { "resting-player" } else { "keeper" };
    let mut scene = Scene::new(name, lane, 90.0).gauged(Gauge::Stand);
    let keeper = scene.add(DVec2::ZERO, Errand::Stand);
    let spec = &mut scene.room.characters[keeper];
    (spec.player, spec.returns_to_post) = (player, !player);
    let mut random = stream(7, "keeper");
    for index in 0..20 {
        let z = 1.6 * next(&mut random) - 0.8;
        scene.walks(
            dvec2(-4.0 - index as f64 * 0.9, z),
            dvec2(22.0 - index as f64 * 0.8, 0.9 - 1.8 * next(&mut random)),
        );
    }
    scene
}

/// People head-on in a corridor for one, with a niche: one or two from either side.
pub(super) fn narrow_corridor(each: usize) -> Scene {
    let mut corridor = room("narrow");
    floor(&mut corridor, (-8.0, -0.5), (16.0, 1.0));
    floor(&mut corridor, (-0.5, 0.5), (1.0, 1.0));
    floor(&mut corridor, (-12.0, -2.0), (4.0, 4.0));
    floor(&mut corridor, (8.0, -2.0), (4.0, 4.0));
    let mut scene = Scene::new(format!("narrow-corridor-{}", 2 * each), corridor, 120.0);
    for z in [-0.8, 0.8].into_iter().take(each) {
        scene.walks(dvec2(-10.0, z), dvec2(10.0, -z));
        scene.walks(dvec2(10.0, z), dvec2(-10.0, -z));
    }
    scene
}

/// Thirty people either way in a corridor four metres wide.
pub(super) fn both_ways() -> Scene {
    let mut corridor = room("both ways");
    floor(&mut corridor, (-25.0, -2.0), (50.0, 4.0));
    let mut scene = Scene::new("both-ways-corridor", corridor, 120.0);
    let mut random = stream(7, "corridor");
    let left = places((-18.0, -2.0), (10.0, 4.0), 1.0, &mut random);
    for at in left.into_iter().take(30) {
        scene.walks(at, dvec2(at.x + 26.0, at.y));
        scene.walks(dvec2(-at.x, -at.y), dvec2(-at.x - 26.0, -at.y));
    }
    scene
}

/// Two flows that cross at a right angle where two corridors do.
pub(super) fn two_flows() -> Scene {
    let mut corridors = room("two flows");
    floor(&mut corridors, (-20.0, -2.0), (40.0, 4.0));
    floor(&mut corridors, (-2.0, -20.0), (4.0, 18.0));
    floor(&mut corridors, (-2.0, 2.0), (4.0, 18.0));
    let mut scene = Scene::new("two-flows", corridors, 120.0);
    let mut random = stream(7, "two flows");
    for at in places((-16.0, -2.0), (12.0, 4.0), 1.1, &mut random).into_iter().take(30) {
        scene.walks(at, dvec2(at.x + 22.0, at.y));
        scene.walks(dvec2(at.y, at.x), dvec2(at.y, at.x + 22.0));
    }
    scene
}

/// Two corridors that become one.
pub(super) fn merge() -> Scene {
    let mut corridors = room("merge");
    floor(&mut corridors, (-1.5, -20.0), (3.0, 40.0));
    floor(&mut corridors, (1.5, -1.5), (75.0, 3.0));
    let mut scene = Scene::new("merge", corridors, 120.0).gauged(Gauge::FlowX { x_m: 2.5, width_m: 3.0 });
    let mut random = stream(7, "merge");
    let mut starts = places((-1.5, -18.0), (3.0, 14.0), 1.0, &mut random);
    starts.truncate(30);
    // Far behind the junction, and the first ones farthest, so that nobody bars the way.
    starts.sort_by(|one, other| other.y.total_cmp(&one.y));
    for (index, at) in starts.into_iter().enumerate() {
        let goal = |side: f64| dvec2(75.0 - index as f64 * 1.4, side);
        scene.walks(at, goal(-0.8));
        scene.walks(dvec2(at.x, -at.y), goal(0.8));
    }
    scene
}

/// Two people head-on in a corridor two metres wide.
pub(super) fn head_on() -> Scene {
    let mut corridor = room("head-on");
    floor(&mut corridor, (-10.0, -1.0), (20.0, 2.0));
    let mut scene = Scene::new("head-on", corridor, 60.0);
    scene.walks(dvec2(-8.0, 0.0), dvec2(8.0, 0.0));
    scene.walks(dvec2(8.0, 0.0), dvec2(-8.0, 0.0));
    scene
}

/// Quick walkers behind slow ones on a wide way.
pub(super) fn overtaking() -> Scene {
    let mut way = room("overtaking");
    floor(&mut way, (0.0, -2.5), (70.0, 5.0));
    let mut scene = Scene::new("overtaking", way, 120.0);
    for index in 0..12 {
        let (row, lane) = (index / 3, index % 3);
        let from = dvec2(20.0 - row as f64 * 2.5, (lane as f64 - 1.0) * 1.2);
        let who = scene.walks(from, dvec2(from.x + 45.0, from.y));
        scene.room.characters[who].walk_speed_mps = 0.9 + 0.3 * row as f64;
    }
    scene
}

/// A player steered straight through people that come towards it.
pub(super) fn through_the_crowd() -> Scene {
    let mut way = room("player");
    floor(&mut way, (-20.0, -3.0), (40.0, 6.0));
    let mut scene = Scene::new("steered-player", way, 40.0);
    let player = scene.add(dvec2(-15.0, 0.1), Errand::Steer(DVec2::X));
    scene.room.characters[player].player = true;
    let mut random = stream(7, "player");
    for at in places((-5.0, -3.0), (20.0, 6.0), 2.0, &mut random) {
        scene.walks(at, dvec2(at.x - 12.0, at.y));
    }
    scene
}
