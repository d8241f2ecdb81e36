//! Who walks, on the command line.

use cicerone::nav::{ClassId, Place};
use cicerone::problem::did_you_mean;
use cicerone::world::{Character, World};
use clap::Args;

#[derive(Args)]
pub(super) struct WalkerArgs {
    /// Walk as this character of the room: with its radius and its tags, and from where it is if no --from is given
    #[arg(long = "as", value_name = "NAME", conflicts_with_all = ["radius", "tag"])]
    walker: Option<String>,
    /// The radius of the walker's body in metres, if it is not that of the room
    #[arg(long, value_name = "METRES")]
    radius: Option<f64>,
    /// Give the walker a tag: some areas and links are only for walkers with one (may be given several times)
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
}

/// Who walks.
pub(super) struct Walker {
    pub(super) class: ClassId,
    pub(super) tags: Vec<String>,
    /// Where it sets out if nothing else is said.
    pub(super) start: Result<Place, String>,
}

impl Walker {
    pub(super) fn find(world: &mut World, args: &WalkerArgs) -> Result<Self, String> {
        let Some(name) = &args.walker else {
            let class = world.find_class(args.radius, &args.tag).map_err(|error| error.to_string())?;
            return Ok(Self { class, tags: args.tag.clone(), start: start_of_player(world) });
        };
        let character = character_named(world, name)?;
        let start = Ok(world.ground().place_of(character.position));
        Ok(Self { class: character.class, tags: character.tags.clone(), start })
    }
}

/// The place of the player.
fn start_of_player(world: &World) -> Result<Place, String> {
    let player = world.player();
    player.map(|player| world.ground().place_of(player.position)).ok_or_else(|| {
        let room = world.room();
        let why = match room.characters.iter().find(|character| character.player) {
            Some(player) => format!("the player '{}' has no walkable ground near its start", player.name),
            None => "there is no player".to_owned(),
        };
        format!("{why} in room '{}'; say --from X,Z or --from NAME", room.name)
    })
}

/// The character of this name.
pub(super) fn character_named<'a>(world: &'a World, name: &str) -> Result<&'a Character, String> {
    world.character_named(name).ok_or_else(|| {
        let hint = did_you_mean(name, world.characters().iter().map(|character| character.name.as_str()));
        let hint = hint.map(|meant| format!("; did you mean '{meant}'?")).unwrap_or_default();
        format!("no character '{name}' in room '{}'{hint}", world.room().name)
    })
}
