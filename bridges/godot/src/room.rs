//! The node.

use cicerone::nav::Place;
use cicerone::project::{FileError, Project};
use cicerone::runtime::{Input, Options, Reload, Runtime, RuntimeEvent};
use cicerone::script::Note;
use cicerone::world::{Applied, Character, CharacterId, Command, EventKind, Pose, WalkEnd};
use godot::classes::file_access::ModeFlags;
use godot::classes::{FileAccess, INode3D, Node3D};
use godot::prelude::*;
use std::f64::consts::FRAC_PI_2;

/// Runs a room. A child node that is named like a character is moved and turned with it. Places are in metres; the
/// ground is the XZ plane.
#[derive(GodotClass)]
#[class(base = Node3D)]
pub struct CiceroneRoom {
    /// The file of the room, from the project's root: `rooms/hall.json`. Scripts and pictures are beside it, in `res://`.
    #[export]
    room: GString,
    /// The seed of every random stream.
    #[export]
    seed: i64,
    runtime: Option<Runtime>,
    base: Base<Node3D>,
}

/// Reads a file of the Godot project, also from an exported one.
fn read(name: &str) -> Result<Vec<u8>, FileError> {
    let path = format!("res://{name}");
    if !FileAccess::file_exists(&path) {
        return Err(FileError::Missing);
    }
    let Some(mut file) = FileAccess::open(&path, ModeFlags::READ) else {
        return Err(FileError::Unreadable(format!("{:?}", FileAccess::get_open_error())));
    };
    let length = i64::try_from(file.get_length()).unwrap_or(i64::MAX);
    Ok(file.get_buffer(length).to_vec())
}

fn place_of(at: Vector3) -> Place {
    Place::new(f64::from(at.x), f64::from(at.z)).with_height(f64::from(at.y))
}

fn vector_of(place: Place) -> Vector3 {
    Vector3::new(place.at.x as f32, place.y_m.unwrap_or(0.0) as f32, place.at.y as f32)
}

#[godot_api]
impl INode3D for CiceroneRoom {
    fn init(base: Base<Node3D>) -> Self {
        Self { room: GString::from("rooms/hall.json"), seed: 0, runtime: None, base }
    }

    fn ready(&mut self) {
        let options = Options::default().with_seed(self.seed.cast_unsigned());
        let file = self.room.to_string();
        match Runtime::open_in(Project::of_files(read), file.as_ref(), options) {
            Ok(runtime) => self.runtime = Some(runtime),
            Err(error) => godot_error!("{error}"),
        }
    }

    fn process(&mut self, delta: f64) {
        let Some(runtime) = &mut self.runtime else { return };
        runtime.advance(delta);
        let events = runtime.take_events();
        self.move_children();
        events.iter().for_each(|event| self.tell(event));
    }
}

#[godot_api]
impl CiceroneRoom {
    /// A walk ended: "arrived", "partial", "no_path", "blocked", "cancelled", "timeout".
    #[signal]
    fn walk_ended(who: GString, end: GString);
    /// A character said something.
    #[signal]
    fn said(who: GString, words: GString);
    /// A character entered an area.
    #[signal]
    fn area_entered(who: GString, area: GString);
    /// A character left an area.
    #[signal]
    fn area_left(who: GString, area: GString);
    /// An area opened or closed.
    #[signal]
    fn area_changed(area: GString, available: bool);
    /// A character came into the room: the game may make a node for it.
    #[signal]
    fn spawned(who: GString);
    /// A character left the room.
    #[signal]
    fn despawned(who: GString);

    /// Sends a character to a place. False, and an error in the log, if it cannot be sent.
    #[func]
    fn walk_to(&mut self, who: GString, to: Vector3) -> bool {
        self.order(&who, |who| Command::SetTarget { who, to: place_of(to) })
    }

    /// Ends what a character does.
    #[func]
    fn stop(&mut self, who: GString) -> bool {
        self.order(&who, |who| Command::Stop { who, walk: None, end: WalkEnd::Cancelled })
    }

    /// Pushes a character by so many metres. Its walk goes on.
    #[func]
    fn push(&mut self, who: GString, by: Vector3) -> bool {
        let by = cicerone::glam::DVec2::new(f64::from(by.x), f64::from(by.z));
        self.order(&who, |who| Command::Push { who, by })
    }

    /// Opens or closes an area: a door.
    #[func]
    fn set_area_available(&mut self, area: GString, available: bool) -> bool {
        self.apply(Command::SetAreaAvailable { area: area.to_string(), available })
    }

    /// A click of the player on a place.
    #[func]
    fn click(&mut self, at: Vector3) {
        if let Some(runtime) = &mut self.runtime {
            runtime.send(Input::Click(place_of(at)));
        }
    }

    /// Adds a character, with a script or "".
    #[func]
    fn spawn(&mut self, name: GString, at: Vector3, script: GString) -> bool {
        let Some(runtime) = &self.runtime else { return false };
        let mut spec = runtime.world().room().character_at(place_of(at)).with_name(name.to_string());
        spec.script = Some(script.to_string()).filter(|script| !script.is_empty());
        self.apply(Command::Spawn(Box::new(spec)))
    }

