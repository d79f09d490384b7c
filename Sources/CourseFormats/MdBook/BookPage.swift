import LearningModel

/// A page of a book, cut into sittings.
struct BookPage {
  /// Its first heading, of whatever level; `nil` where it has none.
  private(set) var title: String?
  /// The anchors of that heading.
  private(set) var titleAnchors: [String] = []
  /// Its parts; none where it says nothing.
  private(set) var parts: [PagePart] = []

  /// Cuts a page.
  ///
  /// - Parameters:
  ///   - text: The page.
  ///   - code: How its code is shown.
  ///   - file: What errors call it.
  ///   - limits: How large its parts may become with their notes.
  init(_ text: ParsedText, code: BookCode, file: String, limits: SourceLimits) throws {
    var text = text
    takeTitle(off: &text)
    // What a book hides is no word of it.
    text.blocks = text.blocks.map { located in
      LocatedBlock(block: [located.block].mapCode(code.block)[0], line: located.line)
    }
    text.footnotes.mapBlocks { $0.mapCode(code.block) }
    parts = try PageParts.parts(of: text, file: file, limits: limits)
  }

  /// Takes the first heading off, which the lesson's title says.
  private mutating func takeTitle(off text: inout ParsedText) {
    let index = text.blocks.firstIndex { located in
      if case .heading = located.block { true } else { false }
    }
    guard let index, case .heading(_, let words, _) = text.blocks[index].block else { return }
    let said = words.plainText.onOneLine
    title = said.isEmpty ? nil : said
    titleAnchors = text.anchors.filter { $0.value == index }.map(\.key).sorted()
    text.blocks.remove(at: index)
    text.anchors = text.anchors.mapValues { $0 > index ? $0 - 1 : $0 }
  }
}
