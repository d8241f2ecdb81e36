use super::scan;
use super::{Channel, Paint, parse_colour};
use png::{BitDepth, ColorType};

/// A PNG of these rows of raw bytes.
fn png_of(size: (u32, u32), form: (ColorType, BitDepth), palette: &[u8], rows: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, size.0, size.1);
    encoder.set_color(form.0);
    encoder.set_depth(form.1);
    if !palette.is_empty() {
        encoder.set_palette(palette.to_vec());
    }
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(rows).unwrap();
    writer.finish().unwrap();
    bytes
}

/// The walkable pixels as `.`, the others as `#`.
fn drawn(png: &[u8]) -> String {
    let floor = scan(png, &[Paint::WALKABLE], &[], &[]).unwrap().floor;
    let mark = |x: u32, z: u32| if floor.is_walkable(x, z) { '.' } else { '#' };
    let row = |z: u32| (0..floor.width()).map(|x| mark(x, z)).collect::<String>();
    (0..floor.depth()).map(row).collect::<Vec<_>>().join("/")
}

const EIGHT: BitDepth = BitDepth::Eight;

#[test]
fn every_pixel_has_its_four_channels() {
    use super::{Colours, Rgba};
    let colour = |red, green, blue, alpha| Some(Rgba { red, green, blue, alpha });
    let at = |png: &[u8], x, z| Colours::default().at(png, x, z);
    let rgba =
        png_of((2, 2), (ColorType::Rgba, EIGHT), &[], &[1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 1, 2, 3, 4]);
    assert_eq!(
        [at(&rgba, 0, 0), at(&rgba, 1, 0), at(&rgba, 1, 1)],
        [colour(1, 2, 3, 4), colour(5, 6, 7, 8), colour(1, 2, 3, 4)]
    );
    assert_eq!([at(&rgba, 2, 0), at(&rgba, 0, 2)], [None, None]);
    let grey = png_of((8, 1), (ColorType::Grayscale, EIGHT), &[], &[9, 9, 9, 9, 9, 9, 9, 200]);
    assert_eq!(
        [at(&grey, 0, 0), at(&grey, 6, 0), at(&grey, 7, 0)],
        [colour(9, 9, 9, 255), colour(9, 9, 9, 255), colour(200, 200, 200, 255)]
    );
    let palette = png_of((2, 1), (ColorType::Indexed, EIGHT), &[10, 20, 30, 40, 50, 60], &[1, 0]);
    assert_eq!([at(&palette, 0, 0), at(&palette, 1, 0)], [colour(40, 50, 60, 255), colour(10, 20, 30, 255)]);
}

#[test]
fn bit_7_of_blue_walks_whatever_the_png_is_made_of() {
    let (on, off) = ([9, 7, 128], [255, 255, 127]);
    let rgb = [on, off, off, on].concat();
    assert_eq!(drawn(&png_of((2, 2), (ColorType::Rgb, EIGHT), &[], &rgb)), ".#/#.");
    let clear: Vec<u8> = [on, off, off, on].iter().flat_map(|c| [c[0], c[1], c[2], 0]).collect();
    assert_eq!(
        drawn(&png_of((2, 2), (ColorType::Rgba, EIGHT), &[], &clear)),
        ".#/#.",
        "alpha counts for nothing"
    );
    assert_eq!(drawn(&png_of((2, 2), (ColorType::Grayscale, EIGHT), &[], &[128, 127, 0, 255])), ".#/#.");
    assert_eq!(
        drawn(&png_of((2, 2), (ColorType::GrayscaleAlpha, EIGHT), &[], &[128, 0, 127, 0, 0, 9, 255, 1])),
        ".#/#."
    );
    let deep: Vec<u8> = [on, off, off, on].iter().flat_map(|c| [c[0], 1, c[1], 2, c[2], 255]).collect();
    assert_eq!(drawn(&png_of((2, 2), (ColorType::Rgb, BitDepth::Sixteen), &[], &deep)), ".#/#.");
    let palette = [on, off].concat();
    let bits = [0b0100_0000, 0b1000_0000];
    assert_eq!(drawn(&png_of((2, 2), (ColorType::Indexed, BitDepth::One), &palette, &bits)), ".#/#.");
    assert_eq!(
        drawn(&png_of((5, 1), (ColorType::Grayscale, BitDepth::Two), &[], &[0b1101_1000, 0b1100_0000])),
        ".#.#."
    );
}

