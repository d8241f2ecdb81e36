/*
 * cicerone: paths, crowds, doors and Lua behaviour for games made of rooms. Written by cbindgen from the Rust source.
 *
 * Rules for all functions:
 * - CICERONE_RESULT_OK is 0. After any other result, cicerone_last_error() says why, in words. Nothing has changed then.
 * - Strings are UTF-8 and end with a zero byte. What you pass is copied, unless a function says otherwise.
 * - Text that a function gives you belongs to the room. It is valid until the next call with this room.
 * - What cicerone_..._new and cicerone_open make, you free with cicerone_..._free and cicerone_close, once. What is
 *   freed or closed already is CICERONE_RESULT_INVALID in every function.
 * - Results go through pointers. Where a comment says that one may be NULL, that result is not written.
 * - Lists are written into your array: up to `capacity` elements. `count` is the number of all of them, which may be
 *   more: call again with a larger array. The array may be NULL if `capacity` is 0.
 * - A room is used by one thread at a time; which one may change. A call while another is running is refused with
 *   CICERONE_RESULT_BUSY. Several rooms run in several threads.
 * - Lengths are metres, times seconds, angles radians. The ground is the XZ plane; y points up. A heading of 0 looks
 *   along x, a quarter turn along z.
 */


#ifndef CICERONE_H
#define CICERONE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
/* No character. */
#define CICERONE_NOBODY UINT32_MAX


// What became of a call.
typedef enum CiceroneResult {
  // It was done.
  CICERONE_RESULT_OK = 0,
  // An argument makes no sense: NULL, text that is no UTF-8, a number that is not finite.
  CICERONE_RESULT_INVALID = 1,
  // There is no such character, area, link, place or file.
  CICERONE_RESULT_NOT_FOUND = 2,
  // The room refuses the command.
  CICERONE_RESULT_REFUSED = 3,
  // A room, script, save or recording cannot be read or written.
  CICERONE_RESULT_FILE = 4,
  // The room is being used by another call.
  CICERONE_RESULT_BUSY = 5,
  // A fault in cicerone. The room cannot be used any more, only closed.
  CICERONE_RESULT_PANIC = 6,
} CiceroneResult;

// The kinds of events. More may come: ignore those that you do not know.
typedef enum CiceroneEventKind {
  // Another event: `text` says which, and `cicerone_event_json` tells all of it.
  CICERONE_EVENT_KIND_OTHER = 0,
  // `who` came into the room.
  CICERONE_EVENT_KIND_SPAWNED = 1,
  // `who` left the room.
  CICERONE_EVENT_KIND_DESPAWNED = 2,
  // The walk `walk` of `who` ended at `place`, as `end` says.
  CICERONE_EVENT_KIND_WALK_ENDED = 3,
  // `who` has turned on the spot, or its turn ended as `end` says.
  CICERONE_EVENT_KIND_TURNED = 4,
  // `who` walked up to `other` and is at talking distance.
  CICERONE_EVENT_KIND_TALKED = 5,
  // `who` uses the hotspot or point `name`.
  CICERONE_EVENT_KIND_USED = 6,
  // `who` entered the area `name`.
  CICERONE_EVENT_KIND_ENTERED = 7,
  // `who` left the area `name`.
  CICERONE_EVENT_KIND_LEFT = 8,
  // `who` began to cross the link `name`.
  CICERONE_EVENT_KIND_LINK_ENTERED = 9,
  // `who` has crossed the link `name`.
  CICERONE_EVENT_KIND_LINK_LEFT = 10,
  // `who` is at a waypoint of the waypath `name`.
  CICERONE_EVENT_KIND_WAYPOINT = 11,
  // The area `name` opened or closed: `available`.
  CICERONE_EVENT_KIND_AREA_CHANGED = 12,
  // The ground under `who` went away; it stands at `place` now.
  CICERONE_EVENT_KIND_EVICTED = 13,
  // A click at `place`.
  CICERONE_EVENT_KIND_CLICKED = 14,
  // `who` said `name`.
  CICERONE_EVENT_KIND_SAID = 15,
  // A script called a function of the game: `arguments`. If `available`, it waits for `cicerone_finish_call` with
  // `call`.
  CICERONE_EVENT_KIND_CALLED = 16,
  // No script waits for `call` any more.
  CICERONE_EVENT_KIND_GIVEN_UP = 17,
  // A script wrote a line into the log: `text`.
  CICERONE_EVENT_KIND_LOG = 18,
  // An error in a script: `name` is its file, `text` the message with its place.
  CICERONE_EVENT_KIND_SCRIPT_ERROR = 19,
  // A command was refused: `text`.
  CICERONE_EVENT_KIND_REFUSED_COMMAND = 20,
  // Events before this one were lost, as nobody took them.
  CICERONE_EVENT_KIND_LOST = 21,
  // A saved file was reloaded: `text`.
  CICERONE_EVENT_KIND_RELOADED = 22,
  // A saved file is refused, and the last good version runs on: `text` says why, with all places.
  CICERONE_EVENT_KIND_RELOAD_REFUSED = 23,
  // Warnings of `cicerone check` that the room did not have before a reload: `text`, with all places.
  CICERONE_EVENT_KIND_RELOAD_WARNED = 24,
} CiceroneEventKind;

