#ifndef BENCHMARK_REFERENCE_H
#define BENCHMARK_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

// The references of the benchmark: a tight loop over cells, a counting allocator, and SQLite's C interface.

// MARK: Frames

/// A cell in the memory layout of TextCanvas: 16 bytes.
typedef struct {
  uint32_t glyph;
  uint32_t foreground;
  uint32_t background;
  uint8_t attributes;
  uint8_t width;
  uint16_t link;
} reference_cell;

/// Blends one screen over another, and encodes the difference from the terminal's content.
///
/// Cells are one column wide, and have RGB colours and no links. They are blended as by TextCanvas. The encoding is
/// that of a plain loop: for each changed cell a cursor movement and colours if necessary, and the character.
///
/// - strength: the opacity of the upper screen in 256ths.
/// - shown: the terminal's content, which is updated.
/// - output: a buffer with 48 bytes per cell.
///
/// Returns the number of bytes.
size_t reference_frame(const reference_cell *below, const reference_cell *above, uint32_t strength,
                       reference_cell *shown, int columns, int rows, uint8_t *output);

/// Compares two screens in a tight loop without hints. Returns the number of different cells.
size_t reference_compare(const reference_cell *one, const reference_cell *other, size_t count);

// MARK: Memory

/// Returns the number of allocations since the start of this process.
uint64_t allocation_count(void);
/// Returns the number of allocations that have not been freed.
int64_t allocation_live(void);

// MARK: Statements

/// The statements that connections of this process ran, with the values of their parameters.
typedef struct statement_log statement_log;

statement_log *statement_log_make(void);
void statement_log_free(statement_log *log);
/// Records connections that are opened from now on in this log. NULL ends recording.
void statement_log_record(statement_log *log);
/// Returns the number of statements.
size_t statement_log_count(const statement_log *log);
/// Returns the text of a statement with parameters.
const char *statement_log_text(const statement_log *log, size_t index);

/// A connection that replays the statements of a log. Each is prepared once.
typedef struct statement_replay statement_replay;

/// Opens a database with the settings of the project. Returns NULL if that fails.
statement_replay *statement_replay_open(const char *path, const statement_log *log);
void statement_replay_close(statement_replay *replay);
/// Runs a range of statements and reads every column of every row. Returns the number of rows, or -1 after an error.
int64_t statement_replay_run(statement_replay *replay, size_t first, size_t end);
/// Returns the number of pages requested since the last call, and how many of them were not in the connection's cache.
void statement_replay_pages(statement_replay *replay, int *asked, int *missed);
/// Returns the message of the last error.
const char *statement_replay_error(const statement_replay *replay);
/// Returns a sum of all values read, so that the compiler cannot remove reading them.
uint64_t statement_replay_sum(const statement_replay *replay);

#endif
