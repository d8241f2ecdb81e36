//! glTF 2.0: `.gltf` and `.glb` files.

use super::assemble::Parts;
use super::gltf_buffers::{Accessor, Buffer, Buffers, OtherFiles, View};
use super::{LevelProblem, MAX_TRIANGLES};
use glam::{DMat4, DQuat, DVec3};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;

/// The part of a file that decides about geometry.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Root {
    scene: Option<usize>,
    #[serde(default)]
    scenes: Vec<Scene>,
    #[serde(default)]
    nodes: Vec<Node>,
    #[serde(default)]
    meshes: Vec<Mesh>,
    #[serde(default)]
    accessors: Vec<Accessor>,
    #[serde(default)]
    buffer_views: Vec<View>,
    #[serde(default)]
    buffers: Vec<Buffer>,
    #[serde(default)]
    extensions_required: Vec<String>,
}

/// Of which version a file is.
#[derive(Debug, Deserialize)]
struct Versioned {
    asset: Asset,
}

#[derive(Debug, Deserialize)]
struct Asset {
    version: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Scene {
    #[serde(default)]
    nodes: Vec<usize>,
}

#[derive(Debug, Deserialize)]
struct Node {
    name: Option<String>,
    mesh: Option<usize>,
    skin: Option<usize>,
    weights: Option<Vec<f64>>,
    #[serde(default)]
    extensions: NodeExtensions,
    #[serde(default)]
    children: Vec<usize>,
    matrix: Option<[f64; 16]>,
    translation: Option<[f64; 3]>,
    rotation: Option<[f64; 4]>,
    scale: Option<[f64; 3]>,
}

#[derive(Debug, Default, Deserialize)]
struct NodeExtensions {
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    instances: Option<Instances>,
}

/// Places at which a mesh is, besides: TRANSLATION, ROTATION and SCALE, each with one element for each instance.
#[derive(Debug, Deserialize)]
struct Instances {
    attributes: BTreeMap<String, usize>,
}

#[derive(Debug, Deserialize)]
struct Mesh {
    name: Option<String>,
    primitives: Vec<Primitive>,
    weights: Option<Vec<f64>>,
}

#[derive(Debug, Deserialize)]
struct Primitive {
    attributes: BTreeMap<String, usize>,
    indices: Option<usize>,
    mode: Option<u32>,
    #[serde(default)]
    targets: Vec<BTreeMap<String, usize>>,
    #[serde(default)]
    extensions: BTreeMap<String, serde::de::IgnoredAny>,
}

const AGAIN: &str = "the file may be cut off or edited: export the level again";

/// Extensions that do not change where triangles are, or that are read here.
const HARMLESS: [&str; 8] = [
    "KHR_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "MSFT_texture_",
    "KHR_lights_",
    "KHR_mesh_quantization",
    "EXT_mesh_gpu_instancing",
    "KHR_xmp",
];

/// Reads a `.glb` file.
pub(super) fn read_binary(
    bytes: &[u8],
    other_files: OtherFiles,
    parts: &mut Parts,
) -> Result<(), LevelProblem> {
    let word =
        |at: usize| bytes.get(at..at + 4).and_then(|word| word.try_into().ok()).map(u32::from_le_bytes);
    let cut_off = |what: &str, has: usize| {
        LevelProblem::new(format!("the file is cut off: {what}, but it has {has} bytes"), AGAIN)
    };
    let (Some(version), Some(length)) = (word(4), word(8)) else {
        return Err(cut_off("its header has 12 bytes", bytes.len()));
    };
    if version != 2 {
        return Err(of_version(version));
    }
    if length as usize > bytes.len() {
        return Err(cut_off(&format!("it should have {length} bytes"), bytes.len()));
    }
    let (mut json, mut binary) = (None, None);
    let mut at = 12;
    while let (Some(size), Some(kind)) = (word(at), word(at + 4)) {
        let size = size as usize;
        let Some(chunk) = bytes.get(at + 8..).and_then(|rest| rest.get(..size)) else {
            return Err(cut_off(&format!("a part of {size} bytes begins at {at}"), bytes.len()));
        };
        match &kind.to_le_bytes() {
            b"JSON" => _ = json.get_or_insert(chunk),
            b"BIN\0" => _ = binary.get_or_insert(chunk),
            _ => {}
        }
        at += 8 + size;
    }
    match json {
        Some(json) => read_text(json, binary, other_files, parts),
        None => Err(LevelProblem::new("the file has no description (JSON) of its content", AGAIN)),
    }
}

fn of_version(version: impl fmt::Display) -> LevelProblem {
    let message = format!("the file is of glTF version {version}");
    LevelProblem::new(message, "version 2 is supported: export the level again")
}

/// Reads the text of a `.gltf` file, or that in a `.glb` file.
pub(super) fn read_text(
    text: &[u8],
    binary: Option<&[u8]>,
    other_files: OtherFiles,
    parts: &mut Parts,
) -> Result<(), LevelProblem> {
    // Version 1 has lists in other forms: its number comes before their faults.
    if let Ok(Versioned { asset: Asset { version: Some(version) } }) = serde_json::from_slice(text)
        && !version.starts_with("2.")
    {
        return Err(of_version(version));
    }
    let root: Root = serde_json::from_slice(text)
        .map_err(|error| LevelProblem::new(format!("the file's JSON is not glTF: {error}"), AGAIN))?;
    for name in &root.extensions_required {
        if !HARMLESS.iter().any(|known| name.starts_with(known)) {
            let message = format!("the file needs the extension {name}, which is not supported");
            return Err(LevelProblem::new(
                message,
                "export without it, and without compression (Draco, meshopt)",
            ));
        }
    }
    let loaded = root.buffers.iter().map(|_| None).collect();
    let (buffers, views, accessors) = (&root.buffers, &root.buffer_views, &root.accessors);
    let buffers = Buffers { buffers, views, accessors, binary, loaded, zeros: 0, other_files };
    let mut walk = Walk { root: &root, buffers, parts, visited: 0, skipped: 0, skinned: 0, loose: 0 };
    walk.nodes()?;
    let Walk { skipped, skinned, loose, .. } = walk;
    if skinned > 0 {
        let message = format!("{skinned} meshes with bones are left out");
        parts.warn(message, "joints place them: export what is ground without a skin");
    }
    if skipped > 0 {
        parts.warn(format!("{skipped} meshes of points or lines are left out"), "only triangles are ground");
    }
    if loose > 0 {
        let message =
            format!("{loose} lists of indices do not end with a whole triangle; the rest is left out");
        parts.warn(message, AGAIN);
    }
    Ok(())
}

/// A walk over the nodes of a scene.
struct Walk<'a, 'b> {
    root: &'a Root,
    buffers: Buffers<'b>,
    parts: &'b mut Parts,
    /// Primitives so far, in all nodes.
    visited: usize,
    /// Primitives that are no triangles.
    skipped: usize,
    /// Nodes whose meshes are placed by joints.
    skinned: usize,
    /// Primitives with indices left over.
    loose: usize,
}

impl Walk<'_, '_> {
    fn nodes(&mut self) -> Result<(), LevelProblem> {
        let root = self.root;
        let mut stack: Vec<(usize, DMat4)> =
            self.first_nodes()?.into_iter().rev().map(|node| (node, DMat4::IDENTITY)).collect();
        let mut seen = vec![false; root.nodes.len()];
        while let Some((index, above)) = stack.pop() {
            let Some(node) = root.nodes.get(index) else {
                return Err(LevelProblem::new(format!("node {index} does not exist"), AGAIN));
            };
            let name = node.name.clone().unwrap_or_else(|| format!("node {index}"));
            if std::mem::replace(&mut seen[index], true) {
                let message = format!("node {index} (\"{name}\") has two parents, or is inside itself");
                return Err(LevelProblem::new(message, "nodes must be a tree: export the level again"));
            }
            let transform = above * local_transform(node);
            if let Some(mesh) = node.mesh {
                self.skinned += usize::from(node.skin.is_some());
                let places = if node.skin.is_some() { Vec::new() } else { self.places(node, transform)? };
                for place in places {
                    self.mesh(mesh, (&name, node.weights.as_deref()), place)?;
                }
            }
            stack.extend(node.children.iter().rev().map(|&child| (child, transform)));
        }
        Ok(())
    }

