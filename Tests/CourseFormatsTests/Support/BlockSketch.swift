import LearningModel

/// Returns blocks as lines for comparisons, similar to Markdown: `>` for quotes, `?` for collapsed sections, `!` for
/// admonitions, `:` for definitions, `=` for tabs. Targets of links are omitted.
func sketch(_ blocks: [Block]) -> [String] {
  sketchWithTargets(hidingTargets(blocks))
}

private func hidingTargets(_ blocks: [Block]) -> [Block] {
  blocks.filter { !$0.isTarget }.map { block in
    block.mapChildren(line: { $0.filter { !$0.isTarget } }, blocks: { hidingTargets($0) })
  }
}

/// Returns blocks as lines like ``sketch(_:)``, with targets of links as `{#name}`.
func sketchWithTargets(_ blocks: [Block]) -> [String] {
  blocks.flatMap { block -> [String] in
    switch block {
    case .heading(let level, let text, let anchor):
      return ["\(String(repeating: "#", count: level)) \(sketch(text)) {\(anchor)}"]
    case .paragraph(let text): return [sketch(text)]
    case .bulletList(let items): return items.flatMap { sketch($0, mark: "-") }
    case .orderedList(let start, let items):
      return zip(items, items.numbers(from: start)).flatMap { sketch($0, mark: $1 + ".") }
    case .quote(let inner): return sketchWithTargets(inner).map { "> " + $0 }
    case .details(let summary, let inner): return ["? " + sketch(summary)] + sketchWithTargets(inner).map { "  " + $0 }
    case .admonition(let box):
      return ["! \(box.kind.rawValue) \(sketch(box.title))".trimmed] + sketchWithTargets(box.blocks).map { "  " + $0 }
    case .definitions(let all):
      return all.flatMap { [": " + sketch($0.term)] + sketchWithTargets($0.blocks).map { "    " + $0 } }
    case .tabs(let all):
      return all.flatMap { ["= " + sketch($0.label)] + sketchWithTargets($0.blocks).map { "  " + $0 } }
    case .code(let language, let text):
      return ["```" + (language ?? "")] + text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        + ["```"]
    case .table(_, let header, let rows):
      return ([header] + rows).map { "| " + $0.map(sketch).joined(separator: " | ") + " |" }
    case .math(let source): return ["$$" + source + "$$"]
    case .rule: return ["---"]
    }
  }
}

private func sketch(_ item: ListItem, mark: String) -> [String] {
  let lines = sketchWithTargets(item.blocks)
  return lines.enumerated().map { ($0.offset == 0 ? mark + " " : "  ") + $0.element }
}

private func sketch(_ line: [Inline]) -> String {
  line.map { inline in
    switch inline {
    case .text(let words): words
    case .code(let words): "`\(words)`"
    case .key(let name): "++\(name)++"
    case .math(let source): "$\(source)$"
    case .emphasis(let inner): "*\(sketch(inner))*"
    case .strong(let inner): "**\(sketch(inner))**"
    case .strikethrough(let inner): "~~\(sketch(inner))~~"
    case .link(let destination, let inner): "[\(sketch(inner))](\(destination))"
    case .image(let source, let alternative, _): "![\(alternative)](\(source))"
    case .lineBreak: "\\"
    case .target(let name): "{#\(name)}"
    }
  }.joined()
}

extension CourseDraft {
  /// Returns the text of the activity with that key, as lines.
  func sketch(_ key: String) throws -> [String] {
    guard case .reading(let blocks) = try content(key) else { return [] }
    return CourseFormatsTests.sketch(blocks)
  }
}

extension String {
  /// The text without a blank at its end.
  fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}
