/// A notebook as its file has it.
struct Notebook: Equatable {
  /// What its metadata call it.
  var title: String?
  /// The language of its code.
  var language: String?
  /// Its cells in their order.
  var cells: [Cell] = []

  /// A text, or a piece of a program with what it answered.
  struct Cell: Equatable {
    var kind: Kind
    /// What is written in it.
    var source = ""
    /// What running it gave.
    var outputs: [Output] = []
    /// The language of its code, where it is not the notebook's.
    var language: String?
    /// What is to be hidden, or not shown at all.
    var hiding: Hiding = []
    /// The pictures that are kept with it, as addresses that hold them, by their names.
    var attachments: [String: String] = [:]
    /// The line of the file that its source begins at, from 1.
    var line: Int?
  }

  enum Kind: Equatable {
    case markdown, code
    /// Text for one kind of print; `nil` where it does not say which.
    case raw(format: String?)
    /// A kind that there is not.
    case other(String)
  }

  /// Source: Jupyter Book, "Hide or remove content"; nbformat, "Cell metadata".
  struct Hiding: OptionSet {
    let rawValue: Int
    static let input = Hiding(rawValue: 1)
    static let output = Hiding(rawValue: 2)
    static let removedInput = Hiding(rawValue: 4)
    static let removedOutput = Hiding(rawValue: 8)
    static let removed: Hiding = [.removedInput, .removedOutput]
    static let all: Hiding = [.input, .output]
  }

  /// One thing that running a cell gave.
  enum Output: Equatable {
    /// What the program printed, to the place of that name.
    case stream(name: String, text: String)
    /// A value, in one or more forms: texts by their kinds, and the kinds of all forms.
    case value(texts: [String: String], kinds: Set<String>)
    /// What went wrong.
    case error(name: String, message: String, traceback: String)
    /// A kind that there is not.
    case other(String)
  }
}

extension Notebook.Output {
  /// The kinds of a value that are read; of all others it is enough to know that they are there.
  static let readKinds: Set<String> = Set(["text/plain", "text/html", "text/markdown", "text/latex"] + pictureKinds)

  /// The kinds of pictures that are kept, the best first.
  static let pictureKinds = ["image/png", "image/jpeg", "image/webp", "image/gif", "image/svg+xml"]

  /// The address that holds a picture: its bytes are written in Base64, a drawing as it is.
  ///
  /// Source: nbformat, "display_data"; RFC 2397.
  static func address(of text: String, kind: String) -> String {
    let isDrawing = kind == "image/svg+xml" && text.contains("<")
    guard isDrawing else { return "data:\(kind);base64,\(text)" }
    return "data:\(kind)," + text.replacing("%", with: "%25")
  }
}
