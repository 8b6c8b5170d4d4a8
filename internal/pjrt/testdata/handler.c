// A function that programs of XLA call: it answers what version of the interface it speaks, that
// of whoever asks, and computes nothing. The layouts are written from the specification.
#include <stddef.h>

struct version { size_t struct_size; void *extension; int major, minor; };
struct api { size_t size; void *extension; struct version version; };
struct metadata { size_t size; struct version version; };
struct ask { size_t size; int type; void *next; struct metadata *metadata; };
struct frame { size_t size; struct ask *extension; struct api *api; void *context; int stage; };

void *nothing(struct frame *f) {
  if (f->extension != NULL && f->extension->type == 1) {
    f->extension->metadata->version.major = f->api->version.major;
    f->extension->metadata->version.minor = f->api->version.minor;
  }
  return NULL;
}

void *stale(struct frame *f) { (void)f; return NULL; }
