#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { signalCount = 65, handlerStackBytes = 64 * 1024 };

// For each signal, whether the guard handles it, and its previous action.
static bool guarded[signalCount];
static struct sigaction before[signalCount];
static bool installed = false;
static bool exitHooked = false;

// Read by the handler only while `armed` is true, and written only while it is false.
static struct {
  int terminal;
  struct termios settings;
  uint8_t bytes[CTERMINAL_GUARD_BYTES];
  size_t count;
} guard;
static _Atomic bool armed = false;
static _Atomic bool restoring = false;

static _Atomic bool gaveBack = false;

static _Atomic int expected = 0, heard = 0;
static _Atomic int64_t answersEnd = 0;

void cterminal_answers_expect(int answers, int64_t end) {
  atomic_store(&expected, answers);
  atomic_store(&answersEnd, end);
}

void cterminal_answers_asked(void) { atomic_fetch_add(&expected, 1); }

// The position in a control sequence at the end of the bytes read so far, because a response can arrive in two reads.
enum { plain, escape, sequence, privateSequence };
static _Atomic int position = plain;

void cterminal_answers_forget(void) {
  atomic_store(&expected, 0);
  atomic_store(&heard, 0);
  atomic_store(&position, plain);
}

// Counts the responses to DSR and DA1. Source: ECMA-48, 8.3.35; DEC VT510 reference.
static void count_answers(const unsigned char *bytes, ssize_t count) {
  int state = atomic_load(&position);
  for (ssize_t i = 0; i < count; i++) {
    unsigned char byte = bytes[i];
    if (byte == 0x1B) {
      state = escape;
    } else if (state == escape) {
      state = byte == '[' ? sequence : plain;
    } else if (state != plain && byte == '?') {
      state = privateSequence;
    } else if (state != plain && byte >= 0x40) {
      if (byte == (state == privateSequence ? 'c' : 'n')) atomic_fetch_add(&heard, 1);
      state = plain;
    }
  }
  atomic_store(&position, state);
}

ssize_t cterminal_answers_read(int terminal, void *buffer, size_t size) {
  sigset_t all, mask;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &mask);
  ssize_t count = read(terminal, buffer, size);
  int saved = errno;
  count_answers(buffer, count);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  errno = saved;
  return count;
}

static int64_t milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void cterminal_answers_drain(int terminal) {
  int64_t end = atomic_load(&answersEnd);
  while (atomic_load(&heard) < atomic_load(&expected)) {
    int64_t left = end - milliseconds_now();
    if (left <= 0) return;
    // Another thread may be reading at the same time and receive the awaited response, so the wait is short.
    struct pollfd descriptor = {.fd = terminal, .events = POLLIN};
    if (poll(&descriptor, 1, left < 10 ? (int)left : 10) <= 0) continue;
    unsigned char bytes[256];
    ssize_t count = cterminal_answers_read(terminal, bytes, sizeof bytes);
    if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) return;
  }
}

bool cterminal_in_background(int terminal) {
  pid_t foreground = tcgetpgrp(terminal);
  return foreground > 0 && foreground != getpgrp();
}

bool cterminal_guard_is_armed(void) { return atomic_load(&armed); }

bool cterminal_guard_gave_back(void) { return atomic_load(&gaveBack); }

static void write_ending(void) {
  size_t written = 0;
  // The descriptor is non-blocking. After a fifth of a second without progress the rest is dropped.
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
}

bool cterminal_guard_restore(void) {
  int saved = errno;
  if (!atomic_exchange(&armed, false)) {
    // Two threads may crash at the same time. The second must not end the process while the first restores the
    // terminal.
    int64_t end = milliseconds_now() + 3000;
    while (atomic_load(&restoring) && milliseconds_now() < end) poll(NULL, 0, 10);
    errno = saved;
    return false;
  }
  atomic_store(&restoring, true);
  atomic_store(&gaveBack, true);
  // In the background the settings belong to another program, and writing must not stop an ending process.
  sigset_t stopping, mask;
  sigemptyset(&stopping);
  sigaddset(&stopping, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &stopping, &mask);
  write_ending();
  if (!cterminal_in_background(guard.terminal)) {
    // Responses that arrive later would be echoed and read by the shell as a command.
    cterminal_answers_drain(guard.terminal);
    tcflush(guard.terminal, TCIFLUSH);
    // TCSANOW is used, because TCSADRAIN would wait for a terminal that may have stopped reading.
    tcsetattr(guard.terminal, TCSANOW, &guard.settings);
  }
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  atomic_store(&restoring, false);
  errno = saved;
  return true;
}

static void crash(int signal) {
  cterminal_guard_restore();
  // The previous action follows: by default a core dump, or a backtrace by Swift's runtime.
  sigaction(signal, &before[signal], NULL);
  raise(signal);
}

static bool is_crash(int signal) {
  switch (signal) {
    case SIGSEGV: case SIGBUS: case SIGILL: case SIGTRAP: case SIGFPE: case SIGABRT: case SIGSYS: return true;
    default: return false;
  }
}

// Returns whether the default action of a signal ends the program. Signals that Signals.c handles are excluded, and
// also 32 and 33, which the C library uses. Source: Linux, signal(7).
static bool may_end(int signal) {
  switch (signal) {
    case SIGKILL: case SIGSTOP: case SIGTSTP: case SIGTTIN: case SIGTTOU: case SIGCONT:
    case SIGCHLD: case SIGURG: case SIGWINCH:
#ifdef SIGINFO
    case SIGINFO:
#endif
    case SIGHUP: case SIGINT: case SIGTERM:
    case 32: case 33: return false;
    default: return true;
  }
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
  atomic_store(&gaveBack, false);
  atomic_store(&armed, true);
  if (!exitHooked) {
    if (atexit(at_exit) != 0) return -1;
    exitHooked = true;
  }
  if (installed) return 0;
  cterminal_guard_thread();
  for (int i = 1; i < signalCount; i++) {
    if (!may_end(i) || sigaction(i, NULL, &before[i]) != 0) continue;
    // A signal that is ignored or has another handler does not end the program; a crash always does.
    bool isDefault = !(before[i].sa_flags & SA_SIGINFO) && before[i].sa_handler == SIG_DFL;
    if (!isDefault && !is_crash(i)) continue;
    struct sigaction action = {.sa_handler = crash};
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_ONSTACK;
    if (sigaction(i, &action, NULL) != 0) return -1;
    guarded[i] = true;
  }
  installed = true;
  return 0;
}

void cterminal_guard_disarm(void) {
  atomic_store(&armed, false);
  if (!installed) return;
  for (int i = 1; i < signalCount; i++) {
    if (guarded[i]) sigaction(i, &before[i], NULL);
    guarded[i] = false;
  }
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
