import LibSPNG

/// PNG by libspng.
///
/// Source: libspng 0.7, docs/decode.md, docs/context.md.
extension PictureFile {
  func factsOfPNG() throws(PictureError) -> PictureFacts {
    let reader = try PNGReader(self)
    let header = try reader.header()
    return facts(width: Int(header.width), height: Int(header.height))
  }

  func decodePNG(_ facts: PictureFacts, _ limits: PictureLimits) throws(PictureError) -> Picture {
    // Two rows of up to eight bytes a pixel for the filters, one in eight bits, and the window of the inflation.
    let chunks = limits.memory / 8
    let extra = 24 * facts.width + chunks + 1 << 17
    return try picture(facts, extra: extra, limits) { pixels throws(PictureError) in
      let reader = try PNGReader(self, chunkMemory: chunks)
      _ = try reader.header()
      try reader.check(
        spng_decode_image(
          reader.context, pixels.baseAddress, pixels.count, Int32(SPNG_FMT_RGBA8.rawValue),
          Int32(SPNG_DECODE_TRNS.rawValue)))
    }
  }
}

/// A context of libspng and the file that it reads.
private struct PNGReader: ~Copyable {
  let context: OpaquePointer
  let file: PictureFile

  /// Makes a context; chunks beside the picture may take so many bytes in memory.
  init(_ file: PictureFile, chunkMemory: Int = 1 << 16) throws(PictureError) {
    guard let context = spng_ctx_new(0) else { throw file.broken("there is no memory for it") }
    self.context = context
    self.file = file
    // A wrong checksum beside the picture costs what stands there only.
    spng_set_crc_action(context, Int32(SPNG_CRC_ERROR.rawValue), Int32(SPNG_CRC_DISCARD.rawValue))
    spng_set_chunk_limits(context, chunkMemory, chunkMemory)
  }

  deinit {
    spng_ctx_free(context)
  }

  /// Begins to read.
  func header() throws(PictureError) -> spng_ihdr {
    try check(spng_set_png_buffer(context, file.bytes.baseAddress, file.bytes.count))
    var header = spng_ihdr()
    try check(spng_get_ihdr(context, &header))
    return header
  }

  func check(_ code: Int32) throws(PictureError) {
    switch code {
    case 0: return
    case SPNG_IO_EOF.rawValue: throw file.cut
    default: throw file.broken(String(cString: spng_strerror(code)))
    }
  }
}
