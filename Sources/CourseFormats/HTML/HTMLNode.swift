import LibXML2

/// A node of a parsed HTML text. Lives only as long as the ``HTMLDocument`` that it belongs to.
struct HTMLNode {
  private let pointer: xmlNodePtr

  fileprivate init?(_ pointer: xmlNodePtr?) {
    guard let pointer else { return nil }
    self.pointer = pointer
  }

  /// The element's name in lower case; `nil` where it is no element.
  var name: String? {
    guard pointer.pointee.type == XML_ELEMENT_NODE else { return nil }
    return String(cString: pointer.pointee.name).lowercased()
  }

  /// The words of a text node; `nil` where it is none.
  var text: String? {
    guard pointer.pointee.type == XML_TEXT_NODE || pointer.pointee.type == XML_CDATA_SECTION_NODE else { return nil }
    return pointer.pointee.content.map { String(cString: $0) } ?? ""
  }

  /// The value of an attribute; `nil` where the element has none of that name.
  func attribute(_ name: String) -> String? {
    var attribute = pointer.pointee.type == XML_ELEMENT_NODE ? pointer.pointee.properties : nil
    while let current = attribute {
      if String(cString: current.pointee.name).lowercased() == name { return Self.value(of: current) }
      attribute = current.pointee.next
    }
    return nil
  }

  /// All attributes by their names in lower case.
  var attributes: [String: String] {
    var result: [String: String] = [:]
    var attribute = pointer.pointee.type == XML_ELEMENT_NODE ? pointer.pointee.properties : nil
    while let current = attribute {
      result[String(cString: current.pointee.name).lowercased()] = Self.value(of: current)
      attribute = current.pointee.next
    }
    return result
  }

  /// The names in its `class` attribute.
  var classes: [Substring] {
    attribute("class")?.split(whereSeparator: \.isWhitespace) ?? []
  }

  /// Its children, the first one first.
  ///
  /// An array, not a sequence that walks the tree: the optimiser of Swift 6.3.1 crashes on `first(where:)` of that.
  var children: [HTMLNode] {
    var children: [HTMLNode] = []
    var next = HTMLNode(pointer.pointee.children)
    while let child = next {
      children.append(child)
      next = HTMLNode(child.pointer.pointee.next)
    }
    return children
  }

  /// All words inside it as they stand, a line break for each `br`.
  var textContent: String {
    var result = ""
    var current = pointer.pointee.children
    // Without recursion, because what is nested may be nested deeply.
    while let node = current {
      let here = HTMLNode(node)!
      if let text = here.text { result += text } else if here.name == "br" { result += "\n" }
      if let child = node.pointee.children, here.name != nil {
        current = child
        continue
      }
      var up: xmlNodePtr? = node
      while let inner = up, inner != pointer, inner.pointee.next == nil { up = inner.pointee.parent }
      guard let inner = up, inner != pointer else { break }
      current = inner.pointee.next
    }
    return result
  }

  private static func value(of attribute: xmlAttrPtr) -> String {
    var value = ""
    var child = attribute.pointee.children
    while let current = child {
      if let content = current.pointee.content { value += String(cString: content) }
      child = current.pointee.next
    }
    return value.withoutControls
  }
}

/// A text that libxml2's forgiving HTML parser has made a tree of. It loads nothing from anywhere.
enum HTMLDocument {
  /// Parses a text and hands over its `body`; `nil` where there is nothing in it.
  static func withBody<Result>(of html: String, _ use: (HTMLNode?) throws -> Result) rethrows -> Result {
    var html = html
    let options = HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NONET.rawValue | HTML_PARSE_NOERROR.rawValue
    let document = html.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        // An empty base address would be taken for a missing text.
        characters.isEmpty
          ? nil
          : htmlReadMemory(
            characters.baseAddress, CInt(characters.count), nil, "UTF-8",
            CInt(options | HTML_PARSE_NOWARNING.rawValue | HTML_PARSE_COMPACT.rawValue))
      }
    }
    defer { xmlFreeDoc(document) }
    let root = document.flatMap { HTMLNode(xmlDocGetRootElement($0)) }
    return try use(root?.children.first { $0.name == "body" } ?? root)
  }
}
