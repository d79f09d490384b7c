#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct timespec timespec_of(int64_t nanoseconds) {
  struct timespec time = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  return time;
}

#ifdef __APPLE__

// macOS has no ppoll, and its poll does not support terminals, so pselect is used.
int cterminal_wait(struct pollfd *descriptors, int count, int64_t timeoutNanoseconds) {
  fd_set readable, writable;
  FD_ZERO(&readable);
  FD_ZERO(&writable);
  int highest = -1;
  for (int i = 0; i < count; i++) {
    descriptors[i].revents = 0;
    int fd = descriptors[i].fd;
    if (fd < 0) continue;
    if (fd >= FD_SETSIZE) {
      errno = EINVAL;
      return -1;
    }
    if (descriptors[i].events & POLLIN) FD_SET(fd, &readable);
    if (descriptors[i].events & POLLOUT) FD_SET(fd, &writable);
    if (fd > highest) highest = fd;
  }
  struct timespec timeout = timespec_of(timeoutNanoseconds < 0 ? 0 : timeoutNanoseconds);
  int ready = pselect(highest + 1, &readable, &writable, NULL, timeoutNanoseconds < 0 ? NULL : &timeout, NULL);
  if (ready <= 0) return ready;
  ready = 0;
  for (int i = 0; i < count; i++) {
    int fd = descriptors[i].fd;
    if (fd < 0) continue;
    if (FD_ISSET(fd, &readable)) descriptors[i].revents |= POLLIN;
    if (FD_ISSET(fd, &writable)) descriptors[i].revents |= POLLOUT;
    if (descriptors[i].revents) ready++;
  }
  return ready;
}

#else

int cterminal_wait(struct pollfd *descriptors, int count, int64_t timeoutNanoseconds) {
  struct timespec timeout = timespec_of(timeoutNanoseconds < 0 ? 0 : timeoutNanoseconds);
  return ppoll(descriptors, (nfds_t)count, timeoutNanoseconds < 0 ? NULL : &timeout, NULL);
}

#endif

int cterminal_pipe(int ends[2]) {
#ifdef __linux__
  // The flags are set atomically, so that a program started by another thread cannot inherit the descriptors.
  return pipe2(ends, O_CLOEXEC | O_NONBLOCK);
#endif
  if (pipe(ends) != 0) return -1;
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    fcntl(ends[i], F_SETFL, fcntl(ends[i], F_GETFL) | O_NONBLOCK);
  }
  return 0;
}

int cterminal_exit_code(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }

int cterminal_ending_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }

int cterminal_stopping_signal(int status) { return WIFSTOPPED(status) ? WSTOPSIG(status) : 0; }

short cterminal_spawn_setsid(void) {
#ifdef POSIX_SPAWN_SETSID
  return POSIX_SPAWN_SETSID;
#else
  return 0x80;
#endif
}

int cterminal_spawn_directory(posix_spawn_file_actions_t *actions, const char *directory) {
  return posix_spawn_file_actions_addchdir_np(actions, directory);
}
