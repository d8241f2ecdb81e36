//! The artwork of the painted example rooms, drawn from scratch: the pictures behind them and their masks. The committed files
//! must be what is drawn here; `CICERONE_RENEW=1 cargo test --test library painting` writes them.

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

use png::{ColorType, Decoder, Encoder};
use std::io::Cursor;

/// An image as a file: `samples` a pixel, row by row.
fn encoded(size: (usize, usize), colours: ColorType, palette: Option<Vec<u8>>, samples: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, size.0 as u32, size.1 as u32);
    encoder.set_color(colours);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    if let Some(palette) = palette {
        encoder.set_palette(palette);
    }
    encoder.write_header().unwrap().write_image_data(samples).unwrap();
    bytes
}

/// Size, palette and samples of a file. Compressed bytes may change with the encoder's version; these do not.
fn decoded(bytes: &[u8]) -> ((u32, u32), Vec<u8>, Vec<u8>) {
    let mut reader = Decoder::new(Cursor::new(bytes)).read_info().unwrap();
    let mut samples = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut samples).unwrap();
    let info = reader.info();
    (info.size(), info.palette.as_deref().unwrap_or_default().to_vec(), samples)
}

fn check(name: &str, drawn: &[u8]) {
    let file = format!("rooms/{name}.png");
    if std::env::var_os("CICERONE_RENEW").is_some() {
        std::fs::write(&file, drawn).unwrap();
    }
    let committed = std::fs::read(&file).unwrap();
    assert!(
        decoded(&committed) == decoded(drawn),
        "{file} is not what is drawn; CICERONE_RENEW=1 writes it anew"
    );
}

#[test]
fn the_kitchen_is_as_it_is_drawn() {
    let size = (kitchen::WIDTH, kitchen::HEIGHT);
    check("kitchen", &encoded(size, ColorType::Rgb, None, &kitchen::picture().finish()));
    let mask: Vec<u8> = kitchen::mask().pixels().iter().flatten().copied().collect();
    check("kitchen-mask", &encoded(size, ColorType::Rgb, None, &mask));
}

#[test]
fn the_street_is_as_it_is_drawn() {
    let size = (street::WIDTH, street::HEIGHT);
    check("street", &encoded(size, ColorType::Rgb, None, &street::picture().finish()));
    let mask: Vec<u8> = street::mask().pixels().iter().map(|place| *place as u8).collect();
    let palette = Some(street::PALETTE.concat());
    check("street-mask", &encoded(size, ColorType::Indexed, palette, &mask));
}
