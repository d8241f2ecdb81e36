//! Shapes with too many edges for a path, embedded as a raster image of their cells.

use super::xml::num;
use crate::draw::Rgb;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use glam::DVec2;

/// A path of more bytes than this is embedded as pixels instead: noise of that size is not legible as lines, and
/// pixels take a twentieth of the bytes.
pub(super) const MOST_PATH_BYTES: usize = 256 * 1024;

/// Cells of larger grids are drawn several to a pixel, so that the picture has at most this many.
const MOST_PIXELS: u64 = 4_000_000;

/// The cells of a grid in at most sixteen colours.
pub(super) struct Raster {
    /// Columns and rows of pixels.
    size: (u32, u32),
    /// Cells along the edge of a pixel.
    block: u32,
    /// The palette index of each pixel.
    pixels: Vec<u8>,
}

impl Raster {
    /// An empty image of this many columns and rows of cells.
    pub(super) fn new(width: u32, depth: u32) -> Self {
        let mut block = 1;
        while u64::from(width.div_ceil(block)) * u64::from(depth.div_ceil(block)) > MOST_PIXELS {
            block += 1;
        }
        let size = (width.div_ceil(block), depth.div_ceil(block));
        Self { size, block, pixels: vec![0; size.0 as usize * size.1 as usize] }
    }

    /// Paints a cell; of several that share a pixel, the highest colour is shown.
    pub(super) fn set(&mut self, x: u32, z: u32, colour: u8) {
        let (column, row) = (x / self.block, z / self.block);
        if column < self.size.0 && row < self.size.1 {
            let pixel = &mut self.pixels[row as usize * self.size.0 as usize + column as usize];
            *pixel = (*pixel).max(colour);
        }
    }

    /// Paints the covered share of each pixel as one of sixteen shades: 0 none of it, 15 all.
    pub(super) fn set_shares(&mut self, covers: impl Fn(u32, u32) -> bool) {
        let (block, width) = (self.block, self.size.0);
        for (index, pixel) in self.pixels.iter_mut().enumerate() {
            let (column, row) = (index as u32 % width * block, index as u32 / width * block);
            let cells = (row..row + block).flat_map(|z| (column..column + block).map(move |x| (x, z)));
            let covered = cells.filter(|&(x, z)| covers(x, z)).count() as u32;
            *pixel = (covered * 15).div_ceil(block * block) as u8;
        }
    }

    /// An image element with its upper left corner at `at`, and cells `cell_px` pixels of the sheet wide. The first
    /// colour is transparent.
    pub(super) fn element(&self, at: DVec2, cell_px: f64, palette: &[(Rgb, f64)]) -> Option<String> {
        let data = STANDARD.encode(self.png(palette)?);
        let size =
            DVec2::new(f64::from(self.size.0), f64::from(self.size.1)) * f64::from(self.block) * cell_px;
        let [x, y, width, height] = [at.x, at.y, size.x, size.y].map(num);
        // Where a cell is smaller than a pixel of the sheet, smoothing shows its covered share.
        let look = if cell_px >= 2.0 { r#" style="image-rendering:pixelated""# } else { "" };
        Some(format!(
            r#"<image x="{x}" y="{y}" width="{width}" height="{height}" preserveAspectRatio="none"{look} href="data:image/png;base64,{data}"/>"#
        ))
    }

    fn png(&self, palette: &[(Rgb, f64)]) -> Option<Vec<u8>> {
        let (width, rows) = (self.size.0 as usize, self.size.1);
        let mut packed = Vec::with_capacity(width.div_ceil(2) * rows as usize);
        for row in self.pixels.chunks(width.max(1)) {
            packed.extend(row.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or(0)));
        }
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.size.0, rows);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Four);
        encoder.set_compression(png::Compression::High);
        encoder.set_palette(palette.iter().flat_map(|(Rgb(r, g, b), _)| [*r, *g, *b]).collect::<Vec<u8>>());
        encoder.set_trns(palette.iter().map(|(_, alpha)| (alpha * 255.0).round() as u8).collect::<Vec<u8>>());
        let mut writer = encoder.write_header().ok()?;
        writer.write_image_data(&packed).ok()?;
        writer.finish().ok()?;
        Some(bytes)
    }
}

/// Sixteen shades of a colour, from nothing to `alpha`.
pub(super) fn shades(colour: Rgb, alpha: f64) -> Vec<(Rgb, f64)> {
    (0..16).map(|shade| (colour, alpha * f64::from(shade) / 15.0)).collect()
}
