#![doc = include_str!("ARCHITECTURE.md")]

/// The vectors of the public API, in the version that fits: positions are [`glam::DVec2`], in metres.
pub use glam;

pub mod problem;

pub mod geometry;
pub mod nav;
pub mod room;

pub mod grid;
pub mod surface;

pub mod plan;

pub mod crowd;

pub mod world;

pub mod record;

pub mod draw;

#[cfg(feature = "script")]
pub mod project;
#[cfg(feature = "script")]
pub mod script;

#[cfg(feature = "script")]
pub mod lint;

#[cfg(feature = "watch")]
pub mod watch;

#[cfg(feature = "script")]
pub mod runtime;

#[cfg(feature = "script")]
pub mod scenario;

/// The README's examples are tests.
#[cfg(all(doctest, feature = "script"))]
#[doc = include_str!("../README.md")]
struct Readme;

/// So are those of the book.
#[cfg(all(doctest, feature = "watch"))]
#[doc = include_str!("../docs/src/programmers/embedding.md")]
struct Embedding;
