// A plugin of a few functions, written from the specification of the C API rather than
// from the structs of package abi. Opening it takes SIGURG away, as the runtime of a
// library written in Go does.
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct error { int code; char text[200]; };
struct head { size_t struct_size; void *extension; };
struct named {
  struct head h; const char *name; size_t name_size; int type;
  union { const char *s; int64_t i; const int64_t *list; float f; bool b; } v; size_t value_size;
};

static void take(int number) { (void)number; }
__attribute__((constructor)) static void opened(void) {
  struct sigaction a; memset(&a, 0, sizeof a); a.sa_handler = take; a.sa_flags = SA_ONSTACK;
  sigaction(SIGURG, &a, NULL);
}

static struct error *fail(int code, const char *text) {
  struct error *e = calloc(1, sizeof *e); e->code = code; strncpy(e->text, text, sizeof e->text - 1); return e;
}
static void *error_destroy(struct { struct head h; struct error *e; } *a) { free(a->e); return NULL; }
static void *error_message(struct { struct head h; struct error *e; const char *text; size_t n; } *a) {
  a->text = a->e->text; a->n = strlen(a->text); return NULL;
}
static void *error_code(struct { struct head h; struct error *e; int code; } *a) { a->code = a->e->code; return NULL; }
static void *initialize(void *a) { (void)a; return NULL; }
static void *attributes(struct { struct head h; const struct named *list; size_t n; } *a) {
  static const int64_t version[3] = {1, 9, 2};
  static struct named all[2];
  all[0] = (struct named){{sizeof all[0], NULL}, "stablehlo_current_version", 25, 2, {.list = version}, 3};
  all[1] = (struct named){{sizeof all[1], NULL}, "ratio", 5, 3, {.f = 0.25f}, 1};
  a->list = all; a->n = 2; return NULL;
}

// The key-value callbacks are called on a thread of the plugin's; heads are left as the memory was.
typedef struct error *(*make_error)(int code, const char *text, size_t size);
struct get {
  struct head h; const char *key; size_t key_size; int timeout_in_ms; make_error *error; void *user;
  char *value; size_t value_size; void (*delete)(char *);
};
struct try_get {
  struct head h; const char *key; size_t key_size; make_error *error; void *user;
  char *value; size_t value_size; void (*delete)(char *);
};
struct put {
  struct head h; const char *key; size_t key_size; const char *value; size_t value_size; make_error *error; void *user;
};
struct creation {
  struct head h; const struct named *list; size_t n;
  struct error *(*get)(struct get *); void *get_user; struct error *(*put)(struct put *); void *put_user;
  void *client; struct error *(*try_get)(struct try_get *); void *try_user;
};
static struct error *made(int code, const char *text, size_t size) {
  struct error *e = fail(code, ""); if (size > 199) size = 199; memcpy(e->text, text, size); return e;
}
static make_error maker = made;
static int code_of(struct error *e) { int code = e ? e->code : 0; free(e); return code; }
static void *use_store(void *arg) {
  struct creation *c = arg;
  struct put p; memset(&p, 0xff, sizeof p);
  p.key = "a\0b"; p.key_size = 3; p.value = "1\0002"; p.value_size = 3; p.error = &maker; p.user = c->put_user;
  if (code_of(c->put(&p))) return "put failed";
  p.value = "other"; p.value_size = 5;
  if (code_of(c->put(&p)) != 6) return "put of another value is not ALREADY_EXISTS";
  struct get g; memset(&g, 0xff, sizeof g);
  g.key = "a\0b"; g.key_size = 3; g.timeout_in_ms = 1000; g.error = &maker; g.user = c->get_user;
  if (code_of(c->get(&g)) || g.value_size != 3 || memcmp(g.value, "1\0002", 3)) return "get failed";
  g.delete(g.value);
  g.key = "none"; g.key_size = 4; g.timeout_in_ms = 5;
  if (code_of(c->get(&g)) != 4) return "get of nothing is not DEADLINE_EXCEEDED";
  struct try_get t; memset(&t, 0xff, sizeof t);
  t.key = "none"; t.key_size = 4; t.error = &maker; t.user = c->try_user;
  if (code_of(c->try_get(&t)) != 5) return "try_get of nothing is not NOT_FOUND";
  t.key = "a\0b"; t.key_size = 3;
  if (code_of(c->try_get(&t)) || t.value_size != 3) return "try_get failed";
  t.delete(t.value);
  t.key = "panic"; t.key_size = 5;
  if (code_of(c->try_get(&t)) != 13) return "a store that panics is not INTERNAL";
  return NULL;
}
static void *create(struct creation *a) {
  if (a->get) {
    pthread_t thread; void *wrong = "no thread";
    if (!pthread_create(&thread, NULL, use_store, a)) pthread_join(thread, &wrong);
    if (wrong) return fail(13, wrong);
  }
  if (a->h.struct_size != 88) return fail(3, "the arguments have another size");
  if (a->n != 5 || a->list[0].type != 0 || strcmp(a->list[0].v.s, "bfc") || a->list[1].type != 1 ||
      a->list[1].v.i != -7 || a->list[2].type != 2 || a->list[2].value_size != 2 || a->list[2].v.list[1] != 5 ||
      a->list[3].type != 3 || a->list[3].v.f != 0.5f || a->list[4].type != 4 || !a->list[4].v.b)
    return fail(3, "the options are not those of the test");
  return fail(9, "No visible devices.");
}
static void *none(void *a) { (void)a; return fail(12, "not in this plugin"); }

