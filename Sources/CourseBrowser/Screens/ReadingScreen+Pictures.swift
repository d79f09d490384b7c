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

/// The pictures of a text: frames while the page moves, half blocks while it stands or is scrolled.
extension ReadingScreen {
  private var depth: ColourDepth { shell.appearance.theme.depth }

  private func request(_ picture: ReadingText.Picture) -> DrawnPictures.Request? {
    picture.cells.map { DrawnPictures.Request(digest: picture.picture.digest, cells: $0.size, depth: depth) }
  }

  /// Draws pictures where the page is where it will be: on its way, and while something lies on it, it shows frames,
  /// whose cells are few.
  func lookAtPictures() {
    let shows = appearance == .appeared && !shell.isCovered
    guard shows != showsPictures else { return }
    showsPictures = shows
    guard !text.pictures.isEmpty else { return }
    pane.redraw()
    wantPictures()
  }

  /// Draws the pictures in some lines of the text that are decoded.
  func drawPictures(on surface: inout Surface, from first: Int) {
    guard showsPictures else { return }
    for picture in text.pictures {
      guard let cells = picture.cells, cells.endRow > first, cells.row < first + surface.rows,
        let drawn = request(picture).flatMap(shell.pictures.surface(of:))
      else { continue }
      surface.copy(drawn, at: CellPoint(column: cells.column, row: cells.row - first))
    }
  }

  /// Has the pictures decoded that are seen, and then those a page above and below.
  func wantPictures() {
    guard showsPictures, !text.pictures.isEmpty else { return }
    let seen = visibleLines
    let near = max(0, seen.lowerBound - seen.count)..<seen.upperBound + seen.count
    func requests(in lines: Range<Int>) -> [DrawnPictures.Request] {
      text.pictures.filter { $0.cells.map { lines.overlaps($0.row..<$0.endRow) } ?? false }.compactMap(request)
    }
    let wanted = requests(in: seen)
    shell.pictures.want(
      wanted + requests(in: near).filter { !wanted.contains($0) }, in: shell.inBackground
    ) { [weak self, shell] in shell.besideInput { self?.pictureHasCome() } }
  }

  private func pictureHasCome() {
    guard showsPictures else { return }
    // A sheet that glides is not drawn anew before it is there.
    if pane.isGliding {
      stage?.schedule(after: TextPane.glideTime) { [weak self] in self?.pictureHasCome() }
    } else {
      pane.redraw()
    }
  }

  /// The pictures that are seen whole, where they stand on the terminal.
  var picturesInView: [PictureInView] {
    guard showsPictures, !pane.isGliding else { return [] }
    return text.pictures.compactMap { picture in
      guard let cells = picture.cells, visibleLines.lowerBound <= cells.row, cells.endRow <= visibleLines.upperBound,
        let request = request(picture), shell.pictures.surface(of: request) != nil
      else { return nil }
      let onScreen = CellRect(
        column: metrics.textLeft + cells.column, row: textTop + cells.row - scroll, columns: cells.columns,
        rows: cells.rows)
      return PictureInView(digest: picture.picture.digest, cells: onScreen)
    }
  }
}
