//! From a PNG to runs of pixels: one pass over the image, whatever it is looked through for.

use glam::DVec2;

use super::image::{read_png, rgb};
use super::{Paint, Pixels};
use crate::geometry::for_words;
use crate::room::{GridCells, MAX_CELLS};

/// What an image says.
#[derive(Debug)]
pub(in crate::room) struct Scan {
    /// Its walkable pixels, those of areas left out.
    pub(in crate::room) floor: GridCells,
    /// The pixels of each area.
    pub(in crate::room) areas: Vec<Pixels>,
    /// The pixels of each hotspot.
    pub(in crate::room) hotspots: Vec<Pixels>,
}

/// Colours whose meaning is remembered at a time. Masks have few; a noisy one is only slower.
const REMEMBERED: usize = 1 << 10;

/// Reads a PNG: which pixels have one of the paints in `walkable`, of each area, of each hotspot.
///
/// # Errors
/// Why it cannot be read, in words.
pub(in crate::room) fn scan(
    png: &[u8],
    walkable: &[Paint],
    areas: &[&[Paint]],
    hotspots: &[&[Paint]],
) -> Result<Scan, String> {
    let mut size = (0, 0);
    let mut words: Vec<u64> = Vec::new();
    let mut z = 0;
    let mut found: Vec<Pixels> = vec![Pixels::default(); areas.len() + hotspots.len()];
    let mut meanings = Meanings::new(walkable, areas, hotspots);
    let begin = |width: u32, depth: u32| {
        if f64::from(width) * f64::from(depth) > MAX_CELLS {
            let most = MAX_CELLS / 1e6;
            return Err(format!("it has {width} × {depth} pixels, and a mask may have {most:.0} million"));
        }
        size = (width, depth);
        Ok(())
    };
    read_png(png, begin, |line, samples| {
        let width = line.len() / samples;
        let mut floor = vec![0u64; width.div_ceil(64)];
        let pixel = |x: usize| &line[x * samples..(x + 1) * samples];
        let mut start = 0;
        for x in 1..=width {
            if x < width && pixel(x) == pixel(start) {
                continue;
            }
            let columns = start as u32..x as u32;
            let meaning = meanings.of(rgb(pixel(start)));
            if meaning.floor {
                for_words(&mut floor, columns.clone(), |word, mask| *word |= mask);
            }
            for &thing in &meaning.things {
                found[thing].add(z, columns.clone());
            }
            start = x;
        }
        words.extend_from_slice(&floor);
        z += 1;
    })?;
    let floor = GridCells::from_words(DVec2::ZERO, size.0, size.1, words);
    let hotspots = found.split_off(areas.len());
    Ok(Scan { floor, areas: found, hotspots })
}

/// What colours mean, worked out once for each.
struct Meanings<'a> {
    walkable: &'a [Paint],
    areas: &'a [&'a [Paint]],
    hotspots: &'a [&'a [Paint]],
    known: Vec<Option<([u8; 3], Meaning)>>,
}

#[derive(Default)]
struct Meaning {
    floor: bool,
    /// Areas first, then hotspots.
    things: Vec<usize>,
}

impl<'a> Meanings<'a> {
    fn new(walkable: &'a [Paint], areas: &'a [&'a [Paint]], hotspots: &'a [&'a [Paint]]) -> Self {
        Self { walkable, areas, hotspots, known: (0..REMEMBERED).map(|_| None).collect() }
    }

    fn of(&mut self, rgb: [u8; 3]) -> &Meaning {
        let mixed = u32::from_le_bytes([rgb[0], rgb[1], rgb[2], 0]).wrapping_mul(0x9e37_79b1);
        let slot = (mixed >> 22) as usize % REMEMBERED;
        let known = &mut self.known[slot];
        if known.as_ref().is_none_or(|(colour, _)| *colour != rgb) {
            let has = |paints: &[Paint]| paints.iter().any(|paint| paint.is_on(rgb));
            let of_areas = (0..self.areas.len()).filter(|&i| has(self.areas[i]));
            let mut things: Vec<usize> = of_areas.collect();
            let floor = things.is_empty() && has(self.walkable);
            let of_hotspots = (0..self.hotspots.len()).filter(|&i| has(self.hotspots[i]));
            things.extend(of_hotspots.map(|i| self.areas.len() + i));
            *known = Some((rgb, Meaning { floor, things }));
        }
        let (_, meaning) = known.get_or_insert_with(|| (rgb, Meaning::default()));
        meaning
    }
}