struct version { size_t struct_size; void *extension; int major, minor; };
static struct { size_t size; void *extension; struct version version; void *functions[135]; } api;

// The interface of functions that programs call: registering one calls it once, to ask for its version.
struct ffi_api { size_t size; void *extension; struct version version; };
struct metadata { size_t size; struct version version; uint32_t traits; };
struct ask { size_t size; int type; void *next; struct metadata *metadata; };
struct frame { size_t size; void *extension; struct ffi_api *api; void *context; int stage; };
struct handler {
  size_t size; const char *target; size_t target_size; void *(*call)(struct frame *);
  const char *platform; size_t platform_size; int traits;
};
static void *register_handler(struct handler *h) {
  if (h->size != offsetof(struct handler, traits) + sizeof h->traits) return fail(3, "the arguments have another size");
  if (h->target_size != 6 || memcmp(h->target, "double", 6) || h->platform_size != 4 || memcmp(h->platform, "Host", 4))
    return fail(3, "another target or platform");
  struct ffi_api a = {sizeof a, NULL, {24, NULL, 0, 3}};
  struct metadata m = {sizeof m, {24, NULL, -1, -1}, 0};
  struct ask x = {sizeof x, 1, NULL, &m};
  struct frame f = {sizeof f, &x, &a, NULL, 3};
  if (h->call(&f)) return fail(13, "the handler failed");
  if (m.version.major != 0 || m.version.minor != 3) return fail(9, "the handler is of another version");
  return NULL;
}
static struct { size_t size; int type; void *next; void *type_id, *user_data; void *(*call)(struct handler *); } ffi = {
  sizeof ffi, 5, NULL, NULL, NULL, register_handler };

void *GetPjrtApi(void) {
  api.size = sizeof api; api.extension = &ffi;
  api.version.struct_size = 24; api.version.major = 0; api.version.minor = 112;
  for (int i = 0; i < 135; i++) api.functions[i] = (void *)none;
  api.functions[0] = (void *)error_destroy; api.functions[1] = (void *)error_message;
  api.functions[2] = (void *)error_code; api.functions[3] = (void *)initialize;
  api.functions[4] = (void *)attributes; api.functions[10] = (void *)create;
  return &api;
}
