// POSIX terminal functions that Swift cannot express: signal handlers, waiting with nanosecond resolution, and the
// macros of <sys/wait.h>.
//
// Everything that a signal handler uses is implemented here in C, because a handler may call only functions that
// POSIX lists as async-signal-safe (IEEE Std 1003.1, 2.4.3), and no Swift function is on that list.

#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <poll.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/types.h>
#include <termios.h>

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Arguments (Arguments.c)

/// Returns the number of arguments of `main`, including the program's name.
int cterminal_argument_count(void);

/// Returns an argument of `main`, from 0. It is valid as long as the process runs.
const char *cterminal_argument(int index);

// MARK: The start of a program (Prepare.c)

/// Prepares a process for the limits and the streams that it inherits. Must be called before the process opens a file.
///
/// - A closed standard stream becomes the null device, so that no file gets its number. Using the stream still fails.
/// - A write beyond the limit of `ulimit -f` fails instead of ending the process.
/// - If fewer than `files` files can be open, the limit is raised. If the system does not allow that, the process ends
///   with a message, because libdispatch ends a process that cannot open its files. Source: libdispatch, event_epoll.c.
void cterminal_prepare(int files);

// MARK: Waiting (Wait.c)

/// Waits until one of the descriptors is ready or the timeout has elapsed. The resolution is nanoseconds, because the
/// milliseconds of `poll` are too coarse for a frame. A negative timeout means no timeout. Returns the number of
/// ready descriptors, 0 after the timeout, or -1 with `errno` on an error, including EINTR.
int cterminal_wait(struct pollfd *descriptors, int count, int64_t timeoutNanoseconds);

/// Makes a pipe whose ends are non-blocking and are closed by `exec`. Returns 0, or -1 with `errno`.
int cterminal_pipe(int ends[2]);

// MARK: Signals (Signals.c)

/// Handles SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM and SIGHUP: each writes its number as one byte to
/// `descriptor`, which must be non-blocking. A signal that was ignored when the process started (`nohup`, `&` in a
/// shell without job control) remains ignored, except SIGWINCH and SIGCONT. Returns 0, or -1 with `errno`.
int cterminal_signals_catch(int descriptor);

/// Restores the actions before `cterminal_signals_catch`.
void cterminal_signals_release(void);

/// Stops the process like an unhandled SIGTSTP, and returns when it is continued.
void cterminal_stop_process(void);

/// Stops the process group like SIGTTOU as long as the terminal belongs to another process group, for example the
/// shell's after `bg`. Returns true if the terminal belongs to this process group, or false if no shell can return it
/// or the terminal was closed.
/// Source: POSIX, 11.1.4 "Terminal Access Control".
bool cterminal_wait_for_foreground(int terminal);

/// Returns how often the process was continued since signals were first handled.
int cterminal_continue_count(void);

/// Ends the process with the default action of a signal, so that the parent sees the signal. Does not return.
void cterminal_die_of(int signal) __attribute__((noreturn));

// MARK: The guard (Guard.c)

/// The maximum number of bytes that a guard can write.
#define CTERMINAL_GUARD_BYTES 512

/// Arms the guard. On `exit`, and on every signal that ends the program and is not handled as above (a crash,
/// SIGQUIT, SIGALRM, SIGUSR1, the limits on processor time, …), it writes `bytes` to the terminal, waits briefly for
/// outstanding responses, and restores `settings`. The signal then ends the program as usual. Arming again replaces
/// the bytes and the settings. `count` is at most CTERMINAL_GUARD_BYTES. Returns 0, or -1 with `errno`.
int cterminal_guard_arm(int terminal, const struct termios *settings, const uint8_t *bytes, size_t count);

/// Disarms the guard and restores the previous signal actions.
void cterminal_guard_disarm(void);

/// Restores the terminal immediately. Does nothing if the guard is not armed or has restored the terminal already.
/// Async-signal-safe. Returns whether the terminal was restored by this call.
bool cterminal_guard_restore(void);

/// Returns whether the guard is armed, so that the terminal shows a full screen.
bool cterminal_guard_is_armed(void);

/// Returns whether the guard has restored the terminal. Nothing may be written to it after that.
bool cterminal_guard_gave_back(void);

/// Returns whether the terminal belongs to another process group. Async-signal-safe.
bool cterminal_in_background(int terminal);

/// Copies the characters in the font of a Linux console as UTF-16 code units. Returns the number of copied
/// characters, or -1 if the terminal is not a Linux console.
int cterminal_console_font(int terminal, uint16_t *scalars, int capacity);

/// Sets the total number of responses to DSR and DA1 that the terminal is expected to send, and the time until which
/// they are awaited at the end of the program, in milliseconds of CLOCK_MONOTONIC.
void cterminal_answers_expect(int answers, int64_t end);

/// Records that another response is about to be requested. Called before `cterminal_answers_expect`, because a signal
/// may arrive in between.
void cterminal_answers_asked(void);

/// Reads like `read`, and counts the received responses. Signals are blocked until both are done: a signal handler between
/// the two would wait for a response that this thread has already read. Async-signal-safe.
ssize_t cterminal_answers_read(int terminal, void *buffer, size_t size);

/// Resets the numbers of expected and received responses to 0.
void cterminal_answers_forget(void);

/// Reads and discards input until all expected responses were received or the time is over. Async-signal-safe.
void cterminal_answers_drain(int terminal);

/// Gives the calling thread a separate stack for signal handlers, so that the guard also works after a stack
/// overflow. Later calls on the same thread do nothing and cost almost nothing. On Linux the main actor may change
/// threads, so it calls this repeatedly.
void cterminal_guard_thread(void);

// MARK: Time slices (Turns.c)

/// Requests time slices of a tenth of a millisecond for the calling thread. Linux schedules the waiting thread with
/// the earliest deadline first, so a thread with short slices runs as soon as it is ready, and frames are drawn on
/// time next to busy processes. The thread's total share is unchanged. Has an effect only on Linux 6.12 or later.
/// Later calls on the same thread do nothing.
/// Source: Linux, Documentation/scheduler/sched-eevdf.rst, and sched_setattr(2), `sched_runtime`.
void cterminal_turns_shorten(void);

// MARK: Threads (Threads.c)

/// Sets the name of the calling thread for debuggers and `top -H`, at most 15 bytes.
void cterminal_thread_name(const char *name);

// MARK: Memory (Heap.c)

/// Makes all threads that are started later share the heap of the main thread, instead of having heaps of their own.
void cterminal_heap_share(void);

// MARK: Waiting for a child (Wait.c)

/// `WIFEXITED(status) ? WEXITSTATUS(status) : -1`.
int cterminal_exit_code(int status);

/// `WIFSIGNALED(status) ? WTERMSIG(status) : 0`.
int cterminal_ending_signal(int status);

/// `WIFSTOPPED(status) ? WSTOPSIG(status) : 0`.
int cterminal_stopping_signal(int status);

/// Returns the flag of `posix_spawn` for starting a new session. glibc declares it only with a feature macro.
short cterminal_spawn_setsid(void);

/// Makes a spawned program start in a directory. glibc declares the call only with a feature macro. Returns 0 or an
/// error.
int cterminal_spawn_directory(posix_spawn_file_actions_t *actions, const char *directory);

#ifdef __cplusplus
}
#endif

#endif
