/* Everything of the interface, as a game in C uses it. Ends with 1, and says where, if anything is not as it should be. */
#include "../include/cicerone.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(truth)                                                                     \
  do {                                                                                   \
    if (!(truth)) {                                                                      \
      fprintf(stderr, "line %d: not so: %s (%s)\n", __LINE__, #truth, cicerone_last_error()); \
      exit(1);                                                                           \
    }                                                                                    \
  } while (0)
#define DO(call) CHECK((call) == CICERONE_RESULT_OK)

static const char ROOM[] =
    "{ \"areas\": [\n"
    "    { \"name\": \"hall\", \"polygon\": [[0, 0], [8, 0], [8, 6], [0, 6]] },\n"
    "    { \"name\": \"gate\", \"polygon\": [[8, 2], [9, 2], [9, 4], [8, 4]], \"available\": false },\n"
    "    { \"name\": \"yard\", \"polygon\": [[9, 0], [16, 0], [16, 6], [9, 6]] } ],\n"
    "  \"points\": { \"well\": [14, 3] },\n"
    "  \"characters\": [\n"
    "    { \"name\": \"ann\", \"at\": [1, 1], \"player\": true },\n"
    "    { \"name\": \"bob\", \"at\": [1, 5], \"script\": \"scripts/bob.lua\" } ] }\n";

static const char BOB[] =
    "return { run = function(self, npc)\n"
    "  play_sound('creak', 0.5)\n"
    "  local coins = npc:coins()\n"
    "  npc:say('I have ' .. coins)\n"
    "  local said = npc:play_animation('wave')\n"
    "  npc:say('waved ' .. tostring(said))\n"
    "  npc:walk_to(6, 5)\n"
    "end }\n";

static const char FAULTY[] = "{} // cicerone: the reader of this file panics";

typedef struct Game {
  CiceroneRoom *room;
  int sounds;
  int reads;
} Game;

static void play_sound(void *user, const CiceroneCall *call, CiceroneAnswer *answer) {
  Game *game = user;
  const char *name = NULL;
  double volume = 0, none = 0;
  (void)answer;
  CHECK(strcmp(cicerone_call_function(call), "play_sound") == 0);
  CHECK(cicerone_call_who(call) == CICERONE_NOBODY);
  DO(cicerone_call_text(call, 0, &name));
  DO(cicerone_call_number(call, 1, &volume));
  CHECK(strcmp(name, "creak") == 0 && volume == 0.5);
  CHECK(!cicerone_call_has(call, 2));
  CHECK(cicerone_call_number(call, 2, &none) == CICERONE_RESULT_INVALID);
  CHECK(strstr(cicerone_last_error(), "not a number") != NULL);
  game->sounds++;
  /* Orders and looks are allowed here, steps are not. */
  DO(cicerone_set_area_available(game->room, "gate", true));
  CiceronePlace corners[8];
  size_t count = 0;
  DO(cicerone_find_path(game->room, cicerone_at(1, 1), cicerone_at(6, 3), corners, 8, &count, NULL, NULL));
  CHECK(count > 0);
  CHECK(cicerone_step(game->room, 1) == CICERONE_RESULT_BUSY);
  CHECK(cicerone_close(game->room) == CICERONE_RESULT_BUSY);
  CHECK(strstr(cicerone_last_error(), "cannot be closed") != NULL);
  DO(cicerone_character_name(game->room, 1, &name));
  CHECK(strcmp(name, "bob") == 0);
  CHECK(cicerone_call_number(call, SIZE_MAX, &none) == CICERONE_RESULT_INVALID);
}

static void coins(void *user, const CiceroneCall *call, CiceroneAnswer *answer) {
  Game *game = user;
  CiceroneCharacter bob;
  DO(cicerone_character(game->room, cicerone_call_who(call), &bob));
  CHECK(bob.user_data == 77);
  DO(cicerone_answer_integer(answer, 12));
}

static void fail(void *user, const CiceroneCall *call, CiceroneAnswer *answer) {
  (void)user;
  (void)call;
  DO(cicerone_answer_error(answer, "no such spell"));
}

static void read_file(void *user, const char *name, CiceroneFile *file) {
  Game *game = user;
  game->reads++;
  if (strcmp(name, "rooms/hall.json") == 0)
    DO(cicerone_file_content(file, (const uint8_t *)ROOM, strlen(ROOM)));
  if (strcmp(name, "scripts/bob.lua") == 0)
    DO(cicerone_file_content(file, (const uint8_t *)BOB, strlen(BOB)));
}

static CiceroneRoom *open_room(Game *game, bool by_function) {
  CiceroneOptions *options = cicerone_options_new();
  CiceroneRoom *room = NULL;
  DO(cicerone_options_seed(options, 7));
  DO(cicerone_options_function(options, "play_sound(name: string, volume?: number, pan?: number)", "Plays a sound.",
                               play_sound, game));
  DO(cicerone_options_function(options, "npc:coins() -> count: integer", "What it carries.", coins, game));
  DO(cicerone_options_function(options, "cast(spell: string)", "Casts a spell.", fail, NULL));
  DO(cicerone_options_waiting(options, "npc:play_animation(name: string) -> said: string", "Plays to the end."));
  DO(cicerone_options_action(options, "shake(strength: number)", "Shakes the camera."));
  if (by_function) {
    DO(cicerone_options_read_files(options, read_file, game));
  } else {
    DO(cicerone_options_file(options, "rooms/hall.json", (const uint8_t *)ROOM, strlen(ROOM)));
    DO(cicerone_options_file(options, "scripts/bob.lua", (const uint8_t *)BOB, strlen(BOB)));
  }
  DO(cicerone_open("rooms/hall.json", options, &room));
  cicerone_options_free(options);
  game->room = room;
  return room;
}

/* Takes all events; the first of a kind, if there is one. Its pointers are not valid any more. */
static bool saw(CiceroneRoom *room, CiceroneEventKind kind, CiceroneEvent *found) {
  CiceroneEvent event;
  bool is_there = true, seen = false;
  for (;;) {
    DO(cicerone_next_event(room, &event, &is_there));
    if (!is_there)
      return seen;
    CHECK(event.text != NULL && strlen(event.text) > 0);
    if (event.kind == kind && !seen) {
      *found = event;
      seen = true;
    }
  }
}

static void a_game(void) {
  Game game = {NULL, 0, 0};
  CiceroneRoom *room = open_room(&game, false);
  CiceroneEvent event;
  CiceroneCharacter people[4], ann;
  CiceronePose poses[4];
  CiceronePlace corners[32], well, near_by;
  CiceroneSpawn cleo_comes = {0};
  uint32_t who_ann, who_bob, who_cleo, who, steps;
  uint64_t walk = 0, tick, hash, call = 0;
  size_t count;
  bool is_there, complete, open;
  double length;
  const char *text = NULL, *name = NULL;
  char *save;

  DO(cicerone_character_named(room, "ann", &who_ann));
  DO(cicerone_character_named(room, "bob", &who_bob));
  CHECK(who_bob == 1);
  CHECK(cicerone_advance(room, NAN, NULL) == CICERONE_RESULT_INVALID);
  CHECK(cicerone_advance(room, -1, NULL) == CICERONE_RESULT_INVALID);
  CHECK(cicerone_advance(room, 1e308, NULL) == CICERONE_RESULT_INVALID);
  CHECK(strlen(cicerone_last_error()) < 100);
  CHECK(cicerone_character_name(room, 999, &name) == CICERONE_RESULT_NOT_FOUND);
  CHECK(cicerone_character_named(room, "bbo", &who) == CICERONE_RESULT_NOT_FOUND);
  CHECK(strstr(cicerone_last_error(), "'bob'") != NULL);
  DO(cicerone_set_user_data(room, who_bob, 77));
  DO(cicerone_characters(room, NULL, 0, &count));
  CHECK(count == 2);
  DO(cicerone_area_available(room, "gate", &open));
  CHECK(!open);

  /* The first step runs the script: it plays a sound, which opens the gate, and waits for an animation. */
  DO(cicerone_step(room, 1));
  CHECK(game.sounds == 1);
  DO(cicerone_area_available(room, "gate", &open));
  CHECK(open);
  for (;;) {
    DO(cicerone_next_event(room, &event, &is_there));
    CHECK(is_there);
    if (event.kind == CICERONE_EVENT_KIND_SAID) {
      CHECK(strcmp(event.name, "I have 12") == 0 && event.who == who_bob);
      DO(cicerone_event_json(room, &text));
      CHECK(strstr(text, "\"event\":\"said\"") != NULL);
    }
    if (event.kind == CICERONE_EVENT_KIND_CALLED)
      break;
  }
  CHECK(strcmp(event.name, "npc:play_animation") == 0 && event.available && event.who == who_bob);
  DO(cicerone_call_text(event.arguments, 0, &name));
  CHECK(strcmp(name, "wave") == 0);
  call = event.call;
  DO(cicerone_step(room, 60));
  {
    CiceroneAnswer *answer = cicerone_answer_new();
    DO(cicerone_answer_text(answer, "hello"));
    DO(cicerone_finish_call(room, call, answer));
    CHECK(cicerone_finish_call(room, call, NULL) == CICERONE_RESULT_REFUSED);
    DO(cicerone_answer_free(answer));
    CHECK(cicerone_answer_free(answer) == CICERONE_RESULT_INVALID);
    CHECK(cicerone_answer_text(answer, "late") == CICERONE_RESULT_INVALID);
  }
  DO(cicerone_step(room, 1));
  CHECK(saw(room, CICERONE_EVENT_KIND_SAID, &event));

  /* A walk to a named place, through frames of uneven length. */
  DO(cicerone_place_named(room, "well", &well));
  CHECK(well.x == 14 && well.z == 3);
  DO(cicerone_find_path(room, cicerone_at(1, 1), well, corners, 32, &count, &complete, &length));
  CHECK(complete && count >= 2 && length > 13 && length < 15);
  CHECK(corners[count - 1].x == 14 && corners[count - 1].z == 3);
  DO(cicerone_walk_to(room, who_ann, well, &walk));
  CHECK(walk != 0);
  {
    double before = 1;
    int frame, ended = 0;
    for (frame = 0; frame < 3000 && !ended; frame++) {
      DO(cicerone_advance(room, frame % 2 ? 0.007 : 0.011, &steps));
      CHECK(steps <= 2);
      DO(cicerone_poses(room, poses, 4, &count));
      CHECK(count == 2 && poses[0].id == who_ann && poses[0].place.x >= before - 1e-9);
      before = poses[0].place.x;
      ended = saw(room, CICERONE_EVENT_KIND_WALK_ENDED, &event) && event.who == who_ann;
    }
    CHECK(ended && event.walk == walk && event.end == CICERONE_WALK_END_ARRIVED && fabs(event.place.x - 14) < 0.1);
  }
  DO(cicerone_pose(room, who_ann, &poses[0]));
  DO(cicerone_character(room, who_ann, &ann));
  CHECK(!ann.is_walking && ann.is_player && ann.radius > 0 && ann.place.y == 0);

  /* Orders. */
  cleo_comes.name = "cleo";
  cleo_comes.place = cicerone_at(4, 3);
  cleo_comes.tags = "guest, tall";
  cleo_comes.walk_speed = 2;
  DO(cicerone_spawn(room, &cleo_comes, &who_cleo));
  CHECK(cicerone_spawn(room, &cleo_comes, &who) == CICERONE_RESULT_REFUSED);
  cleo_comes.name = "dora";
  cleo_comes.script = "../dora.lua";
  CHECK(cicerone_spawn(room, &cleo_comes, &who) == CICERONE_RESULT_NOT_FOUND);
  cleo_comes.script = "scripts/bbo.lua";
  CHECK(cicerone_spawn(room, &cleo_comes, &who) == CICERONE_RESULT_NOT_FOUND);
  CHECK(strstr(cicerone_last_error(), "there is no such file") != NULL);
  DO(cicerone_character_name(room, who_cleo, &name));
  CHECK(strcmp(name, "cleo") == 0);
  DO(cicerone_lua(room, "return room:npc('cleo'):has_tag('tall'), 'ok'", &text));
  CHECK(strcmp(text, "true, \"ok\"") == 0);
  DO(cicerone_character_at(room, cicerone_at(4, 3), &who));
  CHECK(who == who_cleo);
  DO(cicerone_follow(room, who_cleo, who_ann, 1.5));
  DO(cicerone_step(room, 30));
  DO(cicerone_push(room, who_cleo, 0, 0.5));
  DO(cicerone_stop(room, who_cleo));
  DO(cicerone_turn_to(room, who_cleo, cicerone_at(0, 0)));
  DO(cicerone_teleport(room, who_cleo, cicerone_at(2, 2)));
  CHECK(cicerone_teleport(room, who_cleo, cicerone_at(100, 2)) == CICERONE_RESULT_REFUSED);
  CHECK(cicerone_teleport(room, who_cleo, cicerone_at(NAN, 2)) == CICERONE_RESULT_INVALID);
  DO(cicerone_nearest_walkable(room, cicerone_at(17, 2), &near_by));
  CHECK(near_by.x > 15 && near_by.x <= 16);
  DO(cicerone_steer(room, who_cleo, 1, 0));
  DO(cicerone_step(room, 30));
  DO(cicerone_steer(room, who_cleo, 0, 0));
  DO(cicerone_say(room, who_cleo, "h\xc3\xa9!", 2));
  DO(cicerone_set_walk_speed(room, who_cleo, 1));
  DO(cicerone_talk_to(room, who_cleo, who_bob, NULL));
  DO(cicerone_use(room, who_bob, "well", NULL));
  DO(cicerone_click(room, cicerone_at(12, 3)));
  DO(cicerone_step(room, 60));
  DO(cicerone_despawn(room, who_cleo));
  CHECK(cicerone_walk_to(room, who_cleo, well, NULL) == CICERONE_RESULT_NOT_FOUND);
  CHECK(cicerone_set_area_available(room, "gaet", true) == CICERONE_RESULT_NOT_FOUND);
  CHECK(strstr(cicerone_last_error(), "'gate'") != NULL);
  CHECK(cicerone_set_link_available(room, "ladder", true) == CICERONE_RESULT_NOT_FOUND);
  DO(cicerone_order(room, "{\"id\": 1, \"do\": \"path\", \"from\": [1, 1], \"to\": \"well\"}", &text));
  CHECK(strstr(text, "\"complete\":true") != NULL);

  /* Errors of the game are errors of the script at its line. */
  DO(cicerone_lua(room, "return pcall(cast, 'fireball')", &text));
  CHECK(strstr(text, "no such spell") != NULL);
  CHECK(cicerone_lua(room, "return 1 +", NULL) == CICERONE_RESULT_REFUSED);
  DO(cicerone_lua(room, "shake(2)", NULL));
  CHECK(saw(room, CICERONE_EVENT_KIND_CALLED, &event) && !event.available);

  /* Files change while the room runs; a mistake changes nothing. */
  {
    static const char good[] = "return { run = function(self, npc) npc:say('new') end }";
    static const char bad[] = "return { run = funktion(self, npc) npc:say('new') end }";
    DO(cicerone_replace_file(room, "scripts/bob.lua", (const uint8_t *)good, strlen(good), &text));
    CHECK(strlen(text) > 0);
    CHECK(cicerone_replace_file(room, "scripts/bob.lua", (const uint8_t *)bad, strlen(bad), NULL) ==
          CICERONE_RESULT_FILE);
    CHECK(strstr(cicerone_last_error(), "scripts/bob.lua:1:") != NULL);
    CHECK(saw(room, CICERONE_EVENT_KIND_RELOAD_REFUSED, &event));
    /* A reader that panics is an error of its file, too: debug builds have a stand-in. */
    CHECK(cicerone_replace_file(room, "rooms/hall.json", (const uint8_t *)FAULTY, strlen(FAULTY), NULL) ==
          CICERONE_RESULT_FILE);
    CHECK(strstr(cicerone_last_error(), "rooms/hall.json") != NULL &&
          strstr(cicerone_last_error(), "its reader failed on it") != NULL);
  }
  CHECK(cicerone_reload(room) == CICERONE_RESULT_REFUSED);

  /* Save, go on, go back: the same hash. */
  DO(cicerone_save(room, &text));
  save = malloc(strlen(text) + 1);
  CHECK(save != NULL);
  strcpy(save, text);
  DO(cicerone_step(room, 90));
  {
    uint64_t again;
    uint32_t rate;
    DO(cicerone_time(room, &tick, &rate, &hash));
    CHECK(rate == 60);
    DO(cicerone_restore(room, save));
    DO(cicerone_step(room, 90));
    DO(cicerone_time(room, NULL, NULL, &again));
    CHECK(again == hash);
    DO(cicerone_characters(room, people, 4, &count));
    CHECK(count == 2 && people[1].user_data == 77);
  }
  CHECK(cicerone_restore(room, "no save") == CICERONE_RESULT_FILE);
  free(save);

  /* What is closed stays closed, also when another room has been opened since. */
  DO(cicerone_close(room));
  CHECK(cicerone_close(room) == CICERONE_RESULT_INVALID);
  CHECK(strstr(cicerone_last_error(), "is closed") != NULL);
  {
    Game other_game = {NULL, 0, 0};
    CiceroneRoom *other = open_room(&other_game, false);
    CHECK(other != room);
    CHECK(cicerone_step(room, 1) == CICERONE_RESULT_INVALID);
    CHECK(cicerone_character_name(room, 1, &name) == CICERONE_RESULT_INVALID);
    DO(cicerone_character_name(other, 1, &name));
    DO(cicerone_close(other));
  }
}

static void what_makes_no_sense_is_refused(void) {
  Game game = {NULL, 0, 0};
  CiceroneRoom *room = NULL;
  CiceroneOptions *options;
  size_t count;
  CHECK(cicerone_open(NULL, NULL, &room) == CICERONE_RESULT_INVALID);
  CHECK(cicerone_open("rooms/nowhere.json", NULL, &room) == CICERONE_RESULT_FILE);
  CHECK(strstr(cicerone_last_error(), "nowhere") != NULL && room == NULL);
  CHECK(cicerone_open("a\xff", NULL, &room) == CICERONE_RESULT_INVALID);
  CHECK(cicerone_step(NULL, 1) == CICERONE_RESULT_INVALID);
  DO(cicerone_close(NULL));
  DO(cicerone_options_free(NULL));
  DO(cicerone_answer_free(NULL));
  {
    double foreign[4] = {0, 0, 0, 0};
    CHECK(cicerone_step((CiceroneRoom *)foreign, 1) == CICERONE_RESULT_INVALID);
    CHECK(strstr(cicerone_last_error(), "did not give") != NULL);
    CHECK(cicerone_close((CiceroneRoom *)foreign) == CICERONE_RESULT_INVALID);
    CHECK(cicerone_options_free((CiceroneOptions *)foreign) == CICERONE_RESULT_INVALID);
    CHECK(cicerone_answer_free((CiceroneAnswer *)foreign) == CICERONE_RESULT_INVALID);
  }
  CHECK(cicerone_options_seed(NULL, 1) == CICERONE_RESULT_INVALID);

  options = cicerone_options_new();
  DO(cicerone_options_action(options, "not a signature(", "Wrong."));
  DO(cicerone_options_file(options, "rooms/hall.json", (const uint8_t *)ROOM, strlen(ROOM)));
  CHECK(cicerone_open("rooms/hall.json", options, &room) == CICERONE_RESULT_FILE);
  CHECK(strstr(cicerone_last_error(), "not a signature(") != NULL);
  DO(cicerone_options_free(options));
  CHECK(cicerone_options_free(options) == CICERONE_RESULT_INVALID);
  CHECK(cicerone_options_seed(options, 1) == CICERONE_RESULT_INVALID);
  CHECK(cicerone_open("rooms/hall.json", options, &room) == CICERONE_RESULT_INVALID);
  /* Neither is the one the other. */
  options = cicerone_options_new();
  CHECK(cicerone_close((CiceroneRoom *)options) == CICERONE_RESULT_INVALID);
  DO(cicerone_options_free(options));

  /* A file that is read through a function of the game. */
  room = open_room(&game, true);
  CHECK(game.reads >= 2);
  CHECK(cicerone_open("rooms/hall.json", NULL, NULL) != CICERONE_RESULT_OK);
  CHECK(cicerone_characters(room, NULL, 3, &count) == CICERONE_RESULT_INVALID);
  CHECK(cicerone_step(room, 1000000) == CICERONE_RESULT_INVALID);
  CHECK(cicerone_walk_to(room, 0, cicerone_at(INFINITY, 1), NULL) == CICERONE_RESULT_INVALID);
  CHECK(cicerone_call_who(NULL) == CICERONE_NOBODY && cicerone_call_function(NULL) == NULL);
  cicerone_close(room);
}

/* Saves files and finds them reloaded. The folder holds rooms/hall.json and scripts/bob.lua. */
static void files_on_the_disk(const char *folder) {
  char path[1000];
  FILE *file;
  CiceroneRoom *room = NULL;
  CiceroneEvent event;
  int tries;
  snprintf(path, sizeof path, "%s/rooms/hall.json", folder);
  DO(cicerone_open(path, NULL, &room));
  DO(cicerone_watch(room, true));
  DO(cicerone_reload(room));
  DO(cicerone_step(room, 1));
  snprintf(path, sizeof path, "%s/run.rec", folder);
  DO(cicerone_record(room, path));
  DO(cicerone_step(room, 60));
  DO(cicerone_stop_recording(room));
  (void)saw(room, CICERONE_EVENT_KIND_RELOADED, &event);
  snprintf(path, sizeof path, "%s/scripts/bob.lua", folder);
  file = fopen(path, "w");
  CHECK(file != NULL);
  fputs("return { run = function(self, npc) npc:say('saved') end,\n"
        "  on_arrived = function(self, npc) room:set_area_available('attic', true) end }\n", file);
  fclose(file);
  for (tries = 0; tries < 100000000; tries++) {
    DO(cicerone_reload(room));
    if (saw(room, CICERONE_EVENT_KIND_RELOADED, &event))
      break;
  }
  CHECK(event.kind == CICERONE_EVENT_KIND_RELOADED);
  for (tries = 0; tries < 100000000; tries++) {
    DO(cicerone_reload(room));
    if (saw(room, CICERONE_EVENT_KIND_RELOAD_WARNED, &event))
      break;
  }
  CHECK(event.kind == CICERONE_EVENT_KIND_RELOAD_WARNED && strstr(event.text, "attic") != NULL);
  cicerone_close(room);
}

int main(int count, char **arguments) {
  a_game();
  what_makes_no_sense_is_refused();
  if (count > 1)
    files_on_the_disk(arguments[1]);
  puts("all as it should be");
  return 0;
}
