#include "CTerminal.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void cterminal_heap_share(void) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
#endif
}
