// libcurl behind three functions. It is loaded when it is needed first, since it brings thirty libraries with it that a
// program which never asks a server should not load.

#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A connection that is kept from one request to the next.
typedef struct ccurl_connection ccurl_connection;

/// What came of a request.
typedef struct {
  /// The status of HTTP; 0 where there was no answer.
  long status;
  /// The body, to be freed by `free`; null where there is none.
  char *body;
  size_t length;
  /// Bytes of the request and of the answer with their heads, without what TLS adds.
  int64_t sent;
  int64_t received;
} ccurl_answer;

/// Bytes that a message about a failure has room for.
#define CCURL_MESSAGE 256

/// Loads libcurl, and makes a connection to an address that begins with http:// or https://. Nothing is sent yet.
/// `authorities` is a file with the certificates that are believed, or null for those of the system.
/// Returns null where that is not possible, with the reason in `message`.
ccurl_connection *ccurl_open(const char *url, const char *token, const char *authorities, char message[CCURL_MESSAGE]);

/// Sends JSON by POST, and takes at most `most` bytes of an answer. `cancelled` is asked now and then, and ends the request
/// where it says so. Returns whether there was an answer, else false with the reason in `message`.
bool ccurl_post(
  ccurl_connection *connection, const void *body, size_t length, size_t most, bool (*cancelled)(void),
  ccurl_answer *answer, char message[CCURL_MESSAGE]);

/// Closes the connection.
void ccurl_close(ccurl_connection *connection);

#ifdef __cplusplus
}
#endif

#endif
