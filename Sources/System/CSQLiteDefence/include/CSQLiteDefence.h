#ifndef CSQLITEDEFENCE_H
#define CSQLITEDEFENCE_H

/// Prepares a connection for a database file from an untrusted source: no triggers, no views, no extensions, no
/// unsafe functions in the schema, and no writes to internal tables.
///
/// `database` is a `sqlite3 *`. Returns `SQLITE_OK`, or the first error code. `sqlite3_db_config` has variable
/// arguments, which Swift cannot call.
///
/// Source: SQLite, "Defense Against The Dark Arts".
int waymark_sqlite_defend(void *database);

#endif