// How a walk ended.
typedef enum CiceroneWalkEnd {
  // It is no event of a walk.
  CICERONE_WALK_END_NONE = 0,
  // At its goal.
  CICERONE_WALK_END_ARRIVED = 1,
  // At the reachable place nearest to the goal.
  CICERONE_WALK_END_PARTIAL = 2,
  // There is no path.
  CICERONE_WALK_END_NO_PATH = 3,
  // It made no progress for too long.
  CICERONE_WALK_END_BLOCKED = 4,
  // Cancelled by another order.
  CICERONE_WALK_END_CANCELLED = 5,
  // Its time was over.
  CICERONE_WALK_END_TIMEOUT = 6,
  // The walker left the room.
  CICERONE_WALK_END_DESPAWNED = 7,
  // In another way: see the text.
  CICERONE_WALK_END_OTHER = 8,
} CiceroneWalkEnd;

// The results of a call, or its error.
typedef struct CiceroneAnswer CiceroneAnswer;

// A call of a function of the game. Arguments count from 0.
typedef struct CiceroneCall CiceroneCall;

// A file while it is read.
typedef struct CiceroneFile CiceroneFile;

// How a room is opened: its seed, its files if they are not on the disk, the functions of the game.
typedef struct CiceroneOptions CiceroneOptions;

// A running room.
typedef struct CiceroneRoom CiceroneRoom;

// A place in metres. It need not be walkable.
typedef struct CiceronePlace {
  // Across the ground.
  double x;
  // The height, to say which floor is meant. NAN: the highest floor there. In results, 0 on ground without heights.
  double y;
  // Across the ground.
  double z;
} CiceronePlace;

// A character, as it is after the last step.
typedef struct CiceroneCharacter {
  // Its number in this room. No other character ever gets it.
  uint32_t id;
  // Where it is, with the height of the ground.
  struct CiceronePlace place;
  // Which way it looks, radians.
  double heading;
  // How fast it moves along x, metres a second.
  double velocity_x;
  // How fast it moves along z.
  double velocity_z;
  // The radius of its body.
  double radius;
  // What you gave it with `cicerone_set_user_data`.
  uint64_t user_data;
  // Whether it walks.
  bool is_walking;
  // Whether the player controls it.
  bool is_player;
} CiceroneCharacter;

// Where to draw a character, between two steps.
typedef struct CiceronePose {
  // Its number.
  uint32_t id;
  // Where it is seen.
  struct CiceronePlace place;
  // Which way it looks, radians.
  double heading;
} CiceronePose;

// An event. What its kind does not use is 0, NULL or `CICERONE_NOBODY`. Its pointers are valid until the next
// `cicerone_next_event` with this room.
typedef struct CiceroneEvent {
  // What happened.
  enum CiceroneEventKind kind;
  // How a walk ended.
  enum CiceroneWalkEnd end;
  // The tick it happened in.
  uint64_t tick;
  // The character.
  uint32_t who;
  // Another character.
  uint32_t other;
  // The number of the walk.
  uint64_t walk;
  // The number of a call.
  uint64_t call;
  // Where.
  struct CiceronePlace place;
  // A name, as the kind says.
  const char *name;
  // The event in words.
  const char *text;
  // The arguments of a call.
  const struct CiceroneCall *arguments;
  // As the kind says.
  bool available;
} CiceroneEvent;

