//! Reads image files: a PNG pixel by pixel, checked before it is unpacked; any other picture only as far as its size.

mod decode;

use decode::check_header;
pub(super) use decode::read_png;

use std::sync::Arc;

/// The format of an image file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageKind {
    /// A PNG.
    Png,
    /// A JPEG.
    Jpeg,
}

/// A picture that is shown and not examined.
#[derive(Debug, Clone, PartialEq)]
pub struct Image {
    /// The file, relative to the project.
    pub file: String,
    /// The content of the file.
    pub bytes: Arc<[u8]>,
    /// The format of the file.
    pub kind: ImageKind,
}

impl Image {
    /// Width and height in pixels, as the header says. `None` if it does not.
    pub fn size(&self) -> Option<(u32, u32)> {
        match self.kind {
            ImageKind::Png => {
                let number = |at: usize| self.bytes.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
                number(16).zip(number(20))
            }
            ImageKind::Jpeg => jpeg_size(&self.bytes),
        }
        .filter(|&(width, height)| width > 0 && height > 0)
    }
}

/// The size in the frame header of a JPEG: the segment SOF0 to SOF15, of which three are something else.
fn jpeg_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let word = |at: usize| bytes.get(at..at + 2)?.try_into().ok().map(u16::from_be_bytes);
    let mut at = 2;
    loop {
        let [0xff, marker] = *bytes.get(at..at + 2)? else { return None };
        match marker {
            0xff => at += 1, // padding
            0xc0..=0xcf if ![0xc4, 0xc8, 0xcc].contains(&marker) => {
                return Some((u32::from(word(at + 7)?), u32::from(word(at + 5)?)));
            }
            0x01 | 0xd0..=0xd8 => at += 2,
            _ => at += 2 + usize::from(word(at + 2)?),
        }
    }
}

impl ImageKind {
    /// Its media type (MIME).
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
        }
    }
}

/// Checks a picture to be shown.
pub(in crate::room) fn picture(file: &str, bytes: Vec<u8>) -> Result<Image, String> {
    let kind = match bytes.as_slice() {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => ImageKind::Png,
        [0xff, 0xd8, 0xff, ..] => ImageKind::Jpeg,
        _ => return Err("it is neither a PNG nor a JPEG".into()),
    };
    if kind == ImageKind::Png {
        check_header(&bytes)?;
    }
    Ok(Image { file: file.to_owned(), bytes: bytes.into(), kind })
}

/// The colour of a pixel with 1 (grey), 2 (grey and alpha), 3 or 4 samples; alpha is dropped.
pub(super) fn rgb(pixel: &[u8]) -> [u8; 3] {
    match *pixel {
        [red, green, blue, ..] => [red, green, blue],
        [grey, ..] => [grey; 3],
        [] => [0; 3],
    }
}
