package import TextCanvas

/// The first row: the places above the page.
extension PageDrawing {
  /// The trail of the ancestors, cut in the middle where it is too long.
  ///
  /// In a narrow terminal only the place right above is named.
  package func trail(_ trail: PageModel.Trail) -> Surface {
    lines.row(
      StyledText(text(of: crumbs(of: trail)), style: theme[.quiet]),
      StyledText(trail.position, style: theme[.quiet]), width: metrics.textWidth)
  }

  /// The column, from the text's edge, where a crumb of a trail begins; of one that is left out, where the sign for it is.
  package func crumbColumn(_ number: Int, in trail: PageModel.Trail) -> Int {
    let shown = crumbs(of: trail)
    let index = shown.firstIndex { $0.number == number } ?? shown.firstIndex { $0.number == nil } ?? 0
    return index == 0 ? 0 : text(of: Array(shown[..<index])).displayWidth + separator.displayWidth
  }

  /// The number of the crumb that stands at a column, counted from the text's edge; `nil` between crumbs, and for those
  /// left out.
  package func crumb(at column: Int, of trail: PageModel.Trail) -> Int? {
    var start = 0
    for crumb in crumbs(of: trail) {
      let end = start + crumb.text.displayWidth
      if (start..<end).contains(column) { return crumb.number }
      start = end + separator.displayWidth
    }
    return nil
  }

  /// The titles above a place in a list, in at most so many columns if that can be: the nearest ones tell places apart, so
  /// what is left out is left out of the middle, and at last before the nearest.
  package func way(_ titles: [String], in width: Int) -> String {
    var ways = [titles]
    for last in [2, 1] where titles.count > last + 1 {
      ways.append([titles[0], symbols.ellipsis] + titles.suffix(last))
    }
    if titles.count > 1 { ways.append([symbols.ellipsis] + titles.suffix(1)) }
    let texts = ways.map { $0.joined(separator: separator) }
    return texts.first { $0.displayWidth <= width } ?? texts[texts.count - 1]
  }

  private var separator: String { " \(symbols.crumb) " }

  private func text(of crumbs: [(number: Int?, text: String)]) -> String {
    crumbs.map(\.text).joined(separator: separator)
  }

  private func crumbs(of trail: PageModel.Trail) -> [(number: Int?, text: String)] {
    if metrics.isNarrow { return trail.crumbs.indices.suffix(1).map { ($0, trail.crumbs[$0]) } }
    return crumbs(trail.crumbs, room: max(0, metrics.textWidth - trail.position.displayWidth - 2))
  }

  /// The crumbs that there is room for, each with its number; the sign for those left out has none. The one right above
  /// the page stays longest.
  private func crumbs(_ crumbs: [String], room: Int) -> [(number: Int?, text: String)] {
    let whole = crumbs.enumerated().map { (number: Optional($0.offset), text: $0.element) }
    let leftOut = (number: Int?.none, text: symbols.ellipsis)
    var trails = [whole]
    for last in [2, 1] where crumbs.count > last + 1 { trails.append([whole[0], leftOut] + whole.suffix(last)) }
    if crumbs.count > 1 { trails.append([leftOut] + whole.suffix(1)) }
    return trails.first { text(of: $0).displayWidth <= room } ?? trails[trails.count - 1]
  }
}
