import LibXML2

/// A node of a parsed HTML or XML text. Lives only as long as the ``HTMLDocument`` or ``XMLTree`` that it belongs to.
struct HTMLNode: Hashable {
  private let pointer: xmlNodePtr

  init?(_ pointer: xmlNodePtr?) {
    guard let pointer else { return nil }
    self.pointer = pointer
  }

  /// The element's name in lower case, without the prefix of its namespace; `nil` where it is no element.
  var name: String? {
    guard pointer.pointee.type == XML_ELEMENT_NODE else { return nil }
    return String(cString: pointer.pointee.name).lowercased()
  }

  /// The words of a text node, or the letter that HTML has for an entity; `nil` where it is neither.
  var text: String? {
    switch pointer.pointee.type {
    case XML_TEXT_NODE, XML_CDATA_SECTION_NODE: pointer.pointee.content.map { String(cString: $0) } ?? ""
    case XML_ENTITY_REF_NODE: Self.letter(of: pointer)
    default: nil
    }
  }

  /// Whether it stands for something that the document declares elsewhere, which is never read.
  var isUnknownEntity: Bool {
    pointer.pointee.type == XML_ENTITY_REF_NODE && Self.letter(of: pointer) == nil
  }

  /// The value of an attribute; `nil` where the element has none of that name. One of a namespace is named with the
  /// usual prefix of that: `epub:type`, `xlink:href`, `xml:lang`.
  func attribute(_ name: String) -> String? {
    var attribute = pointer.pointee.type == XML_ELEMENT_NODE ? pointer.pointee.properties : nil
    while let current = attribute {
      if Self.name(of: current) == name { return Self.value(of: current) }
      attribute = current.pointee.next
    }
    return nil
  }

