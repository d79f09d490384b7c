/// An element of MathML, as a parser hands it over: names without a prefix, entities resolved.
public struct MathElement: Hashable, Sendable {
  /// What stands within an element.
  public enum Child: Hashable, Sendable {
    /// An element.
    case element(MathElement)
    /// Text between elements.
    case text(String)
  }

  /// The local name: `mfrac`.
  public var name: String
  /// The attributes by their local names.
  public var attributes: [String: String]
  /// Elements and texts in their order.
  public var children: [Child]

  /// An element.
  public init(_ name: String, _ attributes: [String: String] = [:], _ children: [Child] = []) {
    self.name = name
    self.attributes = attributes
    self.children = children
  }

  var elements: [MathElement] {
    children.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  /// The text directly within, without the spaces around it.
  var text: String {
    let text = children.map { if case .text(let text) = $0 { text } else { "" } }.joined()
    let words = text.split(whereSeparator: \.isWhitespace)
    return words.joined(separator: " ")
  }
}
