//! The options of a running room.

use crate::room::ScriptLimits;
use crate::script::GameApi;

/// The options of a running room: `Options::default().with_seed(7)`. More may be added.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// The seed of every random stream.
    pub seed: u64,
    /// The limits of scripts; where absent, the room's. [`ScriptLimits::UNLIMITED`] removes all limits.
    pub limits: ScriptLimits,
    /// Room scripts beside the room's own, project-relative (or admitted by [`Project::admit`](crate::project::Project::admit)).
    pub scripts: Vec<String>,
    /// Scripts for characters of the room in place of those in its file: character name and script.
    pub script_overrides: Vec<(String, String)>,
    /// Edge of a cell in metres, for a `.map`, whose file does not give it; default 1. An error for other rooms.
    pub cell_size_m: Option<f64>,
    /// The functions, values and types of the game; see [`Options::game_api`].
    pub game: GameApi,
}

impl Options {
    /// The same options with this seed.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The same options with these limits of scripts.
    #[must_use]
    pub fn with_limits(mut self, limits: ScriptLimits) -> Self {
        self.limits = limits;
        self
    }

    /// The same options with these room scripts beside the room's own.
    #[must_use]
    pub fn with_scripts(mut self, scripts: Vec<String>) -> Self {
        self.scripts = scripts;
        self
    }

    /// The same options with these scripts for characters: names and scripts.
    #[must_use]
    pub fn with_script_overrides(mut self, script_overrides: Vec<(String, String)>) -> Self {
        self.script_overrides = script_overrides;
        self
    }

    /// The same options with functions, values and types of the game, which scripts can use: see [`GameApi`]. What the
    /// project's [`GAME_API_FILE`](crate::script::GAME_API_FILE) declares beside them is there, too, but does nothing.
    #[must_use]
    pub fn game_api(mut self, add: impl FnOnce(GameApi) -> GameApi) -> Self {
        self.game = add(self.game);
        self
    }

    /// The same options with this edge of a cell, in metres, for a `.map`.
    ///
    /// ```
    /// use cicerone::runtime::Options;
    /// let half_a_metre = Options::default().with_cell_size_m(0.5);
    /// assert_eq!(half_a_metre.cell_size_m, Some(0.5));
    /// ```
    #[must_use]
    pub fn with_cell_size_m(mut self, cell_size_m: f64) -> Self {
        self.cell_size_m = Some(cell_size_m);
        self
    }
}