// The code of a function of the game. It adds its results, if any, or an error to `answer`. It may give orders to its
// room and look at it, as far as functions are not marked with "Not from a function of the game". `call` and `answer` live until it returns.
typedef void (*CiceroneFunction)(void *user,
                                 const struct CiceroneCall *call,
                                 struct CiceroneAnswer *answer);

// Reads a file of the project for cicerone. The name is the path from the project's root, with `/` between the parts.
// Calls `cicerone_file_content` with `file` if there is such a file. It may be called from any thread.
typedef void (*CiceroneReadFile)(void *user, const char *name, struct CiceroneFile *file);

// A new character. Begin with all bytes zero (`CiceroneSpawn ann = {0};`): what is 0 or NULL has the default.
typedef struct CiceroneSpawn {
  // Its name, unique in the room.
  const char *name;
  // Where it comes in: at the nearest walkable place.
  struct CiceronePlace place;
  // Its script, from the project's root: "scripts/guard.lua".
  const char *script;
  // Words by which scripts find characters, with commas between them.
  const char *tags;
  // Which way it looks, radians.
  double heading;
  // Metres a second.
  double walk_speed;
  // The radius of its body.
  double radius;
  // Whether the player controls it.
  bool is_player;
} CiceroneSpawn;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The function as scripts write it: "play_sound", "npc:play_animation". It lives as long as the call.
const char *cicerone_call_function(const struct CiceroneCall *call);

// The character that a method was called on; `CICERONE_NOBODY` if it was no method.
uint32_t cicerone_call_who(const struct CiceroneCall *call);

// Whether an argument was given.
bool cicerone_call_has(const struct CiceroneCall *call, size_t index);

// An argument that is text. It lives as long as the call.
enum CiceroneResult cicerone_call_text(const struct CiceroneCall *call,
                                       size_t index,
                                       const char **out);

// An argument that is a number.
enum CiceroneResult cicerone_call_number(const struct CiceroneCall *call,
                                         size_t index,
                                         double *out);

// An argument that is a whole number.
enum CiceroneResult cicerone_call_integer(const struct CiceroneCall *call,
                                          size_t index,
                                          int64_t *out);

// An argument that is true or false.
enum CiceroneResult cicerone_call_boolean(const struct CiceroneCall *call, size_t index, bool *out);

// An argument that is a character: its number.
enum CiceroneResult cicerone_call_character(const struct CiceroneCall *call,
                                            size_t index,
                                            uint32_t *out);

// An argument that is a place.
enum CiceroneResult cicerone_call_place(const struct CiceroneCall *call,
                                        size_t index,
                                        struct CiceronePlace *out);

// An answer for `cicerone_finish_call`. A function of the game gets its own.
struct CiceroneAnswer *cicerone_answer_new(void);

// Frees an answer that `cicerone_answer_new` made. NULL is allowed.
enum CiceroneResult cicerone_answer_free(struct CiceroneAnswer *answer);

// Adds nil to the results.
enum CiceroneResult cicerone_answer_nil(struct CiceroneAnswer *answer);

// Adds text to the results.
enum CiceroneResult cicerone_answer_text(struct CiceroneAnswer *answer, const char *value);

// Adds a number to the results.
enum CiceroneResult cicerone_answer_number(struct CiceroneAnswer *answer, double value);

// Adds a whole number to the results.
enum CiceroneResult cicerone_answer_integer(struct CiceroneAnswer *answer, int64_t value);

// Adds true or false to the results.
enum CiceroneResult cicerone_answer_boolean(struct CiceroneAnswer *answer, bool value);

// Adds a character to the results.
enum CiceroneResult cicerone_answer_character(struct CiceroneAnswer *answer, uint32_t who);

// Adds a place to the results.
enum CiceroneResult cicerone_answer_place(struct CiceroneAnswer *answer,
                                          struct CiceronePlace place);

// Makes the call an error of the script, with these words.
enum CiceroneResult cicerone_answer_error(struct CiceroneAnswer *answer, const char *words);

// All characters, in order of their numbers.
enum CiceroneResult cicerone_characters(const struct CiceroneRoom *room,
                                        struct CiceroneCharacter *characters,
                                        size_t capacity,
                                        size_t *count);

// One character.
enum CiceroneResult cicerone_character(const struct CiceroneRoom *room,
                                       uint32_t who,
                                       struct CiceroneCharacter *character);