    /// The nodes of the scene. Without scenes, those that are inside no other.
    fn first_nodes(&self) -> Result<Vec<usize>, LevelProblem> {
        let Root { scene, scenes, nodes, .. } = self.root;
        if scenes.is_empty() {
            let mut is_child = vec![false; nodes.len()];
            for &child in nodes.iter().flat_map(|node| &node.children) {
                if let Some(is_child) = is_child.get_mut(child) {
                    *is_child = true;
                }
            }
            return Ok((0..nodes.len()).filter(|&node| !is_child[node]).collect());
        }
        let index = scene.unwrap_or(0);
        let scene = scenes.get(index);
        let scene = scene.ok_or_else(|| LevelProblem::new(format!("scene {index} does not exist"), AGAIN))?;
        Ok(scene.nodes.clone())
    }

    /// Where the mesh of a node is: at the node, or at each of its instances.
    fn places(&mut self, node: &Node, transform: DMat4) -> Result<Vec<DMat4>, LevelProblem> {
        let Some(Instances { attributes }) = &node.extensions.instances else { return Ok(vec![transform]) };
        if attributes.values().any(|&accessor| !self.buffers.has_bytes(accessor)) {
            return Err(LevelProblem::new("the places of instances have no bytes", AGAIN));
        }
        let of = |name: &str| attributes.get(name).copied();
        let moves = of("TRANSLATION").map(|accessor| self.buffers.points(accessor)).transpose()?;
        let turns = of("ROTATION").map(|accessor| self.buffers.vectors::<4>(accessor, "VEC4")).transpose()?;
        let sizes = of("SCALE").map(|accessor| self.buffers.points(accessor)).transpose()?;
        let counts =
            [moves.as_ref().map(Vec::len), turns.as_ref().map(Vec::len), sizes.as_ref().map(Vec::len)];
        let count = counts.into_iter().flatten().min().unwrap_or(0);
        let place = |i: usize| {
            let (scale, move_by) = (sizes.as_ref().map(|all| all[i]), moves.as_ref().map(|all| all[i]));
            transform * trs(move_by, turns.as_ref().map(|all| all[i]), scale)
        };
        Ok((0..count).map(place).collect())
    }

