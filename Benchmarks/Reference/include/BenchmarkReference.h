#ifndef BENCHMARK_REFERENCE_H
#define BENCHMARK_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

// What the benchmark sets the project beside: a tight loop over cells, the allocator's own count, and SQLite without
// anything around it.

// MARK: Frames

/// A cell as TextCanvas lays it out: sixteen bytes.
typedef struct {
  uint32_t glyph;
  uint32_t foreground;
  uint32_t background;
  uint8_t attributes;
  uint8_t width;
  uint16_t link;
} reference_cell;

/// Mixes one screen over another, compares with what is shown, writes the difference, and shows it.
///
/// Cells are one column wide, have colours by their parts, and no links. The law of mixing is that of TextCanvas; the
/// bytes are those of a plain loop: a move where the cursor is elsewhere, a colour where it differs, the character.
///
/// - strength: of what is above, in 256ths.
/// - shown: what the terminal shows; changed to what it then shows.
/// - output: room for 48 bytes a cell.
///
/// Returns the number of bytes.
size_t reference_frame(const reference_cell *below, const reference_cell *above, uint32_t strength,
                       reference_cell *shown, int columns, int rows, uint8_t *output);

/// Compares two screens as a tight loop would that knows nothing: returns the number of cells that differ.
size_t reference_compare(const reference_cell *one, const reference_cell *other, size_t count);

// MARK: Memory

/// How often this process has asked for memory since it began.
uint64_t allocation_count(void);
/// How many pieces of memory it holds now.
int64_t allocation_live(void);

// MARK: Statements

/// The statements that connections of this process ran, with what was bound to them.
typedef struct statement_log statement_log;

statement_log *statement_log_make(void);
void statement_log_free(statement_log *log);
/// From now on connections that are opened are recorded: into this log, or, where it is NULL, nowhere.
void statement_log_record(statement_log *log);
/// How many statements it holds.
size_t statement_log_count(const statement_log *log);
/// The text of a statement, as it was prepared.
const char *statement_log_text(const statement_log *log, size_t index);

/// A connection that runs the statements of a log again, each prepared once.
typedef struct statement_replay statement_replay;

/// Opens a database as the project opens it; NULL where that fails.
statement_replay *statement_replay_open(const char *path, const statement_log *log);
void statement_replay_close(statement_replay *replay);
/// Runs statements of the log, and reads every column of every row; returns the number of rows, or -1 after an error.
int64_t statement_replay_run(statement_replay *replay, size_t first, size_t end);
/// How many pages were asked for since the last call, and how many of them were not in the connection's own memory.
void statement_replay_pages(statement_replay *replay, int *asked, int *missed);
/// What went wrong last.
const char *statement_replay_error(const statement_replay *replay);
/// A sum over everything that was read, so that nothing is read in vain.
uint64_t statement_replay_sum(const statement_replay *replay);

#endif
