//! The file in which a project declares the functions of its game.

use super::check_problems;
use cicerone::script::GameApi;

pub fn run(data: &[u8]) -> bool {
    let read = || GameApi::from_json("scripts/game_api.json", data);
    match read() {
        Err(problems) => {
            assert_eq!(read().err().as_ref(), Some(&problems), "refused in two ways");
            check_problems(&problems, None);
            false
        }
        Ok(_) => {
            assert!(read().is_ok(), "taken once, and once not");
            true
        }
    }
}
