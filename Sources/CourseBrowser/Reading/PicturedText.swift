import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// An image that is completely visible and does not move.
struct PictureInView: Hashable {
  let digest: String
  /// The rectangle on the terminal.
  let cells: CellRect
}

/// An image of a page with its rectangle on the terminal. The rectangle can be outside the visible rows.
struct PlacedPicture: Hashable {
  let digest: String
  let cells: CellRect
}

/// A page with images. It shows frames while the page moves, and half blocks while the page is at rest or scrolls.
@MainActor protocol PicturedText: LinkedText, ActivityScreen {
  /// Whether images are shown instead of frames.
  var showsPictures: Bool { get set }
  /// The scheduled call that draws the images again when the page is at rest.
  var picturesCall: ScheduledCall? { get set }
  /// Whether all content is in its final position.
  var isAtRest: Bool { get }
  /// The rows of the terminal in which images are visible.
  var pictureRows: Range<Int> { get }
}

extension PicturedText {
  private func request(_ digest: String, _ size: CellSize) -> DrawnPictures.Request {
    DrawnPictures.Request(digest: digest, cells: size, depth: context.appearance.theme.depth)
  }

  /// Returns an image if it is decoded.
  func drawn(_ digest: String, _ size: CellSize) -> Surface? { context.pictures.surface(of: request(digest, size)) }

  /// The images that have space, from the top.
  var placedPictures: [PlacedPicture] {
    text.pictures.compactMap { picture in
      picture.cells.map { cells in
        PlacedPicture(
          digest: picture.picture.digest, cells: cells.offset(columns: textLeft, rows: textTop - scroll))
      }
    }
  }

  /// Shows images while the page is in its final position and not covered, otherwise frames. Frames require fewer bytes
  /// to be sent.
  func lookAtPictures() {
    let isCovered = presented.map { !$0.isBeingDismissed } ?? false
    let shows = appearance == .appeared && !isCovered
    guard shows != showsPictures else { return }
    showsPictures = shows
    guard !placedPictures.isEmpty else { return }
    redrawText()
    wantPictures()
  }

  /// Draws the decoded images on a surface that begins with a line of the text.
  func drawPictures(on surface: inout Surface, from first: Int) {
    guard showsPictures else { return }
    for picture in text.pictures {
      guard let cells = picture.cells, cells.endRow > first, cells.row < first + surface.rows,
        let drawn = drawn(picture.picture.digest, cells.size)
      else { continue }
      surface.copy(drawn, at: CellPoint(column: cells.column, row: cells.row - first))
    }
  }

  /// Requests the visible images, then those within one page above and below.
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
      wanted + requests(in: near).filter { !wanted.contains($0) }, in: context.runInBackground
    ) { [weak self, weak context] in context?.performWithoutInput { self?.pictureHasCome() } }
  }

  private func pictureHasCome() {
    guard showsPictures else { return }
    // A moving page is drawn again after it has come to rest.
    if isAtRest { redrawText() } else { redrawPicturesAtRest() }
  }

  /// Schedules a redraw of the images for when nothing moves.
  func redrawPicturesAtRest() {
    guard !placedPictures.isEmpty, picturesCall?.isPending != true else { return }
    picturesCall = stage?.schedule(after: TextPane.glideTime) { [weak self] in self?.pictureHasCome() }
  }

  /// The images that are completely visible while the page is at rest.
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
