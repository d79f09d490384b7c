#include "BundledCourse.h"

const unsigned char bundled_course[] = {
#embed "../english-for-business.json"
};
const size_t bundled_course_size = sizeof(bundled_course);
