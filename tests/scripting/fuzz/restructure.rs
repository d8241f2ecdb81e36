//! Inputs made of other inputs, by what they consist of: JSON, alone and inside of a GLB, stays JSON, so that what is
//! tried is what it says and not how it is written.

use super::mutate::Dice;
use serde_json::{Map, Value};

/// Parts that are looked at.
const MOST_PARTS: usize = 5_000;

/// How deep a part is buried.
const DEEP: usize = 100;

/// An input whose parts were changed in one to four ways; `None` if it is no JSON.
pub(super) fn restructure(dice: &mut Dice, input: &[u8], others: &[Vec<u8>]) -> Option<Vec<u8>> {
    let (before, json, behind) = parts_of(input)?;
    let mut tree: Value = serde_json::from_slice(json).ok()?;
    let lender = dice.one_of(others).and_then(|other| serde_json::from_slice(parts_of(other)?.1).ok());
    let mut lender: Value = lender.unwrap_or_else(|| tree.clone());
    for _ in 0..1 + dice.below(4) {
        change(dice, &mut tree, &mut lender);
    }
    let mut text = serde_json::to_vec(&tree).ok()?;
    if before.is_empty() {
        return Some(text);
    }
    // A GLB says how long it is, and how long its JSON.
    text.resize(text.len().next_multiple_of(4), b' ');
    let whole = before.len() + 8 + text.len() + behind.len();
    let mut bytes = before.to_vec();
    bytes[8..12].copy_from_slice(&(whole as u32).to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(text);
    bytes.extend(behind);
    Some(bytes)
}

/// What comes before the JSON of an input, the JSON, and what comes behind it.
fn parts_of(input: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    if !input.starts_with(b"glTF") {
        return Some((&[], input, &[]));
    }
    let length = u32::from_le_bytes(input.get(12..16)?.try_into().ok()?) as usize;
    Some((input.get(..12)?, input.get(20..20 + length)?, input.get(20 + length..)?))
}

fn change(dice: &mut Dice, tree: &mut Value, lender: &mut Value) {
    let (lent, own) = (any_part(dice, lender).clone(), any_part(dice, tree).clone());
    let place = any_part(dice, tree);
    match dice.below(10) {
        0 => *place = lent,
        1 => *place = own,
        2 => *place = special(dice),
        3 => *place = Value::Array(vec![place.take()]),
        4 => {
            let deep = (0..DEEP).fold(place.take(), |inner, _| Value::Array(vec![inner]));
            *place = deep;
        }
        5 => repeat(dice, place),
        6 => leave_out(dice, place),
        7 => rename(dice, place, lent),
        8 => turn_round(place),
        _ => scale(dice, place),
    }
}

fn special(dice: &mut Dice) -> Value {
    let all = [
        Value::Null,
        true.into(),
        (-1).into(),
        0.into(),
        1e308.into(),
        (-1e308).into(),
        5e-324.into(),
        u64::MAX.into(),
        i64::MIN.into(),
        "".into(),
        "\u{0}../..".into(),
        "x".repeat(300).into(),
        Value::Array(Vec::new()),
        Value::Object(Map::new()),
    ];
    all[dice.below(all.len())].clone()
}

fn repeat(dice: &mut Dice, place: &mut Value) {
    let times = 2 + dice.below(40);
    match place {
        Value::Array(list) if !list.is_empty() => {
            let one = list[dice.below(list.len())].clone();
            let at = dice.below(list.len());
            list.splice(at..at, std::iter::repeat_n(one, times));
        }
        Value::String(text) => *text = text.repeat(times),
        other => *other = Value::Array(vec![other.clone(); times]),
    }
}

fn leave_out(dice: &mut Dice, place: &mut Value) {
    match place {
        Value::Array(list) if !list.is_empty() => drop(list.remove(dice.below(list.len()))),
        Value::Object(fields) => {
            let key = fields.keys().nth(dice.below(fields.len())).cloned();
            key.map(|key| fields.remove(&key));
        }
        other => *other = Value::Null,
    }
}

fn rename(dice: &mut Dice, place: &mut Value, lent: Value) {
    if let Value::Object(fields) = place {
        let keys: Vec<String> = fields.keys().cloned().collect();
        let (one, other) = (dice.one_of(&keys).cloned(), dice.one_of(&keys).cloned());
        if let (Some(one), Some(other)) = (one, other) {
            let value = fields.remove(&one).unwrap_or(lent);
            fields.insert(other, value);
        }
    }
}

fn turn_round(place: &mut Value) {
    match place {
        Value::Array(list) => list.reverse(),
        Value::String(text) => *text = text.chars().rev().collect(),
        _ => {}
    }
}

fn scale(dice: &mut Dice, place: &mut Value) {
    if let Some(number) = place.as_f64() {
        let factor = [-1.0, 0.0, 1e-9, 0.5, 2.0, 10.0, 1e6, 1e12][dice.below(8)];
        *place = (number * factor + [0.0, 1e-7, 1.0][dice.below(3)]).into();
    }
}

/// Any part of a tree, itself included; all equally likely.
fn any_part<'a>(dice: &mut Dice, tree: &'a mut Value) -> &'a mut Value {
    let number = dice.below(count(tree));
    let mut waiting = vec![tree];
    for _ in 0..number {
        match waiting.pop() {
            Some(Value::Array(list)) => waiting.extend(list),
            Some(Value::Object(fields)) => waiting.extend(fields.values_mut()),
            _ => {}
        }
    }
    // There are as many as were counted.
    waiting.pop().unwrap()
}

/// The parts of a tree, in the order in which they are numbered.
fn count(tree: &Value) -> usize {
    let (mut waiting, mut count) = (vec![tree], 0);
    while let Some(next) = waiting.pop().filter(|_| count < MOST_PARTS) {
        count += 1;
        match next {
            Value::Array(list) => waiting.extend(list),
            Value::Object(fields) => waiting.extend(fields.values()),
            _ => {}
        }
    }
    count
}
