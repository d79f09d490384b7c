import ExternalPrograms
import Pictures

/// Draws SVG with `rsvg-convert` of librsvg, if the system has it.
///
/// The program runs confined and reads the drawing from its standard input: without an address, a drawing cannot refer to
/// files next to it, and librsvg loads nothing from the network.
///
/// Source: rsvg-convert(1); librsvg, "Security and locations of referenced files".
enum DrawingProgram {
  /// The output is larger than a PNG image that fills a terminal.
  private static let limits = ProgramLimits(
    processorSeconds: 5, seconds: 20, memory: 1 << 30, output: 64 << 20, isConfined: true)

  /// Draws an SVG file as large as fits, keeping its proportions.
  ///
  /// - Parameters:
  ///   - bytes: The SVG file.
  ///   - width: The available width in pixels, at least 1.
  ///   - height: The available height in pixels, at least 1.
  ///   - name: The name for errors.
  ///   - program: The program, searched in `PATH`.
  /// - Returns: `nil` if there is no such program, the drawing is invalid, or it breaks a limit.
  static func picture(
    of bytes: [UInt8], width: Int, height: Int, named name: String, program: String = "rsvg-convert"
  ) -> Picture? {
    let arguments = [
      "--format", "png", "--keep-aspect-ratio", "--width", "\(width)", "--height", "\(height)",
    ]
    guard let result = try? ExternalProgram(named: program)?.run(arguments, input: bytes, limits: limits),
      result.code == 0
    else { return nil }
    return try? Picture(decoding: result.output, named: name)
  }
}

extension Picture {
  /// Decodes a picture, or has a drawing drawn as large as it is shown; `nil` where it is neither.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - width: Pixels side by side where it is shown; a drawing gets as many.
  ///   - height: Pixels one below the other there.
  ///   - name: What errors call it.
  init?(showing bytes: [UInt8], width: Int, height: Int, named name: String) {
    if PictureFormat(firstBytes: Array(bytes.prefix(12))) != nil {
      guard let picture = try? Picture(decoding: bytes, named: name) else { return nil }
      self = picture
    } else {
      guard let picture = DrawingProgram.picture(of: bytes, width: width, height: height, named: name) else {
        return nil
      }
      self = picture
    }
  }
}
