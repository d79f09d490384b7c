#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The constants of libcurl that are used, so that its headers are not needed for building.
//
// Source: <curl/curl.h>. They are part of the binary interface, which has not changed since libcurl.so.4 of 2006.
enum {
  option_url = 10002,
  option_message = 10010,
  option_body = 10015,
  option_user_agent = 10018,
  option_headers = 10023,
  option_write_data = 10001,
  option_progress_data = 10057,
  option_authorities = 10065,
  option_no_proxy = 10177,
  option_write = 20011,
  option_progress = 20219,
  option_slow_bytes = 19,
  option_slow_seconds = 20,
  option_no_progress = 43,
  option_post = 47,
  option_connect_seconds = 78,
  option_no_signal = 99,
  option_protocols = 181,
  option_body_length = 30120,
  protocols_http = 1 | 2,
  info_status = 0x200000 + 2,
  info_head_received = 0x200000 + 11,
  info_head_sent = 0x200000 + 12,
  info_body_sent = 0x600000 + 7,
  info_body_received = 0x600000 + 8,
  global_all = 3,
};

typedef struct slist slist;

static struct {
  void *(*init)(void);
  int (*setopt)(void *, int, ...);
  int (*perform)(void *);
  int (*getinfo)(void *, int, ...);
  void (*cleanup)(void *);
  const char *(*strerror)(int);
  slist *(*append)(slist *, const char *);
  void (*free_all)(slist *);
} curl;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[CCURL_MESSAGE];

struct ccurl_connection {
  void *handle;
  slist *headers;
  char message[CCURL_MESSAGE];
};

static void load(void) {
#ifdef __APPLE__
  const char *name = "libcurl.4.dylib";
#else
  const char *name = "libcurl.so.4";
#endif
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    snprintf(failure, sizeof failure, "%s", reason ? reason : "libcurl is not there");
    return;
  }
  int (*global)(long) = (int (*)(long))dlsym(library, "curl_global_init");
  *(void **)&curl.init = dlsym(library, "curl_easy_init");
  *(void **)&curl.setopt = dlsym(library, "curl_easy_setopt");
  *(void **)&curl.perform = dlsym(library, "curl_easy_perform");
  *(void **)&curl.getinfo = dlsym(library, "curl_easy_getinfo");
  *(void **)&curl.cleanup = dlsym(library, "curl_easy_cleanup");
  *(void **)&curl.strerror = dlsym(library, "curl_easy_strerror");
  *(void **)&curl.append = dlsym(library, "curl_slist_append");
  *(void **)&curl.free_all = dlsym(library, "curl_slist_free_all");
  if (!global || !curl.init || !curl.setopt || !curl.perform || !curl.getinfo || !curl.cleanup || !curl.strerror
      || !curl.append || !curl.free_all || global(global_all) != 0) {
    snprintf(failure, sizeof failure, "%s is not usable", name);
  }
}

typedef struct {
  ccurl_answer *answer;
  size_t most;
} sink;

static size_t take(char *bytes, size_t size, size_t count, void *data) {
  sink *sink = data;
  size_t length = size * count;
  ccurl_answer *answer = sink->answer;
  if (length > sink->most - answer->length) return 0;
  char *body = realloc(answer->body, answer->length + length);
  if (!body && length > 0) return 0;
  answer->body = body;
  memcpy(body + answer->length, bytes, length);
  answer->length += length;
  return length;
}

static int ask(void *data, int64_t a, int64_t b, int64_t c, int64_t d) {
  (void)a, (void)b, (void)c, (void)d;
  bool (*cancelled)(void) = (bool (*)(void))data;
  return cancelled() ? 1 : 0;
}

ccurl_connection *ccurl_open(const char *url, const char *token, const char *authorities, char message[CCURL_MESSAGE]) {
  pthread_once(&once, load);
  if (failure[0]) {
    memcpy(message, failure, CCURL_MESSAGE);
    return NULL;
  }
  ccurl_connection *connection = calloc(1, sizeof *connection);
  if (connection) connection->handle = curl.init();
  size_t length = strlen("Authorization: Bearer ") + strlen(token) + 1;
  char *authorization = malloc(length);
  if (!connection || !connection->handle || !authorization) {
    free(authorization);
    if (connection) ccurl_close(connection);
    snprintf(message, CCURL_MESSAGE, "there is not enough memory");
    return NULL;
  }
  snprintf(authorization, length, "Authorization: Bearer %s", token);
  connection->headers = curl.append(connection->headers, authorization);
  free(authorization);
  connection->headers = curl.append(connection->headers, "Content-Type: application/json");
  // Without this, libcurl waits up to a second for "100 Continue" before it sends a large body.
  connection->headers = curl.append(connection->headers, "Expect:");

  void *handle = connection->handle;
  curl.setopt(handle, option_url, url);
  curl.setopt(handle, option_message, connection->message);
  curl.setopt(handle, option_headers, connection->headers);
  curl.setopt(handle, option_user_agent, "waymark");
  curl.setopt(handle, option_protocols, (long)protocols_http);
  curl.setopt(handle, option_no_signal, 1L);
  curl.setopt(handle, option_no_progress, 0L);
  curl.setopt(handle, option_progress, ask);
  curl.setopt(handle, option_write, take);
  curl.setopt(handle, option_connect_seconds, 20L);
  // A transfer is aborted if less than one byte per second is received for a minute.
  curl.setopt(handle, option_slow_bytes, 1L);
  curl.setopt(handle, option_slow_seconds, 60L);
  // Requests over http, which is used only for this machine, must not go through a proxy.
  if (strncmp(url, "http://", 7) == 0) curl.setopt(handle, option_no_proxy, "*");
  if (authorities) curl.setopt(handle, option_authorities, authorities);
  return connection;
}

bool ccurl_post(
  ccurl_connection *connection, const void *body, size_t length, size_t most, bool (*cancelled)(void),
  ccurl_answer *answer, char message[CCURL_MESSAGE]) {
  void *handle = connection->handle;
  memset(answer, 0, sizeof *answer);
  sink sink = {answer, most};
  connection->message[0] = 0;
  curl.setopt(handle, option_post, 1L);
  curl.setopt(handle, option_body_length, (int64_t)length);
  curl.setopt(handle, option_body, body);
  curl.setopt(handle, option_write_data, &sink);
  curl.setopt(handle, option_progress_data, (void *)cancelled);
  int code = curl.perform(handle);
  if (code != 0) {
    free(answer->body);
    memset(answer, 0, sizeof *answer);
    snprintf(message, CCURL_MESSAGE, "%s", connection->message[0] ? connection->message : curl.strerror(code));
    return false;
  }
  long head = 0;
  int64_t count = 0;
  curl.getinfo(handle, info_status, &answer->status);
  if (curl.getinfo(handle, info_head_sent, &head) == 0) answer->sent += head;
  if (curl.getinfo(handle, info_body_sent, &count) == 0) answer->sent += count;
  if (curl.getinfo(handle, info_head_received, &head) == 0) answer->received += head;
  if (curl.getinfo(handle, info_body_received, &count) == 0) answer->received += count;
  return true;
}

void ccurl_close(ccurl_connection *connection) {
  if (connection->handle) curl.cleanup(connection->handle);
  if (connection->headers) curl.free_all(connection->headers);
  free(connection);
}
