import LearningModel

/// The text of a document, in which files of the source are inserted before the document is converted. The programs that
/// convert documents cannot read other files.
///
/// Sources: Asciidoctor, "Includes"; Antora, "Resource IDs"; LaTeX2e, `\include`, `\input`; docutils, "include";
/// Sphinx, "literalinclude".
struct DocumentText {
  let source: CourseSource
  let path: String
  let format: ForeignFormat
  private(set) var text: String
  /// The files that are inserted.
  private(set) var included: Set<String> = []
  /// The documents that are included but remain pages of their own, in order. Parts of LaTeX precede their chapters.
  private(set) var chapters: [Chapter] = []
  private(set) var findings = Findings()
  /// The limit that the includes exceed, or `nil`.
  private(set) var error: CourseFormatError?
  /// The files that macros of the preamble include, by the name of the macro. `#1` represents its first argument.
  private var includeMacros: [Substring: [String]] = [:]

  enum Chapter: Equatable {
    case part(String)
    case page(String)

    /// The path of a page, or `nil` for a part.
    var page: String? { if case .page(let path) = self { path } else { nil } }
  }

  /// Returns `nil` if files are not inserted into documents of that format, or if the document is not text.
  ///
  /// - Parameter main: The folder of the main document, to which LaTeX's paths are relative.
  init?(_ bytes: [UInt8], of path: String, in source: CourseSource, main: String = "") {
    guard let format = ForeignFormat.named(path), [.asciiDoc, .latex, .reStructuredText].contains(format),
      let text = try? TextDecoding.decode(bytes, file: path)
    else { return nil }
    (self.source, self.path, self.format, self.text) = (source, path, format, "")
    source.includedBytes.allow(page: bytes.count, limits: source.limits)
    var stack = IncludeStack(page: path, limits: source.limits, total: source.includedBytes)
    self.text = expanded(text, of: path, main: main, &stack)
    error = stack.error
    guard format == .latex, chapters.contains(where: { $0.page != nil }) else { return }
    // The parts are groups of the chapters.
    let lines = self.text.split(separator: "\n", omittingEmptySubsequences: false)
    self.text = lines.filter { Self.argument(of: "\\part", in: $0) == nil }.joined(separator: "\n")
  }

  // MARK: - Includes

  private mutating func expanded(
    _ text: String, of file: String, main: String, _ stack: inout IncludeStack
  ) -> String {
    var result: [String] = []
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while let line = lines.popFirst() {
      if format == .latex {
        recordMacro(line, lines)
        if let files = files(ofMacroIn: line) {
          let found = files.filter { target(of: $0, from: file, main: main) != nil }
          lines = (found.map { "\\include{\($0)}" } + lines)[...]
          continue
        }
      }
      guard var include = Include(line, format) else {
        if format == .latex, let title = Self.argument(of: "\\part", in: line) { chapters.append(.part(title)) }
        result.append(adapted(line, of: file))
        continue
      }
      if format == .reStructuredText {
        while let option = lines.first, option.first == " " || option.first == "\t", option.trimmingBlanks.first == ":"
        {
          include.add(option: lines.removeFirst().trimmingBlanks)
        }
      }
      guard let target = target(of: include.target, from: file, main: main), target != path,
        let bytes = try? source.bytes(of: target), let inner = try? TextDecoding.decode(bytes, file: target)
      else {
        result += include.lines
        continue
      }
      if !include.isCode, PageKind.document.isPage(target), Self.isPage(inner, ForeignFormat.named(target)) {
        chapters.append(.page(target))
        let lines = inner.split(separator: "\n", omittingEmptySubsequences: false)
        if format == .latex { for index in lines.indices { recordMacro(lines[index], lines[(index + 1)...]) } }
        continue
      }
      let chosen = include.chosenLines(of: inner).joined(separator: "\n")
      guard stack.open(target, size: chosen.utf8.count, &findings) else { continue }
      included.insert(target)
      result += include.inserted(include.isCode ? chosen : expanded(chosen, of: target, main: main, &stack))
      stack.close()
    }
    return result.joined(separator: "\n")
  }