// The number of the character with a name.
enum CiceroneResult cicerone_character_named(const struct CiceroneRoom *room,
                                             const char *name,
                                             uint32_t *who);

// The name of a character that is in the room or was.
enum CiceroneResult cicerone_character_name(const struct CiceroneRoom *room,
                                            uint32_t who,
                                            const char **name);

// The character whose body covers a place: what a click meets. `CICERONE_NOBODY` if there is none.
enum CiceroneResult cicerone_character_at(const struct CiceroneRoom *room,
                                          struct CiceronePlace place,
                                          uint32_t *who);

// Where to draw a character in the frame of the last `cicerone_advance`. Not from a function of the game.
enum CiceroneResult cicerone_pose(const struct CiceroneRoom *room,
                                  uint32_t who,
                                  struct CiceronePose *pose);

// Where to draw all characters in the frame of the last `cicerone_advance`, in order of their numbers. Not from a
// function of the game.
enum CiceroneResult cicerone_poses(const struct CiceroneRoom *room,
                                   struct CiceronePose *poses,
                                   size_t capacity,
                                   size_t *count);

// Keeps a number of yours with a character, until it leaves the room: the index or the address of your own object. It
// does not change the run and is in no save; `cicerone_restore` keeps it. Not from a function of the game.
enum CiceroneResult cicerone_set_user_data(struct CiceroneRoom *room,
                                           uint32_t who,
                                           uint64_t user_data);

// The next event since the last call, in order. `is_there` is false if there is none. Take all of them after each frame.
// Not from a function of the game.
enum CiceroneResult cicerone_next_event(struct CiceroneRoom *room,
                                        struct CiceroneEvent *event,
                                        bool *is_there);

// All that the last event says, as JSON. NULL if there was none, or if it was a reload. Not from a function of the game.
enum CiceroneResult cicerone_event_json(struct CiceroneRoom *room,
                                        const char **json);

// Replaces a file of the project, a script or a room, and reloads it. Characters go on where they are. `changes` (may be
// NULL) says in words what changed; it is empty if nothing that runs uses the file. A version with mistakes is refused,
// the words say where they are, and nothing changes; an event `CICERONE_EVENT_KIND_RELOAD_REFUSED` says so, too. Not from a
// function of the game.
enum CiceroneResult cicerone_replace_file(struct CiceroneRoom *room,
                                          const char *name,
                                          const uint8_t *content,
                                          size_t length,
                                          const char **changes);

// Watches the room's files on the disk. `cicerone_reload` takes over what was saved. With `poll` it looks for itself,
// where the system gives no notice.
enum CiceroneResult cicerone_watch(struct CiceroneRoom *room,
                                   bool poll);

// Takes over files that were saved since the last time: call it once a frame after `cicerone_watch`. Each is an event:
// `CICERONE_EVENT_KIND_RELOADED` or `CICERONE_EVENT_KIND_RELOAD_REFUSED`, and some calls later, if there are new
// warnings, `CICERONE_EVENT_KIND_RELOAD_WARNED`.
enum CiceroneResult cicerone_reload(struct CiceroneRoom *room);

// Saves the room, with what scripts remember, as text. Not from a function of the game.
enum CiceroneResult cicerone_save(struct CiceroneRoom *room, const char **save);

// Goes back to a save of this room. Scripts begin `run` afresh; calls that they waited for are given up, and come again
// with other numbers. Not from a function of the game.
enum CiceroneResult cicerone_restore(struct CiceroneRoom *room,
                                     const char *save);

// Records the run from the next step on, into a file that `cicerone replay` plays without the game.
enum CiceroneResult cicerone_record(struct CiceroneRoom *room, const char *file);

// Ends the recording.
enum CiceroneResult cicerone_stop_recording(struct CiceroneRoom *room);

// Runs a line of Lua, as in the console. `answer` (may be NULL) says what it returned, in words. A line that waits
// returns at once, with an empty answer.
enum CiceroneResult cicerone_lua(struct CiceroneRoom *room,
                                 const char *line,
                                 const char **answer);

// Carries out an order in the words of `cicerone serve`, for what has no function of its own. `reply` is the reply as
// JSON; an order that is refused has the key "error" in it. "step", "advance" and "look" take the events with them: those
// are in the reply, and not told by `cicerone_next_event`. Not from a function of the game.
enum CiceroneResult cicerone_order(struct CiceroneRoom *room,
                                   const char *order,
                                   const char **reply);

