// Starts a program with limits. `posix_spawn` has no call for limits, namespaces and the parent's death, and Swift code
// must not run between `fork` and `exec`.

#ifndef CPROCESS_H
#define CPROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// In place of a descriptor: the null device.
#define CPROCESS_NOTHING (-1)
/// In place of a descriptor: the controlling terminal, opened again for the program.
#define CPROCESS_TERMINAL (-2)

/// How a program is started. A limit of 0 means that nothing is limited.
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
  /// Gives the program a session of its own: it has no terminal, and one signal reaches all processes of its group.
  bool has_own_session;
  /// Confines the program: no new privileges, no files that grow beyond `most_file_bytes`, no core file, no network if the
  /// system has network namespaces, and an end by SIGKILL when the calling thread ends.
  bool is_confined;
  /// Seconds of the processor. SIGXCPU ends the program after that.
  uint64_t most_seconds;
  /// Bytes of address space.
  uint64_t most_memory;
  /// Bytes of a file that a confined program writes; 0 allows none.
  uint64_t most_file_bytes;
};

/// Starts a program. Only descriptors 0, 1 and 2 are inherited.
///
/// `process` receives the process. `has_network` receives whether the program can use the network.
/// Returns 0 or the error of the system call that failed.
int cprocess_start(const struct cprocess_start *start, pid_t *process, bool *has_network);

/// Returns whether a process has ended, without removing it from the table of processes.
bool cprocess_has_ended(pid_t process);

#ifdef __cplusplus
}
#endif

#endif
