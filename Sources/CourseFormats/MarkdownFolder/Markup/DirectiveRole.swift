/// The treatment of a directive, a shortcode or a fenced division. To support another one, add its name to ``roles``.
///
/// Source: the documentation of MyST, Sphinx, sphinx-exercise, sphinx-design, The Carpentries Workbench, Docusaurus,
/// VitePress, Python-Markdown, Quarto, Hugo and its common themes.
enum DirectiveRole: Equatable {
  /// A frame with this label.
  case admonition(String)
  /// A frame with the title of the directive.
  case box
  /// A frame with an exercise.
  case exercise(String)
  /// Collapsed content.
  case details(String)
  /// The first part of a two-part directive, such as `exercise-start`. The text between the two parts is in a box.
  case beginning(of: Opened)
  /// The second part of a two-part directive, such as `exercise-end`. It ends the box.
  case ending
  case quote
  /// One of several tabs, with its label and its text.
  case tab
  case tabs
  /// A container whose text is shown without a frame.
  case container
  /// Code in the language that the argument names.
  case code
  /// A code cell of a notebook.
  case cell
  /// Code in a fixed language.
  case source(String)
  /// An image that may have a caption.
  case image
  /// A table written as a list of lists.
  case listTable
  /// A table of comma-separated values.
  case commaTable
  /// A list of terms and definitions.
  case glossary
  /// Text in which each line break is kept.
  case lines
  /// A link that looks like a button. The argument is its destination.
  case button
  /// A file that is shown as code.
  case listing
  /// A file whose text is included.
  case include
  /// Embedded content such as a video, which is shown as a link.
  case embedded(String)
  /// A link to a page of the course.
  case reference
  /// Content that cannot be shown. The value describes it in the singular.
  case unsupported(String)

  /// The label of an admonition or an exercise; `nil` for other roles.
  var word: String? {
    switch self {
    case .admonition(let word), .exercise(let word): word
    default: nil
    }
  }

  /// The label of an admonition; `nil` for other roles.
  var label: String? {
    if case .admonition(let label) = self { label } else { nil }
  }

  /// The kind of a two-part directive.
  enum Opened: Equatable {
    case exercise, solution
  }

  /// The labels of exercises.
  static let exercises: Set<String> = ["Exercise", "Challenge", "Activity", "Practice"]

  /// Returns the role of the directive with the given name, or `nil` if the name is unknown.
  static func of(_ name: String) -> DirectiveRole? {
    let name = name.lowercased()
    if let role = roles[name] { return role }
    // The families of Quarto and Sphinx: `callout-tip`, `prf:theorem`.
    if name.hasPrefix("callout-"), let role = roles[String(name.dropFirst("callout-".count))] { return role }
    if let colon = name.lastIndex(of: ":") { return roles[String(name[name.index(after: colon)...])] }
    return nil
  }

