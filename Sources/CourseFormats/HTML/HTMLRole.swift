/// The treatment of an HTML element. To support another element, add its name to ``roles``.
enum HTMLRole: Equatable {
  case heading(Int)
  case paragraph
  /// An element that contains blocks but is not visible itself.
  case container
  /// A paragraph in bold or italic text: the title of the following blocks.
  case label(isStrong: Bool)
  case list(isOrdered: Bool)
  case quote
  case preformatted
  case table
  case rule
  /// Content that is collapsed until it is opened.
  case details
  /// Alternative texts in tabs, and one of these texts.
  case tabs, tab
  /// A list of terms and their definitions.
  case definitions
  case emphasis, strong, strikethrough, code, key, quotation, superscript, `subscript`
  case link, image, lineBreak
  /// The pronunciation of the preceding characters, as in ruby markup.
  case rubyText
  /// A formula in MathML.
  case mathematics
  /// A formula in LaTeX.
  case formula
  /// An image in SVG.
  case svg
  /// A form field or a check box. A check box at the beginning of a list item shows whether the item is done.
  case input
  /// Embedded content that a terminal cannot show. Its address is shown as a link if it is known.
  case embedded(String)
  /// An element that is omitted together with its content. If `counted` is not `nil`, it is counted as a loss with this
  /// description.
  case dropped(counted: String?)
  /// An element that is not in the table. Its content is kept.
  case unknown

  static func of(_ name: String) -> HTMLRole { roles[name] ?? .unknown }

  /// Whether the element is a block, which ends a line of text.
  var isBlock: Bool {
    switch self {
    case .heading, .paragraph, .container, .label, .list, .quote, .preformatted, .table, .rule, .details, .tabs,
      .tab, .definitions:
      true
    default: false
    }
  }

  var isHeading: Bool {
    if case .heading = self { true } else { false }
  }

  private static let roles: [String: HTMLRole] = {
    var roles: [String: HTMLRole] = [
      "p": .paragraph, "ul": .list(isOrdered: false), "menu": .list(isOrdered: false), "ol": .list(isOrdered: true),
      "blockquote": .quote, "pre": .preformatted, "xmp": .preformatted, "table": .table, "hr": .rule,
      "details": .details, "dl": .definitions, "kbd": .key, "tabs": .tabs, "tabitem": .tab, "tab": .tab,
      "dt": .label(isStrong: true), "summary": .label(isStrong: true), "figcaption": .label(isStrong: false),
      "q": .quotation, "sup": .superscript, "sub": .`subscript`, "a": .link, "img": .image, "br": .lineBreak,
      "input": .input,
      "script": .dropped(counted: "script"), "style": .dropped(counted: "style sheet"),
      "head": .dropped(counted: nil), "template": .dropped(counted: nil),
      "button": .dropped(counted: "form field"), "select": .dropped(counted: "form field"),
      "textarea": .dropped(counted: "form field"), "svg": .svg, "math": .mathematics,
      MarkdownMathematics.element: .formula, "rt": .rubyText,
      "rp": .dropped(counted: nil),
      "canvas": .dropped(counted: "drawing"), "map": .dropped(counted: nil),
      "iframe": .embedded("embedded page"), "object": .embedded("embedded object"),
      "embed": .embedded("embedded object"), "video": .embedded("video"), "audio": .embedded("sound"),
    ]
    for level in 1...6 { roles["h\(level)"] = .heading(level) }
    for name in ["em", "i", "cite", "var", "dfn", "address"] { roles[name] = .emphasis }
    for name in ["strong", "b", "mark"] { roles[name] = .strong }
    for name in ["del", "s", "strike"] { roles[name] = .strikethrough }
    for name in ["code", "samp", "tt"] { roles[name] = .code }
    for name in [
      "html", "body", "div", "section", "article", "main", "header", "footer", "aside", "nav", "figure",
      "center", "form", "fieldset", "dd", "li", "hgroup", "thead", "tbody", "tfoot", "tr", "td", "th", "caption",
    ] { roles[name] = .container }
    return roles
  }()
}
