import LibXML2

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
