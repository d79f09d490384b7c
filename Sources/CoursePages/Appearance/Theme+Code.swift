import Highlighting
import TextCanvas

extension Theme {
  /// The style of a piece of program text: a hue where the page's colours are known, else bold and faint alone.
  func code(_ token: TokenClass) -> Style {
    let hasHues = (depth == .truecolor || depth == .indexed) && tone != .unknown
    return switch token {
    case .comment: hasHues ? self[.quiet].with(.italic) : self[.ink].with(.faint)
    case .string: hasHues ? self[.activity] : self[.ink]
    case .number: hasHues ? self[.course] : self[.ink]
    case .keyword: hasHues ? self[.goal] : self[.ink].with(.bold)
    case .type, .function: hasHues ? self[.lesson] : self[.ink]
    case .operator: hasHues ? self[.quiet] : self[.ink]
    case .plain: self[.ink]
    }
  }
}
