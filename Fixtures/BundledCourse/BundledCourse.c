#include "BundledCourse.h"

// #embed is C23; clang has it as an extension in every mode, and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

const unsigned char bundled_course[] = {
#embed "../english-for-business.json"
};
const size_t bundled_course_size = sizeof(bundled_course);
