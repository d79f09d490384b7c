#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGQUIT, SIGSYS};
enum { crashCount = sizeof crashes / sizeof crashes[0], handlerStackBytes = 64 * 1024 };

static struct sigaction before[crashCount];
static bool installed = false;
static bool exitHooked = false;

// Read by the handler only while `armed`; written only while it is not.
static struct {
  int terminal;
  struct termios settings;
  uint8_t bytes[CTERMINAL_GUARD_BYTES];
  size_t count;
} guard;
static _Atomic bool armed = false;
static _Atomic bool restoring = false;

bool cterminal_guard_restore(void) {
  int saved = errno;
  if (!atomic_exchange(&armed, false)) {
    // Two threads can crash at once: the second must not end the process under the hands of the first.
    for (int patience = 20; atomic_load(&restoring) && patience > 0; patience--) poll(NULL, 0, 10);
    errno = saved;
    return false;
  }
  atomic_store(&restoring, true);
  size_t written = 0;
  // The descriptor does not block. A terminal that reads nothing for a fifth of a second is not waited for.
  for (int patience = 10; written < guard.count && patience > 0;) {
    ssize_t n = write(guard.terminal, guard.bytes + written, guard.count - written);
    if (n > 0) {
      written += (size_t)n;
    } else if (n < 0 && errno == EAGAIN) {
      struct pollfd descriptor = {.fd = guard.terminal, .events = POLLOUT};
      poll(&descriptor, 1, 20);
      patience--;
    } else if (n < 0 && errno == EINTR) {
      patience--;
    } else {
      break;
    }
  }
  // TCSANOW: TCSADRAIN would wait for a terminal that may have stopped reading.
  tcsetattr(guard.terminal, TCSANOW, &guard.settings);
  atomic_store(&restoring, false);
  errno = saved;
  return true;
}

static void crash(int signal) {
  cterminal_guard_restore();
  // Whatever would have happened without us happens now: by default a core dump, or a backtrace by Swift's runtime.
  for (int i = 0; i < crashCount; i++)
    if (crashes[i] == signal) sigaction(signal, &before[i], NULL);
  raise(signal);
}

static void at_exit(void) { cterminal_guard_restore(); }

int cterminal_guard_arm(int terminal, const struct termios *settings, const uint8_t *bytes, size_t count) {
  if (count > sizeof guard.bytes) {
    errno = EINVAL;
    return -1;
  }
  atomic_store(&armed, false);
  guard.terminal = terminal;
  guard.settings = *settings;
  memcpy(guard.bytes, bytes, count);
  guard.count = count;
  atomic_store(&armed, true);
  if (!exitHooked) {
    if (atexit(at_exit) != 0) return -1;
    exitHooked = true;
  }
  if (installed) return 0;
  cterminal_guard_thread();
  for (int i = 0; i < crashCount; i++) {
    struct sigaction action = {.sa_handler = crash};
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_ONSTACK;
    if (sigaction(crashes[i], &action, &before[i]) != 0) return -1;
  }
  installed = true;
  return 0;
}

void cterminal_guard_disarm(void) {
  atomic_store(&armed, false);
  if (!installed) return;
  for (int i = 0; i < crashCount; i++) sigaction(crashes[i], &before[i], NULL);
  installed = false;
}

static pthread_key_t stackKey;
static pthread_once_t stackKeyOnce = PTHREAD_ONCE_INIT;

static void free_stack(void *memory) {
  stack_t none = {.ss_flags = SS_DISABLE};
  sigaltstack(&none, NULL);
  free(memory);
}

static void make_stack_key(void) { pthread_key_create(&stackKey, free_stack); }

void cterminal_guard_thread(void) {
  static _Thread_local bool done = false;
  if (done) return;
  done = true;
  stack_t present;
  if (sigaltstack(NULL, &present) != 0 || !(present.ss_flags & SS_DISABLE)) return;
  pthread_once(&stackKeyOnce, make_stack_key);
  stack_t stack = {.ss_sp = malloc(handlerStackBytes), .ss_size = handlerStackBytes};
  if (!stack.ss_sp) return;
  pthread_setspecific(stackKey, stack.ss_sp);
  sigaltstack(&stack, NULL);
}
