/// A text in a frame that says what it is: a note, a warning, an exercise.
public struct Admonition: Hashable, Sendable {
  /// What it is.
  public let kind: Kind
  /// What its author calls it; may be empty.
  public let title: [Inline]
  /// What it says.
  public let blocks: [Block]

  /// The kinds that have a word and a colour of their own.
  ///
  /// Source: GitHub, "Basic writing and formatting syntax", "Alerts".
  public enum Kind: String, Codable, CaseIterable, Hashable, Sendable {
    /// What is good to know.
    case note
    /// How something is done better.
    case tip
    /// What must be known.
    case important
    /// What may go wrong.
    case warning
    /// What does harm.
    case caution
    /// Anything else: its title alone says what it is, such as an exercise.
    case box

    /// What a reader calls it; empty for a ``box``.
    public var word: String { self == .box ? "" : rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// The words for it, in lower case, its own first; a title that begins with one says what it is.
    ///
    /// Sources: Docusaurus, "Admonitions"; Docutils, "Admonitions"; Material for MkDocs, "Supported types".
    public var names: [String] {
      switch self {
      case .note: ["note", "info"]
      case .tip: ["tip", "hint"]
      case .important: ["important"]
      case .warning: ["warning", "attention"]
      case .caution: ["caution", "danger", "error"]
      case .box: []
      }
    }
  }

  /// Makes an admonition.
  public init(kind: Kind, title: [Inline] = [], blocks: [Block]) {
    self.kind = kind
    self.title = title
    self.blocks = blocks
  }

  /// The line above it: its kind's word, and its title where that says more. Empty for a box without a title.
  public var heading: [Inline] {
    if title.isEmpty { return kind == .box ? [] : [.text(kind.word)] }
    let word = String(title.plainText.lowercased().prefix { $0.isLetter })
    return kind == .box || kind.names.contains(word) ? title : [.text(kind.word + ": ")] + title
  }
}
