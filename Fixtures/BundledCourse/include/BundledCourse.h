#ifndef BUNDLED_COURSE_H
#define BUNDLED_COURSE_H

#include <stddef.h>

/// The bundled course in Waymark's own JSON format, embedded in the binary.
extern const unsigned char bundled_course[];
/// Its size in bytes.
extern const size_t bundled_course_size;

#endif
