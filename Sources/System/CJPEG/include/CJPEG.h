// Decodes JPEG with libjpeg. It reports errors with `longjmp`, which must not cross Swift frames, so the calls are in
// C.

#ifndef CJPEG_H
#define CJPEG_H

#include <stddef.h>
#include <stdint.h>

/// The result of reading an image.
enum cjpeg_outcome {
  /// The image was read.
  CJPEG_READ = 0,
  /// The data end before the image is complete.
  CJPEG_CUT = 1,
  /// The data are invalid; the message contains the reason.
  CJPEG_BROKEN = 2,
};

/// The facts in the header of an image.
struct cjpeg_facts {
  uint32_t width;
  uint32_t height;
  /// The memory in bytes that decoding needs in addition to the pixels: the coefficients of an image with several
  /// scans, otherwise 0.
  uint64_t coefficientBytes;
};

/// The size of the buffer for a message of libjpeg, including the terminating null.
enum { CJPEG_MESSAGE_SIZE = 200 };

/// Reads the header. If the result is CJPEG_BROKEN, the message is written.
int cjpeg_read_facts(const uint8_t *bytes, size_t count, struct cjpeg_facts *facts, char message[CJPEG_MESSAGE_SIZE]);

/// Decodes an image of the size in its header to RGBA, four bytes per pixel, without padding; alpha is 255. `memory`
/// is the maximum number of bytes that libjpeg may allocate. An image with more than 100 scans is rejected as broken,
/// because each scan costs as much as the whole image. If the result is CJPEG_BROKEN, the message is written.
int cjpeg_decode(
  const uint8_t *bytes, size_t count, size_t memory, uint8_t *rgba, size_t size, char message[CJPEG_MESSAGE_SIZE]);

#endif
