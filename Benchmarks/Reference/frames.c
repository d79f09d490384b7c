#include "BenchmarkReference.h"

#include <string.h>

static inline uint32_t mixed(uint32_t from, uint32_t to, uint32_t strength) {
  uint32_t rest = 256 - strength;
  uint32_t red_blue = (((from & 0xFF00FF) * rest + (to & 0xFF00FF) * strength + 0x800080) >> 8) & 0xFF00FF;
  uint32_t green = (((from & 0xFF00) * rest + (to & 0xFF00) * strength + 0x8000) >> 8) & 0xFF00;
  return 2u << 24 | red_blue | green;
}

static inline uint8_t *number(uint8_t *out, uint32_t value) {
  if (value >= 100) {
    *out++ = '0' + value / 100;
    *out++ = '0' + value / 10 % 10;
  } else if (value >= 10) {
    *out++ = '0' + value / 10;
  }
  *out++ = '0' + value % 10;
  return out;
}

static inline uint8_t *colour(uint8_t *out, char kind, uint32_t value) {
  memcpy(out, "\033[38;2;", 7);
  out[2] = (uint8_t)kind;
  out = number(out + 7, value >> 16 & 255);
  *out++ = ';';
  out = number(out, value >> 8 & 255);
  *out++ = ';';
  out = number(out, value & 255);
  *out++ = 'm';
  return out;
}

static inline uint8_t *character(uint8_t *out, uint32_t scalar) {
  if (scalar < 0x80) {
    *out++ = (uint8_t)scalar;
  } else if (scalar < 0x800) {
    *out++ = 0xC0 | scalar >> 6;
    *out++ = 0x80 | (scalar & 63);
  } else {
    *out++ = 0xE0 | scalar >> 12;
    *out++ = 0x80 | (scalar >> 6 & 63);
    *out++ = 0x80 | (scalar & 63);
  }
  return out;
}

size_t reference_frame(const reference_cell *below, const reference_cell *above, uint32_t strength,
                       reference_cell *shown, int columns, int rows, uint8_t *output) {
  uint8_t *out = output;
  uint32_t ink = 0, paper = 0;
  int cursor_row = -1, cursor_column = -1;
  for (int row = 0; row < rows; row++) {
    for (int column = 0; column < columns; column++) {
      int index = row * columns + column;
      reference_cell low = below[index], high = above[index];
      // Shows the glyph of the more opaque cell, or the only glyph if the other cell is blank.
      int high_ink = high.glyph > 0x20, low_ink = low.glyph > 0x20;
      int takes_high = high_ink && (strength >= 128 || !low_ink);
      uint32_t behind = takes_high ? low.background : high.background;
      reference_cell cell = takes_high ? high : low;
      cell.foreground = mixed(behind, cell.foreground, takes_high ? strength : 256 - strength);
      cell.background =
          low.background == high.background ? low.background : mixed(low.background, high.background, strength);
      if (memcmp(&cell, &shown[index], sizeof cell) == 0) continue;
      shown[index] = cell;
      if (cursor_row != row || cursor_column != column) {
        *out++ = 27;
        *out++ = '[';
        out = number(out, (uint32_t)row + 1);
        *out++ = ';';
        out = number(out, (uint32_t)column + 1);
        *out++ = 'H';
      }
      if (cell.glyph > 0x20 && cell.foreground != ink) out = colour(out, '3', ink = cell.foreground);
      if (cell.background != paper) out = colour(out, '4', paper = cell.background);
      out = character(out, cell.glyph);
      cursor_row = row;
      cursor_column = column + 1;
    }
  }
  return (size_t)(out - output);
}

size_t reference_compare(const reference_cell *one, const reference_cell *other, size_t count) {
  size_t different = 0;
  for (size_t index = 0; index < count; index++)
    different += memcmp(&one[index], &other[index], sizeof *one) != 0;
  return different;
}
