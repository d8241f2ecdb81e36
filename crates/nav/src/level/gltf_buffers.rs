//! The numbers in a glTF file: buffers, views and accessors.

use super::LevelProblem;
use base64::Engine;
use serde::Deserialize;

/// A file of bytes.
#[derive(Debug, Deserialize)]
pub(super) struct Buffer {
    uri: Option<String>,
    #[serde(rename = "byteLength")]
    length: u64,
}

/// A part of a buffer.
#[derive(Debug, Deserialize)]
pub(super) struct View {
    buffer: usize,
    #[serde(rename = "byteOffset", default)]
    offset: u64,
    #[serde(rename = "byteLength")]
    length: u64,
    #[serde(rename = "byteStride")]
    stride: Option<u64>,
}

/// A list of numbers or vectors in a view.
#[derive(Debug, Deserialize)]
pub(super) struct Accessor {
    #[serde(rename = "bufferView")]
    view: Option<usize>,
    #[serde(rename = "byteOffset", default)]
    offset: u64,
    #[serde(rename = "componentType")]
    component: u32,
    #[serde(default)]
    normalized: bool,
    count: u64,
    #[serde(rename = "type")]
    kind: String,
    sparse: Option<Sparse>,
}

/// Elements of an accessor that differ from those in its view, or from zero.
#[derive(Debug, Deserialize)]
struct Sparse {
    count: u64,
    indices: SparsePart,
    values: SparsePart,
}

#[derive(Debug, Deserialize)]
struct SparsePart {
    #[serde(rename = "bufferView")]
    view: usize,
    #[serde(rename = "byteOffset", default)]
    offset: u64,
    /// Of indices only.
    #[serde(rename = "componentType", default)]
    component: u32,
}

/// A sparse accessor without bytes of its own has so many elements at most: a few bytes must not become a lot of memory.
const MOST_ZEROS: u64 = 1_000_000;

/// So many in all, each time that they are read.
const MOST_ZEROS_IN_ALL: u64 = 20_000_000;

/// Reads a file that the level names.
pub(super) type OtherFiles<'a> = &'a mut dyn FnMut(&str) -> Result<Vec<u8>, String>;

/// The buffers of a file. Each is loaded when it is first needed.
pub(super) struct Buffers<'a> {
    pub buffers: &'a [Buffer],
    pub views: &'a [View],
    pub accessors: &'a [Accessor],
    /// The binary chunk of a `.glb` file.
    pub binary: Option<&'a [u8]>,
    pub loaded: Vec<Option<Vec<u8>>>,
    /// Elements of accessors without bytes so far.
    pub zeros: u64,
    pub other_files: OtherFiles<'a>,
}

const AGAIN: &str = "the file may be cut off or edited: export the level again";

fn missing(what: &str, number: usize) -> LevelProblem {
    LevelProblem::new(format!("{what} {number} does not exist"), AGAIN)
}

impl<'a> Buffers<'a> {
    /// The points of an accessor.
    pub(super) fn points(&mut self, accessor: usize) -> Result<Vec<[f64; 3]>, LevelProblem> {
        self.vectors(accessor, "VEC3")
    }

    /// The indices of an accessor.
    pub(super) fn indices(&mut self, accessor: usize) -> Result<Vec<u32>, LevelProblem> {
        let component = self.accessors.get(accessor).map_or(0, |found| found.component);
        if ![0, 5121, 5123, 5125].contains(&component) {
            let message = format!("accessor {accessor} holds indices of the unknown kind {component}");
            return Err(LevelProblem::new(message, AGAIN));
        }
        Ok(self.vectors(accessor, "SCALAR")?.into_iter().map(|[index]| index as u32).collect())
    }