    fn mesh(
        &mut self,
        index: usize,
        (node, weights): (&str, Option<&[f64]>),
        transform: DMat4,
    ) -> Result<(), LevelProblem> {
        let Some(mesh) = self.root.meshes.get(index) else {
            let message = format!("node \"{node}\" has mesh {index}, which does not exist");
            return Err(LevelProblem::new(message, AGAIN));
        };
        self.parts.begin(node);
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            let weights = weights.or(mesh.weights.as_deref()).unwrap_or_default();
            self.primitive(primitive, weights, transform).map_err(|LevelProblem { message, hint }| {
                let mesh = mesh.name.clone().unwrap_or_else(|| index.to_string());
                let message = format!("node \"{node}\", mesh \"{mesh}\", part {}: {message}", number + 1);
                LevelProblem { message, hint }
            })?;
        }
        Ok(())
    }

    /// Adds the triangles of a primitive, with its morph targets at their weights.
    fn primitive(
        &mut self,
        primitive: &Primitive,
        weights: &[f64],
        transform: DMat4,
    ) -> Result<(), LevelProblem> {
        self.visited += 1;
        if self.visited > MAX_TRIANGLES {
            return Err(LevelProblem::new("the level has too many meshes", "join meshes when exporting"));
        }
        let mode = primitive.mode.unwrap_or(4);
        if !(4..=6).contains(&mode) {
            self.skipped += 1;
            return Ok(());
        }
        let packed = ["KHR_draco_mesh_compression", "EXT_meshopt_compression"];
        let is_packed = primitive.extensions.keys().any(|name| packed.contains(&&**name));
        let Some(&positions) = primitive.attributes.get("POSITION") else {
            return Err(LevelProblem::new("it has no positions", AGAIN));
        };
        // Compressed meshes may have an uncompressed copy. Without one, the accessor has no bytes.
        let mut points = self.buffers.points(positions).map_err(|problem| {
            let hint = "the mesh is compressed: export without compression";
            if is_packed { LevelProblem::new(problem.message, hint) } else { problem }
        })?;
        let targets = primitive.targets.iter().zip(weights).filter(|(_, weight)| **weight != 0.0);
        for (target, weight) in targets.filter(|_| !points.is_empty()).collect::<Vec<_>>() {
            let Some(&moves) = target.get("POSITION") else { continue };
            for (point, by) in points.iter_mut().zip(self.buffers.points(moves)?) {
                *point = std::array::from_fn(|axis| point[axis] + weight * by[axis]);
            }
        }
        let most = 3 * MAX_TRIANGLES as u64;
        let declared = primitive.indices.and_then(|indices| self.buffers.count(indices));
        if declared.unwrap_or(points.len() as u64) > most {
            let message = format!("it has more than {MAX_TRIANGLES} triangles");
            return Err(LevelProblem::new(message, "export a simpler model, such as the collision model"));
        }
        let indices = match primitive.indices {
            Some(indices) => self.buffers.indices(indices)?,
            None => (0..points.len() as u32).collect(),
        };
        self.loose += usize::from(mode == 4 && !indices.len().is_multiple_of(3));
        let first = self.parts.level.vertices.len() as u32;
        for point in &points {
            self.parts.vertex(transform.transform_point3(DVec3::from_array(*point)))?;
        }
        let is_mirrored = transform.determinant() < 0.0;
        for (number, [a, b, c]) in triangles(mode, &indices).enumerate() {
            if let Some(vertex) = [a, b, c].into_iter().find(|&vertex| vertex as usize >= points.len()) {
                let (number, count) = (number + 1, points.len());
                let message = format!("triangle {number} names vertex {vertex}, but there are {count}");
                return Err(LevelProblem::new(message, AGAIN));
            }
            let [b, c] = if is_mirrored { [c, b] } else { [b, c] };
            self.parts.add([a, b, c].map(|vertex| vertex + first))?;
        }
        Ok(())
    }
}

