//! The state of the simulation in one number. It is taken by a serialiser that hashes, so saved and hashed data are
//! the same by construction. With another sink the serialiser looks at every number.

use super::World;
use super::random::mix;
use super::simulated_state::Snapshot;
use crate::plan::PathStats;
use crate::room::TRAITS;
use serde::ser::{self, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

impl World {
    /// The hash of the simulation between two ticks: ground, doors, characters with their walks and random streams,
    /// searches under way. Runs that differ in any of it differ in their hash from that tick on. It covers everything
    /// that [`World::state`] saves, except events not taken yet and the waits of path requests. It does not cover the
    /// room's settings.
    pub fn checksum(&self) -> u64 {
        let mut hash = StateHasher::new();
        self.ground.for_each_state_word(|word| hash.word(word));
        let simulated =
            Snapshot { events: Cow::Borrowed(&[]), path_stats: PathStats::default(), ..self.snapshot() };
        pour(&simulated, &mut hash);
        hash.finish()
    }
}

/// The destination of a state's bits.
pub(super) trait Sink {
    fn word(&mut self, word: u64);

    fn number(&mut self, number: f64);
}

/// Passes on whatever can be serialised: the values and the lengths of lists in order. The names of fields only where any
/// of them may be left out: in [`Traits`](crate::room::Traits).
pub(super) struct SinkSerializer<'a, S> {
    sink: &'a mut S,
    marks_fields: bool,
}

impl<'a, S> SinkSerializer<'a, S> {
    pub(super) fn new(sink: &'a mut S) -> Self {
        Self { sink, marks_fields: false }
    }
}

/// A number for the name of a field: FNV-1a of its bytes.
fn mark_of(name: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    name.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Two hashes that take turns, so that no word waits for the word before. Each step can be undone, so no single
/// difference is ever lost.
#[derive(Debug)]
pub(super) struct StateHasher {
    this: u64,
    other: u64,
}

/// Serialising cannot fail, but serde requires an error type.
type Done = Result<(), fmt::Error>;

impl StateHasher {
    pub(super) fn new() -> Self {
        Self { this: 1, other: 2 }
    }

    pub(super) fn finish(self) -> u64 {
        mix(self.this ^ mix(self.other))
    }
}

impl Sink for StateHasher {
    fn word(&mut self, word: u64) {
        let mixed = (self.other ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.other = self.this;
        self.this = mixed ^ (mixed >> 32);
    }

    /// −0 hashes as 0 does, since they are the same number.
    fn number(&mut self, number: f64) {
        self.word((number + 0.0).to_bits());
    }
}

/// Hands all the bits of a value to a sink.
pub(super) fn pour(value: &(impl Serialize + ?Sized), sink: &mut impl Sink) {
    let _ = value.serialize(SinkSerializer::new(sink));
}

impl<'a, S: Sink> SinkSerializer<'a, S> {
    fn bytes(self, bytes: &[u8]) {
        self.sink.word(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.sink.word(u64::from_le_bytes(word));
        }
    }

    /// The length of a list, or the index of a variant, goes first.
    fn first(self, number: u64) -> Result<Self, fmt::Error> {
        self.sink.word(number);
        Ok(self)
    }
}

macro_rules! whole_numbers {
    ($($name:ident: $kind:ty),* $(,)?) => {
        $(fn $name(self, value: $kind) -> Done {
            self.sink.word(value as u64);
            Ok(())
        })*
    };
}

impl<'a, S: Sink> Serializer for SinkSerializer<'a, S> {
    type Ok = ();
    type Error = fmt::Error;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    whole_numbers! {
        serialize_bool: bool, serialize_char: char,
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
    }

    fn serialize_f32(self, value: f32) -> Done {
        self.serialize_f64(f64::from(value))
    }

    fn serialize_f64(self, value: f64) -> Done {
        self.sink.number(value);
        Ok(())
    }

    fn serialize_str(self, value: &str) -> Done {
        self.bytes(value.as_bytes());
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Done {
        self.bytes(value);
        Ok(())
    }

    fn serialize_none(self) -> Done {
        self.sink.word(0);
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        value.serialize(self.first(1)?)
    }

    fn serialize_unit(self) -> Done {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Done {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, index: u32, _: &'static str) -> Done {
        self.first(u64::from(index)).map(drop)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        value: &T,
    ) -> Done {
        value.serialize(self.first(u64::from(index))?)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Self, fmt::Error> {
        self.first(length.unwrap_or(0) as u64)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, fmt::Error> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, fmt::Error> {
        Ok(self)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, fmt::Error> {
        self.first(u64::from(index))
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Self, fmt::Error> {
        self.first(length.unwrap_or(0) as u64)
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Self, fmt::Error> {
        Ok(Self { marks_fields: name == TRAITS, ..self })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, fmt::Error> {
        self.first(u64::from(index))
    }
}

/// The parts of something larger, one after the other.
macro_rules! fields {
    ($($kind:ident: $method:ident($($name:ident)?)),* $(,)?) => {
        $(impl<S: Sink> ser::$kind for SinkSerializer<'_, S> {
            type Ok = ();
            type Error = fmt::Error;

            fn $method<T: Serialize + ?Sized>(&mut self, $($name: &'static str,)? value: &T) -> Done {
                $(if self.marks_fields {
                    self.sink.word(mark_of($name));
                })?
                value.serialize(SinkSerializer::new(self.sink))
            }

            fn end(self) -> Done {
                Ok(())
            }
        })*
    };
}

fields! {
    SerializeSeq: serialize_element(),
    SerializeTuple: serialize_element(),
    SerializeTupleStruct: serialize_field(),
    SerializeTupleVariant: serialize_field(),
    SerializeStruct: serialize_field(name),
    SerializeStructVariant: serialize_field(name),
}

impl<S: Sink> ser::SerializeMap for SinkSerializer<'_, S> {
    type Ok = ();
    type Error = fmt::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Done {
        key.serialize(SinkSerializer::new(self.sink))
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        value.serialize(SinkSerializer::new(self.sink))
    }

    fn end(self) -> Done {
        Ok(())
    }
}
