use super::levels::*;
use super::measure::*;
use crate::mesh::build::voxels::*;
fn read(p: &str) -> TestLevel {
    let t = std::fs::read_to_string(p).unwrap();
    let mut m = TestLevel::default();
    for l in t.lines() {
        let mut w = l.split_whitespace();
        match w.next() {
            Some("v") => {
                let v: Vec<f64> = w.take(3).map(|x| x.parse().unwrap()).collect();
                m.vertices.push(DVec3::new(v[0], v[1], v[2]));
            }
            Some("f") => {
                let v: Vec<u32> =
                    w.map(|x| x.split('/').next().unwrap().parse::<u32>().unwrap() - 1).collect();
                for k in 1..v.len() - 1 {
                    m.triangles.push([v[0], v[k], v[k + 1]]);
                }
            }
            _ => {}
        }
    }
    m
}
#[test]
#[allow(clippy::disallowed_methods)]
fn figures() {
    let mut s = VoxelSettings::default();
    if let Ok(c) = std::env::var("CS") {
        s.cell_size_m = c.parse().unwrap();
    }
    let only = std::env::var("ONLY").ok();
    let levels: Vec<(&str, Box<dyn Fn() -> TestLevel>)> = vec![
        ("plane", Box::new(plane)),
        ("ramp30", Box::new(|| ramp(30.0))),
        ("stairs.2", Box::new(|| stairs(0.2))),
        ("stairs.4", Box::new(|| stairs(0.39))),
        ("spiral4", Box::new(|| spiral(4))),
        ("storeys", Box::new(|| storeys(true))),
        ("table", Box::new(table)),
        ("terrain100k", Box::new(|| terrain(224))),
        ("terrain400k", Box::new(|| terrain(448))),
        ("terrain1M", Box::new(|| terrain(710))),
        ("nav_test", Box::new(|| read("/work/tmp/levels/nav_test.obj"))),
        ("dungeon", Box::new(|| read("/work/tmp/levels/dungeon.obj"))),
        ("undulating", Box::new(|| read("/work/tmp/levels/undulating.obj"))),
    ];
    for (name, make) in levels {
        if only.as_ref().is_some_and(|o| !o.split(',').any(|o| o == name)) {
            continue;
        }
        let level = make();
        let t = std::time::Instant::now();
        let mut last = (t, String::new());
        let mut calls = 0;
        let r = from_level(&level.vertices, &level.triangles, &s, &mut |_p| {
            calls += 1;
            let _ = &mut last;
            ControlFlow::Continue(())
        });
        let ms = t.elapsed().as_millis();
        let b = match r {
            Err(e) => {
                println!("{name}: {e}");
                continue;
            }
            Ok(plan) => match Polygons::new(&plan.vertices, &plan.polygons) {
                Err(e) => {
                    println!("{name}: BAD {:?}", &e[..e.len().min(4)]);
                    continue;
                }
                Ok(_) => {}
            },
        };
        let _ = b;
        let b = build(&level, &s).unwrap();
        let e = b.height_errors_m(&level, 100_000);
        let max = e.iter().cloned().fold(0.0, f64::max);
        let over = e.iter().filter(|e| **e > s.max_height_error_m).count();
        let a = b.areas_m2();
        let total: f64 = a.iter().sum();
        let big = a.iter().cloned().fold(0.0, f64::max);
        if std::env::var("WORST").is_ok() {
            for (e, p) in b.worst_points(&level, 100_000).iter().take(12) {
                println!("   {e:.3} at {p:.2}");
            }
        }
        println!(
            "{name}: tris {} polys {} verts {} ms {ms} calls {calls} comps {} m2 {total:.1} largest {:.3} err max {max:.3} mean {:.4} over {over}",
            level.triangles.len(),
            b.plan.polygons.len(),
            b.plan.vertices.len(),
            b.components,
            big / total,
            e.iter().sum::<f64>() / e.len() as f64
        );
    }
}
use crate::mesh::Polygons;
use glam::DVec3;
use std::ops::ControlFlow;
