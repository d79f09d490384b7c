import LearningModel
import LibXML2

/// A node of a parsed HTML or XML text. It is valid only inside the closure of ``HTMLDocument`` or ``XMLTree``.
struct HTMLNode: Hashable {
  private let pointer: xmlNodePtr

  init?(_ pointer: xmlNodePtr?) {
    guard let pointer else { return nil }
    self.pointer = pointer
  }

  /// The name of the element in lower case without its namespace prefix, or `nil` if the node is not an element.
  var name: String? {
    guard pointer.pointee.type == XML_ELEMENT_NODE else { return nil }
    return String(cString: pointer.pointee.name).lowercased()
  }

  /// The text of a text node, or the character for an HTML entity; `nil` for other nodes.
  var text: String? {
    switch pointer.pointee.type {
    case XML_TEXT_NODE, XML_CDATA_SECTION_NODE: pointer.pointee.content.map { String(cString: $0) } ?? ""
    case XML_ENTITY_REF_NODE: Self.letter(of: pointer)
    default: nil
    }
  }

  /// Whether the node refers to an entity that HTML does not define, such as one that the document itself declares.
  /// Such entities are never expanded.
  var isUnknownEntity: Bool {
    pointer.pointee.type == XML_ENTITY_REF_NODE && Self.letter(of: pointer) == nil
  }

  /// Returns the value of an attribute, or `nil` if it is missing. Attributes in a namespace are named with the usual
  /// prefix: `epub:type`, `xlink:href`, `xml:lang`.
  func attribute(_ name: String) -> String? {
    var attribute = pointer.pointee.type == XML_ELEMENT_NODE ? pointer.pointee.properties : nil
    while let current = attribute {
      if Self.name(of: current) == name { return Self.value(of: current) }
      attribute = current.pointee.next
    }
    return nil
  }

  /// All attributes, by their names in lower case.
  var attributes: [String: String] {
    var result: [String: String] = [:]
    var attribute = pointer.pointee.type == XML_ELEMENT_NODE ? pointer.pointee.properties : nil
    while let current = attribute {
      result[Self.name(of: current)] = Self.value(of: current)
      attribute = current.pointee.next
    }
    return result
  }

  /// The names in the `class` attribute.
  var classes: [Substring] {
    attribute("class")?.split(whereSeparator: \.isWhitespace) ?? []
  }

  /// The children, in order.
  ///
  /// This is an array instead of a lazy sequence, because the optimiser of Swift 6.3.1 crashes on `first(where:)` of
  /// that sequence.
  var children: [HTMLNode] {
    var children: [HTMLNode] = []
    var next = HTMLNode(pointer.pointee.children)
    while let child = next {
      children.append(child)
      next = HTMLNode(child.pointer.pointee.next)
    }
    return children
  }

  /// The parent element, or `nil` for the root.
  var parent: HTMLNode? { HTMLNode(pointer.pointee.parent).flatMap { $0.name == nil ? nil : $0 } }

  /// The next sibling that is an element, or `nil` for the last one.
  var nextElement: HTMLNode? {
    var next = pointer.pointee.next
    while let node = next, node.pointee.type != XML_ELEMENT_NODE { next = node.pointee.next }
    return HTMLNode(next)
  }

  /// The next step of ``walk(_:)``.
  enum Step {
    /// Continues with the children of the node.
    case into
    /// Continues with the next node that is not a descendant.
    case past
    /// Stops.
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

  /// Returns the element as a separate XML text with its namespace declarations. Returns `nil` if the text is too long,
  /// or if the element is part of an HTML document, in which the case of names is lost.
  ///
  /// - Parameter limit: The maximum size in bytes.
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
      // Entities of the document are not expanded, because a few lines of declarations can expand to gigabytes.
      value += HTMLNode(current)?.text ?? ""
      child = current.pointee.next
    }
    return value.withoutControls
  }

  /// Returns the character for an HTML entity such as `&nbsp;`.
  private static func letter(of reference: xmlNodePtr) -> String? {
    guard let entity = htmlEntityLookup(reference.pointee.name), let scalar = Unicode.Scalar(entity.pointee.value)
    else { return nil }
    return String(scalar)
  }
}

