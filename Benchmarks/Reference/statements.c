#include "BenchmarkReference.h"

#include <ctype.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// MARK: The log

typedef struct {
  int parameter;
  char kind;  // n null, i integer, r real, t text, b blob
  int64_t integer;
  double real;
  size_t start, length;  // of text and blobs in `bytes`
} binding;

typedef struct {
  int text;
  size_t first_binding, binding_count;
} entry;

struct statement_log {
  char **texts;
  size_t text_count, text_room;
  entry *entries;
  size_t entry_count, entry_room;
  binding *bindings;
  size_t binding_count, binding_room;
  char *bytes;
  size_t byte_count, byte_room;
};

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static statement_log *recording;
// The thread whose statements are recorded.
static pthread_t recorder;

statement_log *statement_log_make(void) { return calloc(1, sizeof(statement_log)); }

void statement_log_free(statement_log *log) {
  for (size_t index = 0; index < log->text_count; index++) free(log->texts[index]);
  free(log->texts);
  free(log->entries);
  free(log->bindings);
  free(log->bytes);
  free(log);
}

size_t statement_log_count(const statement_log *log) { return log->entry_count; }

const char *statement_log_text(const statement_log *log, size_t index) { return log->texts[log->entries[index].text]; }

static void *room(void *memory, size_t *capacity, size_t needed, size_t size) {
  if (needed <= *capacity) return memory;
  size_t larger = *capacity * 2 > needed ? *capacity * 2 : needed + 64;
  *capacity = larger;
  return realloc(memory, larger * size);
}

static void append_byte(statement_log *log, char byte) {
  log->bytes = room(log->bytes, &log->byte_room, log->byte_count + 1, 1);
  log->bytes[log->byte_count++] = byte;
}

static int digit(char character) {
  return isdigit((unsigned char)character) ? character - '0' : tolower((unsigned char)character) - 'a' + 10;
}

/// Parses the value of a parameter in the expanded SQL. Returns the text after it.
static const char *read_value(statement_log *log, const char *text, int parameter) {
  binding value = {.parameter = parameter, .kind = 'n', .start = log->byte_count};
  if (*text == '\'') {
    value.kind = 't';
    for (text++; *text && (*text != '\'' || text[1] == '\''); text++) {
      append_byte(log, *text);
      if (*text == '\'') text++;
    }
    text++;
  } else if (*text == 'x' && text[1] == '\'') {
    value.kind = 'b';
    for (text += 2; *text && *text != '\''; text += 2) append_byte(log, (char)(digit(*text) * 16 + digit(text[1])));
    text++;
  } else if (strncmp(text, "NULL", 4) == 0) {
    text += 4;
  } else {
    char *end;
    value.integer = strtoll(text, &end, 10);
    value.kind = 'i';
    if (*end == '.' || *end == 'e' || *end == 'E') {
      value.kind = 'r';
      value.real = strtod(text, &end);
    }
    text = end;
  }
  value.length = log->byte_count - value.start;
  log->bindings = room(log->bindings, &log->binding_room, log->binding_count + 1, sizeof(binding));
  log->bindings[log->binding_count++] = value;
  return text;
}

static int text_number(statement_log *log, const char *sql) {
  // Searches from the end, because statements are usually repeated soon.
  for (size_t index = log->text_count; index > 0; index--)
    if (strcmp(log->texts[index - 1], sql) == 0) return (int)index - 1;
  log->texts = room(log->texts, &log->text_room, log->text_count + 1, sizeof(char *));
  log->texts[log->text_count] = strdup(sql);
  return (int)log->text_count++;
}

/// Records a statement: its text, and the value of each parameter, which is parsed from the expanded SQL.
static void note(statement_log *log, const char *sql, const char *expanded) {
  entry one = {.text = text_number(log, sql), .first_binding = log->binding_count};
  int highest = 0;
  const char *text = expanded;
  for (const char *from = sql; *from;) {
    if (*from == '\'' || *from == '"') {
      char quote = *from;
      do {
        from++, text++;
      } while (*from && *from != quote);
      if (*from) from++, text++;
    } else if (*from == '-' && from[1] == '-') {
      while (*from && *from != '\n') from++, text++;
    } else if (*from == '?') {
      from++;
      int parameter = isdigit((unsigned char)*from) ? (int)strtol(from, (char **)&from, 10) : highest + 1;
      if (parameter > highest) highest = parameter;
      text = read_value(log, text, parameter);
    } else {
      from++, text++;
    }
  }
  one.binding_count = log->binding_count - one.first_binding;
  log->entries = room(log->entries, &log->entry_room, log->entry_count + 1, sizeof(entry));
  log->entries[log->entry_count++] = one;
}

static int traced(unsigned kind, void *context, void *statement, void *sql) {
  (void)kind, (void)context;
  // Statements of triggers are traced as comments.
  if (strncmp(sql, "--", 2) == 0) return 0;
  // The checkpointer runs on another thread. The connection of the replay checkpoints automatically.
  if (!pthread_equal(pthread_self(), recorder)) return 0;
  pthread_mutex_lock(&turn);
  if (recording) {
    char *expanded = sqlite3_expanded_sql(statement);
    note(recording, sqlite3_sql(statement), expanded);
    sqlite3_free(expanded);
  }
  pthread_mutex_unlock(&turn);
  return 0;
}

