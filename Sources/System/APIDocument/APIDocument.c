#include "APIDocument.h"

// #embed is C23. clang offers it as an extension in every mode, with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char document[] = {
#embed "../../../Documentation/openapi.json"
};

const unsigned char *api_document(void) { return document; }
size_t api_document_size(void) { return sizeof(document); }
