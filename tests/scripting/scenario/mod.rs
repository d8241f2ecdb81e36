//! Specs: the language, what can go wrong with it, running many, and what is reported.

mod escapes;
mod golden;
mod language;
mod moments;
mod ours;
mod reports;
mod robust;
mod running;
mod told;
mod walks;
