#define _GNU_SOURCE
#include "Sandbox.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The numbers of newer system calls are equal on all machines. The headers of older systems do not contain them.
// Source: Linux, include/uapi/asm-generic/unistd.h.
enum {
  callOpenTree = 428, callMoveMount = 429, callOpenAt2 = 437, callMountSetAttributes = 442,
  callCreateRuleset = 444, callAddRule = 445, callRestrictSelf = 446,
};

// MARK: The new root folder

// Source: mount_setattr(2), open_tree(2), move_mount(2), openat2(2).
enum { readOnly = 1, noSetUser = 2, noDevices = 4, noPrograms = 8 };
enum { cloneTree = 1, recursive = 0x8000, fromDescriptor = 4, resolveInRoot = 0x10 };

static bool set_attributes(int folder, const char *path, unsigned flags, uint64_t attributes) {
  struct { uint64_t set, clear, propagation, namespace; } change = {attributes, 0, 0, 0};
  return syscall(callMountSetAttributes, folder, path, flags, &change, sizeof change) == 0;
}

static const char *const deviceNodes[] = {
  "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", NULL,
};

// Makes the folders above a path, and an empty folder or file at the path, unless they exist.
static void make_target(const char *path, bool is_folder) {
  char prefix[PATH_MAX];
  for (size_t i = 1; path[i] && i < sizeof prefix; i++) {
    if (path[i] != '/') continue;
    memcpy(prefix, path, i);
    prefix[i] = 0;
    mkdir(prefix, 0755);
  }
  if (is_folder) {
    mkdir(path, 0755);
  } else {
    int file = open(path, O_RDONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (file >= 0) close(file);
  }
}

// Shows a file or folder of the old root, with all mounts below it, at the same path of the new root. The attributes
// apply before it becomes visible, so nothing can be created in it. Returns true also if it does not exist.
static bool show(int old_root, const char *path, uint64_t attributes) {
  struct { uint64_t flags, mode, resolve; } how = {O_PATH | O_CLOEXEC, 0, resolveInRoot};
  struct stat status;
  int source = (int)syscall(callOpenAt2, old_root, path, &how, sizeof how);
  if (source < 0) return errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP;
  int tree = (int)syscall(callOpenTree, source, "", AT_EMPTY_PATH | cloneTree | O_CLOEXEC | recursive);
  bool is_shown = tree >= 0 && fstat(source, &status) == 0
    && set_attributes(tree, "", AT_EMPTY_PATH | recursive, attributes);
  if (is_shown) {
    make_target(path, S_ISDIR(status.st_mode));
    is_shown = syscall(callMoveMount, tree, "", AT_FDCWD, path, fromDescriptor) == 0;
  }
  close(source);
  close(tree);
  return is_shown;
}

static int landlock_version(void) { return (int)syscall(callCreateRuleset, NULL, (size_t)0, 1U); }

bool sandbox_enter_root(const struct cprocess_sandbox *sandbox, bool has_own_proc) {
  const unsigned long flags = MS_NOSUID | MS_NODEV;
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return false;
  // The mount hides /tmp until this is the root folder.
  if (mount("tmpfs", "/tmp", "tmpfs", flags, "mode=755") != 0 || chdir("/tmp") != 0) return false;
  if (mkdir("old", 0700) != 0 || syscall(SYS_pivot_root, ".", "old") != 0 || chdir("/") != 0) return false;
  int old = open("/old", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (old < 0) return false;

  static const char *const folders[] = {"/tmp", "/proc", "/dev", "/run"};
  for (size_t i = 0; i < 4; i++) mkdir(folders[i], 0755);
  bool is_complete = mount("tmpfs", "/tmp", "tmpfs", flags, "mode=1777,size=256m,nr_inodes=65536") == 0;
  // The old /proc must still be mounted. Without Landlock, a process could reach the files of others through it.
  if (has_own_proc) {
    is_complete = is_complete && mount("proc", "/proc", "proc", flags | MS_NOEXEC | MS_RDONLY, NULL) == 0;
  } else if (landlock_version() > 0) {
    is_complete = is_complete && show(old, "/proc", readOnly | noSetUser | noDevices | noPrograms);
  }
  for (size_t i = 0; deviceNodes[i]; i++)
    is_complete = is_complete && show(old, deviceNodes[i], readOnly | noSetUser | noPrograms);
  is_complete = is_complete && symlink("/proc/self/fd", "/dev/fd") == 0 && symlink("fd/0", "/dev/stdin") == 0
    && symlink("fd/1", "/dev/stdout") == 0 && symlink("fd/2", "/dev/stderr") == 0 && symlink("/tmp", "/dev/shm") == 0;
  for (size_t i = 0; sandbox->readable[i]; i++) show(old, sandbox->readable[i], readOnly | noSetUser | noDevices);
  for (size_t i = 0; sandbox->writable[i]; i++)
    is_complete = is_complete && show(old, sandbox->writable[i], noSetUser | noDevices);

  close(old);
  return is_complete && umount2("/old", MNT_DETACH) == 0 && rmdir("/old") == 0
    && set_attributes(AT_FDCWD, "/", 0, readOnly);
}

void sandbox_start_loopback(void) {
  struct ifreq request;
  memset(&request, 0, sizeof request);
  strcpy(request.ifr_name, "lo");
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  int socket_descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ioctl(socket_descriptor, SIOCSIFFLAGS, &request);
  close(socket_descriptor);
}

// MARK: Landlock

// Source: Linux, Documentation/userspace-api/landlock.rst.
enum { mayRun = 1 << 0, mayWriteFile = 1 << 1, mayReadFile = 1 << 2, mayReadFolder = 1 << 3 };
enum { mayRename = 1 << 13, mayTruncate = 1 << 14, mayControlDevice = 1 << 15, everythingBefore = (1 << 13) - 1 };
enum { isolateAbstractSockets = 1, isolateSignals = 2 };

static void allow(int rules, const char *path, uint64_t rights) {
  struct { uint64_t rights; int32_t file; } __attribute__((packed)) rule = {rights, open(path, O_PATH | O_CLOEXEC)};
  struct stat status;
  if (rule.file < 0) return;
  if (fstat(rule.file, &status) == 0 && !S_ISDIR(status.st_mode))
    rule.rights &= mayRun | mayWriteFile | mayReadFile | mayTruncate | mayControlDevice;
  syscall(callAddRule, rules, 1, &rule, 0U);
  close(rule.file);
}

static bool restrict_files(const struct cprocess_sandbox *sandbox, bool has_new_root, int version) {
  uint64_t all = everythingBefore | (version >= 2 ? mayRename : 0) | (version >= 3 ? mayTruncate : 0)
    | (version >= 5 ? mayControlDevice : 0);
  uint64_t reading = mayRun | mayReadFile | mayReadFolder;
  struct { uint64_t files, network, scope; } handled = {
    all, 0, version >= 6 ? isolateAbstractSockets | isolateSignals : 0,
  };
  // Older systems accept the size, because the fields that they do not have are 0.
  int rules = (int)syscall(callCreateRuleset, &handled, sizeof handled, 0U);
  if (rules < 0) return false;
  allow(rules, has_new_root ? "/" : "/proc", reading);
  for (size_t i = 0; !has_new_root && sandbox->readable[i]; i++) allow(rules, sandbox->readable[i], reading);
  for (size_t i = 0; sandbox->writable[i]; i++) allow(rules, sandbox->writable[i], all);
  for (size_t i = 0; deviceNodes[i]; i++) allow(rules, deviceNodes[i], all & ~(uint64_t)mayRun);
  if (has_new_root) allow(rules, "/tmp", all);
  bool is_restricted = syscall(callRestrictSelf, rules, 0U) == 0;
  close(rules);
  return is_restricted;
}

// MARK: The filter of system calls

// A refused system call. With a mask or a value, it is refused only if `argument & mask` equals `value`; if `is_inverted`,
// only if it does not.
struct rule {
  int number, error;
  unsigned argument;
  uint32_t mask, value;
  bool is_inverted;
};
#define REFUSE(call) {.number = SYS_##call, .error = EPERM}
// Programs use another system call instead of one that the system does not have.
#define HIDE(call_number) {.number = call_number, .error = ENOSYS}

// The filter cannot read the structures that `clone3` and `openat2` refer to.
static const struct rule always[] = {
  HIDE(425), HIDE(426), HIDE(427) /* io_uring */, HIDE(435) /* clone3 */, HIDE(438) /* pidfd_getfd */,
  HIDE(callOpenTree), HIDE(callMoveMount), HIDE(430), HIDE(431), HIDE(432), HIDE(433) /* fsopen to fspick */,
  HIDE(callMountSetAttributes), REFUSE(mount), REFUSE(umount2), REFUSE(pivot_root), REFUSE(chroot),
  REFUSE(unshare), REFUSE(setns), REFUSE(ptrace), REFUSE(process_vm_readv), REFUSE(process_vm_writev), REFUSE(kcmp),
  REFUSE(keyctl), REFUSE(add_key), REFUSE(request_key), REFUSE(bpf), REFUSE(perf_event_open), REFUSE(userfaultfd),
  REFUSE(open_by_handle_at),
  {.number = SYS_clone, .error = EPERM, .mask = CLONE_NEWUSER, .value = CLONE_NEWUSER},
  {.number = SYS_prlimit64, .error = EPERM, .mask = ~0U, .is_inverted = true},
  // No namespace separates a virtual machine from its host. AF_VSOCK. Source: vsock(7).
  {.number = SYS_socket, .error = EACCES, .mask = ~0U, .value = 40},
};

// Sockets, unless the program needs its own network: a socket in a readable folder could still be connected to.
static const struct rule sockets[] = {{.number = SYS_socket, .error = EACCES}};

// Without a new root folder: the memory, semaphores and messages that processes share by number.
static const struct rule outside[] = {
  REFUSE(shmat), REFUSE(shmctl), REFUSE(semop), REFUSE(semtimedop),
  REFUSE(semctl), REFUSE(msgsnd), REFUSE(msgrcv), REFUSE(msgctl), REFUSE(mq_open), REFUSE(mq_unlink),
};

// If a program may write to no file, neither may it change one in another way. Landlock does not restrict the attributes
// of files, and its first two versions not the truncation.
static const struct rule unchanging[] = {
  HIDE(callOpenAt2), REFUSE(truncate), REFUSE(fchmod), REFUSE(fchmodat), HIDE(452) /* fchmodat2 */, REFUSE(fchown),
  REFUSE(fchownat), REFUSE(utimensat), REFUSE(setxattr), REFUSE(lsetxattr), REFUSE(fsetxattr), REFUSE(removexattr),
  REFUSE(lremovexattr), REFUSE(fremovexattr), HIDE(463), HIDE(466) /* setxattrat, removexattrat */,
  HIDE(469) /* file_setattr */, REFUSE(unlinkat), REFUSE(renameat2), REFUSE(mkdirat), REFUSE(mknodat), REFUSE(linkat),
  REFUSE(symlinkat),
  // FS_IOC_SETFLAGS and FS_IOC_FSSETXATTR. Source: Linux, include/uapi/linux/fs.h.
  {.number = SYS_ioctl, .error = EPERM, .argument = 1, .mask = ~0U, .value = 0x40086602},
  {.number = SYS_ioctl, .error = EPERM, .argument = 1, .mask = ~0U, .value = 0x401C5820},
  // O_TRUNC without the right to write.
  {.number = SYS_openat, .error = EACCES, .argument = 2, .mask = O_ACCMODE | O_TRUNC, .value = O_TRUNC},
#ifdef SYS_open
  REFUSE(chmod), REFUSE(chown), REFUSE(lchown), REFUSE(utime), REFUSE(utimes), REFUSE(futimesat), REFUSE(unlink),
  REFUSE(rename), REFUSE(renameat), REFUSE(mkdir), REFUSE(rmdir), REFUSE(mknod), REFUSE(link), REFUSE(symlink),
  {.number = SYS_open, .error = EACCES, .argument = 1, .mask = O_ACCMODE | O_TRUNC, .value = O_TRUNC},
#endif
};

// Without a namespace for processes, and without Landlock's isolation of signals.
static const struct rule signals[] = {
  REFUSE(kill), REFUSE(tkill), REFUSE(rt_sigqueueinfo), REFUSE(rt_tgsigqueueinfo), HIDE(424) /* pidfd_send_signal */,
};

#if defined __x86_64__
enum { machine = AUDIT_ARCH_X86_64 };
#elif defined __aarch64__
enum { machine = AUDIT_ARCH_AARCH64 };
#else
enum { machine = 0 };
#endif

enum { capacity = 640 };

struct filter {
  struct sock_filter code[capacity];
  unsigned short count;
};

static void add(struct filter *filter, uint16_t code, uint32_t value, uint8_t if_true, uint8_t if_false) {
  filter->code[filter->count++] = (struct sock_filter){code, if_true, if_false, value};
}

static void add_rules(struct filter *filter, const struct rule *rules, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const struct rule *rule = &rules[i];
    bool has_condition = rule->mask != 0;
    add(filter, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)rule->number, 0, has_condition ? 4 : 1);
    if (has_condition) {
      add(filter, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8 * rule->argument, 0, 0);
      add(filter, BPF_ALU | BPF_AND | BPF_K, rule->mask, 0, 0);
      add(filter, BPF_JMP | BPF_JEQ | BPF_K, rule->value, rule->is_inverted, !rule->is_inverted);
    }
    add(filter, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)rule->error, 0, 0);
  }
}
// Refuses all sockets but those of the network. The services of the system listen at Unix sockets.
static void add_network_rules(struct filter *filter) {
  add(filter, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 5);
  add(filter, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args), 0, 0);
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 3, 0);
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 2, 0);
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 1, 0);
  add(filter, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES, 0, 0);
}
#define ADD_RULES(filter, rules) add_rules(filter, rules, sizeof(rules) / sizeof *(rules))