    /// The vectors of an accessor, with the sparse ones among them.
    pub(super) fn vectors<const N: usize>(
        &mut self,
        index: usize,
        kind: &str,
    ) -> Result<Vec<[f64; N]>, LevelProblem> {
        let accessors = self.accessors;
        let found = accessors.get(index).ok_or_else(|| missing("accessor", index))?;
        let (component, count) = (found.component, found.count);
        let size = component_bytes(component);
        if found.kind != kind || size == 0 {
            let message = format!("accessor {index} is {} of the kind {component}, not {kind}", found.kind);
            return Err(LevelProblem::new(message, AGAIN));
        }
        // An index is never a share of something.
        let normalized = found.normalized && kind != "SCALAR";
        let read = |bytes: &[u8]| {
            std::array::from_fn(|axis| number(&bytes[axis * size..(axis + 1) * size], component, normalized))
        };
        let of_elements = (index, count, (size * N) as u64);
        let mut all: Vec<[f64; N]> = match (found.view, &found.sparse) {
            (Some(view), _) => {
                let (bytes, stride) = self.elements(of_elements, view, found.offset)?;
                (0..count as usize).map(|i| read(&bytes[i * stride..])).collect()
            }
            (None, Some(_)) if count <= MOST_ZEROS && self.zeros + count <= MOST_ZEROS_IN_ALL => {
                self.zeros += count;
                vec![[0.0; N]; count as usize]
            }
            _ => {
                let message = format!("accessor {index} declares {count} elements but has no bytes");
                return Err(LevelProblem::new(message, "export without compression (Draco, meshopt)"));
            }
        };
        let Some(Sparse { count, indices, values }) = &found.sparse else { return Ok(all) };
        let index_bytes = component_bytes(indices.component);
        if *count > all.len() as u64 || ![5121, 5123, 5125].contains(&indices.component) {
            let message = format!("accessor {index} is sparse, and its {count} indices are of no known kind");
            return Err(LevelProblem::new(message, AGAIN));
        }
        let (bytes, stride) =
            self.elements((index, *count, index_bytes as u64), indices.view, indices.offset)?;
        let place = |i: usize| number(&bytes[i * stride..i * stride + index_bytes], indices.component, false);
        let places: Vec<usize> = (0..*count as usize).map(|i| place(i) as usize).collect();
        let (bytes, stride) = self.elements((index, *count, of_elements.2), values.view, values.offset)?;
        for (i, place) in places.into_iter().enumerate() {
            let Some(element) = all.get_mut(place) else {
                let message =
                    format!("accessor {index} is sparse, and names element {place}, which does not exist");
                return Err(LevelProblem::new(message, AGAIN));
            };
            *element = read(&bytes[i * stride..]);
        }
        Ok(all)
    }

    /// Whether an accessor has bytes of its own.
    pub(super) fn has_bytes(&self, accessor: usize) -> bool {
        self.accessors.get(accessor).is_some_and(|accessor| accessor.view.is_some())
    }

    /// The number of points of an accessor, if it exists.
    pub(super) fn count(&self, accessor: usize) -> Option<u64> {
        self.accessors.get(accessor).map(|accessor| accessor.count)
    }

    /// The bytes of so many elements of an accessor, of so many bytes each, in a view from an offset on; and the distance
    /// between elements.
    fn elements(
        &mut self,
        (index, count, size): (usize, u64, u64),
        view_index: usize,
        offset: u64,
    ) -> Result<(&[u8], usize), LevelProblem> {
        let view = self.views.get(view_index).ok_or_else(|| missing("buffer view", view_index))?;
        let stride = view.stride.filter(|stride| *stride > 0).unwrap_or(size);
        if stride < size {
            let message =
                format!("buffer view {view_index} has {stride} bytes for each element of {size} bytes");
            return Err(LevelProblem::new(message, AGAIN));
        }
        let needed = match count.checked_sub(1) {
            Some(last) => last.checked_mul(stride).and_then(|bytes| bytes.checked_add(size)),
            None => Some(0),
        };
        let begin = view.offset.checked_add(offset);
        let end = begin.zip(needed).and_then(|(begin, needed)| begin.checked_add(needed));
        let fits = needed.is_some_and(|needed| offset.checked_add(needed).is_some_and(|n| n <= view.length));
        let bytes = self.load(view.buffer)?;
        let range = begin
            .zip(end)
            .filter(|_| fits)
            .and_then(|(begin, end)| bytes.get(usize::try_from(begin).ok()?..usize::try_from(end).ok()?));
        let Some(range) = range else {
            let message = format!("accessor {index} declares {count} elements, but its buffer is too short");
            return Err(LevelProblem::new(message, AGAIN));
        };
        Ok((range, stride as usize))
    }

