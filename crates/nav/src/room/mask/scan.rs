//! From a PNG to runs of pixels: one pass over the image for all purposes.

use std::collections::BTreeMap;
use std::ops::Range;

use glam::DVec2;

use super::edges::Edges;
use super::image::{read_png, rgb};
use super::{FloorColour, Oddities, Paint, Pixels, Strays};
use crate::geometry::for_words;
use crate::room::{GridCells, MAX_CELLS};

/// The content of a mask image.
#[derive(Debug)]
pub(in crate::room) struct Scan {
    /// The walkable pixels, those of areas left out.
    pub(in crate::room) floor: GridCells,
    /// The pixels of each area.
    pub(in crate::room) areas: Vec<Pixels>,
    /// The pixels of each hotspot.
    pub(in crate::room) hotspots: Vec<Pixels>,
    /// What looks like a mistake.
    pub(in crate::room) odd: Oddities,
}

/// Size of the cache of colours and their meanings. Masks have few colours; a noisy mask is only slower.
const REMEMBERED: usize = 1 << 10;

/// From this many rare colours without a meaning on, they are reported.
const SUSPICIOUS: usize = 6;

/// Up to so many colours of the ground are told.
const MOST_FLOORS: usize = 4;

/// A colour of less than one in so many pixels of the ground is rare.
const RARE: u64 = 1000;

/// Upper limit on the colours that are counted; a photograph has more.
const MOST_UNKNOWN: usize = 4096;

/// Upper limit on the runs of pixels of the ground, all areas and all hotspots together. A run is a piece of a row
/// with one meaning. An image painted by an artist has thousands. Noise has one for every few pixels, and takes
/// seconds wherever its pieces are followed.
const MOST_RUNS: usize = 2_000_000;

/// Reads a PNG: which pixels have one of the paints in `walkable`, of each area, of each hotspot.
///
/// # Errors
/// Why it cannot be read, as text.
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
    let (mut runs, mut transparent) = (0, 0);
    let paints = || walkable.iter().chain(areas.iter().chain(hotspots).copied().flatten());
    let is_colour = |paint: &Paint| matches!(paint, Paint::Colour(_));
    // Only if every paint is a whole colour is any other colour known to mean nothing.
    let mut unknown = Tally::new(paints().all(is_colour));
    // Whoever says what is walkable has chosen it.
    let mut floors = Tally::new(walkable == [Paint::WALKABLE]);
    let mut edges = Edges::new(paints());
    read_png(png, begin, |line, samples| {
        let width = line.len() / samples;
        let mut floor = vec![0u64; width.div_ceil(64)];
        let pixel = |x: usize| &line[x * samples..(x + 1) * samples];
        let (mut start, mut was_floor) = (0, false);
        edges.new_row();
        for x in 1..=width {
            if x < width && pixel(x) == pixel(start) {
                continue;
            }
            let columns = start as u32..x as u32;
            edges.run(rgb(pixel(start)), [start as u32, z], (x - start) as u32);
            let meaning = meanings.of(rgb(pixel(start)));
            if meaning.floor {
                transparent += if is_transparent(pixel(start)) { (x - start) as u64 } else { 0 };
                for_words(&mut floor, columns.clone(), |word, mask| *word |= mask);
            }
            for &thing in &meaning.things {
                found[thing].add(z, columns.clone());
            }
            runs += meaning.things.len() + usize::from(meaning.floor && !was_floor);
            was_floor = meaning.floor;
            if meaning.things.is_empty() {
                let tally = if meaning.floor { &mut floors } else { &mut unknown };
                tally.note(rgb(pixel(start)), start as u32..x as u32, z);
            }
            start = x;
        }
        words.extend_from_slice(&floor);
        z += 1;
        if runs > MOST_RUNS {
            let most = MOST_RUNS / 1_000_000;
            return Err(format!(
                "it is speckled all over, with more than {most} million pieces of ground, areas and hotspots in its rows; paint \
                 them in larger pieces"
            ));
        }
        Ok(())
    })?;
    let floor = GridCells::from_words(DVec2::ZERO, size.0, size.1, words);
    let hotspots = found.split_off(areas.len());
    Ok(Scan {
        floor,
        areas: found,
        hotspots,
        odd: Oddities {
            strays: unknown.strays(),
            smoothed: edges.smoothed(),
            transparent,
            floors: floors.floors(),
        },
    })
}

/// Whether a pixel has alpha, and that is 0.
fn is_transparent(pixel: &[u8]) -> bool {
    matches!(pixel, [_, 0] | [_, _, _, 0])
}

/// Number of pixels of a colour; column and row of the first.
type Seen = (u64, [u32; 2]);

/// Colours of one kind; `None` where they are not of interest.
struct Tally(Option<BTreeMap<[u8; 3], Seen>>);

