// Starts a program with limits. `posix_spawn` supports neither limits nor namespaces nor a signal on the parent's
// death, and Swift code must not run between `fork` and `exec`.

#ifndef CPROCESS_H
#define CPROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A value for a descriptor: the null device.
#define CPROCESS_NOTHING (-1)
/// A value for a descriptor: the controlling terminal, opened again for the program.
#define CPROCESS_TERMINAL (-2)

/// What the system enforces for a confined program, strongest first.
enum cprocess_protection {
  /// A root folder of its own in namespaces of its own: users, mounts, network, processes, IPC and host name.
  CPROCESS_FULL,
  /// The same, but `/proc` also shows the processes outside, because the system refuses a new `/proc`. Without Landlock
  /// there is no `/proc`.
  CPROCESS_PARTIAL,
  /// Landlock and a filter of system calls, without namespaces.
  CPROCESS_LANDLOCK,
  /// Only the filter of system calls, if the system has one, and the limits.
  CPROCESS_UNPROTECTED,
};

/// The files and the processes that a confined program can use. It always gets no new privileges, no capabilities and
/// no core file, is killed when the calling thread ends, and ends together with all processes that it started.
struct cprocess_sandbox {
  /// Absolute paths that the program can read, and a null pointer after the last. Missing files are skipped.
  const char *const *readable;
  /// Absolute paths that the program can read and write, and a null pointer after the last. A path must not be inside
  /// another one. All of them must exist.
  const char *const *writable;
  /// Whether the loopback interface is active in the network namespace.
  bool has_loopback;
  /// Whether the program shares the network of the system, but not the sockets of its other programs.
  bool has_network;
  /// The maximum number of processes and threads; 0 means unlimited. Without namespaces, the program may start as many as all
  /// processes of the system together and this number. The system does not limit root.
  uint64_t most_processes;
  /// The maximum size in bytes of a file that the program writes; 0 allows no writing.
  uint64_t most_file_bytes;
  /// The strongest protection to use; tests use a weaker one.
  enum cprocess_protection strongest;
  /// The weakest protection to accept.
  enum cprocess_protection weakest;
};

/// The parameters for starting a program. A limit of 0 means unlimited.
struct cprocess_start {
  /// The absolute path of the program.
  const char *path;
  /// The arguments, the program's name first, and a null pointer after the last.
  char *const *arguments;
  /// The variables as `NAME=value`, and a null pointer after the last.
  char *const *environment;
  /// The working directory, or a null pointer for the caller's, or for `/` in a new root folder.
  const char *folder;
  /// Standard input, standard output and standard error.
  int descriptors[3];
  /// Whether the program gets its own session: it has no terminal, and a signal can be sent to all processes of its
  /// group. A confined program always gets one.
  bool has_own_session;
  /// How the program is confined, or a null pointer if it is not.
  const struct cprocess_sandbox *sandbox;
  /// The maximum processor time in seconds. After that the system kills the program.
  uint64_t most_seconds;
  /// The maximum address space in bytes.
  uint64_t most_memory;
  /// The maximum size of the data of a process in bytes: heap, stack and private writable mappings. Programs that reserve
  /// more addresses than they use, such as node, cannot run under `most_memory`.
  uint64_t most_data;
};

/// The result of starting a program.
struct cprocess_started {
  /// The process to wait for.
  pid_t process;
  /// Whether this process is not the program but its supervisor. It exits with the program's exit code or with 128 plus the
  /// number of the signal that ended the program, and ends all processes that the program started. SIGTERM makes it do so
  /// at once. It passes SIGINT to the group of the program. A confined program on Linux has one.
  bool is_supervised;
  enum cprocess_protection protection;
  /// Whether the system does not allow the weakest protection, so that the program was not started.
  bool is_refused;
  /// Whether the program can use the network.
  bool has_network;
};

/// Starts a program with the strongest protection that the system allows. It inherits only the descriptors 0, 1 and 2.
///
/// Returns 0 or the error of the system call that failed.
int cprocess_start(const struct cprocess_start *start, struct cprocess_started *started);

/// Returns whether a process has ended, without removing it from the table of processes.
bool cprocess_has_ended(pid_t process);

/// Returns a descriptor that `poll` reports as readable when a process has ended, or -1 if the system has none.
int cprocess_end(pid_t process);

/// Adds the bytes on the disk and the number of all files and folders below a folder to `bytes` and `files`. Follows no link
/// and enters no other file system. Folders that are nested deeper than 64 levels count as the largest number of files.
void cprocess_add_extent(const char *folder, uint64_t *bytes, uint64_t *files);

/// Makes a pipe whose ends are closed by `exec` and whose read end is non-blocking. Returns 0, or -1 with `errno`.
int cprocess_pipe(int ends[2]);

/// Makes an empty file without a name, for the standard input of a program. Returns a descriptor that is closed by `exec`,
/// or -1 with `errno`.
int cprocess_input(void);

#ifdef __cplusplus
}
#endif

#endif
