// Tries to change or read files outside a sandbox, and to leave it. Each attack runs in a process of its own.
//
// usage: SandboxAttacks FOLDER LINKS PROCESS PORT MARK ATTACK...
//
// FOLDER contains the files that are attacked, LINKS is a folder that the program may read and that contains a link to
// FOLDER, and MARK is an argument of the processes that this program leaves behind. Prints one line per attack: its name, and
// "done" or "held".
//
// usage: SandboxAttacks --listen SOCKET
//
// Is the process outside that is attacked. It listens at a socket with a path and at a port of 127.0.0.1, and has a memory
// segment with the number of the port as its key. Prints its process id and the port, and runs until its input ends.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <arpa/inet.h>
#include <linux/fs.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>

static const char *folder, *links, *mark, *program;
static pid_t outside;
static int port;

static char text[4096];

static const char *in(const char *parent, const char *name) {
  static char paths[4][4096];
  static int next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", parent, name);
  return path;
}

static bool closes(int file) { return file >= 0 && close(file) == 0; }

static bool reads(const char *path) {
  int file = open(path, O_RDONLY);
  return file >= 0 && read(file, text, sizeof text - 1) > 0;
}

static bool writes(const char *path, int flags) {
  int file = open(path, O_WRONLY | flags, 0666);
  return file >= 0 && write(file, "x", 1) == 1;
}

static bool connects(int kind, const struct sockaddr *address, socklen_t size) {
  int socket_descriptor = socket(address->sa_family, kind, 0);
  if (socket_descriptor < 0 || connect(socket_descriptor, address, size) != 0) return false;
  return write(socket_descriptor, "x", 1) == 1;
}

static bool connects_to_port(int kind) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return connects(kind, (struct sockaddr *)&address, sizeof address);
}

static bool connects_to_path(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  return connects(SOCK_STREAM, (struct sockaddr *)&address, sizeof address);
}

// Fills in the address of a socket without a path, like those of X11 and D-Bus. Its name contains the number of the port.
static struct sockaddr_un abstract_address(int number) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "waymark-%d", number);
  return address;
}

static bool connects_to_abstract_socket(void) {
  struct sockaddr_un address = abstract_address(port);
  return connects(SOCK_STREAM, (struct sockaddr *)&address, sizeof address);
}

// Returns the path of a file that describes the process outside.
static const char *of_process(const char *name) {
  static char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", outside, name);
  return path;
}

