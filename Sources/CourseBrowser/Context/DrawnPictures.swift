import ExternalPrograms
import LearningModel
import Pictures
import TextCanvas

/// Pictures as half blocks: decoded beside the main actor, one after the other, and kept while there is room.
@MainActor final class DrawnPictures {
  /// A picture as large as it is drawn.
  struct Request: Hashable {
    let digest: String
    let cells: CellSize
    let depth: ColourDepth
  }

  /// How many cells all that are kept have, at most: some 16 bytes each.
  private static let mostCells = 1 << 20

  private let read: @Sendable (String) -> [UInt8]?
  /// The newest last.
  private var order: [Request] = []
  private var surfaces: [Request: Surface] = [:]
  /// Those that cannot be shown.
  private var broken: Set<String> = []
  private var waiting: [(request: Request, done: @MainActor () -> Void)] = []
  private var isWorking = false
  private var size = 0

  /// - Parameter read: Returns the bytes of the picture of a digest, on any thread; `nil` where there is none.
  init(read: @escaping @Sendable (String) -> [UInt8]?) {
    self.read = read
  }

  /// A picture, where it is decoded.
  func surface(of request: Request) -> Surface? { surfaces[request] }

  /// Decodes pictures that are not decoded yet, in their order; those that were wanted before and are not any more are
  /// left.
  ///
  /// - Parameter done: Called after each.
  func want(_ requests: [Request], in background: BackgroundWork, done: @escaping @MainActor () -> Void) {
    waiting = requests.filter { surfaces[$0] == nil && !broken.contains($0.digest) }.map { ($0, done) }
    goOn(in: background)
  }

  private func goOn(in background: BackgroundWork) {
    guard !isWorking, !waiting.isEmpty else { return }
    let (request, done) = waiting.removeFirst()
    isWorking = true
    background { [read] in
      let surface = Self.draw(request, read)
      return { [weak self] in
        guard let self else { return }
        isWorking = false
        take(surface, for: request)
        done()
        goOn(in: background)
      }
    }
  }

  private nonisolated static func draw(_ request: Request, _ read: (String) -> [UInt8]?) -> Surface? {
    let cells = request.cells
    // Four pixels for each that is seen, so that the lines of a drawing have soft edges.
    guard let bytes = read(request.digest),
      let picture = Picture(
        showing: bytes, width: 2 * cells.columns, height: 4 * cells.rows, named: request.digest)
    else { return nil }
    return picture.halfBlocks(
      columns: cells.columns, rows: cells.rows, background: .paper, depth: request.depth)
  }

  private func take(_ surface: Surface?, for request: Request) {
    guard let surface else {
      broken.insert(request.digest)
      return
    }
    surfaces[request] = surface
    order.append(request)
    size += surface.columns * surface.rows
    while size > Self.mostCells, order.count > 1 {
      let oldest = order.removeFirst()
      size -= oldest.cells.columns * oldest.cells.rows
      surfaces[oldest] = nil
    }
  }
}

extension Colour {
  /// What is seen through pictures: those of courses are made for white pages, and many have black words.
  static let paper = Colour.rgb(255, 255, 255)
}

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
