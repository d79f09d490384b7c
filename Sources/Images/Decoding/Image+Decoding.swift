import CJPEG
import LibSPNG
import LibWebP

extension PixelImage {
  /// Decodes an image file. The format is determined from its bytes.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: The name of the image in errors, such as the file name.
  ///   - limits: The maximum number of pixels and amount of memory.
  /// - Throws: `ImageError`. A partially decoded image is never returned.
  public init(
    decoding bytes: [UInt8], named name: String, limits: ImageLimits = ImageLimits()
  ) throws(ImageError) {
    self = try bytes.withUnsafeBufferPointer { buffer throws(ImageError) in
      let file = try ImageFile(name: name, bytes: buffer)
      let header = try file.header()
      try file.checkMemory(width: header.width, height: header.height, to: limits)
      return switch file.format {
      case .png: try file.decodePNG(header, limits)
      case .jpeg: try file.decodeJPEG(header, limits)
      case .webp: try file.decodeWebP(header, limits)
      case .gif: try file.decodeGIF(header, limits)
      }
    }
  }

  /// Reads the format and the size without decoding the image.
  ///
  /// - Parameters:
  ///   - bytes: The file, or at least its header.
  ///   - name: The name of the image in errors, such as the file name.
  /// - Throws: `ImageError` if the header cannot be read.
  public static func header(of bytes: [UInt8], named name: String) throws(ImageError) -> ImageHeader {
    try bytes.withUnsafeBufferPointer { buffer throws(ImageError) in
      try ImageFile(name: name, bytes: buffer).header()
    }
  }
}

/// The bytes of an image file while it is decoded.
struct ImageFile {
  let name: String
  let format: ImageFormat
  let bytes: UnsafeBufferPointer<UInt8>

  init(name: String, bytes: UnsafeBufferPointer<UInt8>) throws(ImageError) {
    guard let format = ImageFormat(firstBytes: Array(bytes.prefix(12))) else {
      throw .unknownFormat(image: name, firstBytes: Array(bytes.prefix(8)))
    }
    self.name = name
    self.format = format
    self.bytes = bytes
  }

  func header() throws(ImageError) -> ImageHeader {
    let header =
      switch format {
      case .png: try factsOfPNG()
      case .jpeg: try factsOfJPEG()
      case .webp: try factsOfWebP()
      case .gif: try factsOfGIF()
      }
    guard header.width > 0, header.height > 0 else {
      throw corruptError("its size is \(header.width) × \(header.height) pixels")
    }
    return header
  }

  func header(width: Int, height: Int) -> ImageHeader { ImageHeader(format: format, width: width, height: height) }

  /// Throws if an image of this size has more pixels than the limits allow.
  func checkMemory(width: Int, height: Int, to limits: ImageLimits) throws(ImageError) {
    let (pixels, overflows) = width.multipliedReportingOverflow(by: height)
    guard !overflows, pixels <= limits.pixels else {
      throw .tooManyPixels(image: name, width: width, height: height, limit: limits.pixels)
    }
  }

  /// Allocates and decodes the image. Throws if this would take more memory than the limits allow.
  ///
  /// - Parameters:
  ///   - extra: The number of bytes that decoding takes in addition to the pixels.
  ///   - decode: Fills the pixels, which are initially transparent.
  func image(
    _ header: ImageHeader, extra: Int, _ limits: ImageLimits,
    decode: (UnsafeMutableBufferPointer<UInt8>) throws(ImageError) -> Void
  ) throws(ImageError) -> PixelImage {
    // The multiplication cannot overflow, because `checkMemory` has checked it.
    let (bytes, isTooLarge) = (header.width * header.height).multipliedReportingOverflow(by: 4)
    let (needed, overflows) = bytes.addingReportingOverflow(extra)
    guard !isTooLarge, !overflows, needed <= limits.memory else {
      throw .tooMuchMemory(image: name, bytes: isTooLarge || overflows ? .max : needed, limit: limits.memory)
    }
    var pixels = [UInt8](repeating: 0, count: bytes)
    try pixels.withUnsafeMutableBufferPointer { buffer throws(ImageError) in try decode(buffer) }
    return PixelImage(width: header.width, height: header.height, pixels: pixels)
  }

  var truncatedError: ImageError { .truncated(image: name, format: format, bytes: bytes.count) }

  func corruptError(_ reason: String) -> ImageError { .corrupt(image: name, format: format, reason: reason) }
}

/// JPEG, decoded by libjpeg-turbo.
extension ImageFile {
  func factsOfJPEG() throws(ImageError) -> ImageHeader {
    let header = try headerOfJPEG()
    return self.header(width: Int(header.width), height: Int(header.height))
  }

