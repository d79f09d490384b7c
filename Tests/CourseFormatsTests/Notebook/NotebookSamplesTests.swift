import Foundation
import LearningModel
import Testing

@testable import CourseFormats

private let samples = ProcessInfo.processInfo.environment["WAYMARK_SAMPLES"]

/// Tests with real notebooks, which are not part of this project. `WAYMARK_SAMPLES` is the folder that contains
/// `jupyter`.
@Suite(.enabled(if: samples != nil, "WAYMARK_SAMPLES does not name the folder of samples"))
struct NotebookSamplesTests {
  private static let names = [
    "17_autoencoders_gans_and_diffusion_models", "index", "math_linear_algebra", "tools_numpy",
  ]

  private func folder() throws -> String { try #require(samples) + "/jupyter/handson-ml3" }

  private func read(_ name: String) throws -> CourseDraft {
    try FormatRegistry.read(CourseSource(path: folder() + "/" + name + ".ipynb"))
  }

  @Test func `the sample folder is a course with one lesson per notebook`() throws {
    let draft = try FormatRegistry.read(CourseSource(path: folder()))

    #expect(draft.format == "jupyter")
    #expect(!draft.isRefused)
    #expect(
      draft.nodes.filter { $0.kind == .lesson }.map { "\($0.key) | \($0.title)" } == [
        "index | Machine Learning Notebooks",
        "autoencoders_gans_and_diffusion_models | Chapter 17 – Autoencoders, GANs, and Diffusion Models",
        "math_linear_algebra | Math - Linear Algebra",
        "tools_numpy | Tools - NumPy",
      ])
    #expect(draft.counts == ContentCounts(course: 1, goal: 1, lesson: 4, activity: 16))
    #expect(Set(draft.nodes.map(\.key)).count == draft.nodes.count)
  }

  @Test(arguments: names) func `texts of the samples contain neither markup nor image data`(_ name: String) throws {
    for content in try read(name).allContents() {
      #expect(content.rawMarks() == [])
      #expect(content.plainText.firstMatch(of: #/[A-Za-z0-9+\/]{200}/#) == nil)
      #expect(!content.storedText.contains("base64"))
    }
  }

  // MARK: Losses

  /// The elements of a notebook, counted independently in its JSON.
  private struct Counts {
    var code = 0
    var markdown = 0
    var empty = 0
    var texts = 0
    var pictures = 0
    var emptyOutputs = 0
    var written = 0
  }

  private func counts(_ name: String) throws -> Counts {
    let data = try Data(contentsOf: URL(filePath: folder() + "/" + name + ".ipynb"))
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    var counts = Counts()
    for cell in try #require(json["cells"] as? [[String: Any]]) {
      let source = (cell["source"] as? [String] ?? []).joined()
      if cell["cell_type"] as? String == "code" {
        if source.isEmpty { counts.empty += 1 } else { counts.code += 1 }
      } else {
        counts.markdown += 1
        counts.written += source.matches(of: #/!\[|<img /#).count
      }
      var stream: String?
      for output in cell["outputs"] as? [[String: Any]] ?? [] {
        let forms = output["data"] as? [String: Any] ?? [:]
        let name = output["name"] as? String
        if name != nil, name == stream { continue }
        stream = name
        if forms.keys.contains(where: { $0.hasPrefix("image/") }) {
          counts.pictures += 1
        } else {
          counts.texts += 1
        }
      }
    }
    return counts
  }

  @Test(arguments: names) func `every cell and every output is shown or counted as a loss`(_ name: String) throws {
    let counts = try counts(name)
    let notebook = try NotebookFile.read(
      CourseSource(path: folder() + "/" + name + ".ipynb").bytes(), file: name, limits: .standard)

    // Without the other notebooks, because a single page is read with the pages that it links.
    let alone = try TestFolder([:])
    for file in try FileManager.default.contentsOfDirectory(atPath: folder())
    where !file.hasSuffix(".ipynb") || file == name + ".ipynb" {
      try FileManager.default.copyItem(atPath: folder() + "/" + file, toPath: alone.path + "/" + file)
    }
    let draft = try FormatRegistry.read(CourseSource(path: alone.path + "/" + name + ".ipynb"))

    let blocks = try draft.allContents().flatMap { content -> [Block] in
      if case .reading(let blocks) = content { blocks } else { [] }
    }
    func lost(_ what: String) -> Int { draft.losses.filter { $0.what == what }.map(\.count).reduce(0, +) }
    let codes = blocks.count { if case .code("python"?, _) = $0 { true } else { false } }
    let outputs = blocks.flatMap { block -> [Block] in if case .quote(let inner) = block { inner } else { [] } }
    let texts = outputs.count { if case .code(nil, _) = $0 { true } else { false } }
    #expect(codes == counts.code)
    #expect(lost("empty cell") == counts.empty)
    #expect(texts + lost("empty output") == counts.texts)
    let kept = try draft.digests().count
    #expect(kept + lost("image") + lost("badge") == counts.pictures + counts.written)
    #expect(notebook.cells.count == counts.code + counts.markdown + counts.empty)
  }

  // MARK: Comparison with nbformat

  /// The path of a Python with nbformat, which parses notebooks for comparison.
  private static let python = ProcessInfo.processInfo.environment["WAYMARK_ORACLE_PYTHON"]

  private struct Piece: Hashable, Codable {
    var kind: String
    var form: String?
    var text: String
  }

  private func oracle(_ path: String) throws -> [Piece] {
    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.python))
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "nbformat-oracle.py")
    process.arguments = [script.path, path]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return try data.split(separator: 0x0A).map { try JSONDecoder().decode(Piece.self, from: $0) }
  }

  private func pieces(_ path: String) throws -> [Piece] {
    let notebook = try NotebookFile.read(CourseSource(path: path).bytes(), file: path, limits: .standard)
    var reading = CellOutputs(file: path, limits: .standard)
    return notebook.cells.flatMap { cell -> [Piece] in
      let kind =
        switch cell.kind {
        case .markdown: "markdown"
        case .code: "code"
        case .raw: "raw"
        case .other(let kind): kind
        }
      return [Piece(kind: kind, text: cell.source)]
        + CellOutputs.joined(cell.outputs).map { output in
          let (form, text) = reading.presentation(of: output).named
          return Piece(kind: "output", form: form, text: text)
        }
    }
  }

  @Test(
    .enabled(if: python != nil, "WAYMARK_ORACLE_PYTHON does not name a Python with nbformat"),
    arguments: names.map { "jupyter/handson-ml3/" + $0 } + [
      "notebooks/index", "notebooks/1-water", "notebooks/2-time", "book/rye", "book/wheat", "old/crust",
    ])
  func `cells have the same kind, source and outputs as when nbformat reads them`(_ name: String) throws {
    let path =
      name.hasPrefix("jupyter")
      ? try #require(samples) + "/" + name + ".ipynb" : fixtures.appending(path: "jupyter/" + name + ".ipynb").path

    let expected = try oracle(path)

    #expect(!expected.isEmpty)
    #expect(try pieces(path) == expected)
  }
}

extension CellOutputs.Presentation {
  /// The name of the form in the output of the oracle, and its text.
  fileprivate var named: (String, String) {
    switch self {
    case .text(let text, _): ("text", text)
    case .image(let words, _): ("picture", words)
    case .table: ("table", "")
    case .html: ("html", "")
    case .markdown(let text): ("markdown", text)
    case .latex(let text): ("latex", text)
    case .unsupported: ("lost", "")
    }
  }
}

extension ActivityContent {
  /// All stored data, including destinations of links and sources of images.
  fileprivate var storedText: String { String(describing: self) }
}
