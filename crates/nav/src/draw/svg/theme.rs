//! The theme of a sheet: colours, letters, the hatching of closed areas.

use super::xml::{Xml, num};
use crate::draw::{Rgb, Tint};

/// The colour of the answer to a query; no character has it.
const QUERY: Rgb = Rgb::hex(0xc23b2c);

/// The ground of a grid outside areas.
pub(super) const GROUND: Rgb = Rgb::hex(0xecdfc5);
/// The walkable pixels over a picture.
pub(super) const MASK: Rgb = Rgb::hex(0x3f6fb5);
/// Blocked cells.
pub(super) const TAKEN: Rgb = Rgb::hex(0xa0533c);
/// Nodes and cells that are cut off.
pub(super) const LOST: Rgb = Rgb::hex(0x7c3fa8);
/// Walkable pixels that see no node.
pub(super) const UNSEEN: Rgb = Rgb::hex(0xe07a1f);
/// Samples that are not nodes.
pub(super) const REJECTED: Rgb = Rgb::hex(0x2b2117);
/// Edges and nodes on paper, and over a picture.
pub(super) const EDGE: Rgb = Rgb::hex(0xa48d63);
pub(super) const NODE: Rgb = Rgb::hex(0x6e5b47);
pub(super) const LIGHT: Rgb = Rgb::hex(0xffffff);

/// Soft fills for open areas, taken in turn so that neighbours differ.
const FLOORS: [&str; 4] = ["#ecdfc5", "#e6e0c9", "#eed9c6", "#e0dfcf"];

/// The fill of open area number `index`.
pub(super) fn floor(index: usize) -> &'static str {
    FLOORS[index % FLOORS.len()]
}

/// The colour of a route: that of its character, or that of a query.
pub(super) fn route_colour(tint: Option<Tint>) -> Rgb {
    tint.map_or(QUERY, Tint::colour)
}

/// The size of names, in pixels.
pub(super) fn name_px(px_per_m: f64) -> f64 {
    (0.19 * px_per_m).clamp(10.5, 13.0)
}

/// The thickness of walls, in pixels.
pub(super) fn wall_px(px_per_m: f64) -> f64 {
    (0.06 * px_per_m).clamp(1.8, 4.5)
}