  private static let roles: [String: DirectiveRole] = {
    var roles: [String: DirectiveRole] = [
      "abstract": .admonition("Summary"), "tldr": .admonition("Summary"), "seealso": .admonition("See also"),
      "see-also": .admonition("See also"), "check": .admonition("Done"), "faq": .admonition("Question"),
      "help": .admonition("Question"), "cite": .quote, "prereq": .admonition("Prerequisites"),
      "prerequisites": .admonition("Prerequisites"), "keypoints": .admonition("Key points"),
      "instructor": .admonition("For instructors"), "versionadded": .admonition("New in version"),
      "versionchanged": .admonition("Changed in version"), "deprecated": .admonition("Deprecated"),
      "new-in": .admonition("New in version"), "deprecated-in": .admonition("Deprecated in version"),
      "admonition": .box, "callout": .box, "notice": .box, "alert": .box, "sidebar": .box, "topic": .box, "card": .box,
      "grid-item-card": .box, "margin": .box, "aside": .box, "expand": .details("More"),
      "exercise": .exercise("Exercise"), "challenge": .exercise("Challenge"), "activity": .exercise("Activity"),
      "practice": .exercise("Practice"), "exercise-start": .beginning(of: .exercise), "exercise-end": .ending,
      "solution-start": .beginning(of: .solution), "solution-end": .ending, "solution": .details("Solution"),
      "answer": .details("Answer"), "dropdown": .details("More"), "details": .details("More"),
      "collapse": .details("More"), "spoiler": .details("More"), "toggle": .details("More"),
      "accordion": .details("More"), "epigraph": .quote, "pull-quote": .quote, "highlights": .quote,
      "blockquote": .quote, "quote": .quote, "tab-item": .tab, "tab": .tab, "code-group": .tabs, "tab-set": .tabs,
      "tabs": .tabs,
      "tabpane": .tabs, "tabbed": .tabs, "tabs-group": .tabs,
      "group-tab": .tab, "tabitem": .tab, "code": .code, "code-block": .code, "sourcecode": .code, "highlight": .code,
      "code-toggle": .code, "code-cell": .cell, "ipython": .source("python"), "ipython3": .source("python"),
      "math": .source("math"), "katex": .source("math"), "mermaid": .source("mermaid"),
      "graphviz": .source("dot"), "uml": .source("plantuml"), "plantuml": .source("plantuml"),
      "eval-rst": .source("rst"), "prompt": .source("console"), "parsed-literal": .source("text"),
      "testcode": .source("python"), "doctest": .source("python"), "figure": .image, "image": .image,
      "img": .image, "imgproc": .image, "list-table": .listTable, "csv-table": .commaTable,
      "literalinclude": .listing, "include": .include, "readfile": .include, "youtube": .embedded("video"),
      "vimeo": .embedded("video"), "video": .embedded("video"), "audio": .embedded("sound"),
      "iframe": .embedded("embedded page"), "gist": .embedded("embedded page"), "tweet": .embedded("embedded page"),
      "x": .embedded("embedded page"), "instagram": .embedded("embedded page"), "ref": .reference,
      "relref": .reference, "glossary-term": .container, "glossary": .glossary,
      "line-block": .lines, "button-ref": .button, "button-link": .button,
      "glue": .unsupported("computed figure"),
      "tableofcontents": .unsupported("list of contents"), "toctree": .unsupported("list of contents"),
      "contents": .unsupported("list of contents"), "toc": .unsupported("list of contents"),
      "index": .unsupported("entry of an index"),
      "bibliography": .unsupported("bibliography"), "raw": .unsupported("raw output"),
      "plot": .unsupported("computed figure"), "fa": .unsupported("icon"), "bi": .unsupported("icon"),
      "iconify": .unsupported("icon"), "pagebreak": .unsupported("page break"),
    ]
    for name in [
      "note", "tip", "hint", "important", "warning", "caution", "danger", "attention", "error", "info",
      "summary", "success", "done", "question", "failure", "fail", "bug", "example", "todo", "objectives", "questions",
      "discussion", "testimonial", "checklist", "remark", "definition", "theorem", "lemma", "proof", "corollary",
      "proposition", "axiom", "conjecture", "algorithm", "property", "observation", "hypothesis",
      "assumption", "criterion",
    ] {
      roles[name] = .admonition(name.prefix(1).uppercased() + name.dropFirst())
    }
    for name in [
      "grid", "grid-item", "card-group", "cards", "cardpane", "panels", "div", "container",
      "only", "steps", "columns", "column", "center", "details-group", "rubric", "figure-md", "table",
      "myst-example", "fragment", "group", "section", "row", "col",
    ] {
      roles[name] = .container
    }
    return roles
  }()

  /// The names in braces after a fence that are languages: `{r, echo=FALSE}`, `{python}`.
  static let languages: Set<String> = [
    "r", "python", "python3", "bash", "sh", "sql", "julia", "js", "javascript", "ojs", "stan", "rcpp", "dot", "css",
    "html", "yaml", "json", "toml", "octave", "matlab", "c", "cpp", "java", "go", "rust", "swift", "text", "console",
  ]
}
