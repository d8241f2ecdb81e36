//! Paints the pictures of the painted example rooms, and their masks, from scratch.
//!
//! `cargo run --manifest-path examples/painters/Cargo.toml` writes them into `rooms/`. With `-- --check` it writes
//! nothing, and fails if a committed file is not, byte for byte, what is painted here. `Cargo.lock` keeps the encoder,
//! and so the bytes.

mod canvas;
mod kitchen;
mod kitchen_furniture;
mod kitchen_room;
mod shapes;
mod street;
mod street_ground;
mod street_houses;
mod street_shops;
mod street_things;
mod texture;

use png::{ColorType, Encoder, EncodingError};
use std::path::Path;
use std::process::ExitCode;

/// The folder of the example rooms.
const ROOMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rooms");

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.as_slice() {
        [] => each_file(|file, bytes| std::fs::write(file, bytes).map_err(|why| why.to_string())),
        [only] if only == "--check" => each_file(compare),
        _ => vec!["usage: painters [--check]".to_owned()],
    };
    for complaint in &done {
        eprintln!("{complaint}");
    }
    ExitCode::from(u8::from(!done.is_empty()))
}

/// Does something with each file that is painted, and answers what went wrong.
fn each_file(finish: impl Fn(&Path, &[u8]) -> Result<(), String>) -> Vec<String> {
    let painted: [(&str, Result<Vec<u8>, EncodingError>); 4] = [
        ("kitchen.png", kitchen_picture()),
        ("kitchen-mask.png", kitchen_mask()),
        ("street.png", street_picture()),
        ("street-mask.png", street_mask()),
    ];
    let complaint = |(name, bytes): (&str, Result<Vec<u8>, EncodingError>)| {
        let bytes = bytes.map_err(|why| why.to_string());
        let done = bytes.and_then(|bytes| finish(&Path::new(ROOMS).join(name), &bytes));
        done.err().map(|why| format!("rooms/{name}: {why}"))
    };
    painted.into_iter().filter_map(complaint).collect()
}

fn compare(file: &Path, painted: &[u8]) -> Result<(), String> {
    match std::fs::read(file) {
        Ok(committed) if committed == painted => Ok(()),
        Ok(_) => Err("this is not what is painted; without --check it is written anew".to_owned()),
        Err(why) => Err(why.to_string()),
    }
}

fn kitchen_picture() -> Result<Vec<u8>, EncodingError> {
    encoded((kitchen::WIDTH, kitchen::HEIGHT), ColorType::Rgb, None, &kitchen::picture().finish())
}

fn kitchen_mask() -> Result<Vec<u8>, EncodingError> {
    let samples: Vec<u8> = kitchen::mask().pixels().iter().flatten().copied().collect();
    encoded((kitchen::WIDTH, kitchen::HEIGHT), ColorType::Rgb, None, &samples)
}

fn street_picture() -> Result<Vec<u8>, EncodingError> {
    encoded((street::WIDTH, street::HEIGHT), ColorType::Rgb, None, &street::picture().finish())
}

fn street_mask() -> Result<Vec<u8>, EncodingError> {
    let samples: Vec<u8> = street::mask().pixels().iter().map(|place| *place as u8).collect();
    let palette = Some(street::PALETTE.concat());
    encoded((street::WIDTH, street::HEIGHT), ColorType::Indexed, palette, &samples)
}

/// An image as a file: `samples` a pixel, row by row.
fn encoded(
    size: (usize, usize),
    colours: ColorType,
    palette: Option<Vec<u8>>,
    samples: &[u8],
) -> Result<Vec<u8>, EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, size.0 as u32, size.1 as u32);
    encoder.set_color(colours);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    if let Some(palette) = palette {
        encoder.set_palette(palette);
    }
    encoder.write_header()?.write_image_data(samples)?;
    Ok(bytes)
}
