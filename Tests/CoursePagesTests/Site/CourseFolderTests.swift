import CourseKit
import Foundation
import LearningModel
import TestSupport
import Testing

@testable import CourseFormats
@testable import CoursePages

struct CourseFolderTests {
  private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Fixtures").standardizedFileURL.path

  private func imported(_ path: String) throws -> CourseDraft { try FormatRegistry.read(CourseSource(path: path)) }

  /// Writes a course as a folder and imports the folder.
  private func copy(of course: ExportedCourse) throws -> CourseDraft {
    let folder = try TestSupport.TemporaryFolder()
    for (path, bytes) in try WrittenFiles(folder: course).bytes {
      let file = folder.file(path)
      try FileManager.default.createDirectory(
        atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try folder.write(Data(bytes), to: path)
    }
    return try imported(folder.path)
  }

  private func exported(_ draft: CourseDraft) -> ExportedCourse {
    ExportedCourse(nodes: draft.nodes, language: draft.language, contents: draft.contents)
  }

  @Test func `a course of Waymark's folder form is unchanged after an export and an import`() throws {
    let draft = try imported(Self.fixtures + "/english-for-business")

    let copy = try copy(of: exported(draft))

    #expect(copy.diagnostics == [])
    #expect(copy.nodes == draft.nodes && copy.language == draft.language)
    for (index, node) in draft.nodes.enumerated() where node.kind == .activity {
      let (old, new) = (try draft.contents.content(at: index), try copy.contents.content(at: index))
      #expect(withoutImagePaths(new) == withoutImagePaths(old), "\(node.key)")
    }
  }

  /// Returns the content without the paths of images, which an export changes.
  private func withoutImagePaths(_ content: ActivityContent) -> ActivityContent {
    func line(_ inlines: [Inline]) -> [Inline] {
      inlines.map { inline in
        guard case .image(_, let alternative, let stored) = inline else { return inline.mapChildren(line) }
        return .image(source: "", alternative: alternative, stored: stored)
      }
    }
    return content.mapChildren(line: line, blocks: { $0.mapLines(line) })
  }

  @Test func `an exercise is equal after an export and an import`() throws {
    let (course, exercise) = SiteExercise.course

    let copy = try copy(of: course)

    #expect(copy.diagnostics == [])
    #expect(copy.nodes == course.nodes)
    #expect(try copy.contents.content(at: 3) == .exercise(exercise))
    for file in exercise.files {
      #expect(try copy.contents.bytes(of: file) == course.contents.bytes(of: file), "\(file.path)")
    }
  }

  @Test(arguments: ["mdbook", "markdown-folder"])
  func `courses of other formats keep their keys and titles`(_ name: String) throws {
    let folder = Self.fixtures + "/" + name
    for entry in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
      guard let draft = try? imported(folder + "/" + entry), !draft.isRefused else { continue }

      let copy = try copy(of: exported(draft))

      #expect(copy.diagnostics.filter { $0.severity == .error } == [], "\(entry)")
      #expect(copy.nodes.map(\.key) == draft.nodes.map(\.key), "\(entry)")
      #expect(copy.nodes.map(\.title) == draft.nodes.map(\.title), "\(entry)")
      #expect(copy.nodes.map(\.type) == draft.nodes.map(\.type), "\(entry)")
    }
  }