  func decodeJPEG(_ header: ImageHeader, _ limits: ImageLimits) throws(ImageError) -> PixelImage {
    // The decoder also needs memory for its tables, and for rows during colour conversion and upsampling.
    let rows = 256 * header.width + 1 << 20
    let extra = Int(clamping: try headerOfJPEG().coefficientBytes) + rows
    return try image(header, extra: extra, limits) { pixels throws(ImageError) in
      try check { message in
        cjpeg_decode(bytes.baseAddress, bytes.count, extra, pixels.baseAddress, pixels.count, message)
      }
    }
  }

  private func headerOfJPEG() throws(ImageError) -> cjpeg_facts {
    var header = cjpeg_facts()
    try check { message in cjpeg_read_facts(bytes.baseAddress, bytes.count, &header, message) }
    return header
  }

  private func check(_ read: (UnsafeMutablePointer<CChar>?) -> Int32) throws(ImageError) {
    var message = [CChar](repeating: 0, count: Int(CJPEG_MESSAGE_SIZE))
    let outcome = message.withUnsafeMutableBufferPointer { read($0.baseAddress) }
    switch UInt32(outcome) {
    case CJPEG_READ.rawValue: return
    case CJPEG_CUT.rawValue: throw truncatedError
    default:
      throw corruptError(String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
  }
}

/// PNG, decoded by libspng.
///
/// Source: libspng 0.7, docs/decode.md, docs/context.md.
extension ImageFile {
  func factsOfPNG() throws(ImageError) -> ImageHeader {
    let reader = try PNGReader(self)
    let header = try reader.header()
    return self.header(width: Int(header.width), height: Int(header.height))
  }

  func decodePNG(_ header: ImageHeader, _ limits: ImageLimits) throws(ImageError) -> PixelImage {
    // The decoder also needs memory for two rows of up to eight bytes per pixel for the filters, one row of 8-bit
    // pixels, the inflate window, and chunks other than the image data.
    let chunks = limits.memory / 8
    let extra = 24 * header.width + chunks + 1 << 17
    return try image(header, extra: extra, limits) { pixels throws(ImageError) in
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
  let file: ImageFile

  /// Makes a context. Chunks other than the image data may take `chunkMemory` bytes.
  init(_ file: ImageFile, chunkMemory: Int = 1 << 16) throws(ImageError) {
    guard let context = spng_ctx_new(0) else { throw file.corruptError("there is not enough memory") }
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
  func header() throws(ImageError) -> spng_ihdr {
    try check(spng_set_png_buffer(context, file.bytes.baseAddress, file.bytes.count))
    var header = spng_ihdr()
    try check(spng_get_ihdr(context, &header))
    return header
  }

  func check(_ code: Int32) throws(ImageError) {
    switch code {
    case 0: return
    case SPNG_IO_EOF.rawValue: throw file.truncatedError
    default: throw file.corruptError(String(cString: spng_strerror(code)))
    }
  }
}

/// WebP, decoded by libwebp.
///
/// Source: libwebp, doc/api.md ("Advanced decoding API").
extension ImageFile {
  func factsOfWebP() throws(ImageError) -> ImageHeader {
    let features = try featuresOfWebP()
    return header(width: Int(features.width), height: Int(features.height))
  }

  func decodeWebP(_ header: ImageHeader, _ limits: ImageLimits) throws(ImageError) -> PixelImage {
    guard try featuresOfWebP().has_animation == 0 else {
      throw .unreadableKind(image: name, format: format, kind: "an animation")
    }
    // The decoder also needs memory for its rows and tables, and for a copy of a lossless image or the alpha channel of
    // a lossy one.
    let extra = 4 * header.width * header.height + 256 * header.width + 1 << 20
    return try image(header, extra: extra, limits) { pixels throws(ImageError) in
      var config = WebPDecoderConfig()
      WebPInitDecoderConfig(&config)
      config.output.colorspace = MODE_RGBA
      config.output.is_external_memory = 1
      config.output.u.RGBA.rgba = pixels.baseAddress
      config.output.u.RGBA.stride = Int32(4 * header.width)
      config.output.u.RGBA.size = pixels.count
      try check(WebPDecode(bytes.baseAddress, bytes.count, &config))
    }
  }

  private func featuresOfWebP() throws(ImageError) -> WebPBitstreamFeatures {
    var features = WebPBitstreamFeatures()
    try check(WebPGetFeatures(bytes.baseAddress, bytes.count, &features))
    return features
  }

  private func check(_ status: VP8StatusCode) throws(ImageError) {
    switch status {
    case VP8_STATUS_OK: return
    case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED: throw truncatedError
    case VP8_STATUS_UNSUPPORTED_FEATURE: throw corruptError("it uses a feature that WebP does not have")
    case VP8_STATUS_OUT_OF_MEMORY: throw corruptError("there is not enough memory")
    default: throw corruptError("its bit stream is invalid")
    }
  }
}
