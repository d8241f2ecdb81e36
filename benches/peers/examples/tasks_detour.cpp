// The everyday tasks of the book's page "Ten tasks in four languages", as a user of Detour and DetourCrowd (Recast
// Navigation 1.6) writes them: those that it can do. Each task checks its own results. `recast` is the folder of its
// sources: `cargo fetch` brings one, in the crate recastnavigation-sys.
//
//   c++ tasks_detour.cpp $recast/Detour/Source/*.cpp $recast/DetourCrowd/Source/*.cpp
//     -I$recast/Detour/Include -I$recast/DetourCrowd/Include -o tasks && ./tasks

// task: common
#include "DetourCommon.h"
#include "DetourCrowd.h"
#include "DetourNavMesh.h"
#include "DetourNavMeshBuilder.h"
#include "DetourNavMeshQuery.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>

#define CHECK(truth)                                              \
  do {                                                            \
    if (!(truth)) {                                               \
      std::fprintf(stderr, "line %d: %s\n", __LINE__, #truth);    \
      std::exit(1);                                               \
    }                                                             \
  } while (0)
#define DO(call) CHECK(dtStatusSucceed(call))

const float STEP = 1 / 60.0f;
enum Flags : unsigned short { WALK = 1, GATE = 2 };

struct Place {
  dtPolyRef poly;
  float at[3];
};

struct Game {
  dtNavMesh mesh;
  dtCrowd crowd;
  int ann;

  Game();

  // The place on the mesh nearest to a point.
  Place place(float x, float z) {
    const float at[] = {x, 0, z}, near_by[] = {0.5f, 1, 0.5f};
    Place found;
    DO(crowd.getNavMeshQuery()->findNearestPoly(at, near_by, crowd.getFilter(0), &found.poly, found.at));
    return found;
  }

  int add(float x, float z) {
    dtCrowdAgentParams agent = {};
    agent.radius = 0.25f;
    agent.height = 1.8f;
    agent.maxAcceleration = 8;
    agent.maxSpeed = 1.4f;
    agent.collisionQueryRange = 3;
    agent.pathOptimizationRange = 8;
    agent.updateFlags = DT_CROWD_ANTICIPATE_TURNS | DT_CROWD_OBSTACLE_AVOIDANCE | DT_CROWD_OPTIMIZE_TOPO;
    int who = crowd.addAgent(place(x, z).at, &agent);
    CHECK(who >= 0);
    return who;
  }

  void step(int steps) {
    for (int i = 0; i < steps; i++)
      crowd.update(STEP, nullptr);
  }
};
// end

// task: open
Game::Game() {
  // The mesh in units of `cs`: vertices, then for each polygon its corners and its neighbours.
  const unsigned short none = 0xffff;
  const unsigned short verts[] = {0, 0, 0, 0, 0, 6, 8, 0, 6, 8, 0, 4, 8, 0, 2, 8, 0, 0,
                                  9, 0, 0, 9, 0, 2, 9, 0, 4, 9, 0, 6, 16, 0, 6, 16, 0, 0};
  const unsigned short polys[] = {
      0, 1, 2, 3,    4,    5,    none, none, none, 1,    none, none, // hall
      4, 3, 8, 7,    none, none, 0,    none, 2,    none, none, none, // gate
      6, 7, 8, 9,    10,   11,   none, 1,    none, none, none, none, // yard
  };
  const unsigned short flags[] = {WALK, GATE, WALK};
  const unsigned char areas[] = {0, 0, 0};
  dtNavMeshCreateParams params = {};
  params.verts = verts;
  params.vertCount = 12;
  params.polys = polys;
  params.polyFlags = flags;
  params.polyAreas = areas;
  params.polyCount = 3;
  params.nvp = 6;
  params.bmax[0] = 16;
  params.bmax[1] = 1;
  params.bmax[2] = 6;
  params.walkableHeight = 1.8f;
  params.cs = params.ch = 1;
  params.buildBvTree = true;
  unsigned char *data;
  int size;
  CHECK(dtCreateNavMeshData(&params, &data, &size));
  DO(mesh.init(data, size, DT_TILE_FREE_DATA));
  CHECK(crowd.init(16, 0.3f, &mesh));
  crowd.getEditableFilter(0)->setExcludeFlags(GATE);
  ann = add(1, 1);
}

void step(Game &game) {
  game.step(60); // a second of game time
  CHECK(game.crowd.getAgent(game.ann)->active);
}
// end

// task: walk
void walk(Game &game) {
  Place fire = game.place(6, 3);
  CHECK(game.crowd.requestMoveTarget(game.ann, fire.poly, fire.at));
  game.step(600);
  CHECK(dtVdist2D(game.crowd.getAgent(game.ann)->npos, fire.at) < 0.1f); // to be looked at in each frame
}
// end

// task: door
void door(Game &game) {
  Place well = game.place(14, 3);
  game.crowd.getEditableFilter(0)->setExcludeFlags(0);
  CHECK(game.crowd.requestMoveTarget(game.ann, well.poly, well.at));
  game.step(30);
  CHECK(!game.crowd.getAgent(game.ann)->partial);
  game.crowd.getEditableFilter(0)->setExcludeFlags(GATE);
  CHECK(game.crowd.requestMoveTarget(game.ann, well.poly, well.at));
  game.step(30);
  CHECK(game.crowd.getAgent(game.ann)->partial);
}
// end

// task: path
void path(Game &game) {
  const dtNavMeshQuery *query = game.crowd.getNavMeshQuery();
  Place from = game.place(1, 1), to = game.place(6, 3);
  dtPolyRef polys[64];
  float corners[64 * 3], length = 0;
  int poly_count, count;
  dtStatus found =
      query->findPath(from.poly, to.poly, from.at, to.at, game.crowd.getFilter(0), polys, &poly_count, 64);
  CHECK(dtStatusSucceed(found) && !dtStatusDetail(found, DT_PARTIAL_RESULT));
  DO(query->findStraightPath(from.at, to.at, polys, poly_count, corners, nullptr, nullptr, &count, 64));
  for (int i = 1; i < count; i++)
    length += dtVdist(&corners[3 * i - 3], &corners[3 * i]);
  CHECK(length < 6 && corners[3 * count - 3] == 6 && corners[3 * count - 1] == 3);
}
// end

// task: spawn
void spawn(Game &game) {
  int cat = game.add(2, 3); // names, tags, scripts: the game's own
  game.step(60);
  game.crowd.removeAgent(cat);
  CHECK(!game.crowd.getAgent(cat)->active);
}
// end

// task: frame
void frame(Game &game) {
  Place to = game.place(6, 1);
  float x = 1;
  int moved = 0;
  CHECK(game.crowd.requestMoveTarget(game.ann, to.poly, to.at));
  for (int i = 0; i < 144; i++) {
    game.crowd.update(1 / 144.0f, nullptr); // the length of your frame, in seconds: a step is as long
    moved += game.crowd.getAgent(game.ann)->npos[0] > x;
    x = game.crowd.getAgent(game.ann)->npos[0];
  }
  CHECK(moved > 130);
}
// end

// task: steer
void steer(Game &game) {
  const float along_x[] = {1.4f, 0, 0}, nowhere[] = {0, 0, 0};
  CHECK(game.crowd.requestMoveVelocity(game.ann, along_x)); // until another velocity
  game.step(60);
  CHECK(game.crowd.requestMoveVelocity(game.ann, nowhere));
  dtCrowdAgent *ann = game.crowd.getEditableAgent(game.ann);
  dtNavMeshQuery query; // that of the crowd is const
  DO(query.init(&game.mesh, 512));
  const float pushed[] = {ann->npos[0], 0, ann->npos[2] + 0.5f};
  ann->corridor.movePosition(pushed, &query, game.crowd.getFilter(0));
  dtVcopy(ann->npos, ann->corridor.getPos());
  game.step(1);
  CHECK(ann->npos[0] > 2 && ann->npos[2] > 1.4f);
}
// end

int main() {
  const struct {
    const char *name;
    void (*task)(Game &);
  } tasks[] = {{"open", step},   {"walk", walk},   {"door", door},  {"path", path},
               {"spawn", spawn}, {"frame", frame}, {"steer", steer}};
  for (const auto &one : tasks) {
    Game game;
    one.task(game);
    std::printf("%s: done\n", one.name);
  }
  std::puts("all seven tasks are done");
}
