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
