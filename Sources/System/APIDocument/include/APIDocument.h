#ifndef API_DOCUMENT_H
#define API_DOCUMENT_H

#include <stddef.h>

/// The OpenAPI document of the server, `Documentation/openapi.json`, embedded in the binary: its first byte.
const unsigned char *api_document(void);
/// Its size in bytes.
size_t api_document_size(void);

#endif
