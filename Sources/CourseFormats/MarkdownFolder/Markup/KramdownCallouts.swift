import LearningModel
import TextCanvas

/// Callouts of kramdown: block quotes and paragraphs with a class.
///
/// Sources: Just the Docs, "Callouts"; The Carpentries, "Lesson Example" of the template before the Workbench.
extension PageMarkup {
  /// Reads a callout: a block quote or a paragraph below a class such as `{: .note }`, or a block quote above such a
  /// class. Returns `false` for other lines.
  mutating func readCallout(
    _ line: PageLine, _ lines: [Substring], at index: inout Int, _ scan: inout Scan
  ) -> Bool {
    func isBlank(_ line: Substring) -> Bool { line.allSatisfy(\.isWhitespace) }
    if line.quoteDepth == 0, let callout = line.callout {
      guard index == 0 || isBlank(lines[index - 1]), index + 1 < lines.count, !isBlank(lines[index + 1]) else {
        return false
      }
      let end = lines[(index + 1)...].firstIndex(where: isBlank) ?? lines.count
      var body = Array(lines[(index + 1)..<end])
      let first = PageLine(body[0])
      if body.allSatisfy({ $0.first == ">" }) {
        body = body.map(Self.withoutQuoteMark)
      } else if first.fence != nil || first.heading != nil || first.content.hasPrefix("<") {
        // Such a block does not end at the first blank line, or it is not text.
        return false
      }
      index = end
      emit(callout, body, &scan)
      return true
    }
    guard line.fullLine.first == ">", index == 0 || lines[index - 1].first != ">",
      let end = lines[index...].firstIndex(where: { $0.first != ">" }), let callout = PageLine(lines[end]).callout
    else { return false }
    let body = lines[index..<end].map(Self.withoutQuoteMark)
    index = end + 1
    emit(callout, body, &scan)
    return true
  }

  private mutating func emit(_ callout: KramdownCallout, _ lines: [Substring], _ scan: inout Scan) {
    var (body, title) = (lines, "")
    while body.first?.allSatisfy(\.isWhitespace) == true { body.removeFirst() }
    if let heading = body.first.flatMap({ PageLine($0).heading }) {
      title = Self.attributed(String(heading.text)).words
      // Links to the heading lead to the callout.
      let anchor = Anchor.make(from: PageMarkup.plainText(title, context.limits))
      scan.output.emit(["", "<a id=\"\(anchor.escapedForXML())\"></a>", ""])
      body.removeFirst()
    } else if callout.hasTitle {
      let end = body.firstIndex { $0.allSatisfy(\.isWhitespace) } ?? body.count
      title = body[..<end].joined(separator: " ")
      body.removeFirst(end)
    }
    scan.isInList = false
    emit(Directive(name: callout.name, argument: title, body: body), before: PageLine(""), &scan)
  }

  private static func withoutQuoteMark(_ line: Substring) -> Substring {
    let rest = line.dropFirst()
    return rest.first == " " ? rest.dropFirst() : rest
  }
}

/// The class of a callout.
struct KramdownCallout: Equatable {
  /// The name of the directive that has the same meaning.
  let name: String
  /// Whether the first paragraph is the title.
  let hasTitle: Bool
}

extension PageLine {
  /// The callout that the attributes alone on a line declare: `{: .note }`, or `{: .note-title }` if the first
  /// paragraph is the title. `nil` for other lines.
  fileprivate var callout: KramdownCallout? {
    guard content.hasPrefix("{:"), content.hasSuffix("}"), quoteDepth == 0, !hasListMarker, content.count < 200 else {
      return nil
    }
    for name in Attributes(content.dropFirst(2).dropLast()).classes {
      let bare = name.hasSuffix("-title") ? String(name.dropLast("-title".count)) : name
      switch DirectiveRole.of(bare) {
      case .admonition, .box, .exercise, .details: return KramdownCallout(name: bare, hasTitle: bare != name)
      default: continue
      }
    }
    return nil
  }
}
