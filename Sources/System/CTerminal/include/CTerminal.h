// What Swift cannot say about a POSIX terminal: signal handlers, waiting with nanoseconds, and the macros of <sys/wait.h>.
//
// Everything a handler touches lives here, in C, because a handler may call only what POSIX lists as async-signal-safe
// (IEEE Std 1003.1, 2.4.3), and no Swift function is on that list.

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

/// Returns the number of arguments of `main`, with the program's name.
int cterminal_argument_count(void);

/// Returns an argument of `main`, from 0. It lives as long as the process.
const char *cterminal_argument(int index);

// MARK: Waiting (Wait.c)

/// Waits until one of the descriptors is ready, or until the time is over. `poll` counts milliseconds, too coarse for a
/// frame; this counts nanoseconds. A negative timeout waits for ever.
/// Returns the number of ready descriptors, 0 when the time is over, -1 with `errno` on an error (also EINTR).
int cterminal_wait(struct pollfd *descriptors, int count, int64_t timeoutNanoseconds);

/// Makes a pipe whose two ends never block and are closed by `exec`. Returns 0, or -1 with `errno`.
int cterminal_pipe(int ends[2]);

// MARK: Signals (Signals.c)

/// Catches SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM and SIGHUP; from now on each writes its number as one byte to
/// `descriptor`, which must not block. A signal that the process was started to ignore (`nohup`, `&` in a shell without
/// job control) stays ignored, SIGWINCH and SIGCONT apart. Returns 0, or -1 with `errno`.
int cterminal_signals_catch(int descriptor);

/// Puts back the actions that were there before `cterminal_signals_catch`.
void cterminal_signals_release(void);

/// Stops the process as SIGTSTP would have, had it not been caught, and returns when it is continued.
void cterminal_stop_process(void);

/// Stops the process group as SIGTTOU does for as long as the terminal belongs to another, the shell's after `bg`.
/// Returns whether it is ours now; false where no shell could give it back, or it is gone.
/// Source: POSIX, 11.1.4 "Terminal Access Control".
bool cterminal_wait_for_foreground(int terminal);

/// How often the process was continued since signals were first caught.
int cterminal_continue_count(void);

/// Ends the process by this signal's default action, so that the parent sees what ended it. Does not return.
void cterminal_die_of(int signal) __attribute__((noreturn));

// MARK: The guard (Guard.c)

/// The most bytes a guard can write.
#define CTERMINAL_GUARD_BYTES 512

/// From now on `exit`, and every signal that ends a program and is not caught as above (a crash, SIGQUIT, SIGALRM, SIGUSR1,
/// the limits on processor time, …), writes `bytes` to the terminal, waits a moment for the answers that it still owes, and
/// gives it back `settings`; the signal then ends the program as it would have. Arming again replaces both.
/// `count` is at most CTERMINAL_GUARD_BYTES. Returns 0, or -1 with `errno`.
int cterminal_guard_arm(int terminal, const struct termios *settings, const uint8_t *bytes, size_t count);

/// Takes the guard away and puts back the actions that were there before it.
void cterminal_guard_disarm(void);

/// Gives the terminal back now, once: does nothing when the guard is not armed or has already done so.
/// Async-signal-safe. Returns whether it did.
bool cterminal_guard_restore(void);

/// Whether the guard has given the terminal back: nothing may be written to it any more.
bool cterminal_guard_gave_back(void);

/// Whether the terminal belongs to another process group. Async-signal-safe.
bool cterminal_in_background(int terminal);

/// Copies the characters that the font of a Linux console has, as UTF-16 code units, and returns how many were copied;
/// -1 if the terminal is no such console.
int cterminal_console_font(int terminal, uint16_t *scalars, int capacity);

/// Sets how many answers (to DSR and DA1) the terminal will have given when it owes none, and until when they are
/// awaited at the end, in milliseconds of CLOCK_MONOTONIC.
void cterminal_answers_expect(int answers, int64_t end);

/// Notes that one more is about to be asked for, before `cterminal_answers_expect` says so: a signal may come in between.
void cterminal_answers_asked(void);

/// Notes that one of them was read.
void cterminal_answers_heard(void);

/// Begins to count anew: nothing is expected, and nothing was heard.
void cterminal_answers_forget(void);

/// Reads and drops input until the terminal owes no answer, or the time is over. Async-signal-safe.
void cterminal_answers_drain(int terminal);

/// Gives the calling thread, once, a stack of its own for handlers, so that the guard also works when the stack
/// overflows. On Linux the main actor may run on a different thread each time, so it asks often; that costs next to
/// nothing.
void cterminal_guard_thread(void);

// MARK: Turns (Turns.c)

/// Lets the calling thread, once, have the processor for a tenth of a millisecond at a time, and so as soon as it is ready:
/// of those that wait, Linux takes the one whose turn would be over first. Beside busy processes a frame is then drawn
/// when it is due. What it gets in the long run stays the same. From Linux 6.12 on; elsewhere nothing changes.
/// Source: Linux, Documentation/scheduler/sched-eevdf.rst, and sched_setattr(2), `sched_runtime`.
void cterminal_turns_shorten(void);

// MARK: Threads (Threads.c)

/// Names the calling thread for debuggers and `top -H`; at most 15 bytes.
void cterminal_thread_name(const char *name);

// MARK: Memory (Heap.c)

/// Lets all threads that are begun from now on share the main thread's heap, where the C library would give each its own.
void cterminal_heap_share(void);

// MARK: Waiting for a child (Wait.c)

/// `WIFEXITED(status) ? WEXITSTATUS(status) : -1`.
int cterminal_exit_code(int status);

/// `WIFSIGNALED(status) ? WTERMSIG(status) : 0`.
int cterminal_ending_signal(int status);

/// `WIFSTOPPED(status) ? WSTOPSIG(status) : 0`.
int cterminal_stopping_signal(int status);

/// The flag of `posix_spawn` that starts a session of its own; glibc hides it behind a feature macro.
short cterminal_spawn_setsid(void);

/// Lets a spawned program start in this directory; glibc hides the call behind a feature macro. Returns 0 or an error.
int cterminal_spawn_directory(posix_spawn_file_actions_t *actions, const char *directory);

#ifdef __cplusplus
}
#endif

#endif
