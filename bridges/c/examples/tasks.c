/*
 * Ten everyday tasks. The book shows them beside the same ones in Rust, Python and Bevy:
 * docs/src/programmers/side-by-side.md. Each task checks its own results.
 *
 *   cargo build --release
 *   cc examples/tasks.c target/release/libcicerone.a -lpthread -ldl -lm -o tasks && ./tasks
 */

/* task: common */
#include "../include/cicerone.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(truth)                                                                  \
  do {                                                                                \
    if (!(truth)) {                                                                   \
      fprintf(stderr, "line %d: %s (%s)\n", __LINE__, #truth, cicerone_last_error()); \
      exit(1);                                                                        \
    }                                                                                 \
  } while (0)
#define DO(call) CHECK((call) == CICERONE_RESULT_OK)

static uint32_t id(CiceroneRoom *room, const char *name) {
  uint32_t who;
  DO(cicerone_character_named(room, name, &who));
  return who;
}

static bool next(CiceroneRoom *room, CiceroneEvent *event) {
  bool is_there;
  DO(cicerone_next_event(room, event, &is_there));
  return is_there;
}

static bool told(CiceroneRoom *room, const char *words) {
  CiceroneEvent event;
  bool is_told = false;
  while (next(room, &event))
    is_told |= strstr(event.text, words) != NULL;
  return is_told;
}
/* end */

static const char HALL[] =
    "{"
    "  \"areas\": ["
    "    { \"name\": \"hall\", \"polygon\": [[0, 0], [8, 0], [8, 6], [0, 6]] },"
    "    { \"name\": \"gate\", \"polygon\": [[8, 2], [9, 2], [9, 4], [8, 4]], \"available\": false },"
    "    { \"name\": \"yard\", \"polygon\": [[9, 0], [16, 0], [16, 6], [9, 6]] }"
    "  ],"
    "  \"points\": { \"fire\": [6, 3], \"well\": [14, 3] },"
    "  \"characters\": ["
    "    { \"name\": \"ann\", \"at\": [1, 1], \"player\": true },"
    "    { \"name\": \"bob\", \"at\": [1, 5], \"script\": \"scripts/bob.lua\" }"
    "  ]"
    "}";

static const char BOB[] = "return { run = function(self, npc) npc:walk_to(5, 5) npc:say('Hello!') end }";

/* task: open */
static CiceroneRoom *open_room(const char *script, CiceroneOptions *options) {
  CiceroneRoom *room = NULL;
  DO(cicerone_options_file(options, "rooms/hall.json", (const uint8_t *)HALL, strlen(HALL)));
  DO(cicerone_options_file(options, "scripts/bob.lua", (const uint8_t *)script, strlen(script)));
  DO(cicerone_open("rooms/hall.json", options, &room));
  cicerone_options_free(options);
  return room;
}

static void step(CiceroneRoom *room) {
  uint64_t tick;
  DO(cicerone_step(room, 60)); /* a second of game time */
  DO(cicerone_time(room, &tick, NULL, NULL));
  CHECK(tick == 60);
}
/* end */

/* task: walk */
static void walk(CiceroneRoom *room) {
  CiceronePlace fire;
  CiceroneEvent event;
  uint64_t walk;
  bool arrived = false;
  DO(cicerone_place_named(room, "fire", &fire));
  DO(cicerone_walk_to(room, id(room, "ann"), fire, &walk));
  DO(cicerone_step(room, 600));
  while (next(room, &event))
    if (event.kind == CICERONE_EVENT_KIND_WALK_ENDED && event.walk == walk)
      arrived = event.end == CICERONE_WALK_END_ARRIVED;
  CHECK(arrived);
}
/* end */

/* task: door */
static void door(CiceroneRoom *room) {
  bool is_open;
  DO(cicerone_set_area_available(room, "gate", true));
  DO(cicerone_area_available(room, "gate", &is_open));
  CHECK(is_open);
  DO(cicerone_set_area_available(room, "gate", false));
  DO(cicerone_area_available(room, "gate", &is_open));
  CHECK(!is_open);
}
/* end */

/* task: path */
static void path(CiceroneRoom *room) {
  CiceronePlace corners[64];
  size_t count;
  bool is_complete;
  double length;
  DO(cicerone_find_path(room, cicerone_at(1, 1), cicerone_at(6, 3), corners, 64, &count, &is_complete, &length));
  CHECK(is_complete && length < 6 && corners[count - 1].x == 6 && corners[count - 1].z == 3);
}
/* end */

/* task: spawn */
static void spawn(CiceroneRoom *room) {
  CiceroneSpawn spawn = {0};
  CiceroneCharacter cat;
  uint32_t who;
  spawn.name = "cat";
  spawn.place = cicerone_at(2, 3);
  spawn.script = "scripts/bob.lua";
  spawn.tags = "animal";
  DO(cicerone_spawn(room, &spawn, &who));
  DO(cicerone_step(room, 60));
  DO(cicerone_character(room, who, &cat));
  CHECK(cat.place.x > 2.5); /* sent off by its script */
  DO(cicerone_despawn(room, who));
}
/* end */

/* task: frame */
static void frame(CiceroneRoom *room) {
  uint32_t ann = id(room, "ann");
  CiceronePose pose;
  double x = 1;
  int i, moved = 0;
  DO(cicerone_walk_to(room, ann, cicerone_at(6, 1), NULL));
  for (i = 0; i < 144; i++) {
    DO(cicerone_advance(room, 1 / 144.0, NULL)); /* the length of your frame, in seconds */
    DO(cicerone_pose(room, ann, &pose));         /* draw her at pose.place, turned by pose.heading */
    moved += pose.place.x > x;
    x = pose.place.x;
  }
  CHECK(moved > 130); /* in every frame, not only in the 60 with a step */
}
/* end */

/* task: steer */
static void steer(CiceroneRoom *room) {
  uint32_t who = id(room, "ann");
  CiceroneCharacter ann;
  DO(cicerone_steer(room, who, 1, 0)); /* until another direction */
  DO(cicerone_step(room, 60));
  DO(cicerone_steer(room, who, 0, 0));
  DO(cicerone_push(room, who, 0, 0.5));
  DO(cicerone_step(room, 1));
  DO(cicerone_character(room, who, &ann));
  CHECK(ann.place.x > 2 && ann.place.z > 1.4);
}
/* end */

/* task: function */
static void function(void) {
  const char *script = "return { run = function(self, npc) npc:play_animation('wave') npc:say('I waved.') end }";
  CiceroneOptions *options = cicerone_options_new();
  CiceroneRoom *room;
  CiceroneEvent event;
  DO(cicerone_options_waiting(options, "npc:play_animation(name: string)", "Plays it to its end."));
  room = open_room(script, options);
  DO(cicerone_step(room, 1));
  while (next(room, &event))
    if (event.kind == CICERONE_EVENT_KIND_CALLED)
      DO(cicerone_finish_call(room, event.call, NULL)); /* once it is played */
  DO(cicerone_step(room, 1));
  CHECK(told(room, "I waved."));
  cicerone_close(room);
}
/* end */

/* task: save */
static void save(CiceroneRoom *room) {
  const char *text;
  char *saved;
  uint64_t later, again;
  DO(cicerone_save(room, &text));
  saved = strcpy(malloc(strlen(text) + 1), text); /* or write it to a file */
  DO(cicerone_step(room, 90));
  DO(cicerone_time(room, NULL, NULL, &later));
  DO(cicerone_restore(room, saved));
  DO(cicerone_step(room, 90));
  DO(cicerone_time(room, NULL, NULL, &again));
  CHECK(again == later);
  free(saved);
}
/* end */

/* task: script */
static void script(CiceroneRoom *room) {
  const char *good = "return { run = function(self, npc) npc:say('New!') end }";
  const char *mistake = "return { run = funktion(self, npc) end }";
  DO(cicerone_replace_file(room, "scripts/bob.lua", (const uint8_t *)good, strlen(good), NULL));
  CHECK(cicerone_replace_file(room, "scripts/bob.lua", (const uint8_t *)mistake, strlen(mistake), NULL) ==
        CICERONE_RESULT_FILE);
  CHECK(strncmp(cicerone_last_error(), "scripts/bob.lua:1:", 18) == 0);
  DO(cicerone_step(room, 1)); /* with the last good version */
  CHECK(told(room, "New!"));
}
/* end */

int main(void) {
  static const struct {
    const char *name;
    void (*task)(CiceroneRoom *room);
  } tasks[] = {{"open", step},   {"walk", walk},   {"door", door}, {"path", path},    {"spawn", spawn},
               {"frame", frame}, {"steer", steer}, {"save", save}, {"script", script}};
  size_t i;
  for (i = 0; i < sizeof tasks / sizeof tasks[0]; i++) {
    CiceroneRoom *room = open_room(BOB, cicerone_options_new());
    tasks[i].task(room);
    cicerone_close(room);
    printf("%s: done\n", tasks[i].name);
  }
  function();
  puts("function: done");
  puts("all ten tasks are done");
  return 0;
}