static int opened(sqlite3 *connection, char **error, const void *routines) {
  (void)error, (void)routines;
  return sqlite3_trace_v2(connection, SQLITE_TRACE_STMT, traced, NULL);
}

void statement_log_record(statement_log *log) {
  pthread_mutex_lock(&turn);
  recording = log;
  recorder = pthread_self();
  pthread_mutex_unlock(&turn);
  if (log)
    sqlite3_auto_extension((void (*)(void))opened);
  else
    sqlite3_cancel_auto_extension((void (*)(void))opened);
}

// MARK: The replay

struct statement_replay {
  sqlite3 *connection;
  const statement_log *log;
  sqlite3_stmt **prepared;
  size_t prepared_count;
  uint64_t sum;
  char error[512];
};

statement_replay *statement_replay_open(const char *path, const statement_log *log) {
  statement_replay *replay = calloc(1, sizeof *replay);
  replay->log = log;
  // The recorded statements include the setting for temporary storage, which each connection makes when it is opened.
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path, &replay->connection, flags, NULL) != SQLITE_OK ||
      sqlite3_exec(replay->connection,
                   "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;"
                   "PRAGMA cache_size = -8000",
                   NULL, NULL, NULL) != SQLITE_OK) {
    sqlite3_close_v2(replay->connection);
    free(replay);
    return NULL;
  }
  sqlite3_busy_timeout(replay->connection, 10000);
  return replay;
}

void statement_replay_close(statement_replay *replay) {
  for (size_t index = 0; index < replay->prepared_count; index++) sqlite3_finalize(replay->prepared[index]);
  free(replay->prepared);
  sqlite3_close_v2(replay->connection);
  free(replay);
}

static void bind(sqlite3_stmt *statement, const statement_log *log, const entry *one) {
  for (size_t index = 0; index < one->binding_count; index++) {
    const binding *value = &log->bindings[one->first_binding + index];
    const char *bytes = log->bytes + value->start;
    switch (value->kind) {
      case 'i': sqlite3_bind_int64(statement, value->parameter, value->integer); break;
      case 'r': sqlite3_bind_double(statement, value->parameter, value->real); break;
      case 't': sqlite3_bind_text(statement, value->parameter, bytes, (int)value->length, SQLITE_STATIC); break;
      case 'b': sqlite3_bind_blob(statement, value->parameter, bytes, (int)value->length, SQLITE_STATIC); break;
      default: sqlite3_bind_null(statement, value->parameter);
    }
  }
}

static uint64_t read_row(sqlite3_stmt *statement) {
  uint64_t sum = 0;
  int columns = sqlite3_column_count(statement);
  for (int column = 0; column < columns; column++) {
    switch (sqlite3_column_type(statement, column)) {
      case SQLITE_INTEGER: sum += (uint64_t)sqlite3_column_int64(statement, column); break;
      case SQLITE_FLOAT: sum += (uint64_t)sqlite3_column_double(statement, column); break;
      case SQLITE_NULL: break;
      default: {
        const unsigned char *text = sqlite3_column_text(statement, column);
        int length = sqlite3_column_bytes(statement, column);
        sum += (uint64_t)length + (length > 0 ? text[length - 1] : 0);
      }
    }
  }
  return sum;
}

int64_t statement_replay_run(statement_replay *replay, size_t first, size_t end) {
  const statement_log *log = replay->log;
  int64_t rows = 0;
  if (replay->prepared_count < log->text_count) {
    replay->prepared = realloc(replay->prepared, log->text_count * sizeof(sqlite3_stmt *));
    while (replay->prepared_count < log->text_count) replay->prepared[replay->prepared_count++] = NULL;
  }
  for (size_t index = first; index < end; index++) {
    const entry *one = &log->entries[index];
    sqlite3_stmt **statement = &replay->prepared[one->text];
    if (!*statement && sqlite3_prepare_v3(replay->connection, log->texts[one->text], -1, SQLITE_PREPARE_PERSISTENT,
                                          statement, NULL) != SQLITE_OK) {
      snprintf(replay->error, sizeof replay->error, "%s: %s", sqlite3_errmsg(replay->connection),
               log->texts[one->text]);
      return -1;
    }
    if (!*statement) continue;
    bind(*statement, log, one);
    int answer;
    while ((answer = sqlite3_step(*statement)) == SQLITE_ROW) {
      rows++;
      replay->sum += read_row(*statement);
    }
    if (answer != SQLITE_DONE)
      snprintf(replay->error, sizeof replay->error, "%s: %s", sqlite3_errmsg(replay->connection),
               log->texts[one->text]);
    sqlite3_reset(*statement);
    if (answer != SQLITE_DONE) return -1;
  }
  return rows;
}

void statement_replay_pages(statement_replay *replay, int *asked, int *missed) {
  int hit = 0, highest;
  sqlite3_db_status(replay->connection, SQLITE_DBSTATUS_CACHE_HIT, &hit, &highest, 1);
  sqlite3_db_status(replay->connection, SQLITE_DBSTATUS_CACHE_MISS, missed, &highest, 1);
  *asked = hit + *missed;
}

const char *statement_replay_error(const statement_replay *replay) { return replay->error; }
uint64_t statement_replay_sum(const statement_replay *replay) { return replay->sum; }
