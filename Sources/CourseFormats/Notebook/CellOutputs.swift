import LearningModel

/// Chooses of each output the form that reads best in a terminal: a picture, a table, plain text.
struct CellOutputs {
  let file: String
  let limits: SourceLimits
  /// What could not be shown.
  private(set) var findings = Findings()

  init(file: String, limits: SourceLimits) {
    self.file = file
    self.limits = limits
  }

  /// The form of an output that is shown, before it is cut.
  enum Form: Equatable {
    /// What was printed, a value's plain text, or what went wrong, whose end is the best of it.
    case text(String, keepsEnd: Bool = false)
    /// A picture: what is said of it, and an address that holds it, where it is of a kind that is kept.
    case picture(String, address: String = "")
    case table([Block])
    case html([Block])
    case markdown(String)
    case latex(String)
    /// It cannot be shown; what it is, in the singular.
    case lost(String)
  }

  /// The blocks that all outputs of a cell make. What was printed to one place in several pieces is one text.
  mutating func blocks(of outputs: [Notebook.Output]) -> [Block] {
    Self.joined(outputs).flatMap { blocks(of: form(of: $0)) }
  }

  /// The outputs with neighbouring pieces of one stream joined.
  static func joined(_ outputs: [Notebook.Output]) -> [Notebook.Output] {
    var joined: [Notebook.Output] = []
    for output in outputs {
      if case .stream(let name, let more) = output, case .stream(name, let text) = joined.last {
        joined[joined.count - 1] = .stream(name: name, text: text + more)
      } else {
        joined.append(output)
      }
    }
    return joined
  }

  // MARK: Choosing

  /// The form of an output that is shown.
  mutating func form(of output: Notebook.Output) -> Form {
    switch output {
    case .stream(_, let text): return .text(ProgramText.plain(text))
    case .error(let name, let message, let traceback):
      let last = [name, message].filter { !$0.isEmpty }.joined(separator: ": ")
      return .text(ProgramText.plain(traceback.isEmpty ? last : traceback), keepsEnd: true)
    case .value(let texts, let kinds): return form(of: texts, kinds)
    case .other(let kind): return .lost("output of the kind '\(kind)'")
    }
  }

  private mutating func form(of texts: [String: String], _ kinds: Set<String>) -> Form {
    let plain = texts["text/plain"].map(ProgramText.plain)
    if kinds.contains(where: { $0.hasPrefix("image/") }) {
      let kind = Notebook.Output.pictureKinds.first { texts[$0] != nil }
      return .picture(
        Self.description(plain ?? ""), address: kind.map { Notebook.Output.address(of: texts[$0]!, kind: $0) } ?? "")
    }
    // What stands for an object without words of its own says nothing.
    let words = plain.flatMap { Self.isBareName($0) ? nil : $0 }
    if let html = texts["text/html"], words == nil || html.contains("<table") {
      // Where it is nested too deeply or is too wide, its plain form is the better one.
      let parsed = (try? HTMLText.parse(html, file: file, limits: limits)) ?? ParsedText()
      let blocks = parsed.blocks.map(\.block)
      let hasTable = Self.isReadable(blocks)
      if hasTable || words == nil && !blocks.isEmpty {
        findings.add(parsed.findings)
        return hasTable ? .table(blocks) : .html(blocks)
      }
    }
    if let words { return .text(words) }
    if let markdown = texts["text/markdown"] { return .markdown(markdown) }
    if let latex = texts["text/latex"] { return .latex(latex) }
    if let plain { return .text(plain) }
    let kind = kinds.subtracting(Notebook.Output.readKinds).min() ?? ""
    return .lost(kind.isEmpty ? "empty output" : "output of the kind '\(kind.onOneLine.prefix(60))'")
  }

  /// Whether a text is only the name of an object: `<IPython.core.display.HTML object>`, `<Figure size 640x480 with 1 Axes>`.
  private static func isBareName(_ text: String) -> Bool {
    let name = text[...].trimmingBlanks
    return name.hasPrefix("<") && name.hasSuffix(">") && !name.contains("\n")
      && (name.contains(" object") || name.contains(" at 0x") || name.hasPrefix("<Figure "))
  }

  /// What is said of a picture: the name of the figure that made it.
  private static func description(_ plain: String) -> String {
    let name = plain.onOneLine
    guard name.hasPrefix("<"), name.hasSuffix(">"), !name.contains(" object"), !name.contains(" at 0x") else {
      return name.isEmpty || name.hasPrefix("<") ? "Picture" : String(name.prefix(200))
    }
    return String(name.dropFirst().dropLast())
  }

  /// Whether there is a table in it that is not too large to be read.
  private static func isReadable(_ blocks: [Block]) -> Bool {
    var found = false
    for case .table(let alignments, _, let rows) in blocks {
      guard alignments.count <= 16, rows.count <= 100 else { return false }
      found = true
    }
    return found
  }