  /// All attributes by their names in lower case.
  var attributes: [String: String] {
    var result: [String: String] = [:]
    var attribute = pointer.pointee.type == XML_ELEMENT_NODE ? pointer.pointee.properties : nil
    while let current = attribute {
      result[Self.name(of: current)] = Self.value(of: current)
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

  /// The element that it is a child of; `nil` for the outermost one.
  var parent: HTMLNode? { HTMLNode(pointer.pointee.parent).flatMap { $0.name == nil ? nil : $0 } }

  /// Where ``walk(_:)`` continues.
  enum Step {
    /// With the children of the node.
    case into
    /// With the next node that is not a descendant.
    case past
    /// Nowhere.
    case end
  }

  /// Visits all descendants in document order, without recursion.
  func walk(_ visit: (HTMLNode) -> Step) {
    var current = pointer.pointee.children
    while let node = current {
      let here = HTMLNode(node)!
      let step = visit(here)
      if step == .end { return }
      if step == .into, here.name != nil, let child = node.pointee.children {
        current = child
        continue
      }
      var up: xmlNodePtr? = node
      while let inner = up, inner != pointer, inner.pointee.next == nil { up = inner.pointee.parent }
      guard let inner = up, inner != pointer else { return }
      current = inner.pointee.next
    }
  }

  /// The text of all descendants, unchanged, with a line break for each `br`.
  var textContent: String {
    var result = ""
    walk { node in
      if let text = node.text { result += text } else if node.name == "br" { result += "\n" }
      return .into
    }
    return result
  }

  /// The element as an XML text of its own, with the names of spaces that it uses; `nil` where it stands in HTML, which
  /// keeps no capital letters, or is too long.
  ///
  /// - Parameter limit: Bytes that it may have.
  func xml(upTo limit: Int) -> String? {
    guard let document = pointer.pointee.doc, document.pointee.type == XML_DOCUMENT_NODE,
      let copy = xmlCopyNode(pointer, 1)
    else { return nil }
    defer { xmlFreeNode(copy) }
    guard let buffer = xmlBufferCreate() else { return nil }
    defer { xmlBufferFree(buffer) }
    let count = xmlNodeDump(buffer, nil, copy, 0, 0)
    guard count > 0, count <= limit, let bytes = xmlBufferContent(buffer) else { return nil }
    return String(cString: bytes)
  }

  private static func name(of attribute: xmlAttrPtr) -> String {
    let name = String(cString: attribute.pointee.name).lowercased()
    guard let space = attribute.pointee.ns?.pointee, let address = space.href.map({ String(cString: $0) }) else {
      return name
    }
    return (prefixes[address] ?? space.prefix.map { String(cString: $0) } ?? "") + ":" + name
  }

  private static let prefixes = [
    "http://www.idpf.org/2007/ops": "epub", "http://www.w3.org/1999/xlink": "xlink",
    "http://www.w3.org/XML/1998/namespace": "xml",
  ]

  private static func value(of attribute: xmlAttrPtr) -> String {
    var value = ""
    var child = attribute.pointee.children
    while let current = child {
      // What a document declares itself is not put in: a few lines of it can become gigabytes.
      value += HTMLNode(current)?.text ?? ""
      child = current.pointee.next
    }
    return value.withoutControls
  }

  /// The letter that a reference such as `&nbsp;` stands for in HTML.
  private static func letter(of reference: xmlNodePtr) -> String? {
    guard let entity = htmlEntityLookup(reference.pointee.name), let scalar = Unicode.Scalar(entity.pointee.value)
    else { return nil }
    return String(scalar)
  }
}

/// A text that libxml2's forgiving HTML parser has made a tree of. It loads nothing from anywhere.
enum HTMLDocument {
  /// Parses a text and hands over its `body`; `nil` where there is nothing in it.
  static func withBody<Result>(of html: String, _ use: (HTMLNode?) throws -> Result) rethrows -> Result {
    try withRoot(of: html) { root in try use(root?.children.first { $0.name == "body" } ?? root) }
  }

  /// Parses a text and hands over its `html`; `nil` where there is nothing in it.
  static func withRoot<Result>(of html: String, _ use: (HTMLNode?) throws -> Result) rethrows -> Result {
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
    return try use(document.flatMap { HTMLNode(xmlDocGetRootElement($0)) })
  }
}

/// A well-formed XML text as a tree. Nothing is loaded from anywhere, and nothing is put in place of what the text
/// declares itself.
enum XMLTree {
  /// Why a text is no XML.
  struct Fault: Error, Equatable {
    /// From 1; `nil` where it is not known.
    let line: Int?
    /// What the parser says, as the end of a sentence.
    let reason: String
  }

  /// Parses a text and hands over its outermost element.
  ///
  /// - Parameters:
  ///   - xml: The text. What it says of its encoding does not count: it is a text already.
  ///   - strict: Whether a name with a prefix that stands for nothing is a fault too.
  ///   - use: What is done with it.
  /// - Throws: ``Fault`` where it is not well-formed, and whatever `use` throws.
  ///
  /// Source: W3C, "Extensible Markup Language 1.0" and "Namespaces in XML 1.0".
  static func withRoot<Result>(of xml: String, strict: Bool = true, _ use: (HTMLNode) throws -> Result) throws -> Result
  {
    guard let context = xmlNewParserCtxt() else { throw Fault(line: nil, reason: "there is not enough memory") }
    defer { xmlFreeParserCtxt(context) }
    // What follows the first fault is but its consequence, so the first is kept.
    let faults = FirstFault()
    context.pointee._private = Unmanaged.passUnretained(faults).toOpaque()
    context.pointee.sax?.pointee.serror = { context, error in
      guard let context = context?.assumingMemoryBound(to: xmlParserCtxt.self), let error = error?.pointee,
        error.level.rawValue > XML_ERR_WARNING.rawValue, let faults = context.pointee._private
      else { return }
      Unmanaged<FirstFault>.fromOpaque(faults).takeUnretainedValue().note(
        Fault(
          line: error.line > 0 ? Int(error.line) : nil,
          reason: error.message.map { String(cString: $0).onOneLine } ?? "it is broken"))
    }
    let options =
      XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
      | XML_PARSE_COMPACT.rawValue | XML_PARSE_IGNORE_ENC.rawValue
    var xml = xml
    let document = xml.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        characters.isEmpty
          ? nil
          : xmlCtxtReadMemory(
            context, characters.baseAddress, CInt(characters.count), nil, "UTF-8", CInt(options))
      }
    }
    defer { xmlFreeDoc(document) }
    guard let document, context.pointee.wellFormed != 0, context.pointee.nsWellFormed != 0 || !strict,
      let root = HTMLNode(xmlDocGetRootElement(document))
    else {
      throw faults.first ?? Fault(line: nil, reason: "it has no element")
    }
    return try withExtendedLifetime(faults) { try use(root) }
  }

  /// Keeps the first of the faults that the parser tells.
  private final class FirstFault {
    private(set) var first: Fault?

    func note(_ fault: Fault) {
      if first == nil { first = fault }
    }
  }
}