  @Test func `each activity becomes a file with its fields, its links and its images`() throws {
    let digest = String(repeating: "a1", count: 32)
    let image = try #require(StoredImage(digest: digest, size: nil))
    let quiz = ActivityContent.quiz(
      introduction: [.heading(level: 1, text: .words("First"), anchor: "first")],
      questions: [
        QuizQuestion(
          question: .words("Why?"), details: [.code(language: nil, text: "a")],
          choices: [.init(text: .words("Taste"), isRight: true), .init(text: .words("Salt"), isRight: false)],
          explanation: [.paragraph(.words("So."))])
      ], pass: 0.8)
    let text = ActivityContent.reading([
      .heading(level: 2, text: .words("Dough"), anchor: "dough"),
      .paragraph([
        .link(destination: "waymark:text-1#gone", text: .words("quiz")), .text(" "),
        .link(destination: "waymark:text-0#custom", text: .words("why")), .text(" "),
        .link(destination: "waymark:goal", text: .words("goal")), .text(" "),
        .link(destination: "javascript:alert(1)", text: .words("none")), .text(" "), .math("n"),
        .image(source: "far/a.png", alternative: "A loaf", stored: image),
      ]), .heading(level: 2, text: .words("Why"), anchor: "custom"), .paragraph([.math("x")]),
    ])

    let files = try WrittenFiles(
      folder: .ofTexts([("Dough", text), ("Dough", quiz)], images: [digest: [0x47, 0x49, 0x46, 0x38, 0x39, 0x61]]))

    #expect(
      files.paths == [
        "1-baking/1-dough/1-dough.md", "1-baking/1-dough/2-dough.md", "1-baking/1-dough/lesson.yml",
        "1-baking/goal.yml", "course.yml", "images/\(digest.prefix(20)).gif",
      ])
    #expect(files["course.yml"] == "title: \"Bread\"\nkey: \"bread\"\nsummary: \"About bread.\"\nlanguage: \"en\"\n")
    #expect(
      files["1-baking/1-dough/1-dough.md"] == """
        ---
        title: "Dough"
        key: "text-0"
        minutes: 1
        ---

        # Dough

        ## Dough

        [quiz](2-dough.md) [why](#custom) [goal](../../1-baking) none $n$![A loaf](../../images/\(digest.prefix(20)).gif)

        <a id="custom"></a>

        ## Why

        $x$

        """)
    #expect(
      files["1-baking/1-dough/2-dough.md"] == """
        ---
        title: "Dough"
        key: "text-1"
        minutes: 2
        type: quiz
        pass: 80
        ---

        ### First

        ## Why?

        ```
        a
        ```

        - [x] Taste
        - [ ] Salt

        > So.

        """)
  }

  @Test func `hostile titles and keys are imported unchanged`() throws {
    let titles = ["../../etc", "a: b # c", "'\"\\", "- x", "null", "---", "{{c1::x}}", "第一章", "第一章"]
    var nodes = [
      DraftNode(parent: nil, key: "course: x", kind: .course, title: "yes"),
      DraftNode(parent: 0, key: "g#1", kind: .goal, title: "true"),
      DraftNode(parent: 1, key: "l/../x", kind: .lesson, title: "~"),
    ]
    for (index, title) in titles.enumerated() {
      nodes.append(
        DraftNode(
          parent: 2, key: "\(title) \(index)", kind: .activity, title: title, summary: title, type: .reading))
    }
    let contents = IllustratedContents(
      contents: Dictionary(uniqueKeysWithValues: (3..<nodes.count).map { ($0, .reading([.paragraph(.words("A."))])) }))

    let copy = try copy(of: ExportedCourse(nodes: nodes, language: nil, contents: contents))

    #expect(copy.nodes == nodes)
    #expect(copy.diagnostics == [])
  }

  @Test func `cards whose keys or tags are left out are counted`() throws {
    let plain = Flashcard(front: .words("a"), back: [.paragraph(.words("b"))])
    let tagged = Flashcard(key: "k", front: .words("c"), back: plain.back, tags: ["t"])
    let reversed = Flashcard(front: .words("d"), back: plain.back, isReversed: true)
    func count(_ cards: [Flashcard]) throws -> Int {
      try CourseFolder(.ofTexts([("Cards", .flashcards(introduction: [], cards: cards))])).write { _, _ in }
    }

    #expect(try count([plain, tagged]) == 1)
    #expect(try count([plain, reversed]) == 1)
    #expect(try count([reversed, reversed]) == 0)
  }
}
