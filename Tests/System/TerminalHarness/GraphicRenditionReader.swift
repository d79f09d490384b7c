/// Parses lines of text with SGR sequences, which also affect the following lines.
///
/// Source: ECMA-48, 8.3.117 SGR; ISO 8613-6 for `38` and `48`. Other sequences and control strings, such as links, are
/// skipped.
struct GraphicRenditionReader {
  private var pen = ShownCell(" ")

  /// Returns the characters of a line with their styles. A combining mark is part of the preceding character.
  mutating func cells(of line: String) -> [ShownCell] {
    var cells: [ShownCell] = []
    var remaining = line.unicodeScalars[...]
    while let scalar = remaining.popFirst() {
      if scalar == "\u{1B}" {
        readSequence(&remaining)
      } else if joins(scalar), !cells.isEmpty {
        cells[cells.count - 1].text.unicodeScalars.append(scalar)
      } else {
        var cell = pen
        cell.text = String(Character(scalar))
        cells.append(cell)
      }
    }
    return cells
  }

  private func joins(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: true
    default: false
    }
  }

  private mutating func readSequence(_ remaining: inout Substring.UnicodeScalarView) {
    switch remaining.popFirst() {
    case "[":
      var parameters = ""
      while let scalar = remaining.popFirst() {
        if (0x40...0x7E).contains(scalar.value) {
          if scalar == "m" { apply(parameters) }
          return
        }
        parameters.unicodeScalars.append(scalar)
      }
    case "]":
      // A control string ends with BEL, or with ESC and another character.
      while let scalar = remaining.popFirst(), scalar != "\u{7}" {
        if scalar == "\u{1B}" {
          _ = remaining.popFirst()
          return
        }
      }
    default: return
    }
  }

  private mutating func apply(_ parameters: String) {
    var numbers = parameters.split(omittingEmptySubsequences: false) { $0 == ";" || $0 == ":" }.map { Int($0) ?? 0 }[
      ...]
    while let number = numbers.popFirst() {
      switch number {
      case 0: pen = ShownCell(" ")
      case 1: pen.isBold = true
      case 2: pen.isFaint = true
      case 3: pen.isItalic = true
      case 4: pen.underline = 1
      case 5: pen.isBlinking = true
      case 7: pen.isReversed = true
      case 9: pen.isStruck = true
      case 22: (pen.isBold, pen.isFaint) = (false, false)
      case 23: pen.isItalic = false
      case 24: pen.underline = 0
      case 25: pen.isBlinking = false
      case 27: pen.isReversed = false
      case 29: pen.isStruck = false
      case 30...37: pen.foreground = .indexed(number - 30)
      case 38: pen.foreground = colour(&numbers)
      case 39: pen.foreground = .default
      case 40...47: pen.background = .indexed(number - 40)
      case 48: pen.background = colour(&numbers)
      case 49: pen.background = .default
      case 90...97: pen.foreground = .indexed(number - 82)
      case 100...107: pen.background = .indexed(number - 92)
      default: break
      }
    }
  }

  private func colour(_ numbers: inout ArraySlice<Int>) -> ShownColour {
    let kind = numbers.popFirst()
    func next() -> Int { numbers.popFirst() ?? 0 }
    return kind == 5 ? .indexed(next()) : .rgb(next(), next(), next())
  }
}
