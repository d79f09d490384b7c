import Foundation
import JSONCoding
import LearningModel

/// A course of exercises of another program while it is read: its texts, files and nodes.
///
/// An exercise that cannot be read is left out and counted, so that one wrong file does not prevent the import of a
/// whole collection. The option `--strict` makes it an error.
struct ExerciseCourse {
  let source: CourseSource
  let options: ReadOptions
  var builder: DraftBuilder
  /// The keys of the exercises that the learner has passed in the other program.
  var passed: [String] = []
  private var digest = SourceDigest()
  /// The nodes of the pages and exercises, by their files.
  private var pages: [String: Int] = [:]
  private var entries = 0
  /// The name of the track of Exercism, to whose pages addresses of its site lead.
  var track: String?

  init(_ source: CourseSource, options: ReadOptions) throws {
    (self.source, self.options) = (source, options)
    builder = try DraftBuilder(source, options: options)
  }

  // MARK: - Files

  /// Returns the text of a file.
  ///
  /// - Throws: ``CourseFormatError``.
  mutating func text(of file: String) throws -> String {
    let bytes = try source.bytes(of: file)
    digest.add(bytes, of: file)
    return try TextDecoding.decode(bytes, file: file)
  }

  /// Returns the value in a JSON file.
  ///
  /// - Throws: ``CourseFormatError``.
  mutating func json<Value: Decodable>(_ type: Value.Type, of file: String) throws -> Value {
    let bytes = Array(try text(of: file).utf8)
    do {
      // Finds the lines of mistakes and limits the depth.
      var scanner = JSONScanner(bytes, deepest: source.limits.nestingDepth, dialect: .standard)
      try scanner.skip()
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch let error as JSONError { throw CourseFormatError(error, file: file) } catch let error as DecodingError {
      throw CourseFormatError.malformed(
        file: file, line: nil, problem: error.pathAndProblem.problem, advice: "Correct it.")
    }
  }

  /// Returns the files in a folder, at any depth, relative to the folder. Hidden files and generated files are not
  /// included.
  ///
  /// - Throws: ``CourseFormatError``.
  mutating func files(in folder: String) throws -> [String] {
    var (files, folders) = ([String](), [folder])
    while let inner = folders.popLast() {
      let all = try source.entries(in: inner)
      entries += all.count
      guard entries <= source.limits.entries else {
        throw CourseFormatError.limit(.entries(source.limits.entries), file: source.name, line: nil)
      }
      for entry in all where !source.isExcluded(entry.path) {
        if entry.isFolder { folders.append(entry.path) } else { files.append(entry.path) }
      }
    }
    return files.map { folder.isEmpty ? $0 : String($0.dropFirst(folder.count + 1)) }.sorted()
  }

  /// Stores a file of an exercise.
  ///
  /// - Parameters:
  ///   - file: The path in the source.
  ///   - path: The path in the folder of the exercise.
  /// - Throws: ``CourseFormatError``, also for a file that is reached through a symbolic link.
  mutating func file(_ file: String, as path: String, _ role: ExerciseFile.Role) throws -> ExerciseFile {
    let (bytes, isExecutable) = try source.regularFile(file, upTo: source.limits.exerciseFileSize)
    return try builder.exerciseFile(bytes, of: file, as: path, role, isExecutable: isExecutable)
  }

  /// Stores the files of a folder that the author does not list. Files that are too large for an exercise are left out.
  ///
  /// - Parameters:
  ///   - paths: The paths of the files in the folder.
  ///   - role: Returns the role of a file, or `nil` if the exercise does not need it.
  mutating func otherFiles(_ paths: [String], in folder: String, _ role: (String) -> ExerciseFile.Role?) throws
    -> [ExerciseFile]
  {
    try paths.compactMap { path in
      guard let role = role(path) else { return nil }
      do { return try file(SourcePath.join(folder, path), as: path, role) } catch let error as CourseFormatError
        where error.kind != .inputOutput
      {
        try leaveOut("file of an exercise that cannot be read", because: error)
        return nil
      }
    }
  }

  private mutating func leaveOut(_ what: String, because error: CourseFormatError) throws {
    if case .limit(.nodes, _, _) = error { throw error }
    guard !options.isStrict else { return builder.findings.error(error) }
    let diagnostic = error.diagnostic
    builder.findings.countLoss(what, "left out")
    builder.findings.warning(diagnostic.file, diagnostic.line, diagnostic.message)
  }

  // MARK: - Texts

  /// Parses a text in Markdown. The level-1 heading at its beginning is its title.
  func parsed(_ markdown: String, of file: String) throws -> (title: String?, text: ParsedText) {
    var text = try MarkdownText.parse(ExercismMarkup.converted(markdown), file: file, limits: source.limits)
    guard case .heading(1, let title, _)? = text.blocks.first?.block else { return (nil, text) }
    text.blocks.removeFirst()
    return (title.plainText.onOneLine, text)
  }

  /// Returns the blocks of a parsed text with its footnotes, and counts its losses.
  mutating func blocks(_ text: ParsedText, of file: String) throws -> [Block] {
    var text = text
    builder.findings.add(text.findings)
    return try text.footnotes.attached(to: text.blocks.map(\.block), file: file, limits: source.limits)
  }

  /// Returns the blocks of a text in Markdown without its title.
  mutating func blocks(_ markdown: String, of file: String) throws -> [Block] {
    try blocks(parsed(markdown, of: file).text, of: file)
  }

  /// Returns the hints in a text: its sections with headings of the second level or, if it has none, the whole text.
  mutating func hints(_ markdown: String, of file: String) throws -> [[Block]] {
    var hints: [[Block]] = [[]]
    for block in try blocks(markdown, of: file) {
      if case .heading(2, _, _) = block { hints.append([]) }
      hints[hints.count - 1].append(block)
    }
    return hints.filter { !$0.isEmpty }
  }

  // MARK: - Nodes

  /// Adds a course, goal or lesson.
  mutating func add(
    _ kind: ContentKind, _ key: String, _ title: String, summary: String = "", in parent: Int?, file: String
  ) throws -> Int {
    try builder.add(
      DraftNode(parent: parent, key: key, kind: kind, title: title.onOneLine, summary: summary.onOneLine), file: file)
  }

  /// Adds a page, unless it has no text. A page that cannot be read is left out.
  ///
  /// - Parameters:
  ///   - markdown: The text. If `nil`, the text of the file.
  ///   - title: The title, which takes the place of the one in the text.
  ///   - further: Returns blocks that follow the text.
  mutating func addPage(
    _ markdown: String? = nil, of file: String, key: String, title: String, in lesson: Int,
    further: (inout ExerciseCourse) throws -> [Block] = { _ in [] }
  ) throws {
    do {
      let text = try parsed(markdown ?? self.text(of: file), of: file).text
      let blocks = try blocks(text, of: file) + further(&self)
      guard !blocks.isEmpty else { return }
      let index = try add(.activity, key, title, in: lesson, file: file)
      for anchor in text.anchors.keys { builder.recordAnchor(anchor: anchor, at: index) }
      if pages[file] == nil { pages[file] = index }
      try builder.store(.reading(blocks), at: index)
    } catch let error as CourseFormatError where error.kind != .inputOutput {
      try leaveOut("page that cannot be read", because: error)
    }
  }

  /// Adds an exercise, or leaves it out if it cannot be read.
  ///
  /// - Parameters:
  ///   - node: The node, whose parent exists.
  ///   - file: The file to which links lead.
  ///   - make: Reads the exercise.
  mutating func addExercise(_ node: DraftNode, file: String, make: (inout ExerciseCourse) throws -> Exercise) throws {
    do {
      let exercise = try make(&self)
      if let fault = exercise.fault {
        throw CourseFormatError.malformed(file: file, line: nil, problem: fault, advice: "Correct it.")
      }
      let index = try builder.add(node, file: file)
      if pages[file] == nil { pages[file] = index }
      try builder.store(.exercise(exercise), at: index)
    } catch let error as CourseFormatError where error.kind != .inputOutput {
      try leaveOut("exercise that cannot be read", because: error)
    }
  }

  /// Resolves the links and returns the draft.
  mutating func finish(format: String) throws -> CourseDraft {
    if !builder.nodes.contains(where: { $0.type == .exercise }), builder.findings.errors == 0 {
      builder.findings.error(source.name, nil, "The course has no exercises. Check that the folder is complete.")
    }
    let (pages, track) = (pages, track)
    try builder.resolveLinks { builder, index, destination in
      func link(_ target: Int, _ anchor: String?) -> LinkResolution {
        let key = builder.nodes[target].key
        guard let anchor, !builder.has(anchor: anchor, at: target) else {
          return .link(CourseLink(key: key, anchor: anchor).destination)
        }
        return .inexact(CourseLink(key: key).destination, "link to a missing heading")
      }
      if let address = ExercismMarkup.Address(destination) {
        let target = address.files.lazy.compactMap { pages[$0] }.first
        return target.flatMap { address.track == track ? link($0, nil) : nil } ?? .link(address.whole)
      }
      switch LinkTarget(destination) {
      case .address(let address): return .link(address)
      case .anchor(let anchor): return link(index, anchor)
      case .file(let name, let anchor):
        let file = SourcePath.resolve(name, in: SourcePath.folder(of: builder.file(of: index)))
        guard let file, let target = pages[file] else { return .unresolved("link to a file that is not imported") }
        return link(target, anchor)
      case .node: return .unresolved("link to a file that is not imported")
      case .unsafe: return .unresolved("unsafe link")
      }
    }
    var draft = try builder.finish(format: format, digest: digest.hexadecimal(), language: nil)
    if options.includesProgress { draft.progress.passedExercises = passed }
    return draft
  }
}

/// Converts the extensions of Markdown in the texts of Exercism.
///
/// Source: Exercism, "Markdown specification": special blocks, and links to concepts and exercises.
enum ExercismMarkup {
  /// The address of a concept or an exercise on the site of Exercism.
  struct Address {
    let track: String
    /// The complete address.
    let whole: String
    /// The files in a track to which the address may lead.
    let files: [String]

