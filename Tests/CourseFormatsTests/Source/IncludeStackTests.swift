import CourseFormats
import Foundation
import LearningModel
import TestSupport
import Testing

/// Tests that pages cannot include themselves, and that the size of a page is limited before the memory is used, in all
/// formats with includes.
struct IncludeStackTests {
  /// A way to include a file in a page.
  enum Include: String, CaseIterable, Sendable {
    case docsify, myst, vitePress, snippets, hugo, quarto, mdx, mdBook, vault

    /// The extension of the pages.
    var suffix: String { self == .quarto ? "qmd" : self == .mdx ? "mdx" : "md" }

    func line(_ name: String) -> String {
      let file = "\(name).\(suffix)"
      return switch self {
      case .docsify: "[x](\(file) ':include')"
      case .myst: "```{include} \(file)\n```"
      case .vitePress: "<!--@include: ./\(file)-->"
      case .snippets: "--8<-- \"\(file)\""
      case .hugo: "{{% include \"\(file)\" %}}"
      case .quarto: "{{< include \(file) >}}"
      case .mdx: "<\(name.uppercased()) />"
      case .mdBook: "{{#include \(file)}}"
      case .vault: "![[\(name)]]"
      }
    }

    /// Returns the files of a course. Each page includes the pages with the given names.
    func files(_ pages: [String: [String]], padding: Int = 0) -> [String: String] {
      var files: [String: String] = [:]
      for (name, names) in pages {
        let imports = self == .mdx ? Set(names).sorted().map { "import \($0.uppercased()) from './\($0).mdx'\n" } : []
        let folder = self == .mdBook ? "src/" : ""
        files["\(folder)\(name).\(suffix)"] =
          imports.joined() + "\n# \(name)\n\nWords of \(name).\n\n"
          + names.map { line($0) + "\n\n" }.joined() + String(repeating: "word ", count: padding / 5)
      }
      if self == .mdBook {
        files["book.toml"] = "[book]\ntitle = \"T\"\n"
        files["src/SUMMARY.md"] = pages.keys.sorted().map { "- [\($0)](\($0).md)\n" }.joined()
      }
      if self == .vault { files[".obsidian/app.json"] = "{}" }
      if self == .quarto { files["_quarto.yml"] = "project:\n  type: default\n" }
      return files
    }
  }

  @Test(arguments: Include.allCases)
  func `a page that includes itself is read once, and the file is named`(_ include: Include) throws {
    let folder = try TestFolder(
      include.files(["a": Array(repeating: "b", count: 4), "b": Array(repeating: "a", count: 4)]))
    var draft: CourseDraft?

    let time = try processorSeconds { draft = try folder.read() }

    let warnings = try #require(draft).diagnostics.map(\.description).filter { $0.contains("includes itself") }
    #expect(
      Set(warnings) == [
        "\(include == .mdBook ? "src/" : "")a.\(include.suffix): warning: '\(include == .mdBook ? "src/" : "")a.\(include.suffix)' "
          + "includes itself on this page. The repetition is left out. Remove the include.",
        "\(include == .mdBook ? "src/" : "")b.\(include.suffix): warning: '\(include == .mdBook ? "src/" : "")b.\(include.suffix)' "
          + "includes itself on this page. The repetition is left out. Remove the include.",
      ])
    #expect(time < 5)
  }

  @Test(arguments: Include.allCases)
  func `includes that multiply are counted before they are expanded`(_ include: Include) throws {
    let names = ["a", "b", "c", "d", "e", "f"]
    var pages: [String: [String]] = ["f": []]
    for (name, next) in zip(names, names.dropFirst()) { pages[name] = Array(repeating: next, count: 12) }
    let folder = try TestFolder(include.files(pages, padding: 500))
    var limits = SourceLimits.standard
    limits.expandedSize = 1 << 20
    var draft: CourseDraft?

    let time = try processorSeconds { draft = try folder.read(limits: limits) }

    #expect(try #require(draft).nodes.contains { $0.kind == .activity })
    #expect(time < 60)
  }

  @Test(arguments: Include.allCases)
  func `the includes of all pages together are limited`(_ include: Include) throws {
    let names = "abcdefghi".map(String.init)
    var pages: [String: [String]] = ["i": []]
    for (name, next) in zip(names, names.dropFirst()) { pages[name] = Array(repeating: next, count: 40) }
    let folder = try TestFolder(include.files(pages))
    var limits = SourceLimits.standard
    limits.expandedSize = 64 << 10

    let draft = try folder.read(limits: limits)

    let messages = draft.diagnostics.map(\.message)
    #expect(draft.nodes.contains { $0.kind == .activity })
    #expect(
      messages.contains(
        "The includes of all pages add 64 KiB more than 16 times the size of the pages. Include less. The page is left "
          + "out."))
    #expect(!draft.losses.contains { $0.what == "include that includes itself" })
    // The pages are smaller than 12 KiB in total, so that the limit is 64 KiB + 16 × 12 KiB, which four pages reach.
    #expect(messages.count { $0.hasPrefix("With its includes") } <= 4)
  }

  @Test(arguments: Include.allCases)
  func `a hundred pages may include the same file`(_ include: Include) throws {
    var pages: [String: [String]] = ["a": []]
    for number in 1...100 { pages["p\(number)"] = ["a"] }
    let folder = try TestFolder(include.files(pages, padding: 10_000))

    let draft = try folder.read()

    #expect(draft.diagnostics.filter { $0.message.contains("include") } == [])
    #expect(!draft.losses.contains { $0.what.contains("include") || $0.what.contains("cannot be read") })
  }
}