/// Parses HTML with the lenient parser of libxml2. External resources are never loaded.
enum HTMLDocument {
  /// Throws if a text has more tags, or a tag with more attributes, than the limits allow.
  ///
  /// - Throws: ``CourseFormatError/limit(_:file:line:)``.
  static func check(_ html: String, file: String, limits: SourceLimits) throws {
    // A blank or a quoted value begins an attribute.
    var (tags, attributes, isInTag, quote, last) = (0, 0, false, UInt8(0), UInt8(0))
    for byte in html.utf8 {
      if quote != 0 {
        if byte == quote { quote = 0 }
        continue
      }
      if last == UInt8(ascii: "<"), (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) {
        (tags, attributes, isInTag) = (tags + 1, 0, true)
      } else if isInTag {
        isInTag = byte != UInt8(ascii: ">")
        if last == UInt8(ascii: "="), byte == 0x22 || byte == 0x27 { quote = byte }
        if byte <= 0x20 || quote != 0 { attributes += 1 }
      }
      if byte > 0x20 || last != UInt8(ascii: "=") { last = byte }
      guard tags <= limits.elements, attributes <= limits.attributes else {
        let limit = tags > limits.elements ? ExceededLimit.elements(limits.elements) : .attributes(limits.attributes)
        throw CourseFormatError.limit(limit, file: file, line: nil)
      }
    }
  }

  /// Parses a text and calls `use` with its `body` element, or `nil` if the text is empty.
  static func withBody<Result>(of html: String, _ use: (HTMLNode?) throws -> Result) rethrows -> Result {
    try withRoot(of: html) { root in try use(root?.children.first { $0.name == "body" } ?? root) }
  }

  /// Parses a text and calls `use` with its `html` element, or `nil` if the text is empty.
  static func withRoot<Result>(of html: String, _ use: (HTMLNode?) throws -> Result) rethrows -> Result {
    var html = html
    let options = HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NONET.rawValue | HTML_PARSE_NOERROR.rawValue
    let document = html.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        // libxml2 treats a missing base address as an error.
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

/// Parses well-formed XML. External resources are never loaded, and entities of the document are not expanded.
enum XMLTree {
  /// The reason why a text is not well-formed XML.
  struct Fault: Error, Equatable {
    /// The line number, from 1, or `nil` if it is unknown.
    let line: Int?
    /// The message of the parser, as the end of a sentence.
    let reason: String
  }

  /// Parses a text and calls `use` with its root element.
  ///
  /// - Parameters:
  ///   - xml: The text. An encoding in its declaration is ignored, because the text is decoded already.
  ///   - strict: Whether an undeclared namespace prefix is an error.
  ///   - use: Receives the root element.
  /// - Throws: ``Fault`` if the text is not well-formed, and the errors of `use`.
  ///
  /// Source: W3C, "Extensible Markup Language 1.0" and "Namespaces in XML 1.0".
  static func withRoot<Result>(of xml: String, strict: Bool = true, _ use: (HTMLNode) throws -> Result) throws -> Result
  {
    guard let context = xmlNewParserCtxt() else { throw Fault(line: nil, reason: "there is not enough memory") }
    defer { xmlFreeParserCtxt(context) }
    // Only the first error is kept, because later errors are usually its consequences.
    let faults = FirstFault()
    context.pointee._private = Unmanaged.passUnretained(faults).toOpaque()
    context.pointee.sax?.pointee.serror = { context, error in
      guard let context = context?.assumingMemoryBound(to: xmlParserCtxt.self), let error = error?.pointee,
        error.level.rawValue > XML_ERR_WARNING.rawValue, let faults = context.pointee._private
      else { return }
      Unmanaged<FirstFault>.fromOpaque(faults).takeUnretainedValue().record(
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

  private final class FirstFault {
    private(set) var first: Fault?

    func record(_ fault: Fault) {
      if first == nil { first = fault }
    }
  }
}
