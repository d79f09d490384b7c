import CJPEG
import LibSPNG
import LibWebP

extension Picture {
  /// Decodes a picture; its format is told by its bytes.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: What errors call it, such as the file's name.
  ///   - limits: What it may take.
  /// - Throws: `PictureError`; a picture is decoded whole or not at all.
  public init(
    decoding bytes: [UInt8], named name: String, limits: PictureLimits = PictureLimits()
  ) throws(PictureError) {
    self = try bytes.withUnsafeBufferPointer { buffer throws(PictureError) in
      let file = try PictureFile(name: name, bytes: buffer)
      let facts = try file.facts()
      try file.hold(width: facts.width, height: facts.height, to: limits)
      return switch file.format {
      case .png: try file.decodePNG(facts, limits)
      case .jpeg: try file.decodeJPEG(facts, limits)
      case .webp: try file.decodeWebP(facts, limits)
      case .gif: try file.decodeGIF(facts, limits)
      }
    }
  }

  /// Reads format and size without decoding anything.
  ///
  /// - Parameters:
  ///   - bytes: The file, or as much of its beginning as holds its header.
  ///   - name: What errors call it, such as the file's name.
  /// - Throws: `PictureError`, where the header cannot be read.
  public static func facts(of bytes: [UInt8], named name: String) throws(PictureError) -> PictureFacts {
    try bytes.withUnsafeBufferPointer { buffer throws(PictureError) in
      try PictureFile(name: name, bytes: buffer).facts()
    }
  }
}

/// The bytes of a picture while it is read.
struct PictureFile {
  let name: String
  let format: PictureFormat
  let bytes: UnsafeBufferPointer<UInt8>

  init(name: String, bytes: UnsafeBufferPointer<UInt8>) throws(PictureError) {
    guard let format = PictureFormat(firstBytes: Array(bytes.prefix(12))) else {
      throw .unknownFormat(picture: name, firstBytes: Array(bytes.prefix(8)))
    }
    self.name = name
    self.format = format
    self.bytes = bytes
  }

  func facts() throws(PictureError) -> PictureFacts {
    let facts =
      switch format {
      case .png: try factsOfPNG()
      case .jpeg: try factsOfJPEG()
      case .webp: try factsOfWebP()
      case .gif: try factsOfGIF()
      }
    guard facts.width > 0, facts.height > 0 else {
      throw broken("its size is \(facts.width) × \(facts.height) pixels")
    }
    return facts
  }

  func facts(width: Int, height: Int) -> PictureFacts { PictureFacts(format: format, width: width, height: height) }

  /// Throws where so many pixels are more than the limit.
  func hold(width: Int, height: Int, to limits: PictureLimits) throws(PictureError) {
    let (pixels, overflows) = width.multipliedReportingOverflow(by: height)
    guard !overflows, pixels <= limits.pixels else {
      throw .tooManyPixels(picture: name, width: width, height: height, limit: limits.pixels)
    }
  }

  /// Makes the picture, where its pixels and so many bytes beside them are within the limit.
  ///
  /// - Parameters:
  ///   - extra: Bytes that decoding takes beside the pixels.
  ///   - decode: Fills the pixels, which are all transparent.
  func picture(
    _ facts: PictureFacts, extra: Int, _ limits: PictureLimits,
    decode: (UnsafeMutableBufferPointer<UInt8>) throws(PictureError) -> Void
  ) throws(PictureError) -> Picture {
    // No more than the limit of pixels, which may be any number.
    let (bytes, isTooLarge) = (facts.width * facts.height).multipliedReportingOverflow(by: 4)
    let (needed, overflows) = bytes.addingReportingOverflow(extra)
    guard !isTooLarge, !overflows, needed <= limits.memory else {
      throw .tooMuchMemory(picture: name, bytes: isTooLarge || overflows ? .max : needed, limit: limits.memory)
    }
    var pixels = [UInt8](repeating: 0, count: bytes)
    try pixels.withUnsafeMutableBufferPointer { buffer throws(PictureError) in try decode(buffer) }
    return Picture(width: facts.width, height: facts.height, pixels: pixels)
  }

