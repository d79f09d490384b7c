import Foundation
import LearningModel

/// One Markdown file of the folder form: its fields, its title, and its content by its type.
struct ActivityFile {
  /// What it is made of.
  private(set) var content: ActivityContent
  /// What there is to say about it.
  private(set) var findings = Findings()
  /// The anchors in it.
  let anchors: [String]
  /// The line of its `key`, where it has one.
  let keyLine: Int?
  private let key: String
  private let title: String
  private let summary: String
  private let minutes: Int?

  private static let fields = ["title", "type", "minutes", "key", "summary", "url", "pass"]

  /// Reads a file.
  ///
  /// - Parameter pass: The share that passes a quiz of the course.
  /// - Throws: ``CourseFormatError`` where its fields cannot be read or its text is nested too deeply.
  init(_ text: String, entry: SourceEntry, pass: Double, limits: SourceLimits) throws {
    let file = entry.path
    let front = try FrontMatter(text, file: file, limits: limits)
    var findings = Findings()
    findings.checkNames(of: front.fields, known: Self.fields, file: file)
    var parsed = try MarkdownText.parse(front.body, file: file, firstLine: front.bodyLine, limits: limits)
    findings.add(parsed.findings)

    let name = NumberedName(entry.name, isFolder: false)
    title = Self.title(front.fields, &parsed, name, file, &findings)
    key = front.fields["key"]?.value ?? NumberedName.key(of: file, isFolder: false)
    keyLine = front.fields["key"]?.line
    summary = front.fields["summary"]?.value ?? ""
    minutes = Self.minutes(front.fields["minutes"], file, &findings)
    anchors = Array(parsed.anchors.keys)

    let type = Self.type(front.fields["type"], file, &findings)
    var reader = ActivityText(parsed, file: file, limits: limits)
    content = try reader.content(
      of: type, url: front.fields["url"], pass: findings.pass(front.fields["pass"], in: file) ?? pass)
    findings.add(reader.findings)
    self.findings = findings
  }

  /// Its node.
  func node(parent: Int) -> DraftNode {
    DraftNode(
      parent: parent, key: key, kind: .activity, title: title, summary: summary, minutes: minutes, type: content.type)
  }

  /// Its `title`, else its first heading, else its name. A first heading that only repeats the title is taken off.
  private static func title(
    _ fields: YAMLFields, _ parsed: inout ParsedText, _ name: NumberedName, _ file: String, _ findings: inout Findings
  ) -> String {
    let written = fields["title"]?.value
    if case .heading(_, let text, _) = parsed.blocks.first?.block {
      let heading = text.plainText.onOneLine
      if !heading.isEmpty, written == nil || written == heading {
        parsed.blocks.removeFirst()
        return heading
      }
    }
    if let written { return written }
    findings.warning(
      file, 1, "The activity has no title, so it is called '\(name.title)'. Add a line 'title: …' at its top.")
    return name.title
  }

  private static func minutes(_ field: YAMLFields.Field?, _ file: String, _ findings: inout Findings) -> Int? {
    guard let field, let value = field.value else { return nil }
    guard let minutes = Int(value), (1...10_000).contains(minutes) else {
      findings.error(file, field.line, "The field 'minutes' is '\(value)'. Write a whole number from 1 to 10000.")
      return nil
    }
    return minutes
  }

  private static func type(_ field: YAMLFields.Field?, _ file: String, _ findings: inout Findings) -> ActivityType {
    guard let field, let value = field.value else { return .reading }
    guard let type = ActivityType(rawValue: value) else {
      let known = ActivityType.allCases.map(\.rawValue).joined(separator: ", ")
      findings.error(file, field.line, "The type '\(value)' is not known. The types are: \(known).")
      return .reading
    }
    return type
  }
}

extension Findings {
  /// Returns the share of a quiz that passes, written in percent: `80`, `80 %`; `nil` where nothing is written.
  mutating func pass(_ field: YAMLFields.Field?, in file: String) -> Double? {
    guard let field, let value = field.value else { return nil }
    let digits = value.hasSuffix("%") ? String(value.dropLast()).trimmingCharacters(in: .whitespaces) : value
    guard let percent = Int(digits), (1...100).contains(percent) else {
      error(file, field.line, "The field 'pass' is '\(value)'. Write how many percent must be right, from 1 to 100.")
      return nil
    }
    return Double(percent) / 100
  }
}