/// The triangles of a list (4), a strip (5) or a fan (6).
fn triangles(mode: u32, indices: &[u32]) -> impl Iterator<Item = [u32; 3]> + '_ {
    let count = if mode == 4 { indices.len() / 3 } else { indices.len().saturating_sub(2) };
    (0..count).map(move |i| match mode {
        4 => [indices[3 * i], indices[3 * i + 1], indices[3 * i + 2]],
        5 if i % 2 == 1 => [indices[i + 1], indices[i], indices[i + 2]],
        5 => [indices[i], indices[i + 1], indices[i + 2]],
        _ => [indices[0], indices[i + 1], indices[i + 2]],
    })
}

fn local_transform(node: &Node) -> DMat4 {
    if let Some(matrix) = &node.matrix {
        return DMat4::from_cols_array(matrix);
    }
    trs(node.translation, node.rotation, node.scale)
}

/// A transform of its parts, as far as they are given.
fn trs(translation: Option<[f64; 3]>, rotation: Option<[f64; 4]>, scale: Option<[f64; 3]>) -> DMat4 {
    let rotation = DQuat::from_array(rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]));
    let length = rotation.length();
    let rotation = if length > 0.0 && length.is_finite() { rotation / length } else { DQuat::IDENTITY };
    DMat4::from_scale_rotation_translation(
        DVec3::from_array(scale.unwrap_or([1.0; 3])),
        rotation,
        DVec3::from_array(translation.unwrap_or([0.0; 3])),
    )
}
