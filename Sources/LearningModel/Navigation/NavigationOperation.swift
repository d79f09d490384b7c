/// What somebody does to get from one place to another.
public enum NavigationOperation: OpenVocabulary {
  /// Goes down to a child.
  case push
  /// Goes up to the parent.
  case pop
  /// Goes up to a place on the stack.
  case popTo
  /// Goes up to the list of courses.
  case popToRoot
  /// Goes to another child of the same parent.
  case select
  /// Goes to what follows in reading order.
  case next
  /// Goes to what precedes in reading order.
  case previous
  /// Goes anywhere.
  case open
  /// Goes to the visit before this one.
  case back
  /// Goes to the visit that ``back`` came from.
  case forward
  /// Takes up where the learner left off.
  case resume
  /// Takes the learner to the nearest place that survived a change of the course. The system does it.
  case repair
  /// One that a later program has written.
  case other(String)

  /// Those that are known here.
  public static let allCases: [Self] = [
    .push, .pop, .popTo, .popToRoot, .select, .next, .previous, .open, .back, .forward, .resume, .repair,
  ]
  /// What their words mean.
  public static let meanings = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The word in the log.
  public var rawValue: String {
    switch self {
    case .push: "push"
    case .pop: "pop"
    case .popTo: "popTo"
    case .popToRoot: "popToRoot"
    case .select: "select"
    case .next: "next"
    case .previous: "previous"
    case .open: "open"
    case .back: "back"
    case .forward: "forward"
    case .resume: "resume"
    case .repair: "repair"
    case .other(let word): word
    }
  }

  /// Whether it moves along the visits there have been, and makes no new one.
  public var isTraversal: Bool { self == .back || self == .forward }
}

/// Who or what asked for a step.
public enum NavigationCause: OpenVocabulary {
  /// A key in the browser.
  case key
  /// The mouse in the browser.
  case mouse
  /// A search result.
  case search
  /// A bookmark.
  case bookmark
  /// A link in a text.
  case link
  /// A command in a shell.
  case shell
  /// A program on the library.
  case api
  /// The system itself.
  case system
  /// One that a later program has written.
  case other(String)

  /// Those that are known here.
  public static let allCases: [Self] = [.key, .mouse, .search, .bookmark, .link, .shell, .api, .system]
  /// What their words mean.
  public static let meanings = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The word in the log.
  public var rawValue: String {
    switch self {
    case .key: "key"
    case .mouse: "mouse"
    case .search: "search"
    case .bookmark: "bookmark"
    case .link: "link"
    case .shell: "shell"
    case .api: "api"
    case .system: "system"
    case .other(let word): word
    }
  }
}
