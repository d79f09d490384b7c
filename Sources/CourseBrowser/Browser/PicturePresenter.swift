import CourseKit
import CoursePages
import Pictures
import ScreenKit
import TerminalIO
import TextCanvas

/// Shows the pictures of a page as pixels, on a terminal that has said that it can, once the page is at rest.
@MainActor final class PicturePresenter {
  /// How the terminal shows pixels.
  enum PictureEncoding: Hashable, Sendable {
    case sixel(CellPixels)
    case kitty(CellPixels, isWithinTmux: Bool)

    /// The pixels of a cell.
    var cell: CellPixels {
      switch self {
      case .sixel(let cell), .kitty(let cell, _): cell
      }
    }

    /// The way that was asked for, as far as the terminal has answered; `nil` where pictures stay half blocks.
    ///
    /// Sixels need the pixels of a cell; by kitty's protocol the terminal fits a picture into its cells itself.
    init?(_ wish: PictureWay?, _ capabilities: Capabilities) {
      let kitty = capabilities.hasKittyPictures && (wish == nil || wish == .kitty)
      if kitty {
        let cell = capabilities.cellPixels ?? PictureStyle.usualCell
        self = .kitty(cell, isWithinTmux: capabilities.isWithinTmux)
      } else if capabilities.hasSixels, wish == nil || wish == .sixel, let cell = capabilities.cellPixels {
        self = .sixel(cell)
      } else {
        return nil
      }
    }
  }

  /// Seconds of rest before pictures are sent.
  static let rest = 0.15

  private let context: ScreenContext
  /// Returns the pictures that are shown whole while nothing moves.
  private let picturesInView: () -> [PictureInView]
  private let encoding: () -> PictureEncoding?
  private var call: ScheduledCall?
  /// What was asked to be shown last, and how often pictures had been taken away by then: it is not asked for again.
  private var asked: (pictures: [PictureInView], removals: Int)?
  /// What is prepared for an older page is not shown.
  private var generation = 0
  /// The next picture's number on the terminal.
  private var nextID: UInt32 = 0

  init(
    _ context: ScreenContext, picturesInView: @escaping () -> [PictureInView],
    encoding: @escaping () -> PictureEncoding?
  ) {
    (self.context, self.picturesInView, self.encoding) = (context, picturesInView, encoding)
  }

  /// Somebody did something: what is being sent stops, and comes again when they rest.
  func inputCame(on session: TerminalSession) {
    call?.cancel()
    call = nil
    generation += 1
    if session.isSendingPictures { session.hidePictures() }
  }

  /// The page may be another, or come to rest.
  func lookAgain(on session: TerminalSession) {
    guard encoding() != nil, call == nil else { return }
    let wanted = picturesInView()
    guard asked.map({ $0.pictures != wanted || $0.removals != session.pictureRemovals }) ?? !wanted.isEmpty else {
      return
    }
    call = context.stage.schedule(after: Self.rest) { [weak self, weak session] in
      guard let self, let session else { return }
      call = nil
      send(on: session)
    }
  }

  private func send(on session: TerminalSession) {
    guard let encoding = encoding() else { return }
    let wanted = picturesInView()
    let shown = Set(session.pictureCells)
    if !shown.isSubset(of: wanted.map(\.cells)) { session.hidePictures() }
    asked = (wanted, session.pictureRemovals)
    let missing = wanted.filter { !session.pictureCells.contains($0.cells) }
    prepare(missing[...], encoding, generation, session)
  }

  /// Makes the bytes of one picture after the other, beside the main actor.
  private func prepare(
    _ pictures: ArraySlice<PictureInView>, _ encoding: PictureEncoding, _ generation: Int, _ session: TerminalSession
  ) {
    guard let picture = pictures.first else { return }
    nextID = nextID % 0xFFFF + 1
    let id = nextID
    context.inBackground { [library = context.library, weak session] in
      let bytes = Self.form(of: picture, encoding, id: id, from: library)
      return { [weak self] in
        guard let self, let session, generation == self.generation else { return }
        if let bytes, picturesInView().contains(picture) { session.show(bytes) }
        prepare(pictures.dropFirst(), encoding, generation, session)
      }
    }
  }

  private nonisolated static func form(
    of picture: PictureInView, _ encoding: PictureEncoding, id: UInt32, from library: CourseLibrary
  ) -> TerminalPicture? {
    let cells = picture.cells.size
    guard let file = try? library.picture(picture.digest),
      let decoded = Picture(
        showing: file, width: cells.columns * encoding.cell.width, height: cells.rows * encoding.cell.height,
        named: picture.digest)
    else { return nil }
    switch encoding {
    case .sixel(let cell):
      return TerminalPicture(
        SixelForm(decoded, cells: picture.cells.size, cell: cell, background: .paper), at: picture.cells)
    case .kitty(let cell, let isWithinTmux):
      let form = KittyForm(
        decoded.laid(over: .paper), id: id, cells: picture.cells.size, cell: cell,
        placement: isWithinTmux ? .placeholders : .atCursor)
      return TerminalPicture(form, at: picture.cells, isWithinTmux: isWithinTmux)
    }
  }
}
