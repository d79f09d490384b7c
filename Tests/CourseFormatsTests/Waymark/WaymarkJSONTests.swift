import CourseFormats
import LearningModel
import TestSupport
import Testing

struct WaymarkJSONTests {
  private func read(_ text: String, limits: SourceLimits = .standard) throws -> CourseDraft {
    try FormatRegistry.read(CourseSource(name: "a.json", bytes: Array(text.utf8), limits: limits))
  }

  /// Returns a course with these activities in a lesson, each on a line of its own from line 5.
  private func course(_ activities: String...) -> String {
    """
    {"waymark": 1, "course": {
    "key": "bees", "title": "Bees", "children": [
    {"key": "g", "title": "G", "children": [
    {"key": "l", "title": "L", "children": [
    \(activities.joined(separator: ",\n"))
    ]}]}]}}
    """
  }

  @Test func `fields and children of a node may be in any order`() throws {
    let draft = try read(
      #"""
      {"course": {"children": [{"children": [{"children": [
        {"reading": "x", "minutes": 2, "title": "A \u00e9\ud83d\udc1d\n", "key": "a"}, {"children": [], "title": "M", "key": "m"}
      ], "key": "l", "title": "L"}], "key": "g", "title": "G"}], "language": "en", "title": "C", "key": "c"}, "waymark": 1}
      """#)

    #expect(draft.diagnostics == [])
    #expect(draft.outline == ["c c | C", "  g g | G", "    l l | L", "      a a | A é🐝", "      l m | M"])
    #expect(draft.nodes[3].minutes == 2)
    #expect(draft.language == "en")
    #expect(draft.format == "waymark")
  }

  @Test func `the key option overrides the course's key or supplies a missing one`() throws {
    let source = CourseSource(name: "a.json", bytes: Array(course(#"{"key": "a", "title": "A", "reading": "x"}"#).utf8))

    #expect(try FormatRegistry.read(source, options: ReadOptions(key: "mine")).nodes[0].key == "mine")
    let without = #"{"waymark": 1, "course": {"title": "C", "children": [{"title": "G", "children": []}]}}"#
    #expect(
      try FormatRegistry.read(
        CourseSource(name: "a.json", bytes: Array(without.utf8)), options: ReadOptions(key: "mine")
      ).diagnostics.map(\.description) == [#"a.json:1: error: The goal 'G' has no key. Add "key": "…"."#])
  }

  private static let diagnosed: [(activity: String, message: String)] = [
    (
      #"{"title": "A", "reading": "x"}"#, #"a.json:5: error: The activity 'A' has no key. Add "key": "…"."#
    ),
    (
      #"{"key": "a", "reading": "x"}"#, #"a.json:5: error: The activity 'a' has no title. Add "title": "…"."#
    ),
    (
      #"{"key": "l", "title": "A", "reading": "x"}"#,
      "a.json:4: error: The key 'l' is already used by a node of this file. Give one of them another 'key'."
    ),
    (
      #"{"key": "a", "title": "A", "author": "me", "reading": "x"}"#,
      "a.json:5: warning: The field 'author' is not known and is left out."
    ),
    (
      "{\"key\": \"a\", \"title\": \"A\",\n\"reading\": [\"x\",\n{\"h9\": \"y\"}]}",
      "a.json:7: error: The activity 'A' cannot be read: "
        + "a block must be a string, or have one of: h1 to h6, p, ul, ol, quote, code, math, table, hr, details, "
        + "admonition, dl, tabs. See the schema of the format."
    ),
    (
      "{\"key\": \"a\", \"title\": \"A\",\n\"quiz\": [\n{\"question\": \"Who?\"}]}",
      "a.json:7: error: The activity 'A' cannot be read: 'choices' is missing. See the schema of the format."
    ),
    (
      #"{"key": "a", "title": "A", "link": 3}"#,
      "a.json:5: error: The activity 'A' cannot be read: 'link' has the wrong form. See the schema of the format."
    ),
    (
      #"{"key": "a", "title": "A", "reading": {"p": [{"link": "b.md", "text": "b"}]}}"#,
      "a.json: warning: The link 'b.md' in 'A' is broken. Write 'waymark:' and the key of a node. "
        + "Its text is kept."
    ),
  ]

  @Test(arguments: diagnosed)
  func `a mistake in a node is reported with its line`(_ activity: String, _ message: String) throws {
    #expect(try read(course(activity)).diagnostics.map(\.description) == [message])
  }

  private static let refused: [(text: String, message: String)] = [
    ("{\"waymark\": 1,\n\"course\" {}}", "at line 2: the JSON is invalid: ':' is missing before '{'"),
    (
      "{\"waymark\": 1, \"course\": {\"key\": \"a}}",
      "at line 1: the JSON is invalid: a closing quote is missing before the end"
    ),
    (
      "{\"waymark\": 1, \"course\": {\"key\": \"\\x\"}}",
      "at line 1: the JSON is invalid: one of \" \\ / n t u is missing before 'x'"
    ),
    (
      "{\"waymark\": 1, \"course\": {\"key\": \"\\ud83d\"}}",
      "at line 1: the JSON is invalid: the second half of a character is missing before '\"'"
    ),
    ("{\"waymark\": 1 2}", "at line 1: the JSON is invalid: ',' or '}' is missing before '2'"),
    ("{\"waymark\": 1, \"x\": tru}", "at line 1: the JSON is invalid: a value is missing before 't'"),
    ("{\"waymark\": 2, \"course\": {}}", "at line 1: the version of the format is not 1"),
    ("{\"waymark\": 1}", "at line 1: there is no 'course' in it"),
    (
      "{\"waymark\": 1, \"course\": {\"key\": \"a\", \"title\": \"A\"}}\n\nx",
      "at line 3: there is text after the course"
    ),
    ("{\"waymark\": 1, \"course\": []}", "at line 1: a node is not an object"),
    (
      "{\"waymark\": 1, \"course\": {\"key\": \"a\",\n\"key\": \"b\"}}",
      "at line 2: the field 'key' occurs twice in one object"
    ),
    ("{\"waymark\": 1, \"course\": {\"minutes\": 0}}", "at line 1: 'minutes' is 0"),
    ("{\"waymark\": 1, \"course\": {\"pass\": 60}}", "at line 1: 'pass' is 60"),
    (
      "{\"waymark\": 1, \"course\": {\"title\": \"A\\u001b[31m\"}}",
      "at line 1: a text contains a control character"
    ),
    (
      "{\"waymark\": 1, \"course\": {\"key\": \"c\", \"title\": \"C\", \"children\": [{\"title\": \"A\", \"reading\": \"x\"}]}}",
      "at line 1: 'A' is an activity directly in the course"
    ),
    (
      "{\"waymark\": 1, \"course\": {\"children\": [{\"children\": [\n{\"title\": \"A\", \"reading\": \"x\"}]}]}}",
      "at line 2: 'A' is an activity directly in a goal"
    ),
    (
      "{\"waymark\": 1, \"course\": {\"children\": [{\"children\": [{\"children\": [\n"
        + "{\"title\": \"A\", \"reading\": \"x\", \"children\": []}]}]}]}}",
      "at line 2: 'A' has both children and 'reading'"
    ),
  ]

  @Test(arguments: refused)
  func `invalid JSON is rejected with its line`(_ text: String, _ message: String) {
    #expect {
      try read(text)
    } throws: { error in
      guard let error = error as? CourseFormatError, error.kind == .badData else { return false }
      return "\(error)".hasPrefix("Could not read 'a.json' \(message). ")
    }
  }

  @Test func `UTF-16 and a byte order mark are read, and invalid bytes are reported`() throws {
    let text = course(#"{"key": "a", "title": "Größe", "reading": "x"}"#)
    let utf16: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }

    for bytes in [utf16, [0xEF, 0xBB, 0xBF] + Array(text.utf8)] {
      #expect(try FormatRegistry.read(CourseSource(name: "a.json", bytes: bytes)).nodes.last?.title == "Größe")
    }
    let latin = Array("{\"waymark\": 1, \"course\": {\"title\": \"Gr".utf8) + [0xF6] + Array("\"}}".utf8)
    #expect(throws: CourseFormatError.notText(file: "a.json", line: 1, byte: 0xF6, offset: 38)) {
      try FormatRegistry.read(CourseSource(name: "a.json", bytes: latin))
    }
  }

  @Test(arguments: [
    HostileText("lists", String(repeating: "[", count: 100_000)),
    HostileText("objects", String(repeating: "{\"a\":", count: 100_000)),
    HostileText("a list in a list", String(repeating: "{\"ul\":[", count: 200) + String(repeating: "]}", count: 200)),
  ])
  func `values that are nested too deeply are rejected`(_ hostile: HostileText) {
    #expect(throws: CourseFormatError.limit(.nestingDepth(256), file: "a.json", line: 5)) {
      try read(course("{\"key\": \"a\", \"title\": \"A\", \"reading\": \(hostile.text)"))
    }
  }

  @Test func `thousands of unreadable activities are reported with lines in little time`() throws {
    let bad = (0..<3_000).map { #"{"key": "k\#($0)", "title": "T\#($0)", "reading": [{"x": 1}]}"# }
    var said: [Int?] = []

    let time = try processorSeconds {
      said = try read(course(bad.joined(separator: ",\n"))).diagnostics.map(\.line)
    }

    #expect(said == bad.indices.map { $0 + 5 })
    #expect(time < 10)
  }

  @Test func `lessons that are nested too deeply are rejected`() {
    let deep = String(repeating: #"{"key": "k", "title": "T", "children": ["#, count: 300)

    #expect(throws: CourseFormatError.limit(.nestingDepth(256), file: "a.json", line: 5)) { try read(course(deep)) }
  }

  @Test func `a course with too many nodes is rejected`() {
    var limits = SourceLimits()
    limits.nodes = 3

    #expect(throws: CourseFormatError.limit(.nodes(3), file: "a.json", line: nil)) {
      try read(course(#"{"key": "a", "title": "A", "reading": "x"}"#), limits: limits)
    }
  }

  @Test(arguments: 0..<300) func `a damaged file gives an error or a draft without crashing`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var bytes = Array(
      course(
        #"{"key": "a", "title": "A", "reading": [{"h2": "\u00e9"}, {"table": [["a", "b"], ["c", "d"]]}, {"ol": ["x"], "start": 2}]}"#,
        #"{"key": "b", "title": "B", "quiz": [{"question": "Q", "choices": [{"right": "R"}, {"wrong": "W"}]}]}"#
      ).utf8)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 16..<bytes.count, using: &random)
      switch Int.random(in: 0...2, using: &random) {
      case 0: bytes.remove(at: place)
      case 1: bytes[place] = Array("{}[]\",:\\0aeu \n".utf8).randomElement(using: &random)!
      default: bytes.insert(contentsOf: bytes[place..<min(place + 9, bytes.count)], at: place)
      }
    }

    do {
      _ = try FormatRegistry.read(CourseSource(name: "a.json", bytes: bytes), from: "waymark")
    } catch let error as CourseFormatError {
      #expect(error.kind == .badData)
    }
  }
}
