import LearningModel

/// The size of a content, and whether it contains links or images that must be resolved.
struct ContentExtent {
  /// The number of bytes of its texts.
  private(set) var size = 0
  private(set) var hasLinks = false
  private(set) var hasImages = false

  init(of content: ActivityContent) {
    content.children.visit {
      if case .code(_, let text) = $0 { size += text.utf8.count }
      if case .math(let text) = $0 { size += text.utf8.count }
    } inline: {
      switch $0 {
      case .text(let text), .code(let text), .key(let text), .math(let text): size += text.utf8.count
      case .link(let destination, _):
        hasLinks = true
        size += destination.utf8.count
      case .image(let source, let description, _):
        hasImages = true
        size += source.utf8.count + description.utf8.count
      case .emphasis, .strong, .strikethrough, .lineBreak, .target: break
      }
    }
  }
}
