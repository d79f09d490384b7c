#include "BundledCourse.h"

// #embed is C23; clang has it as an extension in every mode, and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char course[] = {
#embed "../english-for-business.json"
};

const unsigned char *bundled_course(void) { return course; }
size_t bundled_course_size(void) { return sizeof(course); }
