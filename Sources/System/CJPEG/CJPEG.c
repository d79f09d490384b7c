#include "CJPEG.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>
// Must follow jpeglib.h, on which it depends.
#include <jerror.h>

// Source: libjpeg-turbo, libjpeg.txt ("Error handling", "Compressed data handling", "Progress monitoring").

struct reader {
  struct jpeg_decompress_struct decompress;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  struct jpeg_progress_mgr progress;
  jmp_buf way_out;
  int outcome;
  char *message;
};

static struct reader *reader_of(j_common_ptr info) { return info->client_data; }

static void leave(j_common_ptr info) {
  struct reader *reader = reader_of(info);
  reader->outcome = CJPEG_BROKEN;
  info->err->format_message(info, reader->message);
  longjmp(reader->way_out, 1);
}

// libjpeg reports damaged image data as a warning and fills the missing parts with grey, so such warnings are treated
// as errors. Extraneous data and unknown versions are harmless and ignored.
static void warn(j_common_ptr info, int level) {
  if (level >= 0) return;
  switch (info->err->msg_code) {
  case JWRN_EXTRANEOUS_DATA:
  case JWRN_JFIF_MAJOR:
  case JWRN_ADOBE_XFORM:
  case JWRN_TOO_MUCH_DATA:
    return;
  default:
    leave(info);
  }
}

static void print_nothing(j_common_ptr info) { (void)info; }

static void begin(j_decompress_ptr info) { (void)info; }

static boolean end_of_data(j_decompress_ptr info) {
  struct reader *reader = info->client_data;
  reader->outcome = CJPEG_CUT;
  longjmp(reader->way_out, 1);
}

static void skip(j_decompress_ptr info, long count) {
  if (count <= 0) return;
  if ((size_t)count > info->src->bytes_in_buffer) end_of_data(info);
  info->src->next_input_byte += count;
  info->src->bytes_in_buffer -= (size_t)count;
}

static void count_scans(j_common_ptr info) {
  struct reader *reader = reader_of(info);
  if (!info->is_decompressor || reader->decompress.input_scan_number <= 100) return;
  reader->outcome = CJPEG_BROKEN;
  snprintf(reader->message, CJPEG_MESSAGE_SIZE, "It has more than 100 scans");
  longjmp(reader->way_out, 1);
}

// Must be called after `setjmp`, because errors jump out of this function.
static void open_source(struct reader *reader, const uint8_t *bytes, size_t count) {
  j_decompress_ptr info = &reader->decompress;
  jpeg_create_decompress(info);
  info->client_data = reader;
  reader->source = (struct jpeg_source_mgr){
    .next_input_byte = bytes, .bytes_in_buffer = count, .init_source = begin, .fill_input_buffer = end_of_data,
    .skip_input_data = skip, .resync_to_restart = jpeg_resync_to_restart, .term_source = begin,
  };
  info->src = &reader->source;
  reader->progress.progress_monitor = count_scans;
  info->progress = &reader->progress;
  jpeg_read_header(info, TRUE);
}

static void prepare(struct reader *reader, char *message) {
  *reader = (struct reader){ .outcome = CJPEG_READ, .message = message };
  reader->decompress.err = jpeg_std_error(&reader->errors);
  reader->decompress.client_data = reader;
  reader->errors.error_exit = leave;
  reader->errors.emit_message = warn;
  reader->errors.output_message = print_nothing;
}

int cjpeg_read_facts(const uint8_t *bytes, size_t count, struct cjpeg_facts *facts, char *message) {
  struct reader reader;
  prepare(&reader, message);
  if (setjmp(reader.way_out) == 0) {
    open_source(&reader, bytes, count);
    j_decompress_ptr info = &reader.decompress;
    *facts = (struct cjpeg_facts){ .width = info->image_width, .height = info->image_height };
    if (jpeg_has_multiple_scans(info)) {
      for (int component = 0; component < info->num_components; component++) {
        jpeg_component_info *each = &info->comp_info[component];
        // The size is rounded up by whole rows and columns of blocks, which subsampled components need.
        uint64_t columns = each->width_in_blocks + each->h_samp_factor;
        uint64_t rows = each->height_in_blocks + each->v_samp_factor;
        facts->coefficientBytes += columns * rows * DCTSIZE2 * sizeof(JCOEF);
      }
    }
  }
  jpeg_destroy_decompress(&reader.decompress);
  return reader.outcome;
}

// Converts CMYK to RGB. Adobe's programs, and those compatible with them, store inverted values.
static void ink_to_light(uint8_t *pixels, size_t count, int is_inverted) {
  for (size_t index = 0; index < count; index++, pixels += 4) {
    unsigned black = is_inverted ? pixels[3] : 255u - pixels[3];
    for (int part = 0; part < 3; part++) {
      unsigned ink = is_inverted ? pixels[part] : 255u - pixels[part];
      pixels[part] = (uint8_t)((ink * black + 127) / 255);
    }
    pixels[3] = 255;
  }
}

int cjpeg_decode(const uint8_t *bytes, size_t count, size_t memory, uint8_t *rgba, size_t size, char *message) {
  struct reader reader;
  prepare(&reader, message);
  if (setjmp(reader.way_out) == 0) {
    open_source(&reader, bytes, count);
    j_decompress_ptr info = &reader.decompress;
    info->mem->max_memory_to_use = (long)memory;
    int is_ink = info->jpeg_color_space == JCS_CMYK || info->jpeg_color_space == JCS_YCCK;
    info->out_color_space = is_ink ? JCS_CMYK : JCS_EXT_RGBA;
    jpeg_start_decompress(info);
    size_t stride = (size_t)info->output_width * 4;
    if (info->output_components != 4 || stride * info->output_height != size) ERREXIT(info, JERR_BAD_LENGTH);
    while (info->output_scanline < info->output_height) {
      JSAMPROW row = rgba + stride * info->output_scanline;
      jpeg_read_scanlines(info, &row, 1);
      if (is_ink) ink_to_light(row, info->output_width, info->saw_Adobe_marker);
    }
  }
  jpeg_destroy_decompress(&reader.decompress);
  return reader.outcome;
}