    /// Parses `/tracks/python/concepts/lists`, with or without the name of the site. Returns `nil` for other links.
    init?(_ destination: String) {
      let site = "https://exercism.org"
      whole = destination.hasPrefix("/") ? site + destination : destination
      let names = whole.dropFirst(site.count).split(separator: "/")
      guard whole.hasPrefix(site + "/tracks/"), names.count == 4 else { return nil }
      track = String(names[1])
      files =
        names[2] == "concepts"
        ? ["about.md", "introduction.md"].map { "concepts/\(names[3])/\($0)" }
        : ["practice", "concept"].map { "exercises/\($0)/\(names[3])/.docs/instructions.md" }
    }
  }

  /// Returns a text in which special blocks are alerts, and links to concepts and exercises are their names.
  static func converted(_ markdown: String) -> String {
    guard markdown.contains("exercism/") || markdown.contains("]()") else { return markdown }
    var close: (indent: Substring, fence: Substring)?
    return markdown.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let indent = line.prefix { $0 == " " }
      let rest = line.dropFirst(indent.count)
      let fence = rest.prefix { $0 == "~" || $0 == "`" }
      if let (outer, opening) = close {
        guard fence.count < opening.count || fence.first != opening.first || fence.count != rest.count else {
          close = nil
          return ""
        }
        return outer + "> " + line.dropFirst(min(outer.count, indent.count))
      }
      if fence.count > 2, rest.dropFirst(fence.count).hasPrefix("exercism/") {
        close = (indent, fence)
        let kind = rest.dropFirst(fence.count + "exercism/".count).uppercased()
        return indent + "> [!\(kind)]"
      }
      guard line.contains("]()") else { return String(line) }
      return String(line).replacing(/\[(?:concept|exercise):[^\]\/]*\/([^\]]*)\]\(\)/) { "*\($0.output.1)*" }
    }.joined(separator: "\n")
  }
}
