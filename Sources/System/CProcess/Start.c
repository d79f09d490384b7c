#define _GNU_SOURCE
#include "CProcess.h"
#include "Sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#include <sys/mman.h>
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
  // Whether the system does not allow the protection.
  bool is_refused;
  bool has_network;
};

static bool has_own_processes(enum cprocess_protection protection) { return protection <= CPROCESS_PARTIAL; }

// Starts a process like `fork`, but without its handlers: a second `fork` in a child of a program with several threads
// would wait for locks whose owners do not exist there. Source: fork(2), "Notes"; clone(2).
static pid_t start_process(bool has_namespaces, bool has_network) {
#ifdef __linux__
  unsigned long flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS;
  if (!has_network) flags |= CLONE_NEWNET;
  return (pid_t)syscall(SYS_clone, (has_namespaces ? flags : 0UL) | SIGCHLD, 0UL, 0UL, 0UL, 0UL);
#else
  (void)has_namespaces, (void)has_network;
  return fork();
#endif
}

#ifdef __linux__
static bool write_file(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  bool is_written = write(file, text, strlen(text)) == (ssize_t)strlen(text);
  close(file);
  return is_written;
}

// Source: user_namespaces(7), "User and group ID mappings".
static bool map_identity(const struct identity *identity) {
  // The files in /proc belong to root if the process has changed its user. Source: proc(5).
  prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  write_file("/proc/self/setgroups", "deny");
  return write_file("/proc/self/uid_map", identity->user) && write_file("/proc/self/gid_map", identity->group);
}

// Moves the process to a network namespace without active interfaces. Source: network_namespaces(7).
static bool leave_network(const struct identity *identity) {
  if (unshare(CLONE_NEWNET) == 0) return true;
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return false;
  map_identity(identity);
  return true;
}
#endif

static int limit(int resource, uint64_t most) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return errno;
  if (limit.rlim_max == RLIM_INFINITY || most < limit.rlim_max) limit.rlim_max = most;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(resource, &limit) == 0 ? 0 : errno;
}

static void handle(int number, void (*handler)(int)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigaction(number, &action, NULL);
}

static void act_by_default(void) {
  for (int number = 1; number < NSIG; number++) handle(number, SIG_DFL);
}

static void receive_signals(void) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

// Returns the number of processes and threads of all users. Source: proc(5), /proc/loadavg, fourth field.
static uint64_t running_processes(void) {
  char text[128];
  int file = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
  ssize_t length = read(file, text, sizeof text);
  close(file);
  uint64_t count = 0;
  bool is_total = false;
  for (ssize_t i = 0; i < length && !(is_total && text[i] == ' '); i++) {
    if (is_total) count = count * 10 + (uint64_t)(text[i] - '0');
    if (text[i] == '/') is_total = true;
  }
  return count;
}

