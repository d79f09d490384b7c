// JPEG by libjpeg, whose errors leave by a long jump that no Swift frame may stand under.

#ifndef CJPEG_H
#define CJPEG_H

#include <stddef.h>
#include <stdint.h>

/// How reading ended.
enum cjpeg_outcome {
  /// Well.
  CJPEG_READ = 0,
  /// The data end before the picture does.
  CJPEG_CUT = 1,
  /// The data cannot be read; the message says why.
  CJPEG_BROKEN = 2,
};

/// What the header of a picture says.
struct cjpeg_facts {
  uint32_t width;
  uint32_t height;
  /// Bytes that decoding keeps beside the pixels: the coefficients of a picture in several scans, else 0.
  uint64_t coefficientBytes;
};

/// Room for a message of libjpeg with its end.
enum { CJPEG_MESSAGE_SIZE = 200 };

/// Reads the header. The message is written where the outcome is CJPEG_BROKEN.
int cjpeg_read_facts(const uint8_t *bytes, size_t count, struct cjpeg_facts *facts, char message[CJPEG_MESSAGE_SIZE]);

/// Decodes a picture of the size that its header says into RGBA, four bytes a pixel, rows without gaps; alpha is 255.
/// `memory` is what libjpeg may take for itself, in bytes. A picture of more than 100 scans is refused as broken: each
/// costs as much as the whole picture. The message is written where the outcome is CJPEG_BROKEN.
int cjpeg_decode(
  const uint8_t *bytes, size_t count, size_t memory, uint8_t *rgba, size_t size, char message[CJPEG_MESSAGE_SIZE]);

#endif