    fn load(&mut self, index: usize) -> Result<&[u8], LevelProblem> {
        let buffer = self.buffers.get(index).ok_or_else(|| missing("buffer", index))?;
        let uri = match (&buffer.uri, self.binary) {
            (None, Some(binary)) if index == 0 => return Ok(binary),
            (None, _) => {
                let message = format!("buffer {index} has no bytes: it names no file");
                return Err(LevelProblem::new(message, AGAIN));
            }
            (Some(uri), _) => uri,
        };
        if self.loaded[index].is_none() {
            let bytes = match uri.strip_prefix("data:") {
                Some(data) => inline(data, index)?,
                None => (self.other_files)(&unescaped(uri)).map_err(|reason| {
                    let message = format!("buffer {index}, \"{}\": {reason}", shown(uri));
                    LevelProblem::new(message, "keep the .bin file beside the .gltf file, or export as .glb")
                })?,
            };
            if (bytes.len() as u64) < buffer.length {
                let message = format!(
                    "buffer {index} declares {} bytes, but its file has {}",
                    buffer.length,
                    bytes.len()
                );
                return Err(LevelProblem::new(message, AGAIN));
            }
            self.loaded[index] = Some(bytes);
        }
        Ok(self.loaded[index].as_deref().unwrap_or_default())
    }
}

/// The bytes of a `data:` address, after that word.
fn inline(data: &str, index: usize) -> Result<Vec<u8>, LevelProblem> {
    let problem = |reason: String| {
        LevelProblem::new(format!("buffer {index}: {reason}"), "export as .glb, or with a .bin file")
    };
    let Some((_, text)) = data.split_once(";base64,") else {
        return Err(problem("only base64 is supported in a data: address".to_string()));
    };
    let engine = base64::engine::GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        base64::engine::GeneralPurposeConfig::new()
            .with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent),
    );
    engine.decode(text.trim()).map_err(|error| problem(format!("its base64 is broken: {error}")))
}

/// An address with its `%20` and the like as characters.
fn unescaped(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let escaped = digits.filter(|_| first == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(escaped.unwrap_or(first));
        rest = if escaped.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The beginning of a text from the file.
fn shown(text: &str) -> String {
    text.chars().take(80).filter(|c| !c.is_control()).collect()
}

/// 0 for unknown kinds.
fn component_bytes(component: u32) -> usize {
    match component {
        5120 | 5121 => 1,
        5122 | 5123 => 2,
        5125 | 5126 => 4,
        _ => 0,
    }
}

/// A number of little-endian bytes. There are as many as [`component_bytes`] says.
fn number(bytes: &[u8], component: u32, normalized: bool) -> f64 {
    let (value, most) = match (component, bytes) {
        (5120, &[a]) => (f64::from(a as i8), 127.0),
        (5121, &[a]) => (f64::from(a), 255.0),
        (5122, &[a, b]) => (f64::from(i16::from_le_bytes([a, b])), 32767.0),
        (5123, &[a, b]) => (f64::from(u16::from_le_bytes([a, b])), 65535.0),
        (5125, &[a, b, c, d]) => (f64::from(u32::from_le_bytes([a, b, c, d])), 1.0),
        (5126, &[a, b, c, d]) => (f64::from(f32::from_le_bytes([a, b, c, d])), 1.0),
        _ => (f64::NAN, 1.0),
    };
    if normalized { (value / most).max(-1.0) } else { value }
}
