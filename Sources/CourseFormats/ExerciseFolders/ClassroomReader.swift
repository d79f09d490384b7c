import LearningModel
import Yams

/// Reads assignments of GitHub Classroom: a repository with tests that GitHub runs after each push.
///
/// Sources: GitHub, "Use autograding" (`autograding.json`); the actions `autograding-command-grader`,
/// `autograding-io-grader` and `autograding-python-grader`.
struct ClassroomReader: CourseReader {
  let name = "github-classroom"
  let summary = "An assignment of GitHub Classroom: a repository with tests in autograding.json or classroom.yml."
  let requirements = "a file '.github/classroom/autograding.json'"
  let mapping = FormatMapping(goal: "the assignment", lesson: "the assignment", activity: "the assignment")
  let hasPathKeys = false

  private static let list = ".github/classroom/autograding.json"
  private static let workflows = [".github/workflows/classroom.yml", ".github/workflows/classroom.yaml"]

  /// The file with the tests. The workflow of older assignments only runs the tests in the other file.
  private static func tests(in source: CourseSource) -> String? {
    guard source.isFolder else { return nil }
    if source.hasFile(list) { return list }
    return workflows.first { source.head(of: $0, count: 1 << 16)?.contains("-grader@") == true }
  }

  func recognises(_ source: CourseSource) -> Bool { Self.tests(in: source) != nil }

  func read(_ source: CourseSource, options: ReadOptions) throws -> CourseDraft {
    guard let file = Self.tests(in: source) else {
      throw CourseFormatError.notOfFormat(source: source.name, format: name, needs: requirements)
    }
    var course = try ExerciseCourse(source, options: options)
    let tests =
      try file == Self.list
      ? course.json(ClassroomTest.List.self, of: file).tests.filter { $0.command != nil }
      : ClassroomTest.tests(inWorkflow: course.text(of: file), file: file, limits: source.limits)
    let readme = ["README.md", "readme.md", "Readme.md"].first(where: source.hasFile)
    let (written, text) = try course.parsed(readme.map { try course.text(of: $0) } ?? "", of: readme ?? file)
    let title = written ?? NumberedName(source.titleStem, isFolder: true).title
    let root = try course.add(.course, course.builder.courseKey(), title, in: nil, file: file)
    let goal = try course.add(.goal, "#goal", title, in: root, file: file)
    let lesson = try course.add(.lesson, "#lesson", title, in: goal, file: file)
    let node = DraftNode(parent: lesson, key: "assignment", kind: .activity, title: title)
    try course.addExercise(node, file: readme ?? file) { course in
      let paths = try course.files(in: "").filter { $0 != readme }
      let isCode = paths.contains { ExerciseCourse.role(of: $0) == .edit }
      // An assignment without code asks for texts.
      let files = try course.otherFiles(paths, in: "") { path in
        let role = ExerciseCourse.role(of: path)
        return role == .support && !isCode ? .edit : role
      }
      var prepare: [Exercise.Run] = []
      for test in tests where test.installs && !prepare.contains(.init(.shell(test.setup))) {
        prepare.append(.init(.shell(test.setup)))
      }
      return Exercise(
        task: try course.blocks(text, of: readme ?? file), files: files, prepare: prepare, check: tests.map(\.run))
    }
    return try course.finish(format: name)
  }
}

extension ExerciseCourse {
  /// Returns the role of a file whose purpose the author does not state: a test or a solution by its name, otherwise a
  /// file to edit if it is code or a page.
  static func role(of path: String) -> ExerciseFile.Role {
    let role = ExerciseFields().role(of: path)
    let isCode =
      TeachingFile.kind(of: path)?.contains("quiz") == false
      || ["html", "css"].contains { SourcePath.hasExtension($0, path) }
    return role == .edit && !isCode ? .support : role
  }
}

/// A test of an assignment.
private struct ClassroomTest: Decodable {
  struct List: Decodable { let tests: [ClassroomTest] }