  var cut: PictureError { .cut(picture: name, format: format, bytes: bytes.count) }

  func broken(_ reason: String) -> PictureError { .broken(picture: name, format: format, reason: reason) }
}

/// JPEG by libjpeg-turbo.
extension PictureFile {
  func factsOfJPEG() throws(PictureError) -> PictureFacts {
    let header = try headerOfJPEG()
    return facts(width: Int(header.width), height: Int(header.height))
  }

  func decodeJPEG(_ facts: PictureFacts, _ limits: PictureLimits) throws(PictureError) -> Picture {
    // The rows that are on the way through colours and sizes, and tables.
    let rows = 256 * facts.width + 1 << 20
    let extra = Int(clamping: try headerOfJPEG().coefficientBytes) + rows
    return try picture(facts, extra: extra, limits) { pixels throws(PictureError) in
      try check { message in
        cjpeg_decode(bytes.baseAddress, bytes.count, extra, pixels.baseAddress, pixels.count, message)
      }
    }
  }

  private func headerOfJPEG() throws(PictureError) -> cjpeg_facts {
    var header = cjpeg_facts()
    try check { message in cjpeg_read_facts(bytes.baseAddress, bytes.count, &header, message) }
    return header
  }

  private func check(_ read: (UnsafeMutablePointer<CChar>?) -> Int32) throws(PictureError) {
    var message = [CChar](repeating: 0, count: Int(CJPEG_MESSAGE_SIZE))
    let outcome = message.withUnsafeMutableBufferPointer { read($0.baseAddress) }
    switch UInt32(outcome) {
    case CJPEG_READ.rawValue: return
    case CJPEG_CUT.rawValue: throw cut
    default:
      throw broken(String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
  }
}

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

/// WebP by libwebp.
///
/// Source: libwebp, doc/api.md ("Advanced decoding API").
extension PictureFile {
  func factsOfWebP() throws(PictureError) -> PictureFacts {
    let features = try featuresOfWebP()
    return facts(width: Int(features.width), height: Int(features.height))
  }

  func decodeWebP(_ facts: PictureFacts, _ limits: PictureLimits) throws(PictureError) -> Picture {
    guard try featuresOfWebP().has_animation == 0 else {
      throw .unreadableKind(picture: name, format: format, kind: "an animation")
    }
    // Without loss, the decoder keeps a picture of its own, and with loss the alpha of one; then rows and tables.
    let extra = 4 * facts.width * facts.height + 256 * facts.width + 1 << 20
    return try picture(facts, extra: extra, limits) { pixels throws(PictureError) in
      var config = WebPDecoderConfig()
      WebPInitDecoderConfig(&config)
      config.output.colorspace = MODE_RGBA
      config.output.is_external_memory = 1
      config.output.u.RGBA.rgba = pixels.baseAddress
      config.output.u.RGBA.stride = Int32(4 * facts.width)
      config.output.u.RGBA.size = pixels.count
      try check(WebPDecode(bytes.baseAddress, bytes.count, &config))
    }
  }

  private func featuresOfWebP() throws(PictureError) -> WebPBitstreamFeatures {
    var features = WebPBitstreamFeatures()
    try check(WebPGetFeatures(bytes.baseAddress, bytes.count, &features))
    return features
  }

  private func check(_ status: VP8StatusCode) throws(PictureError) {
    switch status {
    case VP8_STATUS_OK: return
    case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED: throw cut
    case VP8_STATUS_UNSUPPORTED_FEATURE: throw broken("it asks for what WebP does not have")
    case VP8_STATUS_OUT_OF_MEMORY: throw broken("there is no memory for it")
    default: throw broken("its bit stream makes no sense")
    }
  }
}
