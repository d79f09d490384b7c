import GIFLib

/// The first image of a GIF file, decoded by giflib.
///
/// Source: GIF89a specification, 18 to 23, appendix E (rows of interlaced pictures); giflib 5, doc/gif_lib.xml.
extension ImageFile {
  func factsOfGIF() throws(ImageError) -> ImageHeader {
    guard bytes.count >= 10 else { throw truncatedError }
    return header(width: Int(bytes[6]) | Int(bytes[7]) << 8, height: Int(bytes[8]) | Int(bytes[9]) << 8)
  }

  func decodeGIF(_ header: ImageHeader, _ limits: ImageLimits) throws(ImageError) -> PixelImage {
    // The decoder also needs memory for one row, its tables and the two colour tables.
    try image(header, extra: 1 << 18, limits) { pixels throws(ImageError) in
      var remaining = bytes
      try withUnsafeMutablePointer(to: &remaining) { remaining throws(ImageError) in
        let reader = try GIFReader(self, reading: remaining)
        let clear = try reader.seekImage()
        try reader.draw(on: pixels, columns: header.width, rows: header.height, clear: clear, limits)
      }
    }
  }
}

private struct GIFReader: ~Copyable {
  let gif: UnsafeMutablePointer<GifFileType>
  let file: ImageFile

  init(
    _ file: ImageFile, reading remaining: UnsafeMutablePointer<UnsafeBufferPointer<UInt8>>
  ) throws(ImageError) {
    var code: Int32 = 0
    let gif = DGifOpen(
      remaining,
      { gif, target, count in
        guard let remaining = gif?.pointee.UserData?.assumingMemoryBound(to: UnsafeBufferPointer<UInt8>.self),
          let target, count > 0
        else { return 0 }
        let chunk = remaining.pointee.prefix(Int(count))
        for (offset, byte) in chunk.enumerated() { target[offset] = byte }
        remaining.pointee = UnsafeBufferPointer(rebasing: remaining.pointee.dropFirst(chunk.count))
        return Int32(chunk.count)
      }, &code)
    guard let gif else { throw Self.error(code, file) }
    self.gif = gif
    self.file = file
  }

  deinit {
    DGifCloseFile(gif, nil)
  }

  /// Moves to the first image and returns the index of its transparent colour, or -1 if it has none.
  func seekImage() throws(ImageError) -> Int32 {
    var clear: Int32 = -1
    while true {
      var record = UNDEFINED_RECORD_TYPE
      try check(DGifGetRecordType(gif, &record))
      switch record {
      case IMAGE_DESC_RECORD_TYPE:
        try check(DGifGetImageDesc(gif))
        return clear
      case EXTENSION_RECORD_TYPE:
        var code: Int32 = 0
        var block: UnsafeMutablePointer<GifByteType>?
        try check(DGifGetExtension(gif, &code, &block))
        if code == GRAPHICS_EXT_FUNC_CODE, let block, block[0] == 4 {
          clear = block[1] & 1 == 1 ? Int32(block[4]) : -1
        }
        while block != nil { try check(DGifGetExtensionNext(gif, &block)) }
      default: throw file.corruptError("it contains no image")
      }
    }
  }

  /// Draws the image at its position on the canvas. Parts outside the canvas are not drawn.
  func draw(
    on pixels: UnsafeMutableBufferPointer<UInt8>, columns: Int, rows: Int, clear: Int32, _ limits: ImageLimits
  ) throws(ImageError) {
    let image = gif.pointee.Image
    let (left, top) = (Int(image.Left), Int(image.Top))
    let (width, height) = (Int(image.Width), Int(image.Height))
    try file.checkMemory(width: width, height: height, to: limits)
    guard let table = image.ColorMap ?? gif.pointee.SColorMap, let colours = table.pointee.Colors else {
      throw file.corruptError("it has no colour table")
    }
    let count = Int32(table.pointee.ColorCount)
    var line = [GifPixelType](repeating: 0, count: max(1, width))
    // An interlaced image has four passes: first every eighth row, and then the rows between them.
    let passes = image.Interlace ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
    for (first, step) in passes {
      for row in stride(from: first, to: height, by: step) {
        try check(DGifGetLine(gif, &line, Int32(width)))
        guard top + row < rows else { continue }
        for column in 0..<min(width, max(0, columns - left)) {
          let number = Int32(line[column])
          guard number != clear, number < count else { continue }
          let colour = colours[Int(number)]
          let offset = 4 * ((top + row) * columns + left + column)
          pixels[offset] = colour.Red
          pixels[offset + 1] = colour.Green
          pixels[offset + 2] = colour.Blue
          pixels[offset + 3] = 0xFF
        }
      }
    }
  }

  private func check(_ result: Int32) throws(ImageError) {
    guard result == GIF_OK else { throw Self.error(gif.pointee.Error, file) }
  }

  private static func error(_ code: Int32, _ file: ImageFile) -> ImageError {
    switch code {
    case D_GIF_ERR_READ_FAILED, D_GIF_ERR_EOF_TOO_SOON: file.truncatedError
    default: file.corruptError(GifErrorString(code).map { String(cString: $0) } ?? "error \(code)")
    }
  }
}
