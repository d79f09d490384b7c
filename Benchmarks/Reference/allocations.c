#include "BenchmarkReference.h"

#include <errno.h>
#include <stdatomic.h>

// These allocation functions replace those of the C library, count the allocations, and call the library's functions
// below. Source: the GNU C Library manual, "Replacing malloc".

#if defined(__GLIBC__)

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static atomic_uint_fast64_t made;
static atomic_int_fast64_t live;

static void *counted(void *memory) {
  atomic_fetch_add_explicit(&made, 1, memory_order_relaxed);
  if (memory) atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
  return memory;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }
void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

void *realloc(void *memory, size_t size) {
  if (!memory) return counted(__libc_realloc(memory, size));
  atomic_fetch_add_explicit(&made, 1, memory_order_relaxed);
  if (size == 0) atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
  return __libc_realloc(memory, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  *memory = counted(__libc_memalign(alignment, size));
  return *memory ? 0 : ENOMEM;
}

void free(void *memory) {
  if (memory) atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
  __libc_free(memory);
}

uint64_t allocation_count(void) { return atomic_load(&made); }
int64_t allocation_live(void) { return atomic_load(&live); }

#else

uint64_t allocation_count(void) { return 0; }
int64_t allocation_live(void) { return 0; }

#endif
