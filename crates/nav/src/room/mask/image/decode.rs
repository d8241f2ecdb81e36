//! Reads a PNG pixel by pixel, checked before it is unpacked.

use crate::problem::guarded;
use png::{ColorType, Decoder, Limits, Transformations};
use std::io::Cursor;

/// Memory limit of the decoder: a row of the widest image, twice, and what unpacking needs.
const MOST_DECODER_BYTES: usize = 64 << 20;

/// Checks the header of a PNG that is shown and not examined.
pub(super) fn check_header(bytes: &[u8]) -> Result<(), String> {
    // A picture is embedded as it is, so it need not be unpacked. But a broken header is reported at once.
    guarded(bytes, || {
        Decoder::new(Cursor::new(bytes)).read_header_info().map(drop).map_err(|error| plain(&error))
    })
    .and_then(|read| read)
}

/// Reads a PNG. Calls `begin(width, depth)`, then `row(bytes, samples)` for each row from the top. Palettes and all
/// depths become `samples` samples of 8 bits per pixel; [`super::rgb`] gives their colour.
///
/// # Errors
/// As text; also what `begin` refuses, before anything of that size is allocated.
pub(in crate::room::mask) fn read_png(
    bytes: &[u8],
    begin: impl FnMut(u32, u32) -> Result<(), String>,
    row: impl FnMut(&[u8], usize) -> Result<(), String>,
) -> Result<(), String> {
    guarded(bytes, || decode(bytes, begin, row)).and_then(|read| read)
}

fn decode(
    bytes: &[u8],
    mut begin: impl FnMut(u32, u32) -> Result<(), String>,
    mut row: impl FnMut(&[u8], usize) -> Result<(), String>,
) -> Result<(), String> {
    match bytes {
        [] => return Err("the file is empty".into()),
        [0xff, 0xd8, 0xff, ..] => return Err("it is a JPEG, which smears colours; save it as PNG".into()),
        _ => {}
    }
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: MOST_DECODER_BYTES });
    // Both may be decompression bombs of their own, and neither is used.
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let header = decoder.read_header_info().map_err(|error| plain(&error))?;
    let (width, depth) = (header.width, header.height);
    begin(width, depth)?;
    let mut reader = decoder.read_info().map_err(|error| plain(&error))?;
    let samples = match reader.output_color_type().0 {
        ColorType::Grayscale => 1,
        ColorType::GrayscaleAlpha => 2,
        ColorType::Rgb => 3,
        ColorType::Rgba => 4,
        ColorType::Indexed => return Err("its palette is missing".into()),
    };
    if reader.info().interlaced {
        let size = reader.output_buffer_size().ok_or("it is too large")?;
        let mut frame = vec![0; size];
        reader.next_frame(&mut frame).map_err(|error| plain(&error))?;
        let per_row = samples * width as usize;
        frame.chunks_exact(per_row).try_for_each(|line| row(line, samples))?;
    } else {
        for _ in 0..depth {
            let line = reader.next_row().map_err(|error| plain(&error))?;
            row(line.ok_or("it ends before its last row")?.data(), samples)?;
        }
    }
    // What follows the last row is checked too: a file that is cut off there is not whole.
    reader.finish().map_err(|error| plain(&error))
}

/// The problem of a PNG, in plain words.
fn plain(error: &png::DecodingError) -> String {
    match error {
        png::DecodingError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            "the file is cut off".into()
        }
        png::DecodingError::LimitsExceeded => "unpacking it would take too much memory".into(),
        png::DecodingError::Format(error) => {
            let words = error.to_string();
            match words.contains("signature") {
                true => "it is no PNG".into(),
                // The decoder's own message names its own types.
                false if words.contains("CRC") || words.contains("Crc") => {
                    "it is damaged: a checksum is wrong".into()
                }
                false => {
                    let words =
                        words.split(['{', '(']).next().unwrap_or_default().trim().trim_end_matches('.');
                    format!("it is no good PNG: {words}")
                }
            }
        }
        error => format!("it cannot be read: {error}"),
    }
}
