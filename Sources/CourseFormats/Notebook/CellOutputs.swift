import LearningModel

/// Selects the form of each output that is most readable in a terminal, for example an image, a table or plain text.
struct CellOutputs {
  let file: String
  let limits: SourceLimits
  /// The counts of outputs that could not be shown or were shortened.
  private(set) var findings = Findings()

  init(file: String, limits: SourceLimits) {
    self.file = file
    self.limits = limits
  }

  /// The form in which an output is shown, before it is shortened.
  enum Presentation: Equatable {
    /// Printed text, the plain text of a value, or an error message. The end of an error message is kept, because it
    /// is the most useful part.
    case text(String, keepsEnd: Bool = false)
    /// An image: its description, and a `data:` URL with its bytes. The URL is empty for unsupported types.
    case image(String, address: String = "")
    case table([Block])
    case html([Block])
    case markdown(String)
    case latex(String)
    /// An output that cannot be shown. The value describes it in the singular.
    case unsupported(String)
  }

  /// Returns the blocks for all outputs of a cell. Adjacent outputs to the same stream become one text.
  mutating func blocks(of outputs: [Notebook.Output]) -> [Block] {
    Self.joined(outputs).flatMap { blocks(of: presentation(of: $0)) }
  }

  /// Returns the outputs with adjacent outputs to the same stream joined.
  static func joined(_ outputs: [Notebook.Output]) -> [Notebook.Output] {
    var joined: [Notebook.Output] = []
    for output in outputs {
      if case .stream(let name, let more) = output, case .stream(name, var text) = joined.last {
        // The last output is replaced first, because appending to a text with two references would copy it.
        joined[joined.count - 1] = output
        text += more
        joined[joined.count - 1] = .stream(name: name, text: text)
      } else {
        joined.append(output)
      }
    }
    return joined
  }

  // MARK: Selecting a form

  /// Returns the form in which an output is shown.
  mutating func presentation(of output: Notebook.Output) -> Presentation {
    switch output {
    case .stream(_, let text): return .text(ProgramOutput.plain(text))
    case .error(let name, let message, let traceback):
      let last = [name, message].filter { !$0.isEmpty }.joined(separator: ": ")
      return .text(ProgramOutput.plain(traceback.isEmpty ? last : traceback), keepsEnd: true)
    case .value(let texts, let kinds): return presentation(of: texts, kinds)
    case .other(let kind): return .unsupported("output of the kind \(quoted: kind)")
    }
  }

  private mutating func presentation(of texts: [String: String], _ kinds: Set<String>) -> Presentation {
    let plain = texts["text/plain"].map { ProgramOutput.plain($0) }
    if kinds.contains(where: { $0.hasPrefix("image/") }) {
      let kind = Notebook.Output.imageTypes.first { texts[$0] != nil }
      return .image(
        Self.description(plain ?? ""), address: kind.map { Notebook.Output.address(of: texts[$0]!, kind: $0) } ?? "")
    }
    // The default description of an object is shown only if there is no better form.
    let words = plain.flatMap { Self.isBareName($0) ? nil : $0 }
    if let html = texts["text/html"], words == nil || html.contains("<table") {
      // If the HTML is nested too deeply or has a table that is too wide, the plain text is shown.
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
    let kind = kinds.subtracting(Notebook.Output.readTypes).min() ?? ""
    return .unsupported(kind.isEmpty ? "empty output" : "output of the kind \(quoted: kind.onOneLine.prefix(60))")
  }

  /// Returns whether a text is only the default description of an object, such as
  /// `<IPython.core.display.HTML object>` or `<Figure size 640x480 with 1 Axes>`.
  private static func isBareName(_ text: String) -> Bool {
    let name = text[...].trimmingBlanks
    return name.hasPrefix("<") && name.hasSuffix(">") && !name.contains("\n")
      && (name.contains(" object") || name.contains(" at 0x") || name.hasPrefix("<Figure "))
  }

  /// Returns the description of an image, made from the plain text of the value. If the plain text is only the default
  /// description of an object, returns "Picture".
  private static func description(_ plain: String) -> String {
    let name = plain.onOneLine
    guard name.hasPrefix("<"), name.hasSuffix(">"), !name.contains(" object"), !name.contains(" at 0x") else {
      return name.isEmpty || name.hasPrefix("<") ? "Picture" : String(name.prefix(200))
    }
    return String(name.dropFirst().dropLast())
  }

  /// Returns whether the blocks contain tables and all of them are small enough to read.
  private static func isReadable(_ blocks: [Block]) -> Bool {
    var found = false
    for case .table(let alignments, _, let rows) in blocks {
      guard alignments.count <= 16, rows.count <= 100 else { return false }
      found = true
    }
    return found
  }

  // MARK: Blocks

  /// The maximum number of lines of an output that is shown completely.
  private static let maximumLines = 100
  private static let maximumBytes = 8 << 10

  private mutating func blocks(of form: Presentation) -> [Block] {
    switch form {
    case .text(let text, let keepsEnd):
      let text = text.trimmingLastNewline
      if text.allSatisfy(\.isWhitespace) {
        findings.countLoss("empty output", "left out")
        return []
      }
      return shortened(text, keepsEnd: keepsEnd)
    case .image(let words, let address):
      findings.countLostImage(words)
      return [.paragraph([.image(source: address, alternative: words)])]
    case .table(let blocks), .html(let blocks): return blocks
    case .markdown(let text):
      let parsed = try? MarkdownText.parse(MarkdownMathematics.withFormulaMarkup(in: text), file: file, limits: limits)
      if let parsed { findings.add(parsed.findings) }
      return parsed?.blocks.map(\.block) ?? shortened(ProgramOutput.plain(text), keepsEnd: false)
    case .latex(let text): return [.code(language: "latex", text: ProgramOutput.plain(text).trimmingLastNewline)]
    case .unsupported(let what):
      findings.countLoss(what, "left out")
      return []
    }
  }

  private mutating func shortened(_ text: String, keepsEnd: Bool) -> [Block] {
    guard
      let cut = ProgramOutput.shortened(text, lines: Self.maximumLines, bytes: Self.maximumBytes, keepsEnd: keepsEnd)
    else {
      return [.code(language: nil, text: text)]
    }
    findings.countLoss("long output", keepsEnd ? "shown as its end" : "shown as its beginning")
    let rest = Block.paragraph([.emphasis([.text(NotebookText.omittedLinesText("output", cut.lines))])])
    let shown = Block.code(language: nil, text: cut.text)
    return keepsEnd ? [rest, shown] : [shown, rest]
  }
}