static bool filter_calls(const struct cprocess_sandbox *sandbox, bool has_new_root, int version) {
  struct filter filter = {.count = 0};
  if (machine == 0) return false;
  // The calls of another machine, and those of x32, have other numbers. Source: seccomp(2), "Caveats".
  add(&filter, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0);
  add(&filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)machine, 1, 0);
  add(&filter, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM, 0, 0);
  add(&filter, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
  add(&filter, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
  add(&filter, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM, 0, 0);
  ADD_RULES(&filter, always);
  if (sandbox->has_network) {
    add_network_rules(&filter);
  } else if (!has_new_root || !sandbox->has_loopback) {
    ADD_RULES(&filter, sockets);
  }
  if (!has_new_root) ADD_RULES(&filter, outside);
  if (!has_new_root && !sandbox->writable[0]) ADD_RULES(&filter, unchanging);
  if (!has_new_root && version < 6) {
    // A process may still send a signal to itself, as `abort` does.
    struct rule itself = {SYS_tgkill, EPERM, 0, ~0U, (uint32_t)getpid(), true};
    ADD_RULES(&filter, signals);
    add_rules(&filter, &itself, 1);
  }
  add(&filter, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
  struct sock_fprog program = {filter.count, filter.code};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

bool sandbox_restrict(const struct cprocess_sandbox *sandbox, enum cprocess_protection protection, bool *has_filter) {
  bool has_new_root = protection <= CPROCESS_PARTIAL;
  int version = protection == CPROCESS_UNPROTECTED ? 0 : landlock_version();
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2];
  memset(none, 0, sizeof none);
  // With PR_SET_NO_NEW_PRIVS, `exec` does not return the capabilities to root. Source: capabilities(7).
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || syscall(SYS_capset, &header, none) != 0) return false;
  bool has_rules = version > 0 && restrict_files(sandbox, has_new_root, version);
  *has_filter = filter_calls(sandbox, has_new_root, has_rules ? version : 0);
  // If the system has Landlock, a new root folder needs it too, because it may contain the /proc of others.
  return protection == CPROCESS_UNPROTECTED || (*has_filter && (has_rules || (has_new_root && version <= 0)));
}

#endif
