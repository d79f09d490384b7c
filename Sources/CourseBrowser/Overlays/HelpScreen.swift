import CoursePages
import TextCanvas

/// The list of all keys and their actions, generated from the key bindings. Each line contains one key and one action.
@MainActor final class HelpScreen: SheetScreen {
  /// The gap between a key and its action, and the minimum gap between two columns of lines.
  private static let gapAfterKey = 2
  private static let gapBetweenColumns = 4

  private let commands: CommandPath
  /// The name of the page of the manual about the page below.
  private let manualPage: String

  /// Creates the overlay.
  ///
  /// - Parameters:
  ///   - commands: The commands of the page below.
  ///   - manualPage: The name of the page of the manual about it.
  init(_ commands: CommandPath, manualPage: String, context: ScreenContext, source: @escaping () -> CellRect) {
    (self.commands, self.manualPage) = (commands, manualPage)
    super.init(title: "Keys", context: context, source: source)
  }

  override var ownCommand: Command { .help }
  override var topRight: String {
    guard metrics.textWidth >= 36 else { return "" }
    return context.label(of: .showPalette).map { "\($0) runs commands by name" } ?? ""
  }

  override func offer(_ command: Command) -> Offer? {
    guard command == .manual else { return super.offer(command) }
    return context.manual.map { manual in
      Offer("manual") { [self] in
        close()
        _ = manual.open(manualPage)
      }
    }
  }

  override func text(width: Int) -> [StyledLine] {
    let sections = sections
    let rows = sections.flatMap(\.rows)
    let keysWidth = rows.map(\.key.displayWidth).max() ?? 0
    let columnWidth = keysWidth + Self.gapAfterKey + (rows.map(\.action.displayWidth).max() ?? 0)
    let maximumCount = max(1, (width + Self.gapBetweenColumns) / (columnWidth + Self.gapBetweenColumns))
    let availableRows = metrics.keysRow - 1 - titleRows.rows - 3
    // The smallest number of columns that shows all keys without scrolling, but at least two if they fit.
    let counts = min(2, maximumCount)...maximumCount
    let layouts = (counts.map { ($0, false) } + [(maximumCount, true)]).lazy.map {
      Self.columns(of: sections, count: $0, isTight: $1)
    }
    let columns =
      layouts.first { ($0.map(\.count).max() ?? 0) <= availableRows }
      ?? Self.columns(of: sections, count: maximumCount, isTight: false)
    let pitch = (width + Self.gapBetweenColumns) / max(1, columns.count)
    return (0..<(columns.map(\.count).max() ?? 0)).map { number in
      var line = StyledText()
      for (column, lines) in columns.enumerated() where number < lines.count {
        line.append(String(repeating: " ", count: max(0, column * pitch - line.displayWidth)))
        append(lines[number], to: &line, keysWidth: keysWidth)
      }
      return StyledLine(line.runs)
    }
  }

  /// A line of a column.
  private enum Line {
    case heading(String)
    case row(Row)
    case blank
  }

  private struct Row {
    var key: String
    var action: String
  }

  private struct Section {
    var heading: String
    var rows: [Row]
  }

  private func append(_ line: Line, to text: inout StyledText, keysWidth: Int) {
    let theme = drawing.theme
    switch line {
    case .heading(let heading): text.append(heading, style: theme.bold(.strong))
    case .row(let row):
      text.append(row.key, style: theme[.key])
      text.append(String(repeating: " ", count: keysWidth + Self.gapAfterKey - row.key.displayWidth))
      text.append(row.action, style: theme[.foreground])
    case .blank: break
    }
  }

  /// Distributes the sections to columns of about equal height. A section may continue in the next column; a heading
  /// is never the last line of a column.
  ///
  /// - Parameter isTight: Whether blank lines between sections are omitted.
  private static func columns(of sections: [Section], count: Int, isTight: Bool) -> [[Line]] {
    let lineCount = sections.reduce(0) { $0 + $1.rows.count + (isTight ? 1 : 2) } - (isTight ? 0 : 1)
    let height = (lineCount + count - 1) / count
    var columns: [[Line]] = [[]]
    for section in sections {
      let space = height - columns[columns.count - 1].count
      if columns.count < count, space < 4 { columns.append([]) }
      if !isTight, !columns[columns.count - 1].isEmpty { columns[columns.count - 1].append(.blank) }
      columns[columns.count - 1].append(.heading(section.heading))
      for row in section.rows {
        if columns.count < count, columns[columns.count - 1].count >= height { columns.append([]) }
        columns[columns.count - 1].append(.row(row))
      }
    }
    return columns
  }

  /// The keys of the page below, the other keys by topic, and the commands without a key.
  private var sections: [Section] {
    let entries = commands.entriesOfPage.filter { $0.offer.label != nil }
    // Keys that work on every page are listed by topic.
    let isOfPage = { (entry: CommandPath.Entry) in
      entry.offer.label != "" && entry.row.command != .help && entry.row.command != .quit
    }
    // Those that only help lists come last.
    let ofPage = entries.filter(isOfPage)
    let hints =
      commands.hints(of: ofPage) { $0 < Offer.helpRank } + commands.hints(of: ofPage) { $0 >= Offer.helpRank }
    let topics = KeyRow.Topic.allCases.map { topic in
      Section(
        heading: topic.rawValue,
        rows: entries.filter { $0.row.topic == topic && !isOfPage($0) }.compactMap { entry in
          entry.keys.first.map { Row(key: $0.label(context.appearance.symbols), action: entry.row.sentence) }
        })
    }
    func key(of command: Command) -> String? {
      entries.first { $0.row.command == command }?.keys.first?.label(context.appearance.symbols)
    }
    let (palette, undo) = (key(of: .showPalette), key(of: .undo))
    let names = entries.filter(\.keys.isEmpty).map(\.row.name)
    let sections =
      [Section(heading: "This page", rows: hints.map { Row(key: $0.key, action: $0.explanation) })] + topics
      + [
        Section(
          heading: palette.map { "By name, after \($0)" } ?? "",
          rows: palette.map { key in names.map { Row(key: key, action: $0) } } ?? []),
        Section(
          heading: undo.map { "\($0) does not undo" } ?? "",
          rows: undo == nil
            ? [] : ["a checked quiz", "steps and positions", "settings"].map { Row(key: "", action: $0) }),
      ]
    return sections.filter { !$0.rows.isEmpty }
  }
}
