/// What becomes of a directive, a shortcode or a fenced division. To treat one more, add its name to ``roles``.
///
/// Source: the documentation of MyST, Sphinx, sphinx-exercise, sphinx-design, The Carpentries Workbench, Docusaurus,
/// VitePress, Python-Markdown, Quarto, Hugo and its common themes.
enum DirectiveRole: Equatable {
  /// Set apart, below this label.
  case admonition(String)
  /// Set apart, below the title that it is given.
  case box
  /// Something to do: set apart.
  case exercise(String)
  /// Closed until it is asked for.
  case details(String)
  /// Begins a box whose text stands behind it, until the directive that ends it.
  case beginning(of: Opened)
  /// Ends such a box.
  case ending
  /// A quotation.
  case quote
  /// One of several tabs: its label, and its text.
  case tab
  /// Several tabs.
  case tabs
  /// Its text stands there, and nothing else of it.
  case container
  /// Program text in the language that it is given.
  case code
  /// A cell of a notebook.
  case cell
  /// Program text in a language of its own.
  case source(String)
  /// A picture, with its words below it.
  case picture
  /// A list of lists that is a table.
  case listTable
  /// Values between commas that are a table.
  case commaTable
  /// A file that is shown as it stands.
  case listing
  /// A file whose text stands there.
  case include
  /// Something that moves or sounds elsewhere.
  case embedded(String)
  /// A page of the course that is linked to.
  case reference
  /// It cannot be shown; what it is, in the singular.
  case lost(String)

  /// What a reader calls what it sets apart; `nil` where that has no name of its own.
  var word: String? {
    switch self {
    case .admonition(let word), .exercise(let word): word
    default: nil
    }
  }

  /// The same where it is no exercise.
  var label: String? {
    if case .admonition(let label) = self { label } else { nil }
  }

  /// What a directive in two parts is.
  enum Opened: Equatable {
    case exercise, solution
  }

  /// What boxes with something to do are called.
  static let exercises: Set<String> = ["Exercise", "Challenge", "Activity", "Practice"]

  /// The role of a name; `nil` where it is not known.
  static func of(_ name: String) -> DirectiveRole? {
    let name = name.lowercased()
    if let role = roles[name] { return role }
    // Quarto's and Sphinx's own families: `callout-tip`, `prf:theorem`.
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
      "testcode": .source("python"), "doctest": .source("python"), "figure": .picture, "image": .picture,
      "img": .picture, "imgproc": .picture, "list-table": .listTable, "csv-table": .commaTable,
      "literalinclude": .listing, "include": .include, "readfile": .include, "youtube": .embedded("video"),
      "vimeo": .embedded("video"), "video": .embedded("video"), "audio": .embedded("sound"),
      "iframe": .embedded("embedded page"), "gist": .embedded("embedded page"), "tweet": .embedded("embedded page"),
      "x": .embedded("embedded page"), "instagram": .embedded("embedded page"), "ref": .reference,
      "relref": .reference, "glossary-term": .container, "glue": .lost("computed figure"),
      "tableofcontents": .lost("list of contents"), "toctree": .lost("list of contents"),
      "contents": .lost("list of contents"), "toc": .lost("list of contents"), "index": .lost("entry of an index"),
      "bibliography": .lost("bibliography"), "raw": .lost("raw output"), "plot": .lost("computed figure"),
    ]
    for name in [
      "note", "tip", "hint", "important", "warning", "caution", "danger", "attention", "error", "info",
      "summary", "success", "done", "question", "failure", "fail", "bug", "example", "todo", "objectives", "questions",
      "discussion", "testimonial", "checklist", "remark", "definition", "theorem", "lemma", "proof", "corollary",
      "proposition", "axiom", "conjecture", "algorithm", "property", "observation",
    ] {
      roles[name] = .admonition(name.prefix(1).uppercased() + name.dropFirst())
    }
    for name in [
      "grid", "grid-item", "card-group", "cards", "cardpane", "panels", "div", "container",
      "only", "steps", "columns", "column", "center", "details-group", "group", "section", "row", "col",
    ] {
      roles[name] = .container
    }
    return roles
  }()

  /// What a fence in braces is where the name is that of a language: `{r, echo=FALSE}`, `{python}`.
  static let languages: Set<String> = [
    "r", "python", "python3", "bash", "sh", "sql", "julia", "js", "javascript", "ojs", "stan", "rcpp", "dot", "css",
    "html", "yaml", "json", "toml", "octave", "matlab", "c", "cpp", "java", "go", "rust", "swift", "text", "console",
  ]
}
