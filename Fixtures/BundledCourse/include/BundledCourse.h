#ifndef BUNDLED_COURSE_H
#define BUNDLED_COURSE_H

#include <stddef.h>

/// The bundled course in Waymark's own JSON format, embedded in the binary: its first byte.
const unsigned char *bundled_course(void);
/// Its size in bytes.
size_t bundled_course_size(void);

#endif
