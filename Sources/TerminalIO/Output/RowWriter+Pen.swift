import TextCanvas

extension RowWriter {
  /// The pen that a cell needs, as near to the present one as possible.
  func penFor(
    _ cell: Cell, at column: Int, new: UnsafePointer<Cell>, _ colours: inout ColourReduction
  ) -> Pen {
    let wanted = fullPen(cell, &colours)
    guard cell.glyph.bits <= 0x20, cell.width == 1, wanted.attributes.isDisjoint(with: Pen.seenOnBlanks) else {
      return wanted
    }
    if pen.drawsBlankLike(wanted) { return pen }
    // The ink does not matter on a blank: take that of what comes next, and change the pen once for both.
    var next = column + 1
    while next < columns, next < column + 24 {
      let following = fullPen(new[next], &colours)
      if following.background != wanted.background || following.link != wanted.link { break }
      if new[next].glyph.bits > 0x20 {
        return following.drawsBlankLike(wanted) ? following : blankPen(wanted)
      }
      next += 1
    }
    return blankPen(wanted)
  }

  /// The present pen, changed as little as a blank needs.
  func blankPen(_ wanted: Pen) -> Pen {
    var result = pen
    result.background = wanted.background
    result.link = wanted.link
    result.attributes.subtract(Pen.seenOnBlanks)
    // From nothing is shorter where nothing is wanted.
    return wanted.background == 0 ? Pen(link: wanted.link) : result
  }

  @inline(__always)
  func fullPen(_ cell: Cell, _ colours: inout ColourReduction) -> Pen {
    Pen(
      foreground: colours(cell.foreground.bits), background: colours(cell.background.bits),
      attributes: cell.attributes, link: features.hasLinks ? cell.linkNumber : 0)
  }
}
