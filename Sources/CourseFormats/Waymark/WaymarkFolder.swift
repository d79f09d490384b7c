import Foundation
import LearningModel

/// Reads Waymark's folder form: first the folders, in the order of their names, and then the links.
struct WaymarkFolder {
  private let source: CourseSource
  private let format: String
  var builder: DraftBuilder
  private var digest = SourceDigest()
  private var entries = 0
  /// The share of correct answers that is required to pass a quiz that does not specify it.
  private var passingShare = ActivityContent.defaultPassingShare
  /// The nodes of files and folders by path.
  private var indices: [String: Int] = [:]

  init(_ source: CourseSource, options: ReadOptions, format: String) throws {
    self.source = source
    self.format = format
    builder = try DraftBuilder(source, options: options)
  }

  /// Returns the name of the file with the fields of the course, or `nil` if no such file exists.
  static func courseFile(in source: CourseSource) -> String? {
    ["course.yml", "course.yaml"].first(where: source.hasFile)
  }

  mutating func read(courseFile: String) throws -> CourseDraft {
    let fields = self.fields(of: courseFile, known: ["key", "title", "summary", "language", "pass"])
    passingShare = builder.findings.passingShare(fields?["pass"], in: courseFile) ?? passingShare
    let key = builder.courseKey(written: fields?["key"]?.value, fallback: "course")
    let course = try add(
      .course, parent: nil, key: key, path: "", file: courseFile, fields: fields,
      title: NumberedName(source.stem, isFolder: true).title)
    try readFolder("", node: course)
    if builder.nodes.count == 1, builder.findings.errors == 0 {
      builder.findings.error(
        courseFile, nil,
        "The course has no activities. Add a folder for a goal, one in it for a lesson, and Markdown files in that.")
    }
    try resolveLinks()
    return try builder.finish(format: format, digest: digest.hexadecimal(), language: fields?["language"]?.value)
  }

  // MARK: Folders

  /// Reads the files and folders in a folder as children of its node.
  private mutating func readFolder(_ folder: String, node: Int) throws {
    let kind = builder.nodes[node].kind
    /// The goal or lesson that was added for misplaced entries, or `nil`.
    var implied: Int?
    for entry in try ordered(folder) {
      if entry.isFolder, source.hasFile(ActivityFile.file(of: entry)) {
        let lesson = try kind == .lesson ? node : impliedLesson(&implied, in: node, because: entry)
        try readActivity(entry, parent: lesson)
      } else if entry.isFolder {
        guard try hasContent(entry.path) else { continue }
        let isLesson = file(["lesson.yml", "lesson.yaml"], in: entry.path) != nil
        if kind == .course, !isLesson {
          try readNode(.goal, entry, parent: node)
        } else if kind == .course {
          let goal = try impliedGoal(&implied, course: node, because: entry)
          try readNode(.lesson, entry, parent: goal)
        } else {
          try readNode(.lesson, entry, parent: node)
        }
      } else if Self.isActivity(entry.name) {
        if kind == .course, SourcePath.stem(of: entry.name).lowercased() == "readme" {
          builder.findings.warning(
            entry.path, nil,
            "This file describes the folder and is left out. To import it, move it into a lesson's folder.")
          continue
        }
        let lesson = try kind == .lesson ? node : impliedLesson(&implied, in: node, because: entry)
        try readActivity(entry, parent: lesson)
      } else {
        reportUnexpected(entry)
      }
    }
  }