// Gives scripts a function that answers at once, by its signature: "play_sound(name: string, volume?: number)",
// "npc:health() -> health: number". `about` says in words what it does, for the reference and for editors. It is called
// in the thread that uses the room. A wrong signature is an error of `cicerone_open`, which names it.
enum CiceroneResult cicerone_options_function(struct CiceroneOptions *options,
                                              const char *signature,
                                              const char *about,
                                              CiceroneFunction function,
                                              void *user);

// Gives scripts a function that does not answer: each call is an event `CICERONE_EVENT_KIND_CALLED`.
enum CiceroneResult cicerone_options_action(struct CiceroneOptions *options,
                                            const char *signature,
                                            const char *about);

// Gives scripts a function that they wait for: each call is an event `CICERONE_EVENT_KIND_CALLED`, and the script goes
// on after `cicerone_finish_call`.
enum CiceroneResult cicerone_options_waiting(struct CiceroneOptions *options,
                                             const char *signature,
                                             const char *about);

// Ends a call that a script waits for. Not from a function of the game. `answer` may be NULL for no results; it is emptied, and you free it.
enum CiceroneResult cicerone_finish_call(struct CiceroneRoom *room,
                                         uint64_t call,
                                         struct CiceroneAnswer *answer);

// New options: seed 0, files from the disk, no functions of the game.
struct CiceroneOptions *cicerone_options_new(void);

// Frees options. Rooms that were opened with them stay as they are. NULL is allowed.
enum CiceroneResult cicerone_options_free(struct CiceroneOptions *options);

// The seed of every random stream. The same seed, room and orders make the same run, on every machine.
enum CiceroneResult cicerone_options_seed(struct CiceroneOptions *options,
                                          uint64_t seed);

// Adds a file in memory. With the first one, nothing is read from the disk any more. The name is the path from the
// project's root: "rooms/hall.json".
enum CiceroneResult cicerone_options_file(struct CiceroneOptions *options,
                                          const char *name,
                                          const uint8_t *content,
                                          size_t length);

// Reads all files through a function of the game: an archive, an asset server. Files in memory come first.
enum CiceroneResult cicerone_options_read_files(struct CiceroneOptions *options,
                                                CiceroneReadFile read,
                                                void *user);

// Gives the content of the file that is being read. Only within a `CiceroneReadFile`.
enum CiceroneResult cicerone_file_content(struct CiceroneFile *file,
                                          const uint8_t *content,
                                          size_t length);

// Opens a room: the path of its file. `options` may be NULL. Errors inside scripts do not prevent opening: they are
// events.
enum CiceroneResult cicerone_open(const char *room,
                                  const struct CiceroneOptions *options,
                                  struct CiceroneRoom **out);

// Closes a room, and frees all that belongs to it. NULL is allowed. A room that is used by another call, as within a
// function of the game, stays open: CICERONE_RESULT_BUSY. A room that is closed already is CICERONE_RESULT_INVALID, here
// and in every other function.
enum CiceroneResult cicerone_close(struct CiceroneRoom *room);

// Sends a character to a place. The event `CICERONE_EVENT_KIND_WALK_ENDED` with this walk's number tells how it ended;
// `walk` may be NULL.
enum CiceroneResult cicerone_walk_to(struct CiceroneRoom *room,
                                     uint32_t who,
                                     struct CiceronePlace to,
                                     uint64_t *walk);

// Sends a character up to another, wherever that goes. `walk` may be NULL.
enum CiceroneResult cicerone_talk_to(struct CiceroneRoom *room,
                                     uint32_t who,
                                     uint32_t other,
                                     uint64_t *walk);

// Sends a character to use a hotspot or a point. `walk` may be NULL.
enum CiceroneResult cicerone_use(struct CiceroneRoom *room,
                                 uint32_t who,
                                 const char *object,
                                 uint64_t *walk);

// Lets a character follow another, so many metres behind, until it is called off.
enum CiceroneResult cicerone_follow(struct CiceroneRoom *room,
                                    uint32_t who,
                                    uint32_t other,
                                    double distance);

// Ends what a character does: it stands.
enum CiceroneResult cicerone_stop(struct CiceroneRoom *room, uint32_t who);

