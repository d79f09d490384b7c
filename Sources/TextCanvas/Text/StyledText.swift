/// A piece of text in one style.
public struct StyledRun: Hashable, Sendable {
  /// What it says.
  public var text: String
  /// How it looks.
  public var style: Style

  /// Makes a run.
  public init(_ text: String, style: Style = .plain) {
    self.text = text
    self.style = style
  }
}

/// A text of runs, each in a style of its own, before it is broken into lines. A line feed in it ends a line.
public struct StyledText: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The runs, in order.
  public var runs: [StyledRun]

  /// Makes a text of runs.
  public init(_ runs: [StyledRun] = []) {
    self.runs = runs
  }

  /// Makes a text in one style.
  public init(_ text: String, style: Style = .plain) {
    self.init(text.isEmpty ? [] : [StyledRun(text, style: style)])
  }

  /// Makes a plain text.
  public init(stringLiteral text: String) {
    self.init(text)
  }

  /// Adds a run, joined to the last one where the style is the same.
  public mutating func append(_ text: String, style: Style = .plain) {
    guard !text.isEmpty else { return }
    if let last = runs.indices.last, runs[last].style == style {
      runs[last].text += text
    } else {
      runs.append(StyledRun(text, style: style))
    }
  }

  /// Adds another text.
  public mutating func append(_ other: StyledText) {
    for run in other.runs { append(run.text, style: run.style) }
  }

  /// What it says, without styles.
  public var text: String { runs.map(\.text).joined() }

  /// Columns it takes on one line.
  public var displayWidth: Int { runs.reduce(0) { $0 + $1.text.displayWidth } }
}

/// One line of a text, as wide as it is: ready to be drawn.
public struct StyledLine: Hashable, Sendable, ExpressibleByStringLiteral {
  /// Blank columns before its text.
  public var indent: Int
  /// Its runs, in order.
  public var runs: [StyledRun]

  /// Makes a line of runs.
  public init(indent: Int = 0, _ runs: [StyledRun] = []) {
    self.indent = max(0, indent)
    self.runs = runs
  }

  /// Makes a line in one style.
  public init(_ text: String, style: Style = .plain) {
    self.init(text.isEmpty ? [] : [StyledRun(text, style: style)])
  }

  /// Makes a plain line.
  public init(stringLiteral text: String) {
    self.init(text)
  }

  /// What it says, without styles and indent.
  public var text: String { runs.map(\.text).joined() }

  /// Columns it takes, with its indent.
  public var displayWidth: Int { runs.reduce(indent) { $0 + $1.text.displayWidth } }

  /// Adds a run, joined to the last one where the style is the same.
  mutating func append(_ text: Substring, style: Style) {
    guard !text.isEmpty else { return }
    if let last = runs.indices.last, runs[last].style == style {
      runs[last].text.append(contentsOf: text)
    } else {
      runs.append(StyledRun(String(text), style: style))
    }
  }
}

extension Surface {
  /// Writes a line of runs on one row, its text behind its indent.
  ///
  /// - Returns: The columns that the whole line takes, also where it was clipped.
  @discardableResult
  public mutating func draw(_ line: StyledLine, at point: CellPoint, clippedTo clip: CellRect? = nil) -> Int {
    var column = point.column + line.indent
    for run in line.runs {
      column += draw(
        run.text, at: CellPoint(column: column, row: point.row), style: run.style, clippedTo: clip)
    }
    return column - point.column
  }
}
