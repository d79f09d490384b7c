#define _GNU_SOURCE
#include "CTerminal.h"

#ifdef __linux__
#include <linux/kd.h>
#include <stdlib.h>
#endif

int cterminal_console_font(int terminal, uint16_t *scalars, int capacity) {
#ifdef __linux__
  // Source: Linux, ioctl_console(2), GIO_UNIMAP.
  enum { most = 65535 };
  struct unipair *pairs = malloc(most * sizeof *pairs);
  if (!pairs) return -1;
  struct unimapdesc map = {.entry_ct = most, .entries = pairs};
  int count = -1;
  if (ioctl(terminal, GIO_UNIMAP, &map) == 0) {
    count = map.entry_ct < capacity ? map.entry_ct : capacity;
    for (int i = 0; i < count; i++) scalars[i] = pairs[i].unicode;
  }
  free(pairs);
  return count;
#else
  (void)terminal, (void)scalars, (void)capacity;
  return -1;
#endif
}