  private mutating func ordered(_ folder: String) throws -> [SourceEntry] {
    let all = try source.entries(in: folder)
    entries += all.count
    guard entries <= source.limits.entries else {
      throw CourseFormatError.limit(.entries(source.limits.entries), file: source.name, line: nil)
    }
    return all.map { (NumberedName($0.name, isFolder: $0.isFolder), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Returns whether a folder is part of the course: it has a file with fields, or contains an activity at any depth.
  private func hasContent(_ folder: String) throws -> Bool {
    if file(["goal.yml", "goal.yaml", "lesson.yml", "lesson.yaml"], in: folder) != nil { return true }
    return try source.entries(in: folder).contains { entry in
      entry.isFolder ? try hasContent(entry.path) : Self.isActivity(entry.name)
    }
  }

  private static func isActivity(_ name: String) -> Bool {
    SourcePath.hasExtension("md", name) || SourcePath.hasExtension("markdown", name)
  }

  private func file(_ names: [String], in folder: String) -> String? {
    names.map { SourcePath.join(folder, $0) }.first(where: source.hasFile)
  }

  private mutating func readNode(_ kind: ContentKind, _ entry: SourceEntry, parent: Int) throws {
    let names = kind == .goal ? ["goal.yml", "goal.yaml"] : ["lesson.yml", "lesson.yaml"]
    let file = file(names, in: entry.path)
    let fields = file.map { self.fields(of: $0, known: ["key", "title", "summary"]) } ?? YAMLFields()
    let index = try add(
      kind, parent: parent,
      key: fields?["key"]?.value ?? NumberedName.key(of: entry.path, isFolder: true), path: entry.path,
      file: file ?? SourcePath.join(entry.path, names[0]), fields: fields,
      title: NumberedName(entry.name, isFolder: true).title)
    let errors = builder.findings.errors
    try readFolder(entry.path, node: index)
    if builder.nodes.count == index + 1, builder.findings.errors == errors {
      builder.findings.warning(
        file ?? entry.path, nil, "The \(kind.rawValue) has no activities. Add a Markdown file, or remove it.")
    }
  }

  /// Adds a node for a folder. If the fields do not contain a title, the title is derived from the name of the folder.
  ///
  /// - Parameter fields: The fields, or `nil` if they could not be read. In that case, an error has been reported
  ///   already.
  private mutating func add(
    _ kind: ContentKind, parent: Int?, key: String, path: String, file: String, fields: YAMLFields?, title: String
  ) throws -> Int {
    if let fields, fields["title"] == nil {
      builder.findings.warning(
        file, nil, "The \(kind.rawValue) has no title, so it is named \(quoted: title). Add a line 'title: …'.")
    }
    let index = try builder.add(
      DraftNode(
        parent: parent, key: key, kind: kind, title: fields?["title"]?.value ?? title,
        summary: fields?["summary"]?.value ?? ""),
      file: file, line: fields?["key"]?.line)
    indices[path] = index
    indices[file] = index
    return index
  }

  // MARK: Misplaced entries

  /// Returns the goal for lessons that are directly in the course. The goal is added, with a warning, when it is first
  /// needed.
  private mutating func impliedGoal(_ implied: inout Int?, course: Int, because entry: SourceEntry) throws -> Int {
    if let goal = implied { return goal }
    let title = builder.nodes[course].title
    builder.findings.warning(
      entry.path, nil,
      "It is directly in the course, so it is added to a goal named \(quoted: title). Move it into a goal's folder.")
    let goal = try builder.add(DraftNode(parent: course, key: "#goal", kind: .goal, title: title), file: entry.path)
    implied = goal
    return goal
  }

  /// Returns the lesson for activities that are directly in the course or in a goal. The lesson is added, with a
  /// warning, when it is first needed.
  private mutating func impliedLesson(_ implied: inout Int?, in node: Int, because entry: SourceEntry) throws -> Int {
    var goal = node
    if builder.nodes[node].kind == .course {
      goal = try impliedGoal(&implied, course: node, because: entry)
      if let lesson = builder.index(of: builder.nodes[goal].key + "#lesson") { return lesson }
    } else if let lesson = implied {
      return lesson
    } else {
      builder.findings.warning(
        entry.path, nil,
        "It is directly in the goal, so it is added to a lesson named \(quoted: builder.nodes[goal].title). "
          + "Move it into a lesson's folder.")
    }
    let lesson = try builder.add(
      DraftNode(
        parent: goal, key: builder.nodes[goal].key + "#lesson", kind: .lesson, title: builder.nodes[goal].title),
      file: entry.path)
    if goal == node { implied = lesson }
    return lesson
  }

  // MARK: Files

  private mutating func readActivity(_ entry: SourceEntry, parent: Int) throws {
    let index: Int
    let file = ActivityFile.file(of: entry)
    do {
      let bytes = try source.bytes(of: file)
      digest.add(bytes, of: file)
      let text = try TextDecoding.decode(bytes, file: file)
      var activity = try ActivityFile(text, entry: entry, pass: passingShare, limits: source.limits)
      builder.findings.add(activity.findings)
      if case .exercise(let exercise) = activity.content, let fields = activity.exercise {
        activity.content = .exercise(exercise.with(files: try exerciseFiles(in: entry.path, fields)))
      }
      index = try builder.add(activity.node(parent: parent), file: file, line: activity.keyLine)
      for anchor in activity.anchors { builder.recordAnchor(anchor: anchor, at: index) }
      try builder.store(activity.content, at: index)
    } catch let error as CourseFormatError where error.kind != .inputOutput {
      if case .limit(.nodes, _, _) = error { throw error }
      return builder.findings.error(error)
    }
    indices[file] = index
  }

  /// Returns the files in the folder of an exercise: those that its fields name, and then all others.
  private mutating func exerciseFiles(in folder: String, _ fields: ExerciseFields) throws -> [ExerciseFile] {
    var (paths, folders) = (fields.paths, [folder])
    let named = Set(paths)
    while let inner = folders.popLast() {
      for entry in try ordered(inner) {
        let path = String(entry.path.dropFirst(folder.count + 1))
        if entry.isFolder {
          if !source.isExcluded(entry.path) { folders.append(entry.path) }
        } else if !named.contains(path), path != ExerciseFile.taskName, !Self.isImage(path) {
          paths.append(path)
        }
      }
    }
    return try paths.compactMap { path in
      try builder.exerciseFile(
        SourcePath.join(folder, path), as: path, fields.role(of: path), isExecutable: fields.executable.contains(path),
        in: source)
    }
  }

  /// Returns the fields in a file. If they cannot be read, adds an error to the findings and returns `nil`.
  private mutating func fields(of file: String, known: [String]) -> YAMLFields? {
    do {
      let bytes = try source.bytes(of: file)
      digest.add(bytes, of: file)
      let text = try TextDecoding.decode(bytes, file: file)
      let fields = try YAMLFields(text, file: file, limits: source.limits)
      builder.findings.checkNames(of: fields, known: known, file: file)
      return fields
    } catch {
      if let error = error as? CourseFormatError { builder.findings.error(error) }
      // The error makes the import fail. Reading continues only to report further errors.
      return nil
    }
  }

  private mutating func reportUnexpected(_ entry: SourceEntry) {
    let known = ["course", "goal", "lesson"].flatMap { [$0 + ".yml", $0 + ".yaml"] }
    if known.contains(entry.name) { return }
    if SourcePath.hasExtension("yml", entry.name) || SourcePath.hasExtension("yaml", entry.name) {
      return builder.findings.warning(
        entry.path, nil, "A file with this name is not read. Use course.yml, goal.yml or lesson.yml.")
    }
    if !Self.isImage(entry.name) { builder.findings.countLoss("other file", "left out") }
  }

  private static func isImage(_ name: String) -> Bool {
    ["png", "jpg", "jpeg", "gif", "svg", "webp", "avif"].contains { SourcePath.hasExtension($0, name) }
  }

  // MARK: Links

  private mutating func resolveLinks() throws {
    let (source, indices) = (source, indices)
    var lines = LinkLines(source)
    try builder.resolveLinks { builder, index, destination, text in
      let file = builder.file(of: index)
      func leadsNowhere(_ what: String) -> Inline {
        builder.findings.warning(
          file, lines.line(of: destination, in: file),
          "The link \(quoted: destination) is broken: \(what). Its text is kept.")
        return .text(text.plainText)
      }
      func leads(to target: Int, anchor: String?) -> Inline {
        if let anchor, !builder.has(anchor: anchor, at: target) {
          return leadsNowhere("there is no heading '#\(anchor)'")
        }
        let link = CourseLink(key: builder.nodes[target].key, anchor: anchor)
        return .link(destination: link.destination, text: text)
      }
      switch LinkTarget(destination) {
      case .address(let address): return .link(destination: address, text: text)
      case .anchor(let anchor): return leads(to: index, anchor: anchor)
      // Links to other courses are resolved only when they are followed.
      case .node(let name) where CourseLink.leadsToOtherCourse(name): return .link(destination: name, text: text)
      case .node(let name):
        for reading in CourseLink.interpretations(of: name) {
          if let target = builder.index(of: reading.key) { return leads(to: target, anchor: reading.anchor) }
        }
        return leadsNowhere("no node has that key")
      case .file(let name, let anchor):
        guard let path = SourcePath.resolve(name, in: SourcePath.folder(of: file)) else {
          return leadsNowhere("it leads outside the course's folder")
        }
        if let target = indices[path] { return leads(to: target, anchor: anchor) }
        guard source.hasFile(path) else { return leadsNowhere("there is no such file") }
        builder.findings.countLoss("linked file", "shown as its name")
        return .text(text.plainText)
      case .unsafe:
        builder.findings.countLoss("unsafe link", "shown as text")
        return .text(text.plainText)
      }
    }
  }
}

extension Findings {
  /// Warns about unknown fields, and adds errors for fields that are not a single line of text.
  ///
  /// - Parameter lists: Further fields, whose values may be lists or mappings.
  mutating func checkNames(of fields: YAMLFields, known: [String], lists: [String] = [], file: String) {
    let known = known + lists
    for field in fields.all where !lists.contains(field.name) {
      if !known.contains(field.name) {
        warning(
          file, field.line,
          "The field \(quoted: field.name) is not known and is left out. The fields are: \(known.joined(separator: ", "))."
        )
      } else if field.value == nil {
        error(
          file, field.line,
          "The field \(quoted: field.name) is not a line of text. Write \(quoted: field.name + ": …") on one line.")
      }
    }
  }
}

/// Finds the lines of links, for warnings about broken links.
///
/// The links are looked up in the order of the text, so each search continues at the line that was found last.
struct LinkLines {
  private let source: CourseSource
  private var file: String?
  private var lines: [Substring] = []
  private var lastLine = 0
  private var remainingBytes: Int

  /// Makes a finder.
  ///
  /// - Parameters:
  ///   - source: The source that contains the files.
  ///   - longestLook: The total number of bytes to search. Links that are written differently than they are parsed are
  ///     never found, so without a limit, each of thousands of such links would search its whole file. A line is always
  ///     searched completely.
  init(_ source: CourseSource, longestLook: Int = 64 << 20) {
    self.source = source
    remainingBytes = longestLook
  }

  /// Returns the line number of a link's destination in a file, from 1, or `nil` if it was not found.
  mutating func line(of destination: String, in file: String) -> Int? {
    if file != self.file { open(file) }
    let decoded = destination.removingPercentEncoding ?? destination
    for step in lines.indices {
      let index = (lastLine + step) % lines.count
      guard remainingBytes > 0 else { return nil }
      remainingBytes -= lines[index].utf8.count + 1
      guard lines[index].contains(destination) || lines[index].contains(decoded) else { continue }
      lastLine = index
      return index + 1
    }
    return nil
  }

  private mutating func open(_ file: String) {
    self.file = file
    lastLine = 0
    let text = (try? source.bytes(of: file)).flatMap { try? TextDecoding.decode($0, file: file) }
    lines = text?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
  }
}