// Starts this program again in a session of its own, as a process that only waits.
static bool leaves_daemon(void) {
  pid_t child = fork();
  if (child == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    setsid();
    execl(program, program, "--wait", mark, NULL);
    _exit(1);
  }
  int status;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

// Sets the flag that excludes a file from backups, which its owner can do without opening it for writing.
static bool sets_flags(const char *path) {
  int file = open(path, O_RDONLY);
  int flags = 0;
  if (file < 0 || ioctl(file, FS_IOC_GETFLAGS, &flags) != 0) return false;
  flags |= FS_NODUMP_FL;
  return ioctl(file, FS_IOC_SETFLAGS, &flags) == 0;
}

static bool limits(pid_t process) {
  struct rlimit limit;
  return prlimit(process, RLIMIT_CORE, NULL, &limit) == 0;
}

static bool attack(const char *name) {
  const char *file = in(folder, name);
  const struct timespec times[2] = {{1, 0}, {1, 0}};
  char address[64];
  if (!strcmp(name, "read")) return reads(file);
  if (!strcmp(name, "read secrets")) return reads("/etc/shadow") || reads("/etc/sudoers") || reads("/etc/hostname");
  if (!strcmp(name, "write")) return writes(file, 0);
  if (!strcmp(name, "append")) return writes(file, O_APPEND);
  if (!strcmp(name, "create")) return closes(open(file, O_WRONLY | O_CREAT | O_EXCL, 0666));
  if (!strcmp(name, "empty")) return closes(open(file, O_WRONLY | O_TRUNC));
  if (!strcmp(name, "empty while reading")) return closes(open(file, O_RDONLY | O_TRUNC));
  if (!strcmp(name, "truncate")) return truncate(file, 0) == 0;
  if (!strcmp(name, "delete")) return unlink(file) == 0;
  if (!strcmp(name, "delete folder")) return rmdir(file) == 0;
  if (!strcmp(name, "rename")) return rename(file, in(folder, "renamed")) == 0;
  if (!strcmp(name, "make folder")) return mkdir(file, 0777) == 0;
  if (!strcmp(name, "make link")) return link(in(folder, "read"), file) == 0;
  if (!strcmp(name, "make symbolic link")) return symlink("read", file) == 0;
  if (!strcmp(name, "make device")) return mknod(file, S_IFCHR | 0666, makedev(1, 3)) == 0;
  if (!strcmp(name, "chmod")) return chmod(file, 0600) == 0;
  if (!strcmp(name, "chown")) return chown(file, geteuid(), getegid()) == 0;
  if (!strcmp(name, "set times")) return utimensat(AT_FDCWD, file, times, 0) == 0;
  if (!strcmp(name, "set attribute")) return setxattr(file, "user.waymark", "x", 1, 0) == 0;
  if (!strcmp(name, "set flags")) return sets_flags(file);
  if (!strcmp(name, "write through link")) return writes(in(links, "link/write through link"), 0);
  if (!strcmp(name, "delete through link")) return unlink(in(links, "link/delete through link")) == 0;
  if (!strcmp(name, "delete link")) return unlink(in(links, "link")) == 0;
  if (!strcmp(name, "create next to readable")) return writes(in(links, "new"), O_CREAT);
  if (!strcmp(name, "write system file")) return writes("/usr/waymark-test", O_CREAT);
  if (!strcmp(name, "write kernel setting")) return closes(open("/proc/sys/kernel/core_pattern", O_WRONLY));
  if (!strcmp(name, "connect to socket")) return connects_to_path(in(folder, "socket"));
  if (!strcmp(name, "connect to abstract socket")) return connects_to_abstract_socket();
  // A socket of a virtual machine for its host.
  if (!strcmp(name, "connect to other machine")) return closes(socket(AF_VSOCK, SOCK_STREAM, 0));
  if (!strcmp(name, "connect to port")) return connects_to_port(SOCK_STREAM);
  if (!strcmp(name, "send datagram")) return connects_to_port(SOCK_DGRAM);
  if (!strcmp(name, "leave daemon")) return leaves_daemon();
  if (!strcmp(name, "send signal")) return kill(outside, 0) == 0;
  if (!strcmp(name, "change limits")) return limits(outside);
  if (!strcmp(name, "ptrace")) return ptrace(PTRACE_SEIZE, outside, NULL, NULL) == 0;
  if (!strcmp(name, "read memory")) {
    struct iovec local = {text, 1}, remote = {(void *)&text, 1};
    return process_vm_readv(outside, &local, 1, &remote, 1, 0) >= 0 || errno == EFAULT;
  }
  if (!strcmp(name, "read memory by file")) return closes(open(of_process("mem"), O_RDONLY));
  if (!strcmp(name, "read environment")) return reads(of_process("environ"));
  if (!strcmp(name, "see files of process")) return readlink(of_process("fd/0"), text, sizeof text) > 0;
  if (!strcmp(name, "see processes")) {
    snprintf(address, sizeof address, "/proc/%d/cmdline", outside);
    return reads(address);
  }
  if (!strcmp(name, "read through process")) {
    snprintf(address, sizeof address, "/proc/%d/root", outside);
    return reads(in(in(address, folder), "read"));
  }
  if (!strcmp(name, "io_uring")) {
    char parameters[128] = {0};
    return closes((int)syscall(425, 1, parameters));
  }
  if (!strcmp(name, "keys")) return syscall(SYS_keyctl, 0, -3, 1) >= 0;
  if (!strcmp(name, "mount")) return mount("tmpfs", "/tmp", "tmpfs", 0, NULL) == 0;
  if (!strcmp(name, "new namespace")) return unshare(CLONE_NEWUSER) == 0;
  if (!strcmp(name, "new namespace by clone")) {
    long child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
    if (child == 0) _exit(0);
    return child > 0;
  }
  if (!strcmp(name, "shared memory")) return shmat(shmget(port, 64, 0), NULL, 0) != (void *)-1;
  // These are no attacks: a program must be able to do them.
  if (!strcmp(name, "use null device")) return writes("/dev/null", O_TRUNC | O_CREAT);
  if (!strcmp(name, "use standard error by name")) return writes("/dev/stderr", 0);
  if (!strcmp(name, "use temporary file")) return writes("/tmp/waymark-test", O_CREAT | O_EXCL);
  if (!strcmp(name, "use own process")) return reads("/proc/self/status");
  if (!strcmp(name, "use readable file")) return reads(in(links, "text"));
  if (!strcmp(name, "abort")) {
    pid_t child = fork();
    if (child == 0) abort();
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFSIGNALED(status);
  }
  fprintf(stderr, "unknown attack '%s'\n", name);
  exit(2);
}

static int listen_at(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  struct sockaddr_in internet = {.sin_family = AF_INET};
  socklen_t size = sizeof internet;
  internet.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  int local = socket(AF_UNIX, SOCK_STREAM, 0), remote = socket(AF_INET, SOCK_STREAM, 0);
  umask(0);
  if (bind(local, (struct sockaddr *)&address, sizeof address) != 0 || listen(local, 100) != 0) return 2;
  if (bind(remote, (struct sockaddr *)&internet, sizeof internet) != 0 || listen(remote, 100) != 0) return 2;
  if (getsockname(remote, (struct sockaddr *)&internet, &size) != 0) return 2;
  struct sockaddr_un abstract = abstract_address(ntohs(internet.sin_port));
  int third = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(third, (struct sockaddr *)&abstract, sizeof abstract) != 0 || listen(third, 100) != 0) return 2;
  int segment = shmget(ntohs(internet.sin_port), 64, IPC_CREAT | 0666);
  printf("%d %d\n", getpid(), ntohs(internet.sin_port));
  fflush(stdout);
  while (read(0, text, sizeof text) > 0) {}
  shmctl(segment, IPC_RMID, NULL);
  return 0;
}

int main(int count, char **arguments) {
  program = arguments[0];
  if (count == 3 && !strcmp(arguments[1], "--listen")) return listen_at(arguments[2]);
  if (count == 3 && !strcmp(arguments[1], "--wait")) {
    sleep(300);
    return 0;
  }
  if (count < 7) return 2;
  folder = arguments[1];
  links = arguments[2];
  outside = atoi(arguments[3]);
  port = atoi(arguments[4]);
  mark = arguments[5];
  setvbuf(stdout, NULL, _IONBF, 0);
  for (int i = 6; i < count; i++) {
    pid_t child = fork();
    if (child == 0) _exit(attack(arguments[i]) ? 0 : 1);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) > 1) return 2;
    printf("%s: %s\n", arguments[i], WEXITSTATUS(status) == 0 ? "done" : "held");
  }
  return 0;
}
#else
int main(void) { return 2; }
#endif
