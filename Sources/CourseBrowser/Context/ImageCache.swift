import ExternalPrograms
import LearningModel
import Images
import TextCanvas

/// Images that are drawn as half blocks. They are decoded one after the other in the background, and cached.
@MainActor final class ImageCache {
  /// An image and the size at which it is drawn.
  struct Request: Hashable {
    let digest: String
    let cells: CellSize
    let colourDepth: ColourDepth
  }

  /// The maximum total number of cells in the cache. A cell takes about 16 bytes.
  private static let maximumCells = 1 << 20

  private let read: @Sendable (String) -> [UInt8]?
  /// The keys of the cached images, newest last.
  private var order: [Request] = []
  private var surfaces: [Request: Surface] = [:]
  /// Digests of images that cannot be decoded.
  private var undecodable: Set<String> = []
  private var pendingRequests: [(request: Request, done: @MainActor () -> Void)] = []
  private var isWorking = false
  private var size = 0

  /// Creates a cache.
  ///
  /// - Parameter read: Returns the bytes of the image with the given digest, or `nil` if there is no such image. It can
  ///   be called on any thread.
  init(read: @escaping @Sendable (String) -> [UInt8]?) {
    self.read = read
  }

  /// Returns an image if it is in the cache.
  func surface(of request: Request) -> Surface? { surfaces[request] }

  /// Decodes the images that are not in the cache, in order. Earlier requests that have not been started are discarded.
  ///
  /// - Parameter done: Called after each image.
  func request(_ requests: [Request], in background: BackgroundWork, done: @escaping @MainActor () -> Void) {
    pendingRequests = requests.filter { surfaces[$0] == nil && !undecodable.contains($0.digest) }.map { ($0, done) }
    decodeNext(in: background)
  }

  private func decodeNext(in background: BackgroundWork) {
    guard !isWorking, !pendingRequests.isEmpty else { return }
    let (request, done) = pendingRequests.removeFirst()
    isWorking = true
    background { [read] in
      let surface = Self.draw(request, read)
      return { [weak self] in
        guard let self else { return }
        isWorking = false
        store(surface, for: request)
        done()
        decodeNext(in: background)
      }
    }
  }

  private nonisolated static func draw(_ request: Request, _ read: (String) -> [UInt8]?) -> Surface? {
    let cells = request.cells
    // Decodes four pixels per visible pixel, so that lines of a drawing have smooth edges.
    guard let bytes = read(request.digest),
      let image = PixelImage(
        showing: bytes, width: 2 * cells.columns, height: 4 * cells.rows, named: request.digest)
    else { return nil }
    return image.halfBlocks(
      columns: cells.columns, rows: cells.rows, background: .paper, depth: request.colourDepth)
  }

  private func store(_ surface: Surface?, for request: Request) {
    guard let surface else {
      undecodable.insert(request.digest)
      return
    }
    surfaces[request] = surface
    order.append(request)
    size += surface.columns * surface.rows
    while size > Self.maximumCells, order.count > 1 {
      let oldest = order.removeFirst()
      size -= oldest.cells.columns * oldest.cells.rows
      surfaces[oldest] = nil
    }
  }
}

extension Colour {
  /// The background of transparent images. Images of courses are made for white pages, and many contain black text.
  static let paper = Colour.rgb(255, 255, 255)
}

/// Renders SVG drawings with `rsvg-convert` of librsvg, if it is installed.
///
/// The program runs in a sandbox and reads the drawing from its standard input. Because the drawing has no address, it
/// cannot refer to files next to it, and librsvg loads nothing from the network.
///
/// Source: rsvg-convert(1); librsvg, "Security and locations of referenced files".
enum DrawingProgram {
  /// The output limit is larger than a PNG image that fills a terminal.
  private static let limits = ProgramLimits(
    processorSeconds: 5, seconds: 20, memory: 1 << 30, output: 64 << 20, sandbox: ProgramSandbox())

  /// Draws an SVG file at the largest size that fits, keeping its proportions.
  ///
  /// - Parameters:
  ///   - bytes: The SVG file.
  ///   - width: The available width in pixels, at least 1.
  ///   - height: The available height in pixels, at least 1.
  ///   - name: The file name to use in error messages.
  ///   - program: The name of the program, which is looked up in `PATH`.
  /// - Returns: The image, or `nil` if the program is not installed, the drawing is invalid, or a limit was exceeded.
  static func image(
    of bytes: [UInt8], width: Int, height: Int, named name: String, program: String = "rsvg-convert"
  ) -> PixelImage? {
    let arguments = [
      "--format", "png", "--keep-aspect-ratio", "--width", "\(width)", "--height", "\(height)",
    ]
    guard let result = try? ExternalProgram(named: program)?.run(arguments, input: bytes, limits: limits),
      result.code == 0
    else { return nil }
    return try? PixelImage(decoding: result.output, named: name)
  }
}

extension PixelImage {
  /// Decodes an image, or renders an SVG drawing. Returns `nil` if the file is neither.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - width: The displayed width in pixels. A drawing is rendered to fit it.
  ///   - height: The displayed height in pixels.
  ///   - name: The file name to use in error messages.
  init?(showing bytes: [UInt8], width: Int, height: Int, named name: String) {
    if ImageFormat(firstBytes: Array(bytes.prefix(12))) != nil {
      guard let image = try? PixelImage(decoding: bytes, named: name) else { return nil }
      self = image
    } else {
      guard let image = DrawingProgram.image(of: bytes, width: width, height: height, named: name) else {
        return nil
      }
      self = image
    }
  }
}
