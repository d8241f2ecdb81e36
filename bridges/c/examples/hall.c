/*
 * A room in a C program: a gate opens, ann walks to the well.
 *
 *   cargo build --release
 *   cc examples/hall.c target/release/libcicerone.a -lpthread -ldl -lm -o hall && ./hall
 */
#include "../include/cicerone.h"
#include <stdio.h>
#include <string.h>

static const char ROOM[] =
    "{ \"areas\": ["
    "    { \"name\": \"hall\", \"polygon\": [[0, 0], [8, 0], [8, 6], [0, 6]] },"
    "    { \"name\": \"gate\", \"polygon\": [[8, 2], [9, 2], [9, 4], [8, 4]], \"available\": false },"
    "    { \"name\": \"yard\", \"polygon\": [[9, 0], [16, 0], [16, 6], [9, 6]] } ],"
    "  \"points\": { \"well\": [14, 3] },"
    "  \"characters\": [{ \"name\": \"ann\", \"at\": [1, 1] }] }";

static int failed(const char *what) {
  fprintf(stderr, "%s: %s\n", what, cicerone_last_error());
  return 1;
}

int main(void) {
  CiceroneOptions *options = cicerone_options_new();
  CiceroneRoom *room = NULL;
  CiceronePlace well;
  CiceroneEvent event;
  uint32_t ann;
  bool is_there, arrived = false;
  int frame;

  /* The room is in memory here. Without options, cicerone_open reads the file of this name. */
  cicerone_options_file(options, "rooms/hall.json", (const uint8_t *)ROOM, strlen(ROOM));
  if (cicerone_open("rooms/hall.json", options, &room) != CICERONE_RESULT_OK)
    return failed("the room does not open");
  cicerone_options_free(options);

  cicerone_character_named(room, "ann", &ann);
  cicerone_place_named(room, "well", &well);
  cicerone_set_area_available(room, "gate", true);
  if (cicerone_walk_to(room, ann, well, NULL) != CICERONE_RESULT_OK)
    return failed("ann does not walk");

  for (frame = 0; frame < 2000 && !arrived; frame++) {
    CiceronePose pose;
    cicerone_advance(room, 1 / 144.0, NULL); /* the seconds of your frame */
    cicerone_pose(room, ann, &pose);         /* draw her at pose.place, turned by pose.heading */
    if (frame % 288 == 0)
      printf("ann at %.2f, %.2f\n", pose.place.x, pose.place.z);
    while (cicerone_next_event(room, &event, &is_there) == CICERONE_RESULT_OK && is_there) {
      printf("tick %3u: %s\n", (unsigned)event.tick, event.text);
      arrived = arrived || (event.kind == CICERONE_EVENT_KIND_WALK_ENDED && event.who == ann);
    }
  }
  puts(arrived && event.end != CICERONE_WALK_END_BLOCKED ? "ann arrives at the well" : "ann is still on her way");
  cicerone_close(room);
  return 0;
}
