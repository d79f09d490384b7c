#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif
#endif

// The content of the files that map the user and the group in a user namespace. It is formatted before `fork`,
// because `snprintf` is not async-signal-safe.
struct identity {
  char user[64];
  char group[64];
};

// The report of the child before `exec`. If `exec` fails, its error follows as an `int`.
struct report {
  int error;
  bool has_network;
};

#ifdef __linux__
static void write_file(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  ssize_t written = write(file, text, strlen(text));
  (void)written;
  close(file);
}

// Moves the process to a network namespace without active interfaces. Source: network_namespaces(7);
// user_namespaces(7), "User and group ID mappings".
static bool leave_network(const struct identity *identity) {
  if (unshare(CLONE_NEWNET) == 0) return true;
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return false;
  write_file("/proc/self/setgroups", "deny");
  write_file("/proc/self/uid_map", identity->user);
  write_file("/proc/self/gid_map", identity->group);
  return true;
}
#else
static bool leave_network(const struct identity *identity) {
  (void)identity;
  return false;
}
#endif

static int limit(int resource, uint64_t most) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return errno;
  if (limit.rlim_max == RLIM_INFINITY || most < limit.rlim_max) limit.rlim_max = most;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(resource, &limit) == 0 ? 0 : errno;
}

static int confine(const struct cprocess_start *start) {
  int error = limit(RLIMIT_CORE, 0);
  // A write beyond the limit must fail instead of ending the program, because fontconfig writes a cache. Source:
  // setrlimit(2), RLIMIT_FSIZE.
  struct sigaction ignored;
  memset(&ignored, 0, sizeof ignored);
  ignored.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &ignored, NULL);
  if (error == 0) error = limit(RLIMIT_FSIZE, start->most_file_bytes);
#ifdef __linux__
  if (error == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) error = errno;
  if (error == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) error = errno;
#endif
  return error;
}

static int connect_descriptors(const struct cprocess_start *start) {
  // A given descriptor that is 0, 1 or 2 must not be replaced before it is copied.
  int sources[3];
  for (int i = 0; i < 3; i++) {
    int given = start->descriptors[i];
    if (given == CPROCESS_NOTHING) {
      sources[i] = open("/dev/null", O_RDWR);
    } else if (given == CPROCESS_TERMINAL) {
      sources[i] = open("/dev/tty", O_RDWR);
    } else {
      sources[i] = given;
    }
    if (sources[i] < 0) return errno;
    if (sources[i] < 3 && sources[i] != i) sources[i] = fcntl(sources[i], F_DUPFD, 3);
    if (sources[i] < 0) return errno;
  }
  for (int i = 0; i < 3; i++) {
    if (sources[i] == i) {
      if (fcntl(i, F_SETFD, 0) != 0) return errno;
    } else if (dup2(sources[i], i) < 0) {
      return errno;
    }
  }
#ifdef __linux__
  syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC);
#endif
  return 0;
}

// Runs in the child, where only async-signal-safe functions may be called.
static void run(const struct cprocess_start *start, const struct identity *identity, pid_t parent, int channel) {
  struct sigaction usual;
  memset(&usual, 0, sizeof usual);
  usual.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; number++) sigaction(number, &usual, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);

  struct report report = {0, true};
  if (start->has_own_session && setsid() < 0) report.error = errno;
  if (report.error == 0 && start->is_confined) {
    report.has_network = !leave_network(identity);
    report.error = confine(start);
    // The parent may have ended before PR_SET_PDEATHSIG took effect.
    if (getppid() != parent) _exit(127);
  }
  if (report.error == 0 && start->most_seconds > 0) report.error = limit(RLIMIT_CPU, start->most_seconds);
  if (report.error == 0 && start->most_memory > 0) report.error = limit(RLIMIT_AS, start->most_memory);
  if (report.error == 0 && start->folder && chdir(start->folder) != 0) report.error = errno;
  // The channel must not be one of the descriptors that are replaced.
  if (channel < 3) channel = fcntl(channel, F_DUPFD_CLOEXEC, 3);
  if (report.error == 0) report.error = connect_descriptors(start);
  ssize_t written = write(channel, &report, sizeof report);
  if (report.error == 0) {
    execve(start->path, start->arguments, start->environment);
    int error = errno;
    written = write(channel, &error, sizeof error);
  }
  (void)written;
  _exit(127);
}

static ssize_t read_all(int descriptor, void *bytes, size_t count) {
  size_t done = 0;
  while (done < count) {
    ssize_t step = read(descriptor, (char *)bytes + done, count - done);
    if (step < 0 && errno == EINTR) continue;
    if (step <= 0) break;
    done += (size_t)step;
  }
  return (ssize_t)done;
}

int cprocess_start(const struct cprocess_start *start, pid_t *process, bool *has_network) {
  int channel[2];
  if (pipe(channel) != 0) return errno;
  for (int i = 0; i < 2; i++) fcntl(channel[i], F_SETFD, FD_CLOEXEC);
  struct identity identity;
  snprintf(identity.user, sizeof identity.user, "%ld %ld 1", (long)geteuid(), (long)geteuid());
  snprintf(identity.group, sizeof identity.group, "%ld %ld 1", (long)getegid(), (long)getegid());
  pid_t parent = getpid();

  // No signal handler of this program may run in the child.
  sigset_t all, previous;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &previous);
  pid_t child = fork();
  int error = child < 0 ? errno : 0;
  if (child == 0) run(start, &identity, parent, channel[1]);
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  close(channel[1]);

  if (error == 0) {
    struct report report = {ECHILD, true};
    if (read_all(channel[0], &report, sizeof report) == (ssize_t)sizeof report) {
      error = report.error;
      int failure = 0;
      if (error == 0 && read_all(channel[0], &failure, sizeof failure) == (ssize_t)sizeof failure) error = failure;
    } else {
      error = ECHILD;
    }
    *process = child;
    *has_network = report.has_network;
    if (error != 0) {
      while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    }
  }
  close(channel[0]);
  return error;
}

bool cprocess_has_ended(pid_t process) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  int result = waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT);
  return result != 0 ? errno != EINTR : info.si_pid == process;
}