/// The style sheet and the hatching. Rules are bound to the class of the document, so that one embedded in a page
/// does not affect the page. `has` says whether there are a mesh, sectors, links, waypaths and levels.
pub(super) fn styles(xml: &mut Xml, px_per_m: f64, has: [bool; 5]) {
    let [has_mesh, has_sectors, has_links, has_waypaths, has_levels] = has;
    xml.open("style", "");
    let of_meshes = MESH_RULES.iter().filter(|_| has_mesh);
    let of_sectors = SECTOR_RULES.iter().filter(|_| has_sectors);
    let of_links = LINK_RULES.iter().filter(|_| has_links);
    let of_waypaths = WAYPATH_RULES.iter().filter(|_| has_waypaths);
    let of_levels = LEVEL_RULES.iter().filter(|_| has_levels);
    let rules = RULES.iter().chain(of_meshes).chain(of_sectors).chain(of_links).chain(of_waypaths);
    for rule in rules.chain(of_levels) {
        xml.line(&format!(".cicerone {rule}"));
    }
    let (name, wall) = (name_px(px_per_m), wall_px(px_per_m));
    for (class, size) in [
        ("name", name),
        ("said", name),
        ("place", name - 1.0),
        ("thing", name - 1.5),
        ("shut", name - 1.0),
        ("hotname", name - 1.5),
    ] {
        xml.line(&format!(".cicerone .{class}{{font-size:{}px}}", num(size)));
    }
    if has_mesh {
        xml.line(&format!(".cicerone .climbname{{font-size:{}px}}", num(name - 1.5)));
    }
    if has_sectors {
        let width = num((0.045 * px_per_m).clamp(1.6, 2.2));
        xml.line(&format!(".cicerone .passage,.cicerone .drop{{stroke-width:{width}}}"));
    }
    if has_links {
        xml.line(&format!(".cicerone .linkname{{font-size:{}px}}", num(name - 1.0)));
    }
    if has_waypaths {
        xml.line(&format!(".cicerone .lanename{{font-size:{}px}}", num(name - 1.5)));
    }
    xml.line(&format!(".cicerone .area{{font-size:{}px}}", num(name + 2.0)));
    xml.line(&format!(".cicerone .wall{{stroke-width:{}}}", num(wall)));
    xml.close();
    xml.open("defs", "");
    xml.open(
        "pattern",
        r#"id="cicerone-closed" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)""#,
    );
    xml.line(r##"<rect width="9" height="9" fill="#f1ddd0"/>"##);
    xml.line(r##"<rect width="3" height="9" fill="#d9a48f"/>"##);
    xml.close();
    xml.close();
}

const RULES: [&str; 44] = [
    r#"text{font-family:"Segoe UI","Helvetica Neue",Helvetica,Arial,"DejaVu Sans",sans-serif;fill:#3d352b}"#,
    "text.halo{stroke:#fbf7ee;stroke-width:3px;stroke-linejoin:round}",
    ".paper{fill:#fbf7ee}",
    ".title{font-family:Georgia,\"Times New Roman\",\"DejaVu Serif\",serif;font-size:21px}",
    ".seam{fill:none;stroke:#c9b891;stroke-width:1;stroke-dasharray:5 4}",
    ".closed{fill:url(#cicerone-closed);stroke:#b3664d;stroke-width:1.2}",
    ".wall{fill:none;stroke:#6e5b47;stroke-linecap:round;stroke-linejoin:round}",
    ".ground{stroke:#6e5b47;stroke-linejoin:round;fill-rule:evenodd}",
    ".mask{fill:#3f6fb5;fill-opacity:.13;stroke:#2d5a9e;stroke-opacity:.75;stroke-linejoin:round;fill-rule:evenodd}",
    ".graph{fill:none;stroke:#a48d63}",
    ".graph.light{stroke:#fff;stroke-opacity:.75}",
    ".graph.lost{stroke:#7c3fa8;stroke-opacity:.8}",
    ".node{fill:none;stroke:#fffdf8;stroke-linecap:square}",
    ".node.rim{stroke:#6e5b47}",
    ".node.dark{stroke:#6e5b47}",
    ".node.lost{stroke:#7c3fa8}",
    ".rejected{fill:none;stroke:#2b2117;stroke-opacity:.42;stroke-linecap:square}",
    ".unseen{fill:#e07a1f;fill-opacity:.85}",
    ".cut{fill:#7c3fa8;fill-opacity:.38}",
    ".raw{fill:none;stroke:#1f7a6d;stroke-width:1.7;stroke-linejoin:round;stroke-linecap:round}",
    ".raw.rim{stroke:#fbf7ee;stroke-width:3.6;stroke-opacity:.7}",
    ".rawnode{fill:none;stroke:#1f7a6d;stroke-width:4;stroke-linecap:round}",
    ".tried{fill:none;stroke:#c9891a;stroke-width:1.3;stroke-dasharray:5 3.5;stroke-opacity:.95}",
    ".stopped{fill:none;stroke:#8c5a06;stroke-width:1.8;stroke-linecap:round}",
    ".step{font-size:10px;font-weight:600;fill:#8c5a06}",
    ".step.good{fill:#a52a1d}",
    ".hot{fill:#b0387f;fill-opacity:.05;stroke:#b0387f;stroke-width:1.1;stroke-dasharray:4 3;fill-rule:evenodd}",
    ".hotname{fill:#8e2a66;font-style:italic}",
    ".avoided{fill:#5d6fa8;fill-opacity:.25;stroke:#46558a;stroke-width:1.4;stroke-dasharray:3 3}",
    ".free{fill:none;stroke:#9a8a63;stroke-opacity:.55}",
    ".taken{fill:#a0533c;fill-opacity:.13}",
    ".shade{fill:#5a4326;fill-opacity:.2}",
    ".solid{fill:#bd9769;stroke:#84633d;stroke-width:1.4;stroke-linejoin:round}",
    ".low{fill:#e3cfb2;stroke-dasharray:4 2}",
    ".spot{fill:#fbf7ee;stroke:#3f7681;stroke-width:2}",
    ".name{font-weight:600}",
    ".place{font-style:italic;fill:#2f626c}",
    ".thing{fill:#4b3517}",
    ".shut{fill:#93452f;font-weight:600}",
    ".lock{fill:#93452f}",
    ".area{fill:#8d7d5d;letter-spacing:1.2px}",
    ".speech{fill:#fffdf8;stroke:#cbbd9f;stroke-width:1}",
    ".small{font-size:12px;fill:#6b604f}",
    ".scale{fill:none;stroke:#6b604f;stroke-width:1.2}",
];

/// Only in pictures with a mesh.
const MESH_RULES: [&str; 9] = [
    ".portal{fill:none;stroke:#c4b389;stroke-width:.8}",
    ".shutline{fill:none;stroke:#b3664d;stroke-width:1.2;stroke-linecap:round}",
    ".ledge{fill:none;stroke:#6e5b47;stroke-width:1.6;stroke-dasharray:5 3}",
    ".arrow{fill:none;stroke:#6e5b47;stroke-width:1.6}",
    ".arrowhead{fill:#6e5b47}",
    ".tread{fill:none;stroke:#b9a67e;stroke-width:.9}",
    ".climb{fill:none;stroke:#3f7681;stroke-width:2.2;stroke-dasharray:2 3.5;stroke-linecap:round}",
    ".climbname{fill:#2f626c;font-style:italic}",
    ".polygon{fill:none;stroke:#9a8a63;stroke-width:.7;stroke-opacity:.8}",
];

/// Only in pictures with sectors.
const SECTOR_RULES: [&str; 7] = [
    ".sectorfloor{fill:#f4ecdb}",
    ".sector{fill:none;stroke:#5d7f9c;stroke-width:1;stroke-dasharray:4 3;stroke-opacity:.75}",
    ".crouch{fill:#5d7f9c;fill-opacity:.16;stroke-opacity:1}",
    ".passage{fill:none;stroke:#3d6d96}",
    ".faint{stroke-opacity:.35}",
    ".drop{fill:none;stroke:#6e5b47}",
    ".dropfoot{fill:none;stroke:#6e5b47;stroke-width:.9;stroke-dasharray:1.5 2.5;stroke-opacity:.8}",
];

/// Only in pictures with links.
const LINK_RULES: [&str; 8] = [
    ".link .way{fill:none;stroke:#2f6b4f;stroke-width:2;stroke-dasharray:6 4;stroke-linecap:round}",
    ".link .rungs{fill:none;stroke:#2f6b4f;stroke-width:1.8;stroke-linecap:round}",
    ".link .cage{fill:#fbf7ee;fill-opacity:.7;stroke:#2f6b4f;stroke-width:1.8}",
    ".link .head{fill:#2f6b4f}",
    ".link .foot{fill:#2f6b4f}",
    ".link .away{fill:#fbf7ee;stroke:#2f6b4f;stroke-width:1.4}",
    ".link.off{opacity:.35}",
    ".linkname{fill:#22543c;font-weight:600}",
];

/// Only in pictures with waypaths.
const WAYPATH_RULES: [&str; 5] = [
    ".lane .row{fill:none;stroke:#5f5aa2;stroke-width:1.8;stroke-dasharray:1 5;stroke-linecap:round}",
    ".lane .head{fill:#5f5aa2}",
    ".lane .foot{fill:#5f5aa2}",
    ".lane.off{opacity:.35}",
    ".lanename{fill:#47437f;font-style:italic}",
];

/// Only in pictures with a tactical level.
const LEVEL_RULES: [&str; 14] = [
    ".rock{fill:#b7a88c}",
    ".cellgrid{fill:none;stroke:#8d7d5d;stroke-opacity:.3;stroke-width:.7}",
    ".edge{fill:none;stroke:#6e5b47;stroke-width:1.2;stroke-dasharray:1.5 2.5}",
    ".drop{fill:none;stroke:#6e5b47;stroke-width:1.2;stroke-dasharray:5 3}",
    ".drophead{fill:#6e5b47}",
    ".low{fill:none;stroke:#46558a;stroke-width:2.4;stroke-dasharray:3 3}",
    ".stairs{fill:none;stroke:#3f7681;stroke-width:1.6;stroke-linecap:round}",
    ".rungs{fill:none;stroke:#2f6b4f;stroke-width:1.8;stroke-linecap:round}",
    ".doorshut{fill:none;stroke:#b3664d;stroke-width:4.2}",
    ".dooropen{fill:none;stroke:#b3664d;stroke-width:1.8;stroke-dasharray:3 2.5}",
    ".tu text{fill:#4c4a35}",
    ".tu.crouched text{fill:#46558a;font-style:italic}",
    "text.tu.crouched{fill:#46558a;font-style:italic}",
    ".tu.spent text{fill:#a52a1d;font-weight:700}",
];

/// The dash pattern of a track: dots, or strokes for a former run.
pub(super) fn trail_dashes(tint: Tint) -> &'static str {
    if tint == Tint::Past { r#"stroke-dasharray="5 4""# } else { r#"stroke-dasharray="1 5""# }
}
