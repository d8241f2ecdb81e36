//! What a character has: each trait is written down here, and nowhere else.
//!
//! From a row come the field of [`Traits`](super::Traits) with its default and limits, the key in room files and in the
//! options of `spawn`, the setting that changes it, its name in the differences of rooms and
//! of recordings, and the field of a character in Lua.

/// Calls a macro with the rows of the table:
///
/// `Setting  name = field: type, "key in files", "type in Lua", default, limits, "text";`
///
/// The name is the one in Lua, the field the one in Rust, with its unit. A type `Option` means: as the room says. A row with
/// other names (`also`) and an example is a field of characters that scripts may set. New rows come last: recordings do
/// not care, but people read lists in this order.
#[doc(hidden)]
#[macro_export]
macro_rules! each_trait {
    ($then:ident) => {
        $then! {
            Player player = player: bool, "player", "boolean", false, ANY,
                "Whether the player steers this character: clicks make it walk. At most one may be the player.";
            Priority priority = priority: i32, "priority", "integer", 0, PRIORITY,
                "The priority, from -1000 to 1000: of two stuck characters, the one with the lower priority makes way. Of \
                equals, the one with the shorter way aside, or else the one that came later. No character goes before the player.",
                also["avoidance_priority"]
                example r#"
                    npc.priority = 10
                    assert(npc.priority > room:npc("ann").priority)
                "#;
            Pinned pinned = pinned: bool, "pinned", "boolean", false, ANY,
                "Whether the character keeps its place while it stands, like a clerk at a counter. No character pushes it \
                aside, and all others plan round it. It can still be sent somewhere; while it walks, it is pushed like any \
                other character. A player that stands is pushed by pinned characters only.",
                also["immovable", "fixed", "anchored", "kinematic"]
                example r#"
                    npc.pinned = true
                    assert(npc.pinned)
                "#;
            ReturnsToPost returns_to_post = returns_to_post: bool, "returnsToPost", "boolean", false, ANY,
                "Whether the character walks back by itself when it was pushed aside, or stepped aside for another one. It \
                returns to its post: its start, the end of its last walk, or where it was teleported to. A script that sets \
                this to true makes the place where it stands its post. It returns once no other character is there or about \
                to pass. The way back is not a walk of the script: no event reports it, and every other walk replaces it.",
                also["return_home", "keeps_post"]
                example r#"
                    npc.returns_to_post = true
                    assert(npc.returns_to_post)
                "#;
            Curved curved = curved: Option<bool>, "curved", "boolean?", None, ANY,
                "Whether the character walks along curves. Left out, or nil, it is as the room's `paths` say. It holds from \
                the next path on. A curve stays on walkable ground and leads to the same place; where there is no room for \
                it, the path stays straight. The character keeps its speed and looks along the curve.",
                also["smooth_path", "spline", "path_smoothing"]
                example r#"
                    npc.curved = true
                    assert(npc.curved)
                "#;
            Avoidance avoidance = avoidance: Option<Avoidance>, "avoidance", "(\"steer\"|\"push\")?", None, ANY,
                "How the character avoids others: `steer` looks ahead and steers round them, `push` goes straight and \
                pushes. Left out, or nil, it is as the room's `crowd` says.",
                also["avoidance_enabled", "avoidance_mode", "obstacle_avoidance"]
                example r#"
                    npc.avoidance = "push"
                    assert(npc.avoidance == "push")
                "#;
            Patience patience = patience: Option<Patience>, "patience", "(number|\"never\")?", None, ANY,
                "After how many seconds without progress a walk of the character ends as blocked, or `never`. Then a walk goes \
                on until it arrives, finds no path, or is ended. Left out, or nil, it is as the room's `crowd` says. It is \
                three times as long if another walker holds up one that steers.",
                also["stuck_timeout", "blocked_after", "give_up_after", "avoidance_wait_time"]
                example r#"
                    npc.patience = "never"
                    assert(npc.patience == "never")
                    npc.patience = 3
                    assert(npc.patience == 3)
                "#;
            SharesGoals shares_goals = shares_goals: Option<bool>, "sharesGoals", "boolean?", None, ANY,
                "Whether the character has arrived when it touches somebody who has arrived at the same place. Left out, or \
                nil, it is as `sharesGoals` of the room's `crowd` says. For one walk, use the option `exact` of \
                `npc:walk_to`.",
                also["group_arrival", "crowd_arrival", "goal_sharing"]
                example r#"
                    npc.shares_goals = false
                    assert(npc.shares_goals == false)
                "#;
            WalkSpeed walk_speed = walk_speed_mps: f64, "walkSpeed", "number", 1.4, FROM_ZERO,
                "How fast the character walks, in metres a second. 1.4 is a brisk walk, 3 a run. At zero it stands.",
                also["speed", "move_speed", "max_speed"]
                example r#"
                    npc.walk_speed = npc.walk_speed * 2
                    assert(npc.walk_speed == 2.8)
                "#;
            RotationSpeed rotation_speed = rotation_speed_radps: f64, "rotationSpeed", "number", 8.0, ABOVE_ZERO,
                "How fast the character turns, in radians a second. 6.28 is one full turn a second.",
                also["turn_speed", "angular_speed"]
                example r#"
                    npc.rotation_speed = 4
                    assert(npc.rotation_speed == 4)
                "#;
            CollisionRadius collision_radius = collision_radius_m: f64, "collisionRadius", "number", 0.3, ABOVE_ZERO,
                "How much room the character takes up for others: they keep apart by the sum of these radii, in metres. \
                Without it, its `radius`.",
                also["size"]
                example r#"
                    npc.collision_radius = 0.3
                    assert(npc.collision_radius == 0.3)
                "#;
            Radius radius = radius_m: Option<f64>, "radius", "number?", None, ABOVE_ZERO,
                "The radius of the character's body, in metres: what it keeps from obstacles and walls, so where it fits \
                through. Left out, or nil, it is the room's `agentRadius`. Of ground that has polygons, all characters have \
                that. `collision_radius` changes with it, unless it was another one.",
                also["agent_radius", "body_radius", "width", "fits"]
                example r#"
                    npc.radius = 0.6
                    assert(npc.radius == 0.6 and npc.collision_radius == 0.6)
                "#;
            Tags tags = tags: Vec<String>, "tags", "string[]", Vec::new(), ANY,
                "Free words by which scripts find characters: [\"guest\", \"thirsty\"].";
            Alive alive = alive: bool, "alive", "boolean", true, ANY,
                "Whether the character is alive. A dead character ends its walk, stays where it is, and blocks no other \
                character. If another actor is on the cell of one that comes back to life, that one is put on the nearest \
                free place. If there is none, setting it is an error.",
                also["dead", "health"]
                example r#"
                    npc.alive = false
                    assert(not npc.alive and npc.valid)
                "#;
            Enabled enabled = enabled: bool, "enabled", "boolean", true, ANY,
                "Whether the character takes part. A disabled character ends its walk, and blocks no other character. Actors \
                come back as with `alive`.",
                also["active", "visible", "hidden"]
                example r#"
                    npc.enabled = false
                    assert(not npc.enabled)
                "#;
        }
    };
}
pub(crate) use each_trait;
