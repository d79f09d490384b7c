import Answers
import CCurl
import CourseKit
import ExternalPrograms
import Foundation
import LearningModel
import LearningStore
import NavigationKit

/// The system: its name, the locale and the programs that Waymark uses if they are installed.
enum SystemSurvey {
  /// The name of the system, and the processor.
  static var description: String {
    var names = utsname()
    uname(&names)
    let machine = withUnsafeBytes(of: &names.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return "\(ProcessInfo.processInfo.operatingSystemVersionString), \(machine)"
  }

  /// Reports the variable that determines the encoding of the terminal.
  ///
  /// Source: POSIX, 8.2, the order of the variables.
  static func reportLocale(to report: inout DoctorReport) {
    let variables = ProcessInfo.processInfo.environment
    let name = ["LC_ALL", "LC_CTYPE", "LANG"].first { variables[$0]?.isEmpty == false }
    let value = name.flatMap { variables[$0] }
    let isUnicode = ProgramEnvironment.current.usesUnicode
    report.add(
      "locale", ["variable": .optional(name), "value": .optional(value), "unicode": .bool(isUnicode)],
      [(name.map { "\($0)=\(value ?? "")" } ?? "not set") + (isUnicode ? "" : ", which is not UTF-8")])
  }

  static func reportPrograms(to report: inout DoctorReport) {
    var message = [CChar](repeating: 0, count: Int(CCURL_MESSAGE))
    let connection = ccurl_open("https://localhost", "", nil, &message)
    connection.map(ccurl_close)
    let programs = [
      ("git", "Git repositories"), ("pandoc", "documents"), ("asciidoctor", "AsciiDoc"), ("pdftotext", "PDF"),
      ("rsvg-convert", "SVG images"),
    ].map { (name: $0, purpose: $1, isFound: ExternalProgram(named: $0) != nil) }
    let all = programs + [("libcurl", "synchronisation", connection != nil)]
    let found = all.filter(\.isFound).map(\.name)
    let missing = all.filter { !$0.isFound }
    report.add(
      "programs", ["found": .texts(found), "missing": .texts(missing.map(\.name))],
      [found.joined(separator: ", ")] + missing.map { "missing: \($0.name), for \($0.purpose)" })
  }
}

/// The state of the database file, which is not changed.
enum DatabaseSurvey {
  /// Reports the state. An error is a part of the report.
  ///
  /// - Parameter showsNames: Whether the report contains the path and the texts of problems.
  static func report(
    _ path: String, learner: String, showingNames showsNames: Bool, to report: inout DoctorReport
  ) throws {
    let (bytes, walBytes, journal) = (size(path), size(path + "-wal"), journal(path))
    var courses: Int?
    var problems: [String] = []
    do {
      if bytes != nil {
        let database = try LearningDatabase(.file(path), isReadOnly: true)
        let library = CourseLibrary(database)
        courses = try library.courses().count
        problems =
          try library.check().map(\.description)
          + NavigationService(database, learner: learner, session: .none).check().map(\.description)
      }
    } catch let error as any ExplainedError {
      problems = [error.description]
    }
    let folder = (path as NSString).deletingLastPathComponent
    let disk = try? FileManager.default.attributesOfFileSystem(forPath: folder.isEmpty ? "." : folder)
    let free = (disk?[.systemFreeSize] as? NSNumber)?.intValue
    let facts = [
      showsNames ? path : nil, bytes.map(text) ?? "none yet", courses.map { $0 == 1 ? "1 course" : "\($0) courses" },
      free.map { text($0) + " free on the disk" }, journal.map { "\($0) journal of \(text(walBytes ?? 0))" },
    ]
    let count = problems.isEmpty ? "no problems" : problems.count == 1 ? "1 problem" : "\(problems.count) problems"
    report.add(
      "database",
      [
        "path": .optional(showsNames ? path : nil), "bytes": .optional(bytes), "walBytes": .optional(walBytes),
        "freeBytes": .optional(free), "journal": .optional(journal), "courses": .optional(courses),
        "problemCount": .optional(problems.count), "problems": showsNames ? .texts(problems) : .null,
      ],
      [
        facts.compactMap { $0 }.joined(separator: ", "),
        (bytes == nil ? "" : count) + (showsNames || problems.isEmpty ? "" : "; --with-names shows the texts"),
      ] + (showsNames ? problems : []))
  }

  private static func size(_ file: String) -> Int? {
    try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
  }

  private static func text(_ bytes: Int) -> String {
    bytes == 0 ? "0 bytes" : ByteCountFormatter.string(fromByteCount: Int64(bytes), countStyle: .file)
  }

  /// Returns `WAL` or `rollback`.
  ///
  /// Source: SQLite, "Database File Format", 1.3.3, file format version numbers.
  private static func journal(_ path: String) -> String? {
    guard let head = try? FileHandle(forReadingAtPath: path)?.read(upToCount: 20), head.count == 20 else { return nil }
    return head[18] == 2 ? "WAL" : "rollback"
  }
}
