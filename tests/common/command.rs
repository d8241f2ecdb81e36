//! The command as users type it, and what it says.

use serde_json::Value;
use std::process::{Command, Output};

pub fn cicerone(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cicerone"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args).output().unwrap()
}

pub fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", text(&output.stdout)))
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}