static int limit_files_and_processes(const struct cprocess_sandbox *sandbox, enum cprocess_protection protection) {
  int error = limit(RLIMIT_CORE, 0);
  // A write beyond the limit must fail instead of ending the program, because fontconfig writes a cache. Source:
  // setrlimit(2), RLIMIT_FSIZE.
  handle(SIGXFSZ, SIG_IGN);
  if (error == 0) error = limit(RLIMIT_FSIZE, sandbox->most_file_bytes);
  // Outside a user namespace, the limit includes all other processes of the user.
  if (error == 0 && sandbox->most_processes > 0)
    error = limit(RLIMIT_NPROC, sandbox->most_processes + (has_own_processes(protection) ? 0 : running_processes()));
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
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

// Becomes the program. Runs in a child, where only async-signal-safe functions may be called.
static void run(
  const struct cprocess_start *start, enum cprocess_protection protection, struct report report, int channel
) {
  const struct cprocess_sandbox *sandbox = start->sandbox;
  act_by_default();
  receive_signals();
  if ((start->has_own_session || sandbox) && setsid() < 0) report.error = errno;
  if (report.error == 0 && sandbox) report.error = limit_files_and_processes(sandbox, protection);
  if (report.error == 0 && start->most_seconds > 0) report.error = limit(RLIMIT_CPU, start->most_seconds);
  if (report.error == 0 && start->most_memory > 0) report.error = limit(RLIMIT_AS, start->most_memory);
  if (report.error == 0 && start->most_data > 0) report.error = limit(RLIMIT_DATA, start->most_data);
  const char *folder = !start->folder && has_own_processes(protection) ? "/" : start->folder;
  if (report.error == 0 && folder && chdir(folder) != 0) report.error = errno;
  // The channel must not be one of the descriptors that are replaced.
  if (channel < 3) channel = fcntl(channel, F_DUPFD_CLOEXEC, 3);
  if (report.error == 0) report.error = connect_descriptors(start);
#ifdef __linux__
  // If memory is short, the system must end the program before the supervisor, which ends the other processes.
  if (sandbox && !has_own_processes(protection)) write_file("/proc/self/oom_score_adj", "1000");
  if (report.error == 0 && sandbox) {
    bool has_filter = false;
    report.is_refused = !sandbox_restrict(sandbox, protection, &has_filter);
    // Outside a network namespace, the filter refuses all sockets.
    report.has_network = report.has_network && (sandbox->has_network || !has_filter);
  }
#endif
  ssize_t written = write(channel, &report, sizeof report);
  if (report.error == 0 && !report.is_refused) {
    execve(start->path, start->arguments, start->environment);
    int error = errno;
    written = write(channel, &error, sizeof error);
  }
  (void)written;
  _exit(127);
}

#ifdef __linux__
// MARK: The supervisor, the first process of a sandbox

// Only the supervisor, which has one thread, uses them.
static bool ends_with_supervisor;
static pid_t supervised;

// Kills the children of this process. Source: proc(5), /proc/tid/children.
static void kill_children(void) {
  char text[4096];
  int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  ssize_t count = read(file, text, sizeof text);
  close(file);
  if (count < 0) kill(-supervised, SIGKILL);
  pid_t process = 0;
  for (ssize_t i = 0; i < count; i++) {
    if (text[i] >= '0' && text[i] <= '9') {
      process = process * 10 + (text[i] - '0');
    } else {
      // A number that is cut off at the end of the buffer is not followed by a space.
      if (process > 1) kill(process, SIGKILL);
      process = 0;
    }
  }
}

// Ends the supervisor and all processes that the program started. With a process namespace, the system does so.
// Otherwise, the processes of a killed process become children of the supervisor.
static void end_all(int code) {
  while (!ends_with_supervisor) {
    kill_children();
    if (waitpid(-1, NULL, 0) < 0 && errno != EINTR) break;
  }
  _exit(code);
}

static void end_by_signal(int number) { end_all(128 + number); }

// The group of the program, which has a session of its own. The program may not have started yet.
static void interrupt_program(int number) {
  if (supervised > 0) kill(-supervised, number);
}

// Closes all descriptors from 3 that are not listed. A file that another thread of the caller writes must not stay open
// here, because the system does not run a program whose file is open for writing.
static void close_others(const int *kept, size_t count) {
  for (unsigned first = 3, next = 0; next != ~0U; first = next + 1) {
    next = ~0U;
    for (size_t i = 0; i < count; i++)
      if (kept[i] >= (int)first && (unsigned)kept[i] < next) next = (unsigned)kept[i];
    if (next > first) syscall(SYS_close_range, first, next - 1, 0U);
  }
}

static void supervise(
  const struct cprocess_start *start, const struct identity *identity, enum cprocess_protection protection, int channel
) {
  struct report report = {0, false, true};
  const int kept[] = {channel, start->descriptors[0], start->descriptors[1], start->descriptors[2]};
  close_others(kept, 4);
  act_by_default();
  // Ctrl-C in the terminal must not end the supervisor before the program. A signal to the group of the caller can be pending
  // already. Without a supervisor, the processes of the program would stay.
  setsid();
  const int ending[] = {SIGHUP, SIGQUIT};
  handle(SIGINT, interrupt_program);
  for (size_t i = 0; i < 2; i++) handle(ending[i], SIG_IGN);
  ends_with_supervisor = has_own_processes(protection);
  // A command that kills the caller by its name must not kill the supervisor.
  prctl(PR_SET_NAME, "sandbox");
  prctl(PR_SET_PDEATHSIG, ends_with_supervisor ? SIGKILL : SIGTERM);
  if (!ends_with_supervisor) prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  // The parent may have ended before PR_SET_PDEATHSIG took effect. It alone has the other end of the channel.
  struct pollfd other = {.fd = channel, .events = POLLOUT};
  if (poll(&other, 1, 0) > 0 && (other.revents & POLLERR)) _exit(127);

  if (ends_with_supervisor) {
    report.has_network = start->sandbox->has_network;
    report.is_refused = !map_identity(identity);
  } else {
    report.has_network = start->sandbox->has_network || !leave_network(identity);
  }
  if (start->sandbox->has_loopback && !report.has_network) sandbox_start_loopback();
  if (ends_with_supervisor && !report.is_refused)
    report.is_refused = !sandbox_enter_root(start->sandbox, protection == CPROCESS_FULL);
  handle(SIGTERM, end_by_signal);

  supervised = report.is_refused ? -1 : start_process(false, false);
  if (supervised == 0) run(start, protection, report, channel);
  if (supervised < 0) {
    if (!report.is_refused) report.error = errno;
    ssize_t written = write(channel, &report, sizeof report);
    (void)written;
    _exit(127);
  }
  // The program alone holds its descriptors, so that its caller sees when it closes them.
  if (syscall(SYS_close_range, 0U, ~0U, 0U) != 0)
    for (int i = 0; i < 1024; i++) close(i);
  receive_signals();
  while (true) {
    int status = 0;
    pid_t ended = waitpid(-1, &status, 0);
    if (ended < 0 && errno != EINTR) end_all(127);
    if (ended == supervised) end_all(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
  }
}

#endif

// MARK: The caller

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

static struct report start_with(
  const struct cprocess_start *start, const struct identity *identity, enum cprocess_protection protection,
  pid_t *process
) {
  struct report report = {0, false, true};
  int channel[2];
  if (pipe(channel) != 0) return (struct report){errno, false, true};
  for (int i = 0; i < 2; i++) fcntl(channel[i], F_SETFD, FD_CLOEXEC);

  // No signal handler of this program may run in the child.
  sigset_t all, previous;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &previous);
  pid_t child = start_process(has_own_processes(protection), start->sandbox && start->sandbox->has_network);
  int error = child < 0 ? errno : 0;
  if (child == 0) {
    close(channel[0]);
#ifdef __linux__
    if (start->sandbox) supervise(start, identity, protection, channel[1]);
#endif
    run(start, protection, report, channel[1]);
  }
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  close(channel[1]);

  if (error != 0) {
    report.is_refused = has_own_processes(protection);
    report.error = error;
  } else {
    if (read_all(channel[0], &report, sizeof report) == (ssize_t)sizeof report) {
      int failure = 0;
      if (report.error == 0 && read_all(channel[0], &failure, sizeof failure) == (ssize_t)sizeof failure)
        report.error = failure;
    } else {
      // Some containers end a process that makes a forbidden system call.
      report.is_refused = protection < CPROCESS_UNPROTECTED;
      report.error = ECHILD;
    }
    *process = child;
    if (report.error != 0 || report.is_refused) {
      while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    }
  }
  close(channel[0]);
  return report;
}

int cprocess_start(const struct cprocess_start *start, struct cprocess_started *started) {
  struct identity identity;
  snprintf(identity.user, sizeof identity.user, "%ld %ld 1", (long)geteuid(), (long)geteuid());
  snprintf(identity.group, sizeof identity.group, "%ld %ld 1", (long)getegid(), (long)getegid());
  enum cprocess_protection protection = CPROCESS_UNPROTECTED, weakest = CPROCESS_UNPROTECTED;
#ifdef __linux__
  started->is_supervised = start->sandbox != NULL;
  if (start->sandbox) {
    protection = start->sandbox->strongest;
    weakest = start->sandbox->weakest;
  }
#endif
  struct report report = start_with(start, &identity, protection, &started->process);
  while (report.is_refused && protection < weakest)
    report = start_with(start, &identity, ++protection, &started->process);
  started->protection = protection;
  started->has_network = report.has_network;
  started->is_refused = report.is_refused && weakest < CPROCESS_UNPROTECTED;
  return report.error == 0 && report.is_refused ? EPERM : report.error;
}

bool cprocess_has_ended(pid_t process) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  int result = waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT);
  return result != 0 ? errno != EINTR : info.si_pid == process;
}

