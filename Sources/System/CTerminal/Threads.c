#define _GNU_SOURCE
#include "CTerminal.h"

#include <pthread.h>

void cterminal_thread_name(const char *name) {
#ifdef __APPLE__
  pthread_setname_np(name);
#else
  pthread_setname_np(pthread_self(), name);
#endif
}
