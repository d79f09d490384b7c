/// Keeps formulas in a cell from being read as Markdown: `_` and `\\` mean something else between dollars.
///
/// A formula on lines of its own becomes a block of LaTeX, one between words stays as it is written.
///
/// Source: Jupyter, "Markdown cells", "LaTeX equations".
struct CellMathematics {
  private let bytes: [UInt8]
  private var written: [UInt8] = []
  private var position = 0
  /// Where the open line begins in what is written.
  private var lineStart = 0
  /// Ends of formulas that the paragraph does not have.
  private var absent: Set<String> = []

  /// A cell's text with its formulas kept.
  static func kept(in text: String) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "\\") }) else { return text }
    var reading = CellMathematics(text)
    reading.read()
    return String(decoding: reading.written, as: UTF8.self)
  }

  private init(_ text: String) {
    bytes = Array(text.utf8)
    written.reserveCapacity(bytes.count + bytes.count / 8)
  }

  private mutating func read() {
    while position < bytes.count {
      if written.count == lineStart, copyFence() { continue }
      switch bytes[position] {
      case UInt8(ascii: "`"): copyCode()
      case UInt8(ascii: "$"):
        let mark = byte(1) == UInt8(ascii: "$") ? "$$" : "$"
        if !readFormula(from: mark, to: mark, isKept: false) { copy(mark.utf8.count) }
      case UInt8(ascii: "\\"):
        if let name = environment, readFormula(from: "\\begin{\(name)}", to: "\\end{\(name)}", isKept: true) {
          continue
        }
        copy(2)
      default: copy(1)
      }
    }
  }

  private func byte(_ ahead: Int) -> UInt8? {
    position + ahead < bytes.count ? bytes[position + ahead] : nil
  }

  private mutating func copy(_ count: Int) {
    for byte in bytes[position..<min(bytes.count, position + count)] {
      written.append(byte)
      if byte == 0x0A {
        if written[lineStart...].allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0A }) { absent = [] }
        lineStart = written.count
      }
    }
    position = min(bytes.count, position + count)
  }

  // MARK: Program text

  /// Copies a fenced block whole, where one begins.
  private mutating func copyFence() -> Bool {
    var start = position
    while start < bytes.count, [0x20, 0x09, UInt8(ascii: ">")].contains(bytes[start]) { start += 1 }
    guard start < bytes.count, [UInt8(ascii: "`"), UInt8(ascii: "~")].contains(bytes[start]) else { return false }
    let mark = bytes[start]
    let count = bytes[start...].prefix { $0 == mark }.count
    let line = bytes[start...].prefix { $0 != 0x0A }
    guard count >= 3, mark == UInt8(ascii: "~") || !line.dropFirst(count).contains(mark) else { return false }
    var end = line.endIndex
    while end < bytes.count {
      let next = bytes[(end + 1)...].prefix { $0 != 0x0A }
      let bare = next.drop { [0x20, 0x09, UInt8(ascii: ">")].contains($0) }
      end = next.endIndex
      if bare.prefix(while: { $0 == mark }).count >= count, bare.allSatisfy({ $0 == mark || $0 == 0x20 }) { break }
    }
    copy(end - position)
    return true
  }

  private mutating func copyCode() {
    let count = bytes[position...].prefix { $0 == UInt8(ascii: "`") }.count
    var index = position + count
    while index < bytes.count {
      let run = bytes[index...].prefix { $0 == UInt8(ascii: "`") }.count
      if run == count { return copy(index + run - position) }
      if bytes[index] == 0x0A, index + 1 < bytes.count, bytes[index + 1] == 0x0A { break }
      index += max(1, run)
    }
    copy(count)
  }

  // MARK: Formulas

  /// The environment that begins here.
  private var environment: String? {
    let begin = Array("\\begin{".utf8)
    guard bytes[position...].starts(with: begin) else { return nil }
    let name = bytes[(position + begin.count)...].prefix(16).prefix { $0 != UInt8(ascii: "}") }
    let word = String(decoding: name, as: UTF8.self)
    return Self.environments.contains(word.hasSuffix("*") ? String(word.dropLast()) : word) ? word : nil
  }

  private static let environments: Set<String> = [
    "equation", "align", "aligned", "gather", "multline", "eqnarray", "alignat", "split", "cases", "array", "matrix",
    "pmatrix", "bmatrix", "vmatrix", "Vmatrix", "smallmatrix",
  ]

  private mutating func readFormula(from begin: String, to end: String, isKept: Bool) -> Bool {
    guard !absent.contains(end) else { return false }
    let close: Int
    switch find(Array(end.utf8), from: position + begin.utf8.count) {
    case .at(let place): close = place
    case .behindCode: return false
    case .absent:
      absent.insert(end)
      return false
    }
    let stop = close + end.utf8.count
    let inside = String(decoding: bytes[position + begin.utf8.count..<close], as: UTF8.self)
    guard inside.contains(where: { !$0.isWhitespace }) else { return false }
    let whole = String(decoding: bytes[position..<stop], as: UTF8.self)
    let indent = written[lineStart...]
    let isAlone =
      indent.allSatisfy { $0 == 0x20 || $0 == 0x09 } && endsLine(at: stop) && (begin != "$" || inside.contains("\n"))
      && !inside.contains("```")
    position = stop
    if isAlone {
      writeBlock(isKept ? whole : inside, indent: String(decoding: indent, as: UTF8.self))
    } else {
      writeLine(whole)
    }
    return true
  }

  private enum Ending {
    case at(Int)
    /// Program text between back-ticks stands before it, and is no formula.
    case behindCode
    case absent
  }

  /// Where a formula ends: in the same paragraph, and not where the mark is escaped.
  private func find(_ end: [UInt8], from start: Int) -> Ending {
    var index = start
    var isBlank = false
    while index + end.count <= bytes.count {
      if bytes[index] == end[0], bytes[index...].starts(with: end) { return .at(index) }
      if bytes[index] == UInt8(ascii: "`"), end.count == 1 { return .behindCode }
      if bytes[index] == 0x0A {
        if isBlank { return .absent }
        isBlank = true
      } else if bytes[index] != 0x20, bytes[index] != 0x09, bytes[index] != 0x0D {
        isBlank = false
      }
      index += bytes[index] == UInt8(ascii: "\\") && end[0] == UInt8(ascii: "$") ? 2 : 1
    }
    return .absent
  }

  private func endsLine(at start: Int) -> Bool {
    var index = start
    while index < bytes.count, [0x20, 0x09, 0x0D].contains(bytes[index]) { index += 1 }
    return index == bytes.count || bytes[index] == 0x0A
  }

  private mutating func writeBlock(_ formula: String, indent: String) {
    written.removeSubrange(lineStart...)
    let lines = formula.split(separator: "\n").filter { $0.contains { !$0.isWhitespace } }
    let block = ["", indent + "```latex"] + lines.map { indent + $0.trimmingBlanks } + [indent + "```", ""]
    written += (block.joined(separator: "\n")).utf8
    lineStart = written.count
  }

  /// Writes words that Markdown reads as they are.
  private mutating func writeLine(_ formula: String) {
    for byte in formula.utf8 {
      switch byte {
      case 0x0A, 0x0D: written.append(0x20)
      case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: written += [UInt8(ascii: "\\"), byte]
      default: written.append(byte)
      }
    }
  }
}
