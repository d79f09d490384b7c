import ArgumentParser
import CourseBrowser
import CourseLibrary
import LearningModel

/// `waymark show PLACE`.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print an activity as text, or what a place holds.",
    discussion: Example.text("waymark show english-for-business/meetings/opening/why-are-we-here | less"))

  @OptionGroup var global: GlobalOptions
  @Argument(help: "A path such as english-for-business/meetings.") var place: String
  @Flag(help: "Tick the right answers of a quiz, and explain them.") var answers = false

  func run() throws {
    let library = try global.library()
    let found = try library.place(at: PlacePath(place))
    let blocks =
      if let node = found.node, let content = try library.content(of: node.id) {
        content.blocks(withAnswers: answers)
      } else {
        Self.contents(of: found, children: try library.children(of: found.place))
      }
    let title = Block.heading(level: 1, text: [.text(found.reference.title)], anchor: "")

    var output = StandardOutput()
    let depth = ProgramEnvironment.current.colourDepth(onTerminal: output.isTerminal)
    output.write(TextPrinting.text([title] + blocks, width: output.width, depth: depth))
    output.flush()
  }

  /// A place that is no activity shows its summary, and its children with the paths that open them.
  private static func contents(of found: FoundPlace, children: [ContentNode]) -> [Block] {
    let summary = found.node?.summary ?? ""
    let items = children.map { child in
      let path = found.reference.path.appending(child.slug).description
      return ListItem(blocks: [.paragraph([.strong([.text(child.title)]), .lineBreak, .text(path)])])
    }
    return (summary.isEmpty ? [] : [.paragraph([.text(summary)])]) + (items.isEmpty ? [] : [.bulletList(items: items)])
  }
}
