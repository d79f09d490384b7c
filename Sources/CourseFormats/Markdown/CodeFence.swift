/// Knows, line by line, whether a text is inside a fenced block of code.
struct CodeFence {
  private var mark: Substring?

  var isOpen: Bool { mark != nil }

  mutating func pass(_ line: Substring) {
    let text = line.trimmingBlanks
    guard let first = text.first, first == "`" || first == "~" else { return }
    let run = text.prefix { $0 == first }
    guard run.count >= 3 else { return }
    if let open = mark {
      if open.first == first, run.count >= open.count, run.count == text.count { mark = nil }
    } else if first == "~" || !text.dropFirst(run.count).contains("`") {
      mark = run
    }
  }
}
