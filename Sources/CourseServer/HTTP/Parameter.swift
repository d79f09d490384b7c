/// Something that the query of a request may say.
struct Parameter: Sendable {
  /// What it may be.
  enum Kind: Sendable {
    /// Some text with something to see in it.
    case text
    /// A number in a range.
    case number(ClosedRange<Int>)
    /// One of some words.
    case word([String])
    /// A name of a device: a few letters, digits, dots, hyphens and underscores.
    case device
  }

  let name: String
  let kind: Kind
  /// What it is for, in a sentence.
  let summary: String
  /// Whether the request makes no sense without it.
  var isRequired = false

  init(_ name: String, _ kind: Kind, _ summary: String, isRequired: Bool = false) {
    self.name = name
    self.kind = kind
    self.summary = summary
    self.isRequired = isRequired
  }

  /// Scalars of a text at most, as JSON Schema counts them: no path, title or search is longer.
  static let longestText = 1_000
  /// The greatest number of a row or a step.
  static let greatest = 1_000_000_000_000

  static let limit = Parameter("limit", .number(1...1_000), "At most so many rows; 100 where it is left out.")
  static let after = Parameter("after", .number(0...greatest), "Where to go on: as the Link header has it.")
  static let timeZone = Parameter(
    "timeZone", .text, "The learner's time zone, such as Europe/Lisbon; UTC where it is left out.")
  static let device = Parameter(
    "device", .device, "What the learner sits at; its steps are a session of their own. 'web' where it is left out.")
  static let learner = Parameter("learner", .text, "Whose: a name, or 'all'. For tokens of teachers.")
}

extension String {
  /// What a text has that is not blank, for the documentation: a letter that is neither a space nor the end of a line.
  static let visiblePattern = #"[^\t\n\v\f\r ]"#

  /// Whether it has nothing but spaces and line ends.
  var isBlank: Bool { unicodeScalars.allSatisfy { $0 == " " || ("\t"..."\r").contains($0) } }
}
