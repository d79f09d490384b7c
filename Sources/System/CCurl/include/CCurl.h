// A minimal interface to libcurl. The library is loaded on first use, because it loads about thirty other libraries,
// which a program that never connects to a server does not need.

#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A connection that is reused for several requests.
typedef struct ccurl_connection ccurl_connection;

/// The response to a request.
typedef struct {
  /// The HTTP status, or 0 if there was no response.
  long status;
  /// The body, which the caller must release with `free`, or null if there is none.
  char *body;
  size_t length;
  /// The number of bytes of the request and the response including their headers, without the overhead of TLS.
  int64_t sent;
  int64_t received;
} ccurl_answer;

/// The size of the buffer for an error message.
#define CCURL_MESSAGE 256

/// Loads libcurl and makes a connection for an address that begins with http:// or https://. Nothing is sent yet.
/// `authorities` is a file with trusted certificates, or null for those of the system. Returns null on failure, with
/// the reason in `message`.
ccurl_connection *ccurl_open(const char *url, const char *token, const char *authorities, char message[CCURL_MESSAGE]);

/// Sends JSON with POST and reads at most `most` bytes of the response. `cancelled` is called repeatedly; the request
/// is aborted when it returns true. Returns true if there was a response, otherwise false with the reason in
/// `message`.
bool ccurl_post(
  ccurl_connection *connection, const void *body, size_t length, size_t most, bool (*cancelled)(void),
  ccurl_answer *answer, char message[CCURL_MESSAGE]);

/// Closes the connection.
void ccurl_close(ccurl_connection *connection);

#ifdef __cplusplus
}
#endif

#endif
