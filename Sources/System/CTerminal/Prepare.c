#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

void cterminal_prepare(int files) {
  // Reading and writing these streams still fails. Source: glibc, csu/check_fds.c.
  static const int modes[] = {O_WRONLY, O_RDONLY, O_RDWR};
  for (int i = 0; i < 3; i++)
    if (fcntl(i, F_GETFD) < 0 && errno == EBADF && open("/dev/null", modes[i]) != i) break;
  signal(SIGXFSZ, SIG_IGN);

  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= (rlim_t)files) return;
  limit.rlim_cur = limit.rlim_max < 256 ? limit.rlim_max : 256;
  if (setrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= (rlim_t)files) return;
  char text[128];
  snprintf(
    text, sizeof text, "Could not start: only %lu files can be open. Raise the limit with 'ulimit -n 256'.\n",
    (unsigned long)limit.rlim_cur);
  ssize_t written = write(STDERR_FILENO, text, strlen(text));
  (void)written;
  // Source: BSD, sysexits.h, EX_UNAVAILABLE.
  _exit(69);
}