#[test]
fn colours_bits_and_values_are_told_apart() {
    let row = [[255, 136, 0], [255, 136, 1], [3, 136, 128], [3, 8, 129]].concat();
    let png = png_of((4, 1), (ColorType::Rgb, EIGHT), &[], &row);
    let orange = [Paint::Colour([255, 136, 0])];
    let high_green = [Paint::Bit(Channel::Green, 7)];
    let red_3 = [Paint::Value(Channel::Red, 3), Paint::Colour([255, 136, 1])];
    let found = scan(&png, &[Paint::WALKABLE], &[&orange, &high_green], &[&red_3]).unwrap();
    let columns = |pixels: &super::Pixels| (0..4).filter(|&x| pixels.contains(x, 0)).collect::<Vec<_>>();
    assert_eq!(columns(&found.areas[0]), [0]);
    assert_eq!(columns(&found.areas[1]), [0, 1, 2]);
    assert_eq!(columns(&found.hotspots[0]), [1, 2, 3]);
    assert_eq!((found.hotspots[0].columns(), found.hotspots[0].rows()), (1..4, 0..1));
    let floor: Vec<bool> = (0..4).map(|x| found.floor.is_walkable(x, 0)).collect();
    assert_eq!(floor, [false, false, false, true], "what is an area's is not the floor's");
    assert_eq!(parse_colour("#ff8800"), Some([255, 136, 0]));
    for bad in ["ff8800", "#ff880", "#ff88001", "#+f8800", "#ff88ö", "", "#"] {
        assert_eq!(parse_colour(bad), None, "{bad}");
    }
}

#[test]
fn an_image_cut_off_anywhere_is_no_image() {
    let rows: Vec<u8> = (0..48 * 20 * 3).map(|i| (i * 37 % 251) as u8).collect();
    let png = png_of((48, 20), (ColorType::Rgb, EIGHT), &[], &rows);
    for end in 0..png.len() {
        assert!(scan(&png[..end], &[Paint::WALKABLE], &[], &[]).is_err(), "{end} of {} bytes", png.len());
    }
    assert!(scan(&png, &[Paint::WALKABLE], &[], &[]).is_ok());
    for at in 0..png.len() {
        let mut broken = png.clone();
        broken[at] ^= 0x55;
        let _ = scan(&broken, &[Paint::WALKABLE], &[], &[]); // any answer will do
    }
}

#[test]
fn a_bomb_is_known_by_its_header() {
    let mut png = png_of((1, 1), (ColorType::Grayscale, EIGHT), &[], &[0]);
    let chunk = 12; // "IHDR", then width and height; its checksum is behind 17 bytes
    png[chunk + 4..chunk + 12].copy_from_slice(&[0, 0, 0xc3, 0x50, 0, 0, 0xc3, 0x50]);
    let sum = crc(&png[chunk..chunk + 17]).to_be_bytes();
    png[chunk + 17..chunk + 21].copy_from_slice(&sum);
    let error = scan(&png, &[Paint::WALKABLE], &[], &[]).unwrap_err();
    assert_eq!(error, "it has 50000 × 50000 pixels, and a mask may have 64 million");
}

#[test]
fn what_is_no_png_is_said_to_be_none() {
    for (bytes, words) in [
        (&b""[..], "the file is empty"),
        (b"\xff\xd8\xff\xe0 a jpeg", "it is a JPEG, which smears colours; save it as PNG"),
        (b"GIF89a", "it is no PNG"),
        (b"\x89PNG\r\n\x1a\n", "the file is cut off"),
    ] {
        assert_eq!(scan(bytes, &[Paint::WALKABLE], &[], &[]).unwrap_err(), words);
    }
}

/// A PNG of single bytes in Adam7's seven passes, unpacked; built by hand, since no available encoder writes these.
fn interlaced(width: u32, depth: u32, at: impl Fn(u32, u32) -> u8) -> Vec<u8> {
    const PASSES: [(u32, u32, u32, u32); 7] =
        [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)];
    let mut raw = Vec::new();
    for (left, top, every_x, every_z) in PASSES {
        for z in (top..depth).step_by(every_z as usize).filter(|_| left < width) {
            raw.push(0); // no filter
            raw.extend((left..width).step_by(every_x as usize).map(|x| at(x, z)));
        }
    }
    let (low, high) = raw.iter().fold((1_u32, 0_u32), |(a, b), &byte| {
        let a = (a + u32::from(byte)) % 65_521;
        (a, (b + a) % 65_521)
    });
    let length = raw.len() as u16;
    let mut packed = vec![0x78, 0x01, 1]; // one last block, stored
    packed.extend(length.to_le_bytes());
    packed.extend((!length).to_le_bytes());
    packed.extend(&raw);
    packed.extend((high << 16 | low).to_be_bytes());
    let mut header = [width.to_be_bytes(), depth.to_be_bytes()].concat();
    header.extend([8, 0, 0, 0, 1]); // 8 bits of grey, interlaced
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in [(b"IHDR", &header), (b"IDAT", &packed), (b"IEND", &Vec::new())] {
        let body = [kind.as_slice(), data].concat();
        png.extend((data.len() as u32).to_be_bytes());
        png.extend(&body);
        png.extend(crc(&body).to_be_bytes());
    }
    png
}

