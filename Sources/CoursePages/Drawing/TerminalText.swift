import LearningModel
package import TextCanvas

extension StyledText {
  private static let tabStop = 8

  /// Creates the text that a program wrote to a terminal, with its colours.
  ///
  /// - Parameters:
  ///   - output: The output. A carriage return overwrites a line; other control sequences are removed.
  ///   - style: The style of text without colours.
  ///   - depth: The available colours.
  ///
  /// Source: ECMA-48, 8.3.117 SGR; ISO 8613-6 for `38` and `48`.
  package init(output: String, style: Style, depth: ColourDepth) {
    self.init()
    var pen = style
    let plain = ProgramOutput.plain(output, keepingColours: depth != .none)
    for (index, part) in plain.split(separator: "\u{1B}", omittingEmptySubsequences: false).enumerated() {
      guard index > 0, let end = part.firstIndex(of: "m") else {
        append(String(part), style: pen)
        continue
      }
      let numbers = part[..<end].dropFirst().split(omittingEmptySubsequences: false) { $0 == ";" || $0 == ":" }
      pen.apply(numbers.map { Int($0) ?? 0 }, over: style, depth: depth)
      append(String(part[part.index(after: end)...]), style: pen)
    }
    runs = withTabsExpanded
  }

  private var withTabsExpanded: [StyledRun] {
    var column = 0
    return runs.map { run in
      guard run.text.contains("\t") || run.text.contains("\n") || column > 0 else {
        column += run.text.displayWidth
        return run
      }
      var text = ""
      for character in run.text {
        let part =
          character == "\t" ? String(repeating: " ", count: Self.tabStop - column % Self.tabStop) : String(character)
        text += part
        column = character == "\n" ? 0 : column + part.displayWidth
      }
      return StyledRun(text, style: run.style)
    }
  }
}

extension Style {
  private static let switchedOn: [Int: Attributes] = [
    1: .bold, 2: .faint, 3: .italic, 4: .underline, 7: .reverse, 9: .strikethrough,
  ]

  /// Applies the parameters of an SGR sequence.
  fileprivate mutating func apply(_ parameters: [Int], over base: Style, depth: ColourDepth) {
    var numbers = parameters.makeIterator()
    while let number = numbers.next() {
      switch number {
      case 0: self = base
      case 22: attributes.subtract([.bold, .faint])
      case 23, 24, 27, 29: attributes.subtract(Self.switchedOn[number - 20] ?? [])
      case 30...37: foreground = .theme(number - 30, depth)
      case 38: foreground = .next(of: &numbers, depth)
      case 39: foreground = base.foreground
      case 40...47: background = .theme(number - 40, depth)
      case 48: background = .next(of: &numbers, depth)
      case 49: background = base.background
      case 90...97: foreground = .theme(number - 82, depth)
      case 100...107: background = .theme(number - 92, depth)
      default: attributes.formUnion(Self.switchedOn[number] ?? [])
      }
    }
  }
}

extension Colour {
  fileprivate static func theme(_ number: Int, _ depth: ColourDepth) -> Colour {
    .indexed(UInt8(clamping: number)).limited(to: depth)
  }

  /// Reads a colour from the parameters after 38 or 48.
  fileprivate static func next(of numbers: inout IndexingIterator<[Int]>, _ depth: ColourDepth) -> Colour {
    let kind = numbers.next()
    func next() -> UInt8 { UInt8(clamping: numbers.next() ?? 0) }
    let colour: Colour = kind == 5 ? .indexed(next()) : .rgb(next(), next(), next())
    return colour.limited(to: depth)
  }
}
