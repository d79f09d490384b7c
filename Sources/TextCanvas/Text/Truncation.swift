extension StringProtocol {
  /// This text on one line of at most so many columns; where it is longer, it ends in an ellipsis.
  ///
  /// - Parameters:
  ///   - width: Columns; for 0 and less the result is empty.
  ///   - ellipsis: What stands for what was cut.
  public func truncated(to width: Int, ellipsis: String = "…") -> String {
    StyledLine(String(self)).truncated(to: width, ellipsis: ellipsis).text
  }
}

extension StyledLine {
  /// This line in at most so many columns; where it is longer, it ends in an ellipsis in the style of what was cut.
  ///
  /// Blanks before the ellipsis are left out, and a wide character that only half fits is left out as a whole.
  ///
  /// - Parameters:
  ///   - width: Columns; for 0 and less the result is empty.
  ///   - ellipsis: What stands for what was cut; where there is no room for it, it is left out.
  public func truncated(to width: Int, ellipsis: String = "…") -> StyledLine {
    guard displayWidth > width else { return self }
    guard width > indent else { return StyledLine() }
    let ellipsisWidth = ellipsis.displayWidth
    let room = width - (ellipsisWidth <= width - indent ? ellipsisWidth : 0)
    var result = StyledLine(indent: indent)
    var used = indent
    for run in runs {
      var kept = run.text.startIndex
      for cluster in Clusters(run.text) {
        if used + cluster.width > room {
          result.append(run.text[..<kept], style: run.style)
          result.trimTrailingBlanks()
          if room < width { result.append(ellipsis[...], style: run.style) }
          return result
        }
        used += cluster.width
        kept = cluster.end
      }
      result.append(run.text[...], style: run.style)
    }
    return result
  }

  /// Leaves out spaces at its end.
  mutating func trimTrailingBlanks() {
    while let last = runs.indices.last {
      while runs[last].text.unicodeScalars.last == " " { runs[last].text.unicodeScalars.removeLast() }
      guard runs[last].text.isEmpty else { return }
      runs.removeLast()
    }
  }
}
