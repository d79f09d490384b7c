#include "CTerminal.h"

static int count;
static char **values;

// Swift's runtime finds the arguments next to the environment, and loses them if a library moves the environment
// before `main`. The loader passes the arguments to each constructor.
// Source: glibc, elf/dl-init.c, `call_init`; dyld, `runInitializers`.
__attribute__((constructor)) static void keep(int argc, char **argv) {
  count = argc;
  values = argv;
}

int cterminal_argument_count(void) { return count; }

const char *cterminal_argument(int index) { return values[index]; }
