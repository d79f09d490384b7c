/// The example that every `--help` has one of.
enum Example {
  static func text(_ line: String, _ rest: String...) -> String {
    (["Example:", "  " + line] + rest.map { "  " + $0 }).joined(separator: "\n")
  }
}
