import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// What stands below the cards: how many more there are, that there are none, or how to get another one.
extension ListScreen {
  /// What stands below the cards.
  func showRest() {
    ruleLayer.setNeedsDisplay()
    guard !cards.isEmpty else { return showThatItIsEmpty() }
    moreLayer.isHidden = geometry.more == 0 || geometry.visibleRows == geometry.height
    showHowToAdd()
    layOutPreview()
    guard !moreLayer.isHidden else { return }
    moreLayer.frame = Rect(
      x: Double(metrics.textLeft), y: Double(bodyRows.count - 1), width: Double(metrics.textWidth), height: 1)
    moreLayer.content = drawing.lines.row(
      StyledText(shell.appearance.symbols.arrows[1] + " \(geometry.more) more", style: drawing.theme[.quiet]),
      width: metrics.textWidth)
  }

  private func showThatItIsEmpty() {
    moreLayer.isHidden = false
    moreLayer.frame = Rect(
      x: Double(metrics.textLeft), y: metrics.isSmall ? 0 : 1, width: Double(metrics.textWidth), height: 1)
    moreLayer.content = drawing.lines.row(
      StyledText("There is nothing in it yet.", style: drawing.theme[.quiet]), width: metrics.textWidth)
    addLayer.isHidden = true
    preview.hide()
  }

  /// Below the list, with air above and below: what is in what is chosen.
  private func layOutPreview() {
    let first = geometry.contentHeight + (addLayer.isHidden ? 1 : 2)
    preview.layOut(
      in: first..<max(first, bodyRows.count - metrics.airBelowText), metrics: metrics, look: shell.appearance,
      key: shell.label(of: .otherPane), keeps: true)
  }

  /// Below the courses, where there is room for it: how to get another one.
  func showHowToAdd() {
    let isShown = place == .root && geometry.layout == .cards && cards.known.allSatisfy { $0.node != nil }
    addLayer.isHidden = !isShown || geometry.contentHeight >= bodyRows.count
    guard !addLayer.isHidden else { return choosesHowToAdd = false }
    addLayer.frame = Rect(
      x: Double(metrics.textLeft), y: Double(geometry.contentHeight), width: Double(metrics.textWidth), height: 1)
    let theme = drawing.theme
    let key = shell.label(of: choosesHowToAdd ? .open : .add) ?? ""
    addLayer.content = drawing.lines.row(
      StyledText(
        "+ Add a course: a folder, a book, an archive", style: choosesHowToAdd ? theme.bold(.accent) : theme[.quiet]),
      StyledText(key, style: theme[.accent]), width: metrics.textWidth)
  }

  /// Whether a cell belongs to the row that says how to add a course.
  func isHowToAdd(_ point: CellPoint) -> Bool {
    !addLayer.isHidden && point.row == bodyRows.lowerBound + geometry.contentHeight
  }

  /// The same for a page that is taken apart.
  var restParts: [PagePicture.Part] {
    [moreLayer, addLayer].filter { !$0.isHidden }.compactMap { layer in
      layer.content.map {
        PagePicture.Part(surface: $0, rect: layer.frame.cells.offset(rows: bodyRows.lowerBound))
      }
    } + (preview.part.map { [$0.lower(by: bodyRows.lowerBound)] } ?? [])
  }
}
