//! What painted rooms are made of.
