import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// A picture that is seen whole, and at rest.
struct PictureInView: Hashable {
  let digest: String
  /// Where it stands on the terminal.
  let cells: CellRect
}

/// A picture of a page, where it stands on the terminal; scrolled, also above and below what is seen.
struct PlacedPicture: Hashable {
  let digest: String
  let cells: CellRect
}

/// A page with pictures: frames while it moves, half blocks while it stands or is scrolled.
@MainActor protocol PicturedText: LinkedText, ActivityScreen {
  /// Whether pictures are drawn, and not only their frames.
  var showsPictures: Bool { get set }
  /// Redraws the pictures when the page is at rest.
  var picturesCall: ScheduledCall? { get set }
  /// Whether all of it stands where it will be.
  var isAtRest: Bool { get }
  /// The rows of the terminal in which they are seen.
  var pictureRows: Range<Int> { get }
}

extension PicturedText {
  private func request(_ digest: String, _ size: CellSize) -> DrawnPictures.Request {
    DrawnPictures.Request(digest: digest, cells: size, depth: context.appearance.theme.depth)
  }

  /// A picture, where it is decoded.
  func drawn(_ digest: String, _ size: CellSize) -> Surface? { context.pictures.surface(of: request(digest, size)) }

  /// The pictures that have room, from the top.
  var placedPictures: [PlacedPicture] {
    text.pictures.compactMap { picture in
      picture.cells.map { cells in
        PlacedPicture(
          digest: picture.picture.digest, cells: cells.offset(columns: textLeft, rows: textTop - scroll))
      }
    }
  }

  /// Draws pictures where the page is where it will be: moving, and while something lies on it, it shows frames,
  /// whose cells are few.
  func lookAtPictures() {
    let isCovered = presented.map { !$0.isBeingDismissed } ?? false
    let shows = appearance == .appeared && !isCovered
    guard shows != showsPictures else { return }
    showsPictures = shows
    guard !placedPictures.isEmpty else { return }
    redrawText()
    wantPictures()
  }

  /// Draws the pictures in some lines of the text that are decoded.
  func drawPictures(on surface: inout Surface, from first: Int) {
    guard showsPictures else { return }
    for picture in text.pictures {
      guard let cells = picture.cells, cells.endRow > first, cells.row < first + surface.rows,
        let drawn = drawn(picture.picture.digest, cells.size)
      else { continue }
      surface.copy(drawn, at: CellPoint(column: cells.column, row: cells.row - first))
    }
  }

  /// Has the pictures decoded that are seen, and then those a page above and below.
  func wantPictures() {
    guard showsPictures else { return }
    let pictures = placedPictures
    guard !pictures.isEmpty else { return }
    let seen = pictureRows
    let near = seen.lowerBound - seen.count..<seen.upperBound + seen.count
    func requests(in rows: Range<Int>) -> [DrawnPictures.Request] {
      pictures.filter { rows.overlaps($0.cells.row..<$0.cells.endRow) }.map { request($0.digest, $0.cells.size) }
    }
    let wanted = requests(in: seen)
    context.pictures.want(
      wanted + requests(in: near).filter { !wanted.contains($0) }, in: context.inBackground
    ) { [weak self, weak context] in context?.besideInput { self?.pictureHasCome() } }
  }

  private func pictureHasCome() {
    guard showsPictures else { return }
    // A page that moves is not drawn anew before it stands.
    if isAtRest { redrawText() } else { redrawPicturesAtRest() }
  }

  /// Draws the text again if it has pictures, once nothing moves.
  func redrawPicturesAtRest() {
    guard !placedPictures.isEmpty, picturesCall?.isWaiting != true else { return }
    picturesCall = stage?.schedule(after: TextPane.glideTime) { [weak self] in self?.pictureHasCome() }
  }

  /// The pictures that are seen whole, where they stand on the terminal.
  var picturesInView: [PictureInView] {
    guard showsPictures, isAtRest else { return [] }
    let seen = pictureRows
    return placedPictures.compactMap { picture in
      let cells = picture.cells
      guard seen.lowerBound <= cells.row, cells.endRow <= seen.upperBound, drawn(picture.digest, cells.size) != nil
      else { return nil }
      return PictureInView(digest: picture.digest, cells: cells)
    }
  }
}
