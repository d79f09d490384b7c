import CourseKit
import CoursePages
import Images
import ScreenKit
import TerminalIO
import TextCanvas

/// Sends the images of a page as pixels once the page is at rest, if the terminal supports an image protocol.
@MainActor final class ImagePresenter {
  /// The image protocol of the terminal.
  enum Encoding: Hashable, Sendable {
    case sixel(CellPixels)
    case kitty(CellPixels, isWithinTmux: Bool)

    /// The size of a cell in pixels.
    var cell: CellPixels {
      switch self {
      case .sixel(let cell), .kitty(let cell, _): cell
      }
    }

    /// Chooses the protocol from the setting and the terminal's reports. Returns `nil` if images are shown as half
    /// blocks.
    ///
    /// Sixels require the size of a cell in pixels. With kitty's protocol, the terminal scales an image to its cells.
    init?(_ mode: ImageRenderingMode?, _ capabilities: Capabilities) {
      let kitty = capabilities.supportsKittyGraphics && (mode == nil || mode == .kitty)
      if kitty {
        let cell = capabilities.cellPixels ?? ImageStyle.usualCell
        self = .kitty(cell, isWithinTmux: capabilities.isWithinTmux)
      } else if capabilities.hasSixels, mode == nil || mode == .sixel, let cell = capabilities.cellPixels {
        self = .sixel(cell)
      } else {
        return nil
      }
    }
  }

  /// Seconds without input before images are sent.
  static let restDelay = 0.15

  private let context: ScreenContext
  /// Returns the images that are completely visible, or none while anything moves.
  private let visibleImages: () -> [VisibleImage]
  private let encoding: () -> Encoding?
  private var call: ScheduledCall?
  /// The last request, with the number of image removals that the terminal session had counted at that time. An equal
  /// request is not repeated.
  private var lastRequest: (pictures: [VisibleImage], removals: Int)?
  /// Incremented by every input. An image that was prepared in an earlier generation is discarded.
  private var generation = 0
  /// The kitty image ID that was used last, 1…65535, or 0 before the first image.
  private var nextID: UInt32 = 0

  init(
    _ context: ScreenContext, visibleImages: @escaping () -> [VisibleImage],
    encoding: @escaping () -> Encoding?
  ) {
    (self.context, self.visibleImages, self.encoding) = (context, visibleImages, encoding)
  }

  /// Stops sending images because there is input. They are sent again after ``restDelay`` seconds without input.
  func inputDidArrive(on session: TerminalSession) {
    call?.cancel()
    call = nil
    generation += 1
    if session.isSendingImages { session.hideImages() }
  }

  /// Schedules the visible images to be sent if they have changed.
  func refresh(on session: TerminalSession) {
    guard encoding() != nil, call == nil else { return }
    let images = visibleImages()
    guard lastRequest.map({ $0.pictures != images || $0.removals != session.imageRemovalCount }) ?? !images.isEmpty
    else {
      return
    }
    call = context.stage.schedule(after: Self.restDelay) { [weak self, weak session] in
      guard let self, let session else { return }
      call = nil
      send(on: session)
    }
  }

  private func send(on session: TerminalSession) {
    guard let encoding = encoding() else { return }
    let images = visibleImages()
    let sentCells = Set(session.imageCells)
    if !sentCells.isSubset(of: images.map(\.cells)) { session.hideImages() }
    lastRequest = (images, session.imageRemovalCount)
    let missing = images.filter { !session.imageCells.contains($0.cells) }
    prepare(missing[...], encoding, generation, session)
  }

  /// Encodes the images one by one on a background thread, and shows each of them if it is still visible.
  private func prepare(
    _ images: ArraySlice<VisibleImage>, _ encoding: Encoding, _ generation: Int, _ session: TerminalSession
  ) {
    guard let image = images.first else { return }
    nextID = nextID % 0xFFFF + 1
    let id = nextID
    context.runInBackground { [library = context.library, weak session] in
      let encodedImage = Self.form(of: image, encoding, id: id, from: library)
      return { [weak self] in
        guard let self, let session, generation == self.generation else { return }
        if let encodedImage, visibleImages().contains(image) { session.show(encodedImage) }
        prepare(images.dropFirst(), encoding, generation, session)
      }
    }
  }

  private nonisolated static func form(
    of image: VisibleImage, _ encoding: Encoding, id: UInt32, from library: CourseLibrary
  ) -> TerminalImage? {
    let cells = image.cells.size
    guard let file = try? library.image(image.digest),
      let decoded = PixelImage(
        showing: file, width: cells.columns * encoding.cell.width, height: cells.rows * encoding.cell.height,
        named: image.digest)
    else { return nil }
    switch encoding {
    case .sixel(let cell):
      return TerminalImage(
        SixelImage(decoded, cells: image.cells.size, cell: cell, background: .paper), at: image.cells)
    case .kitty(let cell, let isWithinTmux):
      let kittyImage = KittyImage(
        decoded.composited(over: .paper), id: id, cells: image.cells.size, cell: cell,
        placement: isWithinTmux ? .placeholders : .atCursor)
      return TerminalImage(kittyImage, at: image.cells, isWithinTmux: isWithinTmux)
    }
  }
}