    /// The corners of a path between two places.
    #[func]
    fn find_path(&self, from: Vector3, to: Vector3) -> PackedVector3Array {
        let Some(runtime) = &self.runtime else { return PackedVector3Array::new() };
        let path = runtime.find_path(place_of(from), place_of(to));
        let world = runtime.world();
        path.waypoints.iter().map(|&at| vector_of(world.ground().place_of(at))).collect()
    }

    /// Runs a line of Lua, as in the console, and returns what it answered, in words.
    #[func]
    fn lua(&mut self, line: GString) -> GString {
        let Some(runtime) = &mut self.runtime else { return GString::new() };
        runtime.send(Input::Console(line.to_string()));
        runtime.drain_inbox();
        runtime.take_answers().pop().map(|answer| GString::from(&answer.to_string())).unwrap_or_default()
    }

    /// Reloads a script or the room from `res://`: call it when the editor saved the file. False, and the mistakes in the
    /// log, if the file has some; the last good version runs on.
    #[func]
    fn reload(&mut self, file: GString) -> bool {
        let Some(runtime) = &mut self.runtime else { return false };
        let name = file.to_string();
        let content = match read(&name) {
            Ok(content) => content,
            Err(error) => {
                godot_error!("{name}: {error}");
                return false;
            }
        };
        match runtime.replace_file(&name, content) {
            Ok(Reload::Refused { problems, .. }) => {
                problems.iter().for_each(|problem| godot_error!("{problem}"));
                false
            }
            Ok(_) => true,
            Err(error) => {
                godot_error!("{name}: {error}");
                false
            }
        }
    }

    fn order(&mut self, who: &GString, command: impl FnOnce(CharacterId) -> Command) -> bool {
        let Some(runtime) = &self.runtime else { return false };
        let name = who.to_string();
        let found = runtime.world().character_named(&name).map(|character| character.id);
        match found {
            Some(id) => self.apply(command(id)),
            None => {
                godot_error!("there is no character '{name}' in the room");
                false
            }
        }
    }

    fn apply(&mut self, command: Command) -> bool {
        let Some(runtime) = &mut self.runtime else { return false };
        match runtime.apply(command) {
            Ok(Applied::Changed(changed)) => changed,
            Ok(_) => true,
            Err(error) => {
                godot_error!("{error}");
                false
            }
        }
    }

    /// Puts the child nodes where their characters are seen in this frame.
    fn move_children(&mut self) {
        let Some(runtime) = &self.runtime else { return };
        let drawn = |character: &Character| Some((character.name.clone(), runtime.pose(character.id)?));
        let drawn: Vec<(String, Pose)> = runtime.characters().iter().filter_map(drawn).collect();
        let base = self.base_mut(); // lets scripts of the children call this node meanwhile
        for (name, Pose { place, heading_rad }) in drawn {
            let child = base.get_node_or_null(name.as_str());
            if let Some(mut node) = child.and_then(|node| node.try_cast::<Node3D>().ok()) {
                node.set_position(vector_of(place));
                // Godot's forward is -z, and it turns the other way round.
                node.set_rotation(Vector3::new(0.0, (-heading_rad - FRAC_PI_2) as f32, 0.0));
            }
        }
    }

    fn name_of(&self, who: CharacterId) -> GString {
        let name = self.runtime.as_ref().map(|runtime| runtime.world().name_of(who).to_owned());
        GString::from(&name.unwrap_or_default())
    }

    /// Emits the signal of an event. Errors of scripts go into Godot's log.
    fn tell(&mut self, event: &RuntimeEvent) {
        let text = |text: &String| GString::from(text);
        let kind = match event {
            RuntimeEvent::Event { kind, .. } => kind,
            RuntimeEvent::Note(Note::Error(_)) => return godot_error!("{event}"),
            RuntimeEvent::Note(Note::Log { .. }) => return godot_print!("{event}"),
            other => return godot_warn!("{other}"),
        };
        match kind {
            EventKind::WalkEnded { who, end, .. } => {
                let who = self.name_of(*who);
                self.signals().walk_ended().emit(&who, &GString::from(end.as_str()));
            }
            EventKind::Said(who, words) => {
                let who = self.name_of(*who);
                self.signals().said().emit(&who, &text(words));
            }
            EventKind::Entered(who, area) => {
                let who = self.name_of(*who);
                self.signals().area_entered().emit(&who, &text(area));
            }
            EventKind::Left(who, area) => {
                let who = self.name_of(*who);
                self.signals().area_left().emit(&who, &text(area));
            }
            EventKind::AreaChanged { area, available } => {
                self.signals().area_changed().emit(&text(area), *available);
            }
            EventKind::Spawned(who) => {
                let who = self.name_of(*who);
                self.signals().spawned().emit(&who);
            }
            EventKind::Despawned(who) => {
                let who = self.name_of(*who);
                self.signals().despawned().emit(&who);
            }
            _ => {}
        }
    }
}