fn crc(bytes: &[u8]) -> u32 {
    let mut crc = !0u32;
    for &byte in bytes {
        crc ^= u32::from(byte);
        (0..8).for_each(|_| crc = crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 });
    }
    !crc
}

#[test]
fn interlaced_images_are_read_like_others() {
    for (width, depth) in [(1, 1), (3, 2), (9, 11), (16, 8)] {
        let grey = |x: u32, z: u32| if (x * 7 + z * 3) % 5 < 2 { 200 } else { 90 };
        let rows: Vec<u8> = (0..depth).flat_map(|z| (0..width).map(move |x| grey(x, z))).collect();
        let plain = png_of((width, depth), (ColorType::Grayscale, EIGHT), &[], &rows);
        let png = interlaced(width, depth, grey);
        assert_eq!(drawn(&png), drawn(&plain), "{width} × {depth}");
        for end in 0..png.len() {
            assert!(scan(&png[..end], &[Paint::WALKABLE], &[], &[]).is_err(), "{end} of {} bytes", png.len());
        }
    }
}

#[test]
fn speckles_are_refused_before_they_fill_the_memory() {
    let board: Vec<u8> = (0..2000 * 250).map(|i| if (i / 250) % 2 == 0 { 0x55 } else { 0xaa }).collect();
    let png = png_of((2000, 2000), (ColorType::Grayscale, BitDepth::One), &[], &board);
    let white = [Paint::Bit(Channel::Red, 7)];
    // A thousand pieces in each of two thousand rows: exactly the limit.
    assert!(scan(&png, &[Paint::WALKABLE], &[], &[]).is_ok());
    assert!(scan(&png, &[], &[], &[white.as_slice()]).is_ok());
    let refused = "it is speckled all over, with more than 2 million pieces of ground, areas and hotspots in its rows; \
                   paint them in larger pieces";
    let both = scan(&png, &[Paint::WALKABLE], &[], &[white.as_slice()]).unwrap_err();
    assert_eq!(both, refused);
    let longer = png_of(
        (2000, 2001),
        (ColorType::Grayscale, BitDepth::One),
        &[],
        &[&board[..], &board[..250]].concat(),
    );
    assert_eq!(scan(&longer, &[Paint::WALKABLE], &[], &[]).unwrap_err(), refused);
}

#[test]
fn smoothed_edges_are_noticed_and_what_an_author_leaves_out_is_not() {
    // Floor, wall and water, with a smoothed edge between the first two.
    let row = |smooth: bool| {
        let edge = |i: u8| if smooth { [120 - i * 10, 120 - i * 10, 240 - i * 20] } else { [0, 0, 0] };
        let mut row = vec![[0x88, 0x88, 0xff]; 40];
        row.extend((0..12).map(edge));
        row.extend([[0, 0, 0]; 40]);
        row.extend([[0x40, 0x40, 0x40]; 20]);
        row.concat()
    };
    let strays = |smooth: bool, walkable: Paint| {
        let png = png_of((112, 1), (ColorType::Rgb, EIGHT), &[], &row(smooth));
        scan(&png, &[walkable], &[], &[]).unwrap().odd.strays
    };
    let floor = Paint::Colour([0x88, 0x88, 0xff]);
    let found = strays(true, floor).unwrap();
    assert!(found.colours >= 6 && found.pixels >= 6 && found.at[0] >= 40 && found.at[0] < 52, "{found}");
    assert_eq!(strays(false, floor), None);
    assert_eq!(strays(true, Paint::WALKABLE), None, "bits of other channels may mean anything");
}

#[test]
fn smoothed_edges_are_noticed_by_their_shape_whatever_paints_mean() {
    // A slanting edge between floor and wall, in forty rows.
    let smoothed = |edge: &[u8], width: usize| {
        let row = |z: usize| {
            let (left, right) = (vec![255u8; 20 + z / 4], vec![0u8; 30 - z / 4]);
            [left, edge.repeat(width), right].concat()
        };
        let rows: Vec<Vec<u8>> = (0..40).map(row).collect();
        let size = (rows[0].len() as u32, 40);
        let png = png_of(size, (ColorType::Grayscale, EIGHT), &[], &rows.concat());
        scan(&png, &[Paint::WALKABLE], &[], &[]).unwrap().odd.smoothed
    };
    let found = smoothed(&[180, 90], 1).unwrap();
    assert_eq!((found.pixels, found.colour, found.at), (80, [180; 3], [20, 0]));
    assert_eq!(smoothed(&[], 0), None, "a hard edge");
    assert_eq!(smoothed(&[0, 255], 1), None, "a line");
    assert_eq!(smoothed(&[100], 6), None, "a strip of something else");
}