// Turns a character on the spot towards a place.
enum CiceroneResult cicerone_turn_to(struct CiceroneRoom *room,
                                     uint32_t who,
                                     struct CiceronePlace to);

// Puts a character elsewhere. Its walk ends.
enum CiceroneResult cicerone_teleport(struct CiceroneRoom *room,
                                      uint32_t who,
                                      struct CiceronePlace to);

// Pushes a character by so many metres: knock-back, root motion, physics. It stays on the ground, and its walk goes on.
enum CiceroneResult cicerone_push(struct CiceroneRoom *room,
                                  uint32_t who,
                                  double x,
                                  double z);

// Steers a character as a stick does: a direction of a length up to 1, until the next one; zero ends it.
enum CiceroneResult cicerone_steer(struct CiceroneRoom *room,
                                   uint32_t who,
                                   double x,
                                   double z);

// Lets a character say something for so many seconds.
enum CiceroneResult cicerone_say(struct CiceroneRoom *room,
                                 uint32_t who,
                                 const char *words,
                                 double seconds);

// Changes how fast a character walks, in metres a second.
enum CiceroneResult cicerone_set_walk_speed(struct CiceroneRoom *room, uint32_t who, double speed);

// A click on a place. Unless a room script takes it, the player walks there.
enum CiceroneResult cicerone_click(struct CiceroneRoom *room, struct CiceronePlace place);

// Adds a character; its number.
enum CiceroneResult cicerone_spawn(struct CiceroneRoom *room,
                                   const struct CiceroneSpawn *spawn,
                                   uint32_t *who);

// Removes a character.
enum CiceroneResult cicerone_despawn(struct CiceroneRoom *room, uint32_t who);

// The place that a name stands for: a point, a character, or where a hotspot is used from.
enum CiceroneResult cicerone_place_named(const struct CiceroneRoom *room,
                                         const char *name,
                                         struct CiceronePlace *place);

// The walkable place nearest to a place, not far from it.
enum CiceroneResult cicerone_nearest_walkable(const struct CiceroneRoom *room,
                                              struct CiceronePlace to,
                                              struct CiceronePlace *place);

// Plans a path now: its corners in walking order, without `from`, the last one being its end. `is_complete` is false if it ends at the reachable place nearest
// to `to`; `length` is in metres. Both may be NULL. Characters in the way do not count.
enum CiceroneResult cicerone_find_path(const struct CiceroneRoom *room,
                                       struct CiceronePlace from,
                                       struct CiceronePlace to,
                                       struct CiceronePlace *corners,
                                       size_t capacity,
                                       size_t *count,
                                       bool *is_complete,
                                       double *length);

// Whether an area is open.
enum CiceroneResult cicerone_area_available(const struct CiceroneRoom *room,
                                            const char *area,
                                            bool *available);

// Opens or closes an area: a door.
enum CiceroneResult cicerone_set_area_available(struct CiceroneRoom *room,
                                                const char *area,
                                                bool available);

// Opens or closes a link: a ladder, a jump, a lift.
enum CiceroneResult cicerone_set_link_available(struct CiceroneRoom *room,
                                                const char *link,
                                                bool available);

// Why the last call of this thread failed, in words. Valid until the next call that fails.
const char *cicerone_last_error(void);

// Makes fixed steps, 216,000 at most. Not from a function of the game.
enum CiceroneResult cicerone_step(struct CiceroneRoom *room, uint32_t steps);

// Makes the fixed steps of a frame of so many seconds, at most those of a quarter of a second; their number (may be
// NULL). What is left of the frame is kept for the next. `cicerone_pose` tells where to draw characters between two steps.
enum CiceroneResult cicerone_advance(struct CiceroneRoom *room,
                                     double seconds,
                                     uint32_t *steps);

// The tick, the steps per second of game time, and the hash of everything: each may be NULL. The hash is the same after
// the same run, on every machine.
enum CiceroneResult cicerone_time(const struct CiceroneRoom *room,
                                  uint64_t *tick,
                                  uint32_t *ticks_per_second,
                                  uint64_t *hash);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* CICERONE_H */

/* A place on the ground: on the highest floor there, where floors lie above each other. */
static inline CiceronePlace cicerone_at(double x, double z) {
  CiceronePlace place;
  place.x = x;
  place.y = (double)NAN;
  place.z = z;
  return place;
}
