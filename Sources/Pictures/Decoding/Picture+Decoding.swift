import CJPEG
import LibSPNG
import LibWebP

extension Picture {
  /// Decodes an image file. The format is determined from its bytes.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: The name of the image in errors, such as the file name.
  ///   - limits: The maximum number of pixels and amount of memory.
  /// - Throws: `PictureError`. A partially decoded image is never returned.
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

  /// Reads the format and the size without decoding the image.
  ///
  /// - Parameters:
  ///   - bytes: The file, or at least its header.
  ///   - name: The name of the image in errors, such as the file name.
  /// - Throws: `PictureError` if the header cannot be read.
  public static func facts(of bytes: [UInt8], named name: String) throws(PictureError) -> PictureFacts {
    try bytes.withUnsafeBufferPointer { buffer throws(PictureError) in
      try PictureFile(name: name, bytes: buffer).facts()
    }
  }
}

/// The bytes of an image file while it is decoded.
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

  /// Throws if an image of this size has more pixels than the limits allow.
  func hold(width: Int, height: Int, to limits: PictureLimits) throws(PictureError) {
    let (pixels, overflows) = width.multipliedReportingOverflow(by: height)
    guard !overflows, pixels <= limits.pixels else {
      throw .tooManyPixels(picture: name, width: width, height: height, limit: limits.pixels)
    }
  }

  /// Allocates and decodes the image. Throws if this would take more memory than the limits allow.
  ///
  /// - Parameters:
  ///   - extra: The number of bytes that decoding takes in addition to the pixels.
  ///   - decode: Fills the pixels, which are initially transparent.
  func picture(
    _ facts: PictureFacts, extra: Int, _ limits: PictureLimits,
    decode: (UnsafeMutableBufferPointer<UInt8>) throws(PictureError) -> Void
  ) throws(PictureError) -> Picture {
    // The multiplication cannot overflow, because `hold` has checked it.
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

/// JPEG, decoded by libjpeg-turbo.
extension PictureFile {
  func factsOfJPEG() throws(PictureError) -> PictureFacts {
    let header = try headerOfJPEG()
    return facts(width: Int(header.width), height: Int(header.height))
  }

  func decodeJPEG(_ facts: PictureFacts, _ limits: PictureLimits) throws(PictureError) -> Picture {
    // The decoder needs buffered rows for colour conversion and upsampling, and its tables.
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

/// PNG, decoded by libspng.
///
/// Source: libspng 0.7, docs/decode.md, docs/context.md.
extension PictureFile {
  func factsOfPNG() throws(PictureError) -> PictureFacts {
    let reader = try PNGReader(self)
    let header = try reader.header()
    return facts(width: Int(header.width), height: Int(header.height))
  }

  func decodePNG(_ facts: PictureFacts, _ limits: PictureLimits) throws(PictureError) -> Picture {
    // The decoder needs two rows of up to eight bytes per pixel for the filters, one row of 8-bit pixels, and the
    // inflate window.
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

/// A context of libspng with the file that it reads.
private struct PNGReader: ~Copyable {
  let context: OpaquePointer
  let file: PictureFile

  /// Makes a context. Chunks other than the image data may take `chunkMemory` bytes.
  init(_ file: PictureFile, chunkMemory: Int = 1 << 16) throws(PictureError) {
    guard let context = spng_ctx_new(0) else { throw file.broken("there is no memory for it") }
    self.context = context
    self.file = file
    // A wrong checksum in an ancillary chunk discards only that chunk.
    spng_set_crc_action(context, Int32(SPNG_CRC_ERROR.rawValue), Int32(SPNG_CRC_DISCARD.rawValue))
    spng_set_chunk_limits(context, chunkMemory, chunkMemory)
  }

  deinit {
    spng_ctx_free(context)
  }

  /// Starts reading and returns the header.
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

/// WebP, decoded by libwebp.
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
    // The decoder needs a copy of a lossless image, or the alpha channel of a lossy one, and rows and tables.
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