  // MARK: Showing

  /// Up to this much of an output is shown.
  private static let mostLines = 100
  private static let mostBytes = 8 << 10

  private mutating func blocks(of form: Form) -> [Block] {
    switch form {
    case .text(let text, let keepsEnd):
      let text = text.trimmingLastNewline
      if text.allSatisfy(\.isWhitespace) {
        findings.lose("empty output", "left out")
        return []
      }
      return shortened(text, keepsEnd: keepsEnd)
    case .picture(let words, let address):
      findings.losePicture(words)
      return [.paragraph([.image(source: address, alternative: words)])]
    case .table(let blocks), .html(let blocks): return blocks
    case .markdown(let text):
      let parsed = try? MarkdownText.parse(MarkdownMathematics.marked(in: text), file: file, limits: limits)
      if let parsed { findings.add(parsed.findings) }
      return parsed?.blocks.map(\.block) ?? shortened(ProgramText.plain(text), keepsEnd: false)
    case .latex(let text): return [.code(language: "latex", text: ProgramText.plain(text).trimmingLastNewline)]
    case .lost(let what):
      findings.lose(what, "left out")
      return []
    }
  }

  private mutating func shortened(_ text: String, keepsEnd: Bool) -> [Block] {
    guard let cut = ProgramText.cut(text, lines: Self.mostLines, bytes: Self.mostBytes, keepsEnd: keepsEnd) else {
      return [.code(language: nil, text: text)]
    }
    findings.lose("long output", keepsEnd ? "its end is shown" : "its beginning is shown")
    let rest = Block.paragraph([.emphasis([.text(NotebookText.rest("output", cut.lines))])])
    let shown = Block.code(language: nil, text: cut.text)
    return keepsEnd ? [rest, shown] : [shown, rest]
  }
}

/// What a program wrote for a terminal, as it is read afterwards.
enum ProgramText {
  /// The text without escape sequences, and with what overwrites a line in that line's place: of a bar of progress only
  /// its last state is left.
  ///
  /// Source: ECMA-48, 5.4 and 8.3.89; carriage return and backspace as Jupyter shows them.
  static func plain(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x1B || $0 == 0x0D || $0 == 0x08 }) else { return text.withoutControls }
    let bytes = Array(text.utf8)
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var lineStart = 0
    var overwrites = false
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case 0x1B: skipEscape(bytes, &index)
      case 0x0D: overwrites = true
      case 0x08:
        // A letter may be several bytes.
        while plain.count > lineStart, plain.removeLast() & 0xC0 == 0x80 {}
      case 0x0A:
        plain.append(byte)
        lineStart = plain.count
        overwrites = false
      default:
        if overwrites { plain.removeSubrange(lineStart...) }
        overwrites = false
        plain.append(byte)
      }
    }
    return String(decoding: plain, as: UTF8.self).withoutControls
  }

  private static func skipEscape(_ bytes: [UInt8], _ index: inout Int) {
    guard index < bytes.count else { return }
    let kind = bytes[index]
    index += 1
    switch kind {
    case UInt8(ascii: "["):
      while index < bytes.count, (0x20...0x3F).contains(bytes[index]) { index += 1 }
      if index < bytes.count, (0x40...0x7E).contains(bytes[index]) { index += 1 }
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"):
      // A string, which a bell or `ESC \` ends; at the latest its line does.
      while index < bytes.count, bytes[index] != 0x07, bytes[index] != 0x1B, bytes[index] != 0x0A { index += 1 }
      if index < bytes.count, bytes[index] == 0x07 { index += 1 }
    case 0x20...0x2F:
      // One letter more, as in the choice of a set of letters.
      if index < bytes.count, bytes[index] >= 0x20 { index += 1 }
    default: break
    }
  }

  /// The beginning of a text that is too long to be read, or its end.
  ///
  /// - Returns: What is left of it, and how many lines and letters of a cut line it is without; `nil` where it is short
  ///   enough.
  static func cut(_ text: String, lines most: Int, bytes size: Int, keepsEnd: Bool = false) -> (
    text: String, lines: Int
  )? {
    let all = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard all.count > most || text.utf8.count > size else { return nil }
    var kept: [Substring] = []
    var room = size
    for line in keepsEnd ? Array(all.suffix(most).reversed()) : Array(all.prefix(most)) {
      guard line.utf8.count <= room else {
        // Of a line that is too long by itself, a piece.
        if kept.isEmpty { kept.append(keepsEnd ? line.suffix(size / 4) : line.prefix(size / 4)) }
        break
      }
      kept.append(line)
      room -= line.utf8.count + 1
    }
    return ((keepsEnd ? kept.reversed() : kept).joined(separator: "\n"), all.count - kept.count)
  }
}