  let name: String?
  let setup: String
  /// `nil` for the action that runs pytest.
  let command: String?
  let input: String?
  let output: String
  let comparison: String
  let minutes: Double?

  private enum Key: String, CodingKey {
    case name, setup, run, input, output, comparison, timeout
    case testName = "test-name"
    case setupCommand = "setup-command"
    case command
    case expectedOutput = "expected-output"
    case comparisonMethod = "comparison-method"
  }

  /// Decodes a test of `autograding.json`, or the inputs of an action. Any of them may be missing or null.
  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    func text(_ keys: Key...) throws -> String? {
      for key in keys where fields.contains(key) {
        // The values of actions can be written without quotes, such as a number.
        if let text = try? fields.decode(String.self, forKey: key) { return text.replacing("\r\n", with: "\n") }
        if let number = try? fields.decode(Double.self, forKey: key) { return String(number) }
        if try fields.decodeNil(forKey: key) { return nil }
        return try fields.decode(String.self, forKey: key)
      }
      return nil
    }
    name = try text(.name, .testName)
    setup = try text(.setup, .setupCommand) ?? ""
    command = try text(.run, .command)
    input = try text(.input)
    output = try text(.output, .expectedOutput) ?? ""
    comparison = try text(.comparison, .comparisonMethod) ?? ""
    minutes = try text(.timeout).flatMap(Double.init)
  }

  /// Whether the setup needs the network or the administrator, so that it is not a part of the check.
  var installs: Bool {
    let words = Set(setup.split { !$0.isLetter })
    return !words.isDisjoint(with: ["sudo", "install", "apt", "curl", "wget", "clone", "restore", "ci", "add"])
  }

  /// The command that checks the exercise.
  var run: Exercise.Run {
    let isPart = !setup.allSatisfy(\.isWhitespace) && !installs
    let expectation: Exercise.Run.Expectation =
      output.isEmpty
      ? .exit(0)
      : comparison == "exact" ? .equals(output) : comparison == "regex" ? .matches(output) : .contains(output)
    let seconds = minutes.map { max(1, min(Double(Exercise.Run.maximumSeconds), ($0 * 60).rounded())) }
    let command = command ?? "python3 -B -m pytest -q -p no:cacheprovider"
    return Exercise.Run(
      .shell(isPart ? "set -e\n\(setup)\n\(command)" : command), name: name?.onOneLine,
      input: input?.isEmpty == true ? nil : input, expectation: expectation,
      seconds: seconds.map { $0.isNaN ? 1 : Int($0) })
  }

  private struct Workflow: Decodable {
    let jobs: [String: Job]

    struct Job: Decodable { let steps: [Step]? }
    struct Step: Decodable {
      let uses: String?
      let tests: ClassroomTest?

      private enum Key: String, CodingKey { case uses, with }

      init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        uses = try fields.decodeIfPresent(String.self, forKey: .uses)
        let isGrader = uses?.split(separator: "@").first?.hasSuffix("-grader") == true
        tests = isGrader ? try fields.decodeIfPresent(ClassroomTest.self, forKey: .with) : nil
      }
    }
  }

  /// Returns the tests in a workflow.
  ///
  /// - Throws: ``CourseFormatError`` if the text is not the YAML of a workflow.
  static func tests(inWorkflow text: String, file: String, limits: SourceLimits) throws -> [ClassroomTest] {
    guard let node = try YAMLFields.root(of: text, file: file, limits: limits) else { return [] }
    do {
      let jobs = try YAMLDecoder().decode(Workflow.self, from: node).jobs
      return jobs.sorted { $0.key < $1.key }.flatMap { $0.value.steps ?? [] }.compactMap(\.tests)
    } catch let error as DecodingError {
      throw CourseFormatError.malformed(
        file: file, line: nil, problem: error.pathAndProblem.problem, advice: "Correct it.")
    }
  }
}
