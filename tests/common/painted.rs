//! Painted rooms from pictures of characters.

use cicerone::room::{ReadFile, Room, parse_with};

/// What a character of a picture is painted in: `#` nothing, `.` floor, `d` a door, `r` a hotspot on a wall, `R` one
/// on floor.
pub fn colour(mark: char) -> [u8; 3] {
    match mark {
        '.' => [0, 0, 255],
        'd' => [0, 128, 255],
        'r' => [10, 0, 0],
        'R' => [10, 0, 255],
        _ => [0, 0, 0],
    }
}

/// A PNG, red, green and blue of 8 bits; `at(x, z)` gives its colours.
pub fn png_of(width: u32, depth: u32, at: impl Fn(u32, u32) -> [u8; 3]) -> Vec<u8> {
    let pixels: Vec<u8> =
        (0..depth).flat_map(|z| (0..width).flat_map(move |x| [(x, z)])).flat_map(|(x, z)| at(x, z)).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, depth);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&pixels).unwrap();
    writer.finish().unwrap();
    bytes
}

/// A PNG from a picture, one pixel a character.
pub fn png_from(picture: &str) -> Vec<u8> {
    let rows: Vec<Vec<char>> = picture.split_whitespace().map(|row| row.chars().collect()).collect();
    let mark = |x: u32, z: u32| rows[z as usize].get(x as usize).copied().unwrap_or('#');
    png_of(rows[0].len() as u32, rows.len() as u32, |x, z| colour(mark(x, z)))
}

/// A room painted with this PNG, one pixel a metre; `more` are further keys of its file.
pub fn painted(png: &[u8], more: &str) -> Room {
    let text = format!(r#"{{"mask": "rooms/mask.png", "pixelsPerMetre": 1{more}}}"#);
    let read: ReadFile<'_> = &|_| Ok(png.to_vec());
    parse_with("rooms/painted.json", text.as_bytes(), None, read)
        .unwrap_or_else(|report| panic!("{report}"))
        .room
}
