#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static const int caught[] = {SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM, SIGHUP};
enum { caughtCount = sizeof caught / sizeof caught[0] };

static struct sigaction before[caughtCount];
static bool isCaught[caughtCount];
static _Atomic int target = -1;
static _Atomic int continues = 0;

static void tell(int signal) {
  int saved = errno;
  int descriptor = atomic_load(&target);
  unsigned char byte = (unsigned char)signal;
  if (signal == SIGCONT) atomic_fetch_add(&continues, 1);
  // If the pipe is full, its reader is going to handle all signals anyway.
  if (descriptor >= 0) (void)!write(descriptor, &byte, 1);
  errno = saved;
}

static int install(int index) {
  struct sigaction action = {.sa_handler = tell};
  sigfillset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  return sigaction(caught[index], &action, NULL);
}

int cterminal_signals_catch(int descriptor) {
  atomic_store(&target, descriptor);
  for (int i = 0; i < caughtCount; i++) {
    if (sigaction(caught[i], NULL, &before[i]) != 0) return -1;
    bool ignored = !(before[i].sa_flags & SA_SIGINFO) && before[i].sa_handler == SIG_IGN;
    if (ignored && caught[i] != SIGWINCH && caught[i] != SIGCONT) continue;
    if (install(i) != 0) return -1;
    isCaught[i] = true;
  }
  // A parent process may have left signals blocked, which would then never be delivered.
  sigset_t heard;
  sigemptyset(&heard);
  for (int i = 0; i < caughtCount; i++)
    if (isCaught[i]) sigaddset(&heard, caught[i]);
  pthread_sigmask(SIG_UNBLOCK, &heard, NULL);
  return 0;
}

void cterminal_signals_release(void) {
  for (int i = 0; i < caughtCount; i++) {
    if (isCaught[i]) sigaction(caught[i], &before[i], NULL);
    isCaught[i] = false;
  }
  atomic_store(&target, -1);
}

int cterminal_continue_count(void) { return atomic_load(&continues); }

// Restores the default action of a signal and sends the signal to the calling thread.
static void act_by_default(int signal) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, NULL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  raise(signal);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void cterminal_stop_process(void) {
  // In an orphaned process group the kernel ignores SIGTSTP, and this returns immediately.
  act_by_default(SIGTSTP);
  for (int i = 0; i < caughtCount; i++)
    if (caught[i] == SIGTSTP && isCaught[i]) install(i);
}

bool cterminal_wait_for_foreground(int terminal) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigemptyset(&action.sa_mask);
  sigaction(SIGTTOU, &action, NULL);
  // Threads of dispatch queues block SIGTTOU. If it were blocked, the call below would succeed instead of stopping the
  // process group.
  sigset_t stopping;
  sigemptyset(&stopping);
  sigaddset(&stopping, SIGTTOU);
  pthread_sigmask(SIG_UNBLOCK, &stopping, NULL);
  while (cterminal_in_background(terminal)) {
    // Changing the settings stops a background process group. These settings are the current ones, so nothing is
    // changed.
    struct termios settings;
    if (tcgetattr(terminal, &settings) != 0) return false;
    if (tcsetattr(terminal, TCSANOW, &settings) != 0 && errno != EINTR) return false;
  }
  return true;
}

void cterminal_die_of(int signal) {
  cterminal_guard_restore();
  act_by_default(signal);
  _exit(128 + signal);
}
