import Answers
import ArgumentParser
import CourseKit
import CoursePages
import LearningModel
import TextCanvas

/// `waymark show PLACE`.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "show", "Print the text of an activity, or the content of another place.",
    example: "waymark show english-for-business/meetings/opening/why-are-we-here | less")

  @OptionGroup var global: GlobalOptions
  @Argument(
    help: "A path such as english-for-business/meetings.", completion: .places, transform: ArgumentParsers.place)
  var place: String
  @Flag(help: "Mark and explain the correct answers of a quiz.") var answers = false
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The line width, at least 20 (default: that of the terminal; in a pipe, lines are not wrapped).",
      valueName: "columns"))
  var width: Int?

  @Option(help: "The output format; json prints an activity as in an exported course.")
  var format = Format.text

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, markdown, html, json
  }

  func validate() throws {
    if format == .json, answers || width != nil {
      throw ValidationError(
        "--format json always contains the answers and has no line width. Omit --answers and --width.")
    }
    if let width, !(20...10_000).contains(width) {
      throw ValidationError("--width must be from 20 to 10000, not \(width).")
    }
  }

  func run() throws {
    let library = try global.library()
    if format == .json {
      var output = StandardOutput()
      output.write(try library.page(at: PlacePath(place)).harmlessJSON)
      return output.flush()
    }
    let entry = try library.place(at: PlacePath(place))
    let content = try entry.node.flatMap { try library.content(of: $0.id) }
    let children = content == nil ? try library.children(of: entry.place) : []
    let summary = entry.node?.summary ?? ""
    var blocks = [Block.heading(level: 1, text: [.text(entry.reference.title)], anchor: "")]
    if let content {
      blocks += content.blocks(withAnswers: answers)
    } else if !summary.isEmpty {
      blocks.append(.paragraph([.text(summary)]))
    }

    var output = StandardOutput()
    switch format {
    case .text, .json:
      let depth = ProgramEnvironment.current.colourDepth(onTerminal: output.isTerminal)
      let list = Self.list(of: children, in: entry.reference.path)
      output.printText(
        TextPrinting.text(blocks, terminal: output.width, width: width, depth: depth, signs: output.signs) + list)
    case .markdown:
      output.write(MarkdownWriter().text(blocks + Self.links(to: children, in: entry.reference.path)).harmlessLines)
    case .html:
      let page = HTMLWriter().page(
        blocks + Self.links(to: children, in: entry.reference.path), title: entry.reference.title)
      output.write(page.harmlessLines)
    }
    output.flush()
  }

  /// Returns the children of a place as links to their paths.
  private static func links(to children: [ContentNode], in path: PlacePath) -> [Block] {
    guard !children.isEmpty else { return [] }
    return [
      .bulletList(
        items: children.map { child in
          let destination = path.appending(child.slug).description
          return ListItem(blocks: [.paragraph([.link(destination: destination, text: [.text(child.title)])])])
        })
    ]
  }

  /// Returns the titles and paths of the children. A path is never wrapped, so that it can be copied.
  private static func list(of children: [ContentNode], in path: PlacePath) -> String {
    let lines = children.flatMap { ["\($0.title)", "  \(path.appending($0.slug))"] }
    return lines.isEmpty ? "" : "\n" + lines.map { $0.harmless + "\n" }.joined()
  }
}

extension ActivityContent {
  /// Returns the activity as a text for printing.
  ///
  /// - Parameter withAnswers: Whether the right choices of a quiz are ticked and explained.
  func blocks(withAnswers: Bool) -> [Block] {
    switch self {
    case .flashcards(let introduction, let cards):
      introduction + cards.flatMap { [.heading(level: 2, text: $0.front, anchor: "")] + $0.back }
    case .quiz(let introduction, let questions, _):
      introduction + questions.flatMap { $0.blocks(withAnswers: withAnswers) }
    default: readBlocks
    }
  }
}

extension QuizQuestion {
  fileprivate func blocks(withAnswers: Bool) -> [Block] {
    let items = choices.map {
      ListItem(isTicked: withAnswers && $0.isRight, blocks: [.paragraph($0.text)])
    }
    let reasons: [Block] = withAnswers && !explanation.isEmpty ? [.quote(explanation)] : []
    let list: [Block] = items.isEmpty ? [] : [.bulletList(items: items)]
    return [.heading(level: 2, text: question, anchor: "")] + details + list + reasons
  }
}
