import LearningModel

/// What becomes of a link between the pages of a source.
enum LinkResolution: Equatable {
  /// It leads to this destination; where it has no words of its own, those of `title` are its words.
  case link(String, title: String? = nil)
  /// It leads to this destination, which is less than it named; what it named is said in the singular.
  case inexact(String, String)
  /// It is lost; what it was is said in the singular.
  case lost(String)
}

extension DraftBuilder {
  /// Replaces each link in each text by what it leads to, or by its words, and counts what is lost of it.
  ///
  /// - Parameters:
  ///   - words: The words of a link that is lost and had none but its destination.
  ///   - resolve: Says what becomes of the link of a node.
  mutating func resolveLinks(
    words: (String) -> String = { $0 },
    _ resolve: (_ builder: DraftBuilder, _ index: Int, _ destination: String) -> LinkResolution
  ) throws {
    try resolveLinks { builder, index, destination, text in
      let isBare = text == [.text(destination)]
      switch resolve(builder, index, destination) {
      case .link(let resolved, let title):
        return .link(destination: resolved, text: isBare ? title.map { [.text($0)] } ?? text : text)
      case .inexact(let resolved, let what):
        builder.findings.lose(what, "the page is linked to")
        return .link(destination: resolved, text: text)
      case .lost(let what):
        builder.findings.lose(what, "its words are kept")
        return .text(text.plainText == destination ? words(destination) : text.plainText)
      }
    }
  }
}
