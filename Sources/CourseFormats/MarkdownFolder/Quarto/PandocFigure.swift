/// An image alone on a line, which pandoc shows as a figure: `![caption](file){#label attributes}`.
struct PandocFigure {
  let caption: String
  let destination: String
  let attributes: Attributes

  /// Parses a line. Returns `nil` if the line is not an image with attributes.
  init?(_ line: Substring) {
    guard line.hasPrefix("!["), line.hasSuffix("}"), let middle = line.range(of: "](") else { return nil }
    var (depth, end) = (1, middle.upperBound)
    while end < line.endIndex {
      if line[end] == "(" { depth += 1 } else if line[end] == ")" { depth -= 1 }
      if depth == 0 { break }
      end = line.index(after: end)
    }
    guard depth == 0, line[end...].dropFirst().first == "{" else { return nil }
    let marks = line[end...].dropFirst(2).dropLast()
    guard !marks.contains("}"), !line[..<middle.lowerBound].dropFirst(2).contains("](") else { return nil }
    caption = String(line[..<middle.lowerBound].dropFirst(2))
    destination = String(line[middle.upperBound..<end])
    attributes = Attributes(marks)
  }
}
