import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// An image that is completely visible and does not move.
struct VisibleImage: Hashable {
  let digest: String
  /// The rectangle on the terminal.
  let cells: CellRect
}

/// An image of a page with its rectangle on the terminal. The rectangle can be outside the visible rows.
struct PlacedImage: Hashable {
  let digest: String
  let cells: CellRect
}

/// A screen with images. It shows frames while it moves, and half blocks while it is at rest or scrolls.
@MainActor protocol ScreenWithImages: Screen {
  var context: ScreenContext { get }
  /// The images for which the layout has space, from the top.
  var placedImages: [PlacedImage] { get }
  /// Whether images are shown instead of frames.
  var showsImages: Bool { get set }
  /// The scheduled call that draws the images again when the screen is at rest.
  var imagesCall: ScheduledCall? { get set }
  /// Whether all content is in its final position.
  var isAtRest: Bool { get }
  /// The rows of the terminal in which images are visible.
  var imageRows: Range<Int> { get }
  /// Draws the visible text again, with its images.
  func redrawText()
}

/// A page of which the images are in a text that scrolls.
@MainActor protocol TextWithImages: LinkedText, ActivityScreen, ScreenWithImages {}

extension TextWithImages {
  var placedImages: [PlacedImage] {
    text.images.placed(column: textLeft, row: textTop - scroll)
  }

  /// Draws the decoded images on a surface that begins with a line of the text.
  func drawImages(on surface: inout Surface, from first: Int) {
    guard showsImages else { return }
    for image in text.images {
      guard let cells = image.cells, cells.endRow > first, cells.row < first + surface.rows,
        let decoded = imageSurface(image.image.digest, cells.size)
      else { continue }
      surface.copy(decoded, at: CellPoint(column: cells.column, row: cells.row - first))
    }
  }
}

extension [ReadingText.Image] {
  /// Returns the images for which the layout has space, for a text whose first line begins at a cell.
  func placed(column: Int, row: Int) -> [PlacedImage] {
    compactMap { image in
      image.cells.map { PlacedImage(digest: image.image.digest, cells: $0.offset(columns: column, rows: row)) }
    }
  }
}

extension ScreenWithImages {
  private func request(_ digest: String, _ size: CellSize) -> ImageCache.Request {
    ImageCache.Request(digest: digest, cells: size, colourDepth: context.appearance.theme.colourDepth)
  }

  /// Returns an image if it is decoded.
  func imageSurface(_ digest: String, _ size: CellSize) -> Surface? {
    context.imageCache.surface(of: request(digest, size))
  }

  /// Shows images while the page is in its final position and not covered, otherwise frames. Frames require fewer bytes
  /// to be sent.
  func updateImages() {
    let isCovered = presented.map { !$0.isBeingDismissed } ?? false
    let shows = appearance == .appeared && !isCovered
    guard shows != showsImages else { return }
    showsImages = shows
    guard !placedImages.isEmpty else { return }
    redrawText()
    requestImages()
  }

  /// Requests the visible images, then those within one page above and below.
  func requestImages() {
    guard showsImages else { return }
    let images = placedImages
    guard !images.isEmpty else { return }
    let visibleRows = imageRows
    let nearbyRows = visibleRows.lowerBound - visibleRows.count..<visibleRows.upperBound + visibleRows.count
    func requests(in rows: Range<Int>) -> [ImageCache.Request] {
      images.filter { rows.overlaps($0.cells.row..<$0.cells.endRow) }.map { request($0.digest, $0.cells.size) }
    }
    let visibleRequests = requests(in: visibleRows)
    context.imageCache.request(
      visibleRequests + requests(in: nearbyRows).filter { !visibleRequests.contains($0) }, in: context.runInBackground
    ) { [weak self, weak context] in context?.performWithoutInput { self?.imageWasDecoded() } }
  }

  private func imageWasDecoded() {
    guard showsImages else { return }
    // A moving page is drawn again after it has come to rest.
    if isAtRest { redrawText() } else { redrawImagesAtRest() }
  }

  /// Schedules a redraw of the images for when nothing moves.
  func redrawImagesAtRest() {
    guard !placedImages.isEmpty, imagesCall?.isPending != true else { return }
    imagesCall = stage?.schedule(after: TextPane.glideTime) { [weak self] in self?.imageWasDecoded() }
  }

  /// The images that are completely visible while the page is at rest.
  var visibleImages: [VisibleImage] {
    guard showsImages, isAtRest else { return [] }
    let visibleRows = imageRows
    return placedImages.compactMap { image in
      let cells = image.cells
      guard visibleRows.lowerBound <= cells.row, cells.endRow <= visibleRows.upperBound,
        imageSurface(image.digest, cells.size) != nil
      else { return nil }
      return VisibleImage(digest: image.digest, cells: cells)
    }
  }
}
