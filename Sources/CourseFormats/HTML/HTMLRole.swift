/// What becomes of an element. To treat one more element, add its name to ``roles``.
enum HTMLRole: Equatable {
  case heading(Int)
  case paragraph
  /// Blocks stand in it, and nothing of it is shown.
  case container
  /// A paragraph in strong or stressed words: the title of what follows.
  case label(isStrong: Bool)
  case list(isOrdered: Bool)
  case quote
  case preformatted
  case table
  case rule
  /// What is closed until it is asked for.
  case details
  /// Texts to choose from, and one of them.
  case tabs, tab
  /// Words and what they mean.
  case definitions
  case emphasis, strong, strikethrough, code, key, quotation, raised, lowered
  case link, image, lineBreak
  /// How the characters before it are read, in ruby.
  case spoken
  /// A formula, in MathML.
  case mathematics
  /// A formula, in LaTeX.
  case formula
  /// A picture in SVG.
  case drawing
  /// A box to tick where it stands in a list; otherwise part of a form.
  case input
  /// It shows something that a terminal cannot; what it loads is linked to, where that is known.
  case embedded(String)
  /// It and all that stands in it is left out; where `counted` is not `nil`, that is a loss.
  case dropped(counted: String?)
  /// A name that is not in the table: its text is kept.
  case unknown

  static func of(_ name: String) -> HTMLRole { roles[name] ?? .unknown }

  /// Whether it breaks a line of text.
  var isBlock: Bool {
    switch self {
    case .heading, .paragraph, .container, .label, .list, .quote, .preformatted, .table, .rule, .details, .tabs,
      .tab, .definitions:
      true
    default: false
    }
  }

  /// Whether it is a heading.
  var isHeading: Bool {
    if case .heading = self { true } else { false }
  }

  private static let roles: [String: HTMLRole] = {
    var roles: [String: HTMLRole] = [
      "p": .paragraph, "ul": .list(isOrdered: false), "menu": .list(isOrdered: false), "ol": .list(isOrdered: true),
      "blockquote": .quote, "pre": .preformatted, "xmp": .preformatted, "table": .table, "hr": .rule,
      "details": .details, "dl": .definitions, "kbd": .key, "tabs": .tabs, "tabitem": .tab, "tab": .tab,
      "dt": .label(isStrong: true), "summary": .label(isStrong: true), "figcaption": .label(isStrong: false),
      "q": .quotation, "sup": .raised, "sub": .lowered, "a": .link, "img": .image, "br": .lineBreak, "input": .input,
      "script": .dropped(counted: "script"), "style": .dropped(counted: "style sheet"),
      "head": .dropped(counted: nil), "template": .dropped(counted: nil),
      "button": .dropped(counted: "form field"), "select": .dropped(counted: "form field"),
      "textarea": .dropped(counted: "form field"), "svg": .drawing, "math": .mathematics,
      MarkdownMathematics.element: .formula, "rt": .spoken,
      "rp": .dropped(counted: nil),
      "canvas": .dropped(counted: "drawing"), "map": .dropped(counted: nil),
      "iframe": .embedded("embedded page"), "object": .embedded("embedded object"),
      "embed": .embedded("embedded object"), "video": .embedded("video"), "audio": .embedded("sound"),
    ]
    for level in 1...6 { roles["h\(level)"] = .heading(level) }
    for name in ["em", "i", "cite", "var", "dfn", "address"] { roles[name] = .emphasis }
    for name in ["strong", "b"] { roles[name] = .strong }
    for name in ["del", "s", "strike"] { roles[name] = .strikethrough }
    for name in ["code", "samp", "tt"] { roles[name] = .code }
    for name in [
      "html", "body", "div", "section", "article", "main", "header", "footer", "aside", "nav", "figure",
      "center", "form", "fieldset", "dd", "li", "hgroup", "thead", "tbody", "tfoot", "tr", "td", "th", "caption",
    ] { roles[name] = .container }
    return roles
  }()
}
