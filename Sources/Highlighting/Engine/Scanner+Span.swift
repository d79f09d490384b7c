extension Scanner {
  /// Says the class of the rest of a span, up to its end or to program text inside it.
  ///
  /// - Parameters:
  ///   - index: Which of the grammar's spans is open.
  ///   - nesting: How many of them are open, this one not counted.
  mutating func scanSpan(_ index: Int, nesting: Int = 0) {
    let span = lexicon.grammar.spans[index]
    let closer = span.close.first ?? 0x0A
    let opener = span.nests ? span.open[0] : closer
    var nesting = nesting
    var offset = position
    while offset < end {
      let byte = byte(offset)
      if byte == span.escape {
        offset += 2
      } else if byte == 0x0A, span.endsWithLine {
        break
      } else if byte == closer, has(span.close, at: offset) {
        offset += span.close.count
        if span.doubles, has(span.close, at: offset) {
          offset += span.close.count
        } else if nesting > 0 {
          nesting -= 1
        } else {
          if span.isRegularExpression { offset = wordEnd(from: offset) }
          break
        }
      } else if byte == opener, span.nests, has(span.open, at: offset) {
        offset += span.open.count
        nesting += 1
      } else if !span.interpolations.isEmpty, let found = interpolation(of: span, at: offset, byte) {
        let interpolation = span.interpolations[found]
        if !interpolation.literal.isEmpty, has(interpolation.literal, at: offset) {
          offset += interpolation.literal.count
          continue
        }
        emit(span.tokenClass, to: offset)
        emit(interpolation.tokenClass, interpolation.open.count)
        frames.append(Frame(span: index, interpolation: found, nesting: nesting))
        previous = .other
        return
      } else {
        offset += 1
      }
    }
    emit(span.tokenClass, to: offset)
  }

  private mutating func interpolation(of span: Span, at offset: Int, _ byte: UInt8) -> Int? {
    for index in span.interpolations.indices where span.interpolations[index].open[0] == byte {
      if has(span.interpolations[index].open, at: offset) { return index }
    }
    return nil
  }

  /// A bracket inside an interpolation: the one that is left over leads back into the text.
  mutating func scanBracket(_ byte: UInt8) -> Bool {
    guard let frame = frames.last else { return false }
    let interpolation = lexicon.grammar.spans[frame.span].interpolations[frame.interpolation]
    if byte == interpolation.bracket {
      frames[frames.count - 1].depth += 1
    } else if byte == interpolation.close {
      if frame.depth == 0 {
        frames.removeLast()
        emit(interpolation.tokenClass, 1)
        resume(frame)
        return true
      }
      frames[frames.count - 1].depth -= 1
    } else if let stop = interpolation.end, byte == stop, frame.depth == 0 {
      frames.removeLast()
      emit(interpolation.tokenClass, 1)
      resume(frame)
      return true
    } else if interpolation.end != nil {
      // Where a byte ends the program text, any bracket hides it.
      if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") { frames[frames.count - 1].depth += 1 }
      if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]"), frame.depth > 0 { frames[frames.count - 1].depth -= 1 }
    }
    return false
  }

  private mutating func resume(_ frame: Frame) {
    previous = .value
    announced = nil
    scanSpan(frame.span, nesting: frame.nesting)
  }
}