  /// Returns a line in a form that the program that converts it supports. pandoc does not know the domains of roles.
  ///
  /// Source: Sphinx, "Domains" (``:py:func:`open` ``).
  private func adapted(_ line: Substring, of file: String) -> String {
    switch format {
    case .asciiDoc: AntoraFile(file).adapted(line, in: source)
    case .reStructuredText where line.contains(":`"): String(line.replacing(/:[a-z]+(:[a-z]+:`)/) { $0.1 })
    default: String(line)
    }
  }

  /// Records a macro whose definition begins in a line and that includes files, such as
  /// `\newcommand{\part}[1]{\include{parts/#1}}`.
  private mutating func recordMacro(_ line: Substring, _ rest: ArraySlice<Substring>) {
    guard let command = line.firstRange(of: "\\newcommand") else { return }
    let name = line[command.upperBound...].drop { "{*".contains($0) }
    guard name.first == "\\" else { return }
    var (depth, targets) = (0, [String]())
    for part in [line] + rest.prefix(20) {
      targets += ["\\include", "\\input"].compactMap { Self.argument(of: $0, in: part) }.filter { $0.contains("#") }
      depth += part.count { $0 == "{" } - part.count { $0 == "}" }
      if depth <= 0 { break }
    }
    if !targets.isEmpty { includeMacros[name.dropFirst().prefix(while: \.isLetter)] = targets }
  }

  /// Returns the files that a macro includes with which a line begins, or `nil` for other lines.
  private func files(ofMacroIn line: Substring) -> [String]? {
    guard !includeMacros.isEmpty, case let bare = line.trimmingBlanks, bare.first == "\\",
      case let name = bare.dropFirst().prefix(while: \.isLetter), let files = includeMacros[name]
    else { return nil }
    let arguments = bare[name.endIndex...].split(separator: "{").map { $0.prefix { $0 != "}" } }
    return files.map { file in
      zip(1..., arguments).reduce(file) { $0.replacing("#\($1.0)", with: String($1.1)) }
    }
  }

  private func target(of name: String, from file: String, main: String) -> String? {
    if format == .asciiDoc, let path = AntoraFile(file).path(of: name, family: nil, in: source) { return path }
    let folders = format == .latex ? [main, SourcePath.folder(of: file)] : [SourcePath.folder(of: file)]
    return folders.lazy.compactMap { SourcePath.resolve(name.drop { $0 == "/" }, in: name.hasPrefix("/") ? "" : $0) }
      .flatMap { [$0, $0 + ".tex"] }.first { source.hasFile($0) }
  }

  /// Returns whether a document is a page of its own: it begins with a heading, or contains a chapter or a section of
  /// LaTeX.
  private static func isPage(_ text: String, _ format: ForeignFormat?) -> Bool {
    guard format == .asciiDoc else {
      return format == .latex
        && ["\\chapter", "\\section"].contains { name in
          text.contains(name + "{") || text.contains(name + "*{") || text.contains(name + "[")
        }
    }
    let first = text.split(separator: "\n").lazy.map(\.trimmingBlanks).first { line in
      !line.isEmpty && !line.hasPrefix("//") && !line.hasPrefix("[")
        && !(line.first == ":" && line.dropFirst().contains(":"))
        && !line.hasPrefix("ifdef::") && !line.hasPrefix("endif::")
    }
    return first?.drop { $0 == "=" || $0 == "#" }.first == " " && "=#".contains(first?.first ?? " ")
  }

  /// Returns the first argument of a command of LaTeX in a line, unless it is in a comment.
  static func argument(of command: String, in line: Substring) -> String? {
    guard let found = line.firstRange(of: command), !line[..<found.lowerBound].contains("%") else { return nil }
    let rest = line[found.upperBound...].drop { $0 == "*" || $0 == " " }
    guard rest.first == "{", let end = rest.firstIndex(of: "}") else { return nil }
    return String(rest[..<end].dropFirst().trimmingBlanks)
  }

  // MARK: - The main document

  /// The part of a main document that its pages need too: the attributes of AsciiDoc, or the macros of LaTeX.
  var preamble: String {
    switch format {
    case .asciiDoc:
      return text.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
        .filter { $0.first == ":" && $0.dropFirst().contains(":") }.joined(separator: "\n")
    case .latex:
      let head = text.firstRange(of: "\\begin{document}").map { String(text[..<$0.lowerBound]) } ?? ""
      return LaTeXMacros.definitions(in: head)
    default: return ""
    }
  }

  /// The labels before the first heading of a document of reStructuredText.
  ///
  /// Source: docutils, "Hyperlink Targets".
  var titleLabels: [String] {
    guard format == .reStructuredText else { return [] }
    let lines = text.split(separator: "\n").lazy.map(\.trimmingBlanks).filter { !$0.isEmpty }
    return lines.prefix { $0.hasPrefix("..") || $0.hasPrefix(":") }.compactMap { line in
      guard line.hasPrefix(".. _"), line.last == ":" else { return nil }
      let name = line.dropFirst(4).dropLast().filter { $0 != "`" }
      return name.contains { "<>\"&".contains($0) } ? nil : name.lowercased()
    }
  }

  /// The title of a main document.
  var title: String? {
    if format == .latex {
      guard let start = text.firstRange(of: "\\title{") else { return nil }
      var depth = 1
      let written = text[start.upperBound...].prefix { character in
        depth += character == "{" ? 1 : character == "}" ? -1 : 0
        return depth > 0
      }
      let words = (written.firstRange(of: "\\\\").map { written[..<$0.lowerBound] } ?? written)
        .replacing(/%.*|\\(vspace|hspace|thanks|footnote)\*?\{[^}]*\}?/, with: "")
        .replacing(/\\[a-zA-Z]+\*?|[{}]/, with: "").replacing("~", with: " ")
      return String(words).onOneLine.isEmpty ? nil : String(words).onOneLine
    }
    return text.split(separator: "\n").first { $0.hasPrefix("= ") }.map { String($0.dropFirst(2)).onOneLine }
  }

  /// Whether the text begins or ends a document of LaTeX, or has a title of AsciiDoc.
  var isMain: Bool { format == .latex ? text.contains("\\begin{document}") : true }
}

/// A directive that inserts a file.
private struct Include {
  private(set) var target = ""
  /// Whether the file is shown as code.
  private(set) var isCode = false
  private var options: [(name: String, value: String)] = []
  private let directive: String
  /// The table or the code block of reStructuredText for which the file is inserted, with its indentation.
  private var block: String?
  private var indentation = ""

  init?(_ line: Substring, _ format: ForeignFormat) {
    directive = String(line)
    switch format {
    case .asciiDoc:
      guard line.hasPrefix("include::"), let open = line.firstIndex(of: "["), let end = line.lastIndex(of: "]"),
        open < end
      else { return nil }
      target = String(line[..<open].dropFirst("include::".count))
      for option in line[line.index(after: open)..<end].split(separator: ",") {
        let pair = option.split(separator: "=", maxSplits: 1)
        if pair.count == 2 { options.append((String(pair[0].trimmingBlanks), pair[1].filter { $0 != "\"" })) }
      }
    case .latex:
      let names = ["\\input", "\\include", "\\subfile"].lazy.compactMap { DocumentText.argument(of: $0, in: line) }
      guard let name = names.first else { return nil }
      target = name
    default:
      let words = line.trimmingBlanks
      guard words.hasPrefix(".. "), let colons = words.firstRange(of: "::") else { return nil }
      indentation = String(line.prefix { $0 == " " || $0 == "\t" })
      let argument = String(words[colons.upperBound...].trimmingBlanks)
      switch words[..<colons.lowerBound].dropFirst(3) {
      case "include": target = argument
      case "literalinclude": (target, isCode, block) = (argument, true, ".. code-block:: ")
      case "csv-table": (isCode, block) = (true, String(words))
      default: return nil
      }
    }
  }

  /// Adds an option of reStructuredText, such as `:lines: 2-3`.
  mutating func add(option: Substring) {
    let parts = option.split(separator: ":", maxSplits: 1)
    guard let name = parts.first else { return }
    let value = parts.count > 1 ? String(parts[1].trimmingBlanks) : ""
    switch name {
    case "file": target = value
    case "language": block? += value
    default: options.append((String(name), value))
    }
  }

  /// The lines of the directive if no file is inserted.
  var lines: [String] { [directive] + (indentation.isEmpty && block == nil ? [] : optionLines) }

  private var optionLines: [String] { options.map { "\(indentation)   :\($0.name): \($0.value)" } }

  /// Returns the lines that replace the directive.
  func inserted(_ text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let block else { return lines.map { indentation + $0 } }
    let kept = block.hasPrefix(".. csv-table") ? optionLines : []
    return [indentation + block] + kept + [""] + lines.map { indentation + "   " + $0 } + [""]
  }

  /// Returns the lines of a file that the options choose.
  func chosenLines(of text: String) -> [Substring] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (name, value) in options {
      switch name {
      case "lines": lines = Self.lines(lines, in: value)
      case "tag", "tags":
        let names = value.split { ",;".contains($0) }
        lines = names.flatMap { name -> [Substring] in
          let start = lines.firstIndex { $0.contains("tag::\(name)[]") }.map { $0 + 1 } ?? 0
          return Array(lines[start...].prefix { !$0.contains("end::\(name)[]") })
        }
      case "start-after": lines = Array(lines.drop { !$0.contains(value) }.dropFirst())
      case "end-before": lines = Array(lines.prefix { !$0.contains(value) })
      default: continue
      }
    }
    return lines.filter { !$0.contains("tag::") && !$0.contains("end::") || !$0.hasSuffix("[]") }
  }

  /// Returns the lines of ranges such as `2..3;5` or `2-3,5`. A range without an end includes all further lines.
  private static func lines(_ lines: [Substring], in ranges: String) -> [Substring] {
    ranges.split { ",; ".contains($0) }.flatMap { range -> ArraySlice<Substring> in
      let ends = range.split(omittingEmptySubsequences: false) { ".-".contains($0) }
      guard let first = ends.first.flatMap({ Int($0) }), first > 0 else { return [] }
      let last = ends.count == 1 ? first : Int(ends.last ?? "") ?? lines.count
      return lines.dropFirst(first - 1).prefix(max(0, last - first + 1))
    }
  }
}

/// A file of a component of Antora: `modules/<module>/<family>/<path>`.
struct AntoraFile {
  private let modules: Substring?
  private let module: Substring
  /// Whether the file belongs to a component, but is not a page: a part of pages, or the navigation.
  let isPart: Bool

  init(_ file: String) {
    let inside = file.hasPrefix("modules/") ? file[...].firstRange(of: "modules/") : file.ranges(of: "/modules/").last
    modules = inside.map { file[..<$0.upperBound].dropLast() }
    let names = inside.map { file[$0.upperBound...].split(separator: "/") } ?? []
    module = names.first ?? ""
    isPart = names.count > 1 && (names[1] != "pages" || names.contains { $0.hasPrefix("_") })
  }

  /// Returns the path of a resource, or `nil` if it is missing or if the file does not belong to a component.
  ///
  /// - Parameters:
  ///   - identifier: The version, the component, the module and the family, which may all be missing, and the path.
  ///   - family: The family if the identifier has none. If `nil`, such an identifier is a path.
  func path(of identifier: String, family: String?, in source: CourseSource) -> String? {
    guard let modules else { return nil }
    let parts = identifier.drop { $0 != "@" }.isEmpty ? identifier[...] : identifier[...].drop { $0 != "@" }.dropFirst()
    let names = parts.split(separator: ":", omittingEmptySubsequences: false)
    let pair = names.last?.split(separator: "$", maxSplits: 1) ?? []
    guard let path = pair.last, let family = pair.count > 1 ? String(pair[0]) : family else { return nil }
    let module = names.count > 1 && !names[names.count - 2].isEmpty ? names[names.count - 2] : module
    return ["\(family)s", "assets/\(family)s"].lazy.compactMap {
      SourcePath.resolve("\(module)/\($0)/\(path)", in: String(modules))
    }.first(where: source.hasFile)
  }

  /// Returns a line in which references to other files are paths from the top of the source.
  func adapted(_ line: Substring, in source: CourseSource) -> String {
    guard modules != nil else { return String(line) }
    var (result, rest) = ("", line)
    while let found = ["xref:", "image::", "image:"].lazy.compactMap({ rest.firstRange(of: $0) }).min(by: {
      ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound)
    }) {
      result += rest[..<found.upperBound]
      let family = rest[found].hasPrefix("xref") ? "page" : "image"
      rest = rest[found.upperBound...]
      let target = rest.prefix { $0 != "[" && $0 != " " }
      let file = target.prefix { $0 != "#" }
      guard !file.isEmpty, let path = path(of: String(file), family: family, in: source) else { continue }
      result += "/" + path + target[file.endIndex...]
      rest = rest[target.endIndex...]
    }
    return result + rest
  }
}

/// Finds the definitions of macros in the preamble of a LaTeX document.
enum LaTeXMacros {
  private static let commands: Set<Substring> = [
    "newcommand", "renewcommand", "providecommand", "DeclareMathOperator", "def", "newtheorem",
  ]

  /// Returns the definitions, one on each line.
  static func definitions(in preamble: String) -> String {
    let text = preamble.split(separator: "\n").map { $0.prefixBeforeComment }.joined(separator: "\n")
    var (result, rest) = ([String](), text[...])
    while let slash = rest.firstIndex(of: "\\") {
      let after = rest[rest.index(after: slash)...]
      let name = after.prefix(while: \.isLetter)
      rest = after[name.endIndex...]
      guard commands.contains(name), let end = end(of: rest, isDefinition: name == "def") else { continue }
      result.append(String(text[slash..<end]))
      rest = rest[end...]
    }
    return result.joined(separator: "\n")
  }

  /// Returns the end of the arguments of a definition: groups in brackets, and names of macros.
  private static func end(of text: Substring, isDefinition: Bool) -> Substring.Index? {
    var (index, depth, groups) = (text.startIndex, 0, 0)
    while index < text.endIndex {
      let character = text[index]
      let next = text.index(after: index)
      if character == "\\", next < text.endIndex, depth > 0 || !text[next].isLetter {
        index = text.index(after: next)
        continue
      }
      switch character {
      case "{", "[": depth += 1
      case "}", "]":
        depth -= 1
        groups += 1
        if depth < 0 || isDefinition && depth == 0 { return depth < 0 ? nil : next }
      case "\\", "*", "\n", " ", "\t", "#": break
      default:
        let isName = character.isLetter || character == "@" || isDefinition
        if depth == 0, !isName || groups > 0 { return groups > 0 ? index : nil }
      }
      // A macro after a complete definition begins another command.
      if character == "\\", groups > 0 { return index }
      index = next
    }
    return groups > 0 && depth == 0 ? index : nil
  }
}

extension Substring {
  /// The text before an unescaped percent sign, which begins a comment of LaTeX.
  fileprivate var prefixBeforeComment: Substring {
    var previous: Character = " "
    return prefix { character in
      defer { previous = character }
      return character != "%" || previous == "\\"
    }
  }
}