impl Tally {
    fn new(counts: bool) -> Self {
        Self(counts.then(BTreeMap::new))
    }

    fn note(&mut self, rgb: [u8; 3], columns: Range<u32>, row: u32) {
        let Some(colours) = &mut self.0 else { return };
        if colours.len() < MOST_UNKNOWN || colours.contains_key(&rgb) {
            let known = colours.entry(rgb).or_insert((0, [columns.start, row]));
            known.0 += u64::from(columns.end - columns.start);
        }
    }

    /// The rarer half: a colour on many pixels was painted on purpose.
    fn strays(self) -> Option<Strays> {
        let mut colours: Vec<_> = self.0?.into_iter().collect();
        colours.sort_by_key(|(rgb, (pixels, _))| (*pixels, *rgb));
        colours.truncate(colours.len().div_ceil(2));
        let &(colour, (_, at)) = colours.last()?;
        let pixels = colours.iter().map(|(_, (pixels, _))| pixels).sum();
        (colours.len() >= SUSPICIOUS).then_some(Strays { colours: colours.len(), pixels, colour, at })
    }

    /// A few colours of the ground, the most frequent first, if there are more than one. Many are a picture's shades, and
    /// rare ones are of smoothed edges.
    fn floors(self) -> Vec<FloorColour> {
        let mut floors: Vec<FloorColour> =
            self.0.unwrap_or_default().into_iter().map(FloorColour::from).collect();
        floors.sort_by_key(|floor| (std::cmp::Reverse(floor.pixels), floor.colour));
        let all: u64 = floors.iter().map(|floor| floor.pixels).sum();
        floors.retain(|floor| floor.pixels * RARE >= all);
        if (2..=MOST_FLOORS).contains(&floors.len()) { floors } else { Vec::new() }
    }
}

/// The meaning of colours.
struct Meanings {
    /// For each value of red, green and blue: whether it is walkable, and the things it belongs to, areas first.
    channels: [Vec<Meaning>; 3],
    /// Additional meanings of whole colours.
    colours: BTreeMap<[u8; 3], Meaning>,
    /// The number of areas among the things.
    areas: usize,
    /// Cache: meanings already worked out.
    known: Vec<Option<([u8; 3], Meaning)>>,
}

#[derive(Debug, Clone, Default)]
struct Meaning {
    floor: bool,
    /// Areas first, then hotspots.
    things: Vec<usize>,
}

impl Meanings {
    fn new(walkable: &[Paint], areas: &[&[Paint]], hotspots: &[&[Paint]]) -> Self {
        let none = || vec![Meaning::default(); 256];
        let mut meanings = Self {
            channels: [none(), none(), none()],
            colours: BTreeMap::new(),
            areas: areas.len(),
            known: (0..REMEMBERED).map(|_| None).collect(),
        };
        meanings.enter(walkable, |meaning| meaning.floor = true);
        for (thing, paints) in areas.iter().chain(hotspots).enumerate() {
            meanings.enter(paints, |meaning| meaning.things.push(thing));
        }
        meanings
    }

    fn enter(&mut self, paints: &[Paint], note: impl Fn(&mut Meaning)) {
        for &paint in paints {
            let channel = match paint {
                Paint::Colour(colour) => {
                    note(self.colours.entry(colour).or_default());
                    continue;
                }
                Paint::Bit(channel, _) | Paint::Value(channel, _) => channel,
            };
            let values = self.channels[channel as usize].iter_mut().zip(0..=255);
            values.filter(|(_, value)| paint.is_on([*value; 3])).for_each(|(meaning, _)| note(meaning));
        }
    }

    fn of(&mut self, rgb: [u8; 3]) -> &Meaning {
        let mixed = u32::from_le_bytes([rgb[0], rgb[1], rgb[2], 0]).wrapping_mul(0x9e37_79b1);
        let slot = (mixed >> 22) as usize % REMEMBERED;
        let known = &mut self.known[slot];
        let is_known = known.as_ref().is_some_and(|(colour, _)| *colour == rgb);
        let (colour, meaning) = known.get_or_insert_with(|| (rgb, Meaning::default()));
        if !is_known {
            *colour = rgb;
            let channels = (0..3).map(|channel| &self.channels[channel][usize::from(rgb[channel])]);
            meaning.floor = false;
            meaning.things.clear();
            for part in channels.chain(self.colours.get(&rgb)) {
                meaning.floor |= part.floor;
                meaning.things.extend_from_slice(&part.things);
            }
            meaning.things.sort_unstable();
            meaning.things.dedup();
            // A pixel of an area is walkable only while the area is open.
            meaning.floor &= meaning.things.first().is_none_or(|&thing| thing >= self.areas);
        }
        meaning
    }
}
