/// The first line of a directive: `@Image(source: "map.png", alt: "A map")`, `@Row {`.
///
/// Source: Swift-DocC, its reference of directives.
struct DocCDirective {
  /// What becomes of it.
  enum Role: Equatable {
    /// Says nothing to who reads.
    case dropped
    case picture
    /// Its text is shown, between these lines.
    case box(opening: String, closing: String)
  }

  /// What stands behind the sign.
  let name: String
  /// Whether a text follows, up to a line with its closing brace.
  let opens: Bool
  /// What is said between its parentheses, by label; without one, by an empty text.
  private var arguments: [String: String] = [:]

  /// - Returns: `nil` where the line begins none that DocC knows.
  init?(_ bare: Substring) {
    guard bare.first == "@" else { return nil }
    name = String(bare.dropFirst().prefix { $0.isLetter })
    guard Self.shown.contains(name) || Self.dropped.contains(name) else { return nil }
    let rest = bare.dropFirst(1 + name.utf8.count).trimmingBlanks
    // A line that both opens and closes it says nothing else.
    opens = rest.hasSuffix("{")
    if rest.first == "(" { readArguments(rest.dropFirst()) }
  }

  private mutating func readArguments(_ text: Substring) {
    var (label, value) = ("", "")
    var isQuoted = false
    for character in text {
      switch character {
      case "\"": isQuoted.toggle()
      case _ where isQuoted: value.append(character)
      case ":": (label, value) = (String(value[...].trimmingBlanks), "")
      case ",", ")":
        arguments[label] = String(value[...].trimmingBlanks)
        (label, value) = ("", "")
        if character == ")" { return }
      default: value.append(character)
      }
    }
  }

  /// What an argument says, without its quotation marks.
  subscript(label: String) -> String? { arguments[label] }

  /// What becomes of it.
  var role: Role {
    switch name {
    case "Image", "Video": .picture
    case "TabNavigator": .box(opening: "::::{tab-set}", closing: "::::")
    case "Tab": .box(opening: ":::{tab-item} \(arguments[""] ?? "")", closing: ":::")
    default: Self.shown.contains(name) ? .box(opening: "", closing: "") : .dropped
    }
  }

  private static let shown: Set<String> = [
    "Image", "Video", "TabNavigator", "Tab", "Row", "Column", "Small", "Links", "DeprecationSummary",
  ]

  private static let dropped: Set<String> = [
    "Metadata", "Options", "Comment", "Redirected", "TechnologyRoot", "DisplayName", "DocumentationExtension",
    "TitleHeading", "PageImage", "PageColor", "PageKind", "CallToAction", "SupportedLanguage", "Available",
    "CustomMetadata", "AlternateRepresentation", "AutomaticSeeAlso", "AutomaticTitleHeading",
    "AutomaticArticleSubheading", "TopicsVisualStyle", "Snippet",
  ]
}