int cprocess_end(pid_t process) {
#ifdef __linux__
  return (int)syscall(434 /* pidfd_open */, process, 0U);
#else
  (void)process;
  return -1;
#endif
}

static void add_extent(int folder, dev_t device, int depth, uint64_t *bytes, uint64_t *files) {
  DIR *entries = depth > 0 ? fdopendir(folder) : NULL;
  if (!entries) {
    if (depth == 0) *files = INT64_MAX;
    close(folder);
    return;
  }
  struct dirent *entry;
  while (*files < INT64_MAX && (entry = readdir(entries))) {
    const char *name = entry->d_name;
    struct stat status;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
    if (fstatat(dirfd(entries), name, &status, AT_SYMLINK_NOFOLLOW) != 0 || status.st_dev != device) continue;
    *files += 1;
    *bytes += (uint64_t)status.st_blocks * 512;
    if (!S_ISDIR(status.st_mode)) continue;
    int child = openat(dirfd(entries), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (child >= 0) add_extent(child, device, depth - 1, bytes, files);
  }
  closedir(entries);
}

void cprocess_add_extent(const char *folder, uint64_t *bytes, uint64_t *files) {
  struct stat status;
  int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0 && fstat(descriptor, &status) == 0) add_extent(descriptor, status.st_dev, 64, bytes, files);
}

int cprocess_pipe(int ends[2]) {
  if (pipe(ends) != 0) return -1;
  for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  return fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

int cprocess_input(void) {
#ifdef __linux__
  return memfd_create("input", MFD_CLOEXEC);
#else
  char path[] = "/tmp/waymark-XXXXXX";
  int file = mkstemp(path);
  if (file >= 0) unlink(path);
  if (file >= 0) fcntl(file, F_SETFD, FD_CLOEXEC);
  return file;
#endif
}
