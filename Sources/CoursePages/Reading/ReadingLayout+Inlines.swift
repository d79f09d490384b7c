package import LearningModel
import Mathematics
package import TextCanvas

extension ReadingLayout {
  /// The pieces of a line with their styles; `base` is the style of plain words.
  package func styled(_ inlines: [Inline], _ base: Style) -> StyledText {
    var text = StyledText()
    append(inlines, base, to: &text)
    return text
  }

  func append(_ inlines: [Inline], _ style: Style, to text: inout StyledText) {
    for inline in inlines {
      switch inline {
      case .text(let words):
        text.append(overflows ? words.withWholeAddresses : words, style: style)
      case .emphasis(let inner):
        append(inner, style.with(.italic), to: &text)
      case .strong(let inner):
        append(inner, style.with(.bold), to: &text)
      case .strikethrough(let inner):
        if isPlain { text.append("~~", style: style) }
        append(inner, style.with(.strikethrough), to: &text)
        if isPlain { text.append("~~", style: style) }
      case .code(let code):
        var styled = theme[.code]
        styled.attributes.formUnion(style.attributes)
        styled.link = style.link
        text.append(overflows ? code.whole : code, style: styled)
      case .key(let name):
        let (open, close) = symbols.isAscii ? ("<", ">") : ("‹", "›")
        text.append(open + name.whole + close, style: style.with(.bold))
      case .math(let source):
        let formula = Formula(latex: source)
        text.append(symbols.isAscii ? formula.ascii : formula.line, style: style)
      case .link(let destination, let inner):
        var linked = style.with(.underline)
        linked.foreground = theme[.accent].foreground
        linked.link = Hyperlink(destination)
        append(inner.isEmpty ? [.text(destination)] : inner, linked, to: &text)
        // Nobody can follow what they do not see; what leads to another place of the course is named by its title.
        let leadsOut = !destination.hasPrefix(CourseLink.scheme) && !destination.hasPrefix("#")
        if isPlain, leadsOut, !destination.hasSuffix(inner.plainText) {
          text.append(" (\(overflows ? destination.whole : destination))", style: style)
        }
      case .image(_, let alternative, _):
        let words = alternative.isEmpty ? "Image" : "Image: " + alternative
        text.append("[" + words + "]", style: theme[.quiet].with(.italic))
      case .lineBreak:
        text.append("\n", style: style)
      }
    }
  }
}

extension StringProtocol {
  /// The same with a sign between its characters that keeps lines from breaking there, and is not seen.
  ///
  /// Source: Unicode Standard Annex 14, class WJ.
  fileprivate var whole: String { map(String.init).joined(separator: "\u{2060}") }

  /// The same with what looks like an address kept whole.
  fileprivate var withWholeAddresses: String {
    guard contains("://") else { return String(self) }
    return split(separator: " ", omittingEmptySubsequences: false)
      .map { $0.contains("://") ? $0.whole : String($0) }.joined(separator: " ")
  }
}

extension Style {
  /// The style with one more attribute.
  package func with(_ attribute: Attributes) -> Style {
    var style = self
    style.attributes.insert(attribute)
    return style
  }
}
