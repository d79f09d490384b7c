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

/// The parameters for starting a program. A limit of 0 means unlimited.
struct cprocess_start {
  /// The absolute path of the program.
  const char *path;
  /// The arguments, the program's name first, and a null pointer after the last.
  char *const *arguments;
  /// The variables as `NAME=value`, and a null pointer after the last.
  char *const *environment;
  /// The working directory, or a null pointer for the caller's.
  const char *folder;
  /// Standard input, standard output and standard error.
  int descriptors[3];
  /// Whether the program gets its own session: it has no terminal, and a signal can be sent to all processes of its
  /// group.
  bool has_own_session;
  /// Whether the program is confined: no new privileges, no files larger than `most_file_bytes`, no core file, no
  /// network if the system supports network namespaces, and SIGKILL when the calling thread ends.
  bool is_confined;
  /// The maximum processor time in seconds. After that the program receives SIGXCPU.
  uint64_t most_seconds;
  /// The maximum address space in bytes.
  uint64_t most_memory;
  /// The maximum size in bytes of files that a confined program writes; 0 allows no writing.
  uint64_t most_file_bytes;
};

/// Starts a program. It inherits only the descriptors 0, 1 and 2.
///
/// `process` receives the process, and `has_network` whether the program can use the network. Returns 0 or the error
/// of the system call that failed.
int cprocess_start(const struct cprocess_start *start, pid_t *process, bool *has_network);

/// Returns whether a process has ended, without removing it from the table of processes.
bool cprocess_has_ended(pid_t process);

#ifdef __cplusplus
}
#endif

#endif
