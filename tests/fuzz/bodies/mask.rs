//! Masks: files that are or were PNGs, and small images that the first bytes say how to paint.

use super::{life, read_twice};
use cicerone::room::parse_with;
use std::sync::OnceLock;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// An image of more pixels is not unpacked here.
const MAX_PIXELS: u64 = 1 << 16;

/// What a pixel of a small image may be painted in: nothing, floor, door, hotspots, and colours near them.
const PALETTE: [[u8; 3]; 8] = [
    [0, 0, 0],
    [0, 0, 255],
    [0, 128, 255],
    [10, 0, 0],
    [10, 0, 255],
    [0, 0, 254],
    [255, 255, 255],
    [0, 128, 0],
];

pub fn run(data: &[u8]) -> bool {
    if data.starts_with(SIGNATURE) {
        let sealed = sealed(data);
        return paint(data, 0) | (sealed != data && paint(&sealed, 0));
    }
    let [width, settings, pixels @ ..] = data else { return false };
    let width = u32::from(*width) % 48 + 1;
    let depth = (pixels.len() as u32 / width).min(48);
    depth > 0 && paint(&png_of(width, depth, &pixels[..(width * depth) as usize]), *settings)
}

/// Reads a room painted with these bytes, and lives in it. Whether it could be read.
fn paint(png: &[u8], settings: u8) -> bool {
    if pixels(png).is_some_and(|pixels| pixels > MAX_PIXELS) {
        return false;
    }
    let text = room_text(settings);
    let read = || parse_with("rooms/painted.json", text.as_bytes(), None, &|_| Ok(png.to_vec()));
    let Some(parsed) = read_twice(read) else { return false };
    let room = &parsed.room;
    let json = room.to_json().expect("a painted room").to_string();
    let written = parse_with("rooms/painted.json", json.as_bytes(), None, &|_| Ok(png.to_vec()));
    let written = written.unwrap_or_else(|report| panic!("{report}"));
    assert_eq!(&written.room, room, "what is written reads otherwise");
    life::enter(&parsed);
    true
}

/// A painted room; the bits of `settings` say how it is sampled and walked.
fn room_text(settings: u8) -> String {
    let bit = |bit: u8| settings >> bit & 1 == 1;
    let rate = 1 + settings % 4;
    let neighbours = if bit(2) { 4 } else { 8 };
    let sampling = if bit(3) { "cover" } else { "point" };
    let shortening = if bit(4) { "divide" } else { "pull" };
    let floor = if bit(5) { r#"{"channel": "blue", "bit": 7}"# } else { "\"#0000ff\"" };
    let hold = if bit(6) { "hold" } else { "evict" };
    format!(
        r##"{{ "mask": "rooms/mask.png", "pixelsPerMetre": {}, "sampleRate": {rate}, "neighbours": {neighbours},
          "sampling": "{sampling}", "shortening": "{shortening}", "walkable": {floor},
          "areas": [{{ "name": "door", "paint": {{"channel": "green", "value": 128}}, "available": {}, "whenOccupied": "{hold}" }}],
          "hotspots": [{{ "name": "lever", "paint": {{"channel": "red", "value": 10}} }}] }}"##,
        if bit(7) { 4 } else { 1 },
        bit(1),
    )
}

/// How many pixels a PNG says it has.
fn pixels(png: &[u8]) -> Option<u64> {
    let number = |at: usize| Some(u64::from(u32::from_be_bytes(png.get(at..at + 4)?.try_into().ok()?)));
    Some(number(16)? * number(20)?)
}

/// A PNG of pixels of the palette.
fn png_of(width: u32, depth: u32, pixels: &[u8]) -> Vec<u8> {
    let colours: Vec<u8> =
        pixels.iter().flat_map(|&pixel| PALETTE[usize::from(pixel) % PALETTE.len()]).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, depth);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&colours).unwrap();
    writer.finish().unwrap();
    bytes
}

/// A floor with a door in the middle and a lever in the wall, 12 × 8 pixels.
pub fn small_png() -> &'static [u8] {
    static PNG: OnceLock<Vec<u8>> = OnceLock::new();
    PNG.get_or_init(|| {
        let pixel = |index: usize| match (index % 12, index / 12) {
            (6, 3) => 2,
            (11, 4) => 3,
            (0 | 6 | 11, _) | (_, 0 | 7) => 0,
            _ => 1,
        };
        png_of(12, 8, &(0..96).map(pixel).collect::<Vec<u8>>())
    })
}

/// The same file with checksums of its chunks that fit, so that what is in the chunks is looked at.
fn sealed(png: &[u8]) -> Vec<u8> {
    let mut bytes = png.to_vec();
    let mut at = SIGNATURE.len();
    while let Some(length) = bytes.get(at..at + 4) {
        let length = u32::from_be_bytes([length[0], length[1], length[2], length[3]]) as usize;
        let Some(end) = length.checked_add(at + 8) else { break };
        let Some(chunk) = bytes.get(at + 4..end) else { break };
        let check = crc32fast::hash(chunk).to_be_bytes();
        let Some(place) = bytes.get_mut(end..end + 4) else { break };
        place.copy_from_slice(&check);
        at = end + 4;
    }
    bytes
}
