// The parts of a sandbox. They run between `fork` and `exec` and call only async-signal-safe functions.

#ifndef SANDBOX_H
#define SANDBOX_H

#include "CProcess.h"

/// Moves the process to a new root folder that contains only the files of the sandbox. The process must be the first one
/// in new namespaces. Returns whether the system allowed it.
bool sandbox_enter_root(const struct cprocess_sandbox *sandbox, bool has_own_proc);

/// Activates the loopback interface.
void sandbox_start_loopback(void);

/// Gives up all privileges for good, and restricts files and system calls. `has_filter` receives whether system calls
/// are filtered. Returns whether the system enforces what the protection promises.
bool sandbox_restrict(const struct cprocess_sandbox *sandbox, enum cprocess_protection protection, bool *has_filter);

#endif
