//! The colours of a mask, pixel by pixel: unpacked on first use, and kept as runs.

use std::sync::OnceLock;

use super::image::read_png;

/// The four channels of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rgba {
    /// Red, 0 to 255.
    pub red: u8,
    /// Green, 0 to 255.
    pub green: u8,
    /// Blue, 0 to 255.
    pub blue: u8,
    /// The opacity, 0 to 255; 255 if the image has no alpha.
    pub alpha: u8,
}

/// The colours of an image, unpacked on first use. They follow from the image's bytes, so any two of these compare
/// equal.
#[derive(Default, Clone)]
pub struct Colours(OnceLock<Vec<Row>>);

/// A row of pixels: runs of one colour, each with its end column; or all pixels, if runs would take more memory.
#[derive(Clone)]
enum Row {
    Runs(Box<[(u32, Rgba)]>),
    Pixels(Box<[Rgba]>),
}

impl Colours {
    /// Whether the image was unpacked.
    pub fn are_known(&self) -> bool {
        self.0.get().is_some()
    }

    /// The colour of a pixel of the image with these bytes; `None` outside of it.
    pub(in crate::room::mask) fn at(&self, png: &[u8], column: u32, row: u32) -> Option<Rgba> {
        // A mask was read whole before it became part of a room, so this does not fail. If it does, there are no
        // colours.
        let rows = self.0.get_or_init(|| unpacked(png).unwrap_or_default());
        match rows.get(row as usize)? {
            Row::Pixels(pixels) => pixels.get(column as usize).copied(),
            Row::Runs(runs) => {
                let index = runs.partition_point(|(end, _)| *end <= column);
                runs.get(index).map(|&(_, colour)| colour)
            }
        }
    }
}

fn unpacked(png: &[u8]) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    read_png(
        png,
        |_, _| Ok(()),
        |line, samples| {
            rows.push(row_of(line.chunks_exact(samples).map(rgba)));
            Ok(())
        },
    )?;
    Ok(rows)
}

fn row_of(pixels: impl ExactSizeIterator<Item = Rgba> + Clone) -> Row {
    let width = pixels.len();
    let mut runs: Vec<(u32, Rgba)> = Vec::new();
    for (column, colour) in pixels.clone().enumerate() {
        match runs.last_mut().filter(|(_, last)| *last == colour) {
            Some((end, _)) => *end = column as u32 + 1,
            None => runs.push((column as u32 + 1, colour)),
        }
    }
    // A run takes as much memory as two pixels.
    if runs.len() * 2 < width { Row::Runs(runs.into()) } else { Row::Pixels(pixels.collect()) }
}

fn rgba(pixel: &[u8]) -> Rgba {
    let [red, green, blue, alpha] = match *pixel {
        [red, green, blue, alpha, ..] => [red, green, blue, alpha],
        [red, green, blue] => [red, green, blue, 255],
        [grey, alpha] => [grey, grey, grey, alpha],
        [grey] => [grey, grey, grey, 255],
        [] => [0; 4],
    };
    Rgba { red, green, blue, alpha }
}

impl PartialEq for Colours {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl std::fmt::Debug for Colours {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Colours")
    }
}
