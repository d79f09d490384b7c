import LearningModel

/// The roles of Sphinx, which pandoc does not convert, such as `` :doc:`Ovens <guide/ovens>` ``.
///
/// Sources: Sphinx, "Cross-referencing syntax" and "Roles"; pandoc, `Text.Pandoc.Readers.RST`, `renderRole`.
enum SphinxRole {
  /// Returns the link or the text of an element to which pandoc converts a role, or `nil` for any other element.
  static func inline(_ node: HTMLNode) -> Inline? {
    guard node.classes.contains("interpreted-text"), let role = node.attribute("role")?.split(separator: ":").last
    else { return nil }
    var (title, target): (String?, String) = (nil, node.textContent.withoutControls.onOneLine)
    if target.hasSuffix(">"), let open = target.lastIndex(of: "<"), open > target.startIndex {
      title = String(target[..<open].trimmingBlanks)
      target = String(target[target.index(after: open)...].dropLast())
    }
    func link(_ destination: String, _ words: String? = nil) -> Inline {
      .link(destination: destination, text: [.text(title ?? words ?? destination)])
    }
    switch role {
    case "doc": return link(target.contains(":") ? "inv:" + target : target)
    case "ref", "numref", "any": return link(LinkScheme.label + target.lowercased())
    case "pep":
      let number = target.prefix { $0 != "#" }
      let digits = String(repeating: "0", count: max(0, 4 - number.count)) + number
      return link("https://peps.python.org/pep-\(digits)/" + target[number.endIndex...], "PEP \(number)")
    case "rfc": return link("https://datatracker.ietf.org/doc/html/rfc\(target)", "RFC \(target)")
    case "term", "abbr": return .text(title ?? target)
    case "kbd": return .key(target)
    default:
      // A tilde requests only the last name of an object.
      let name = target.hasPrefix("~") ? target.split(separator: ".").last.map(String.init) ?? target : target
      return .code(title ?? String(name.drop { $0 == "!" || $0 == "~" }))
    }
  }
}
