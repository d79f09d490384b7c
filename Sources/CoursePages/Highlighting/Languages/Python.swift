extension Language {
  /// Python 3.
  static let python = Language(
    "Python", aliases: ["python", "py", "python3", "py3", "pyi", "ipython", "ipython3", "sage"],
    Grammar(
      wordLists: [
        WordList(
          .keyword,
          """
          assert async await break continue del elif else except finally for global if lambda nonlocal pass raise return try
          while yield as with in is and or not True False None import from
          """),
        WordList(.keyword, "match case", .beforeSubject),
        WordList(.keyword, "def", announcing: .function),
        WordList(.keyword, "class", announcing: .type),
        WordList(.keyword, "self cls Ellipsis NotImplemented", .notAfterPoint),
        WordList(
          .function,
          """
          __import__ abs aiter all any bin bool bytearray breakpoint bytes callable chr classmethod compile complex delattr
          dict dir divmod enumerate eval filter float format frozenset getattr globals hasattr hash hex id input int
          isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range
          repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip
          """, .notAfterPoint),
        WordList(
          .type,
          """
          ArithmeticError AssertionError AttributeError BaseException BufferError BytesWarning DeprecationWarning EOFError
          EnvironmentError Exception FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning
          IndentationError IndexError KeyError KeyboardInterrupt LookupError MemoryError NameError NotImplementedError OSError
          OverflowError PendingDeprecationWarning ReferenceError ResourceWarning RuntimeError RuntimeWarning StopIteration
          SyntaxError SyntaxWarning SystemError SystemExit TabError TypeError UnboundLocalError UnicodeDecodeError
          UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning
          ZeroDivisionError BlockingIOError ChildProcessError ConnectionError BrokenPipeError ConnectionAbortedError
          ConnectionRefusedError ConnectionResetError FileExistsError FileNotFoundError InterruptedError IsADirectoryError
          NotADirectoryError PermissionError ProcessLookupError TimeoutError StopAsyncIteration ModuleNotFoundError
          RecursionError EncodingWarning
          """, .notAfterPoint),
        WordList(
          .function,
          """
          __abs__ __add__ __aenter__ __aexit__ __aiter__ __and__ __anext__ __await__ __bool__ __bytes__ __call__ __contains__
          __del__ __delattr__ __delete__ __delitem__ __dir__ __enter__ __eq__ __exit__ __float__ __floordiv__ __format__
          __ge__ __get__ __getattr__ __getattribute__ __getitem__ __gt__ __hash__ __iadd__ __imul__ __index__ __init__ __int__
          __invert__ __isub__ __iter__ __le__ __len__ __lt__ __matmul__ __missing__ __mod__ __mul__ __ne__ __neg__ __new__
          __next__ __or__ __pos__ __pow__ __radd__ __repr__ __reversed__ __rmul__ __round__ __rsub__ __set__ __setattr__
          __setitem__ __str__ __sub__ __truediv__ __xor__
          """),
      ],
      spans: [.line(.comment, "#")] + Span.textsOfPython,
      operators: "+-*/%=<>&^|~.@!",
      hasTrailingPoints: true,
      special: SpecialRule(bytes: "@") { $0.scanDecorator() }))
}

extension Span {
  /// String literals with every prefix, in lower and upper case, with single and triple quotes.
  fileprivate static let textsOfPython: [Span] = {
    let plain = ["", "r", "u", "b", "br", "rb"]
    let formatted = ["f", "t", "fr", "rf", "tr", "rt"]
    let interpolation = Interpolation("{", "{", "}", end: ":", literal: "{{")
    return (plain + formatted).flatMap { prefix in
      let inner = formatted.contains(prefix) ? [interpolation] : []
      let prefixes = Set([prefix, prefix.uppercased(), prefix.prefix(1).uppercased() + prefix.dropFirst()])
      return prefixes.sorted().flatMap { prefix in
        ["\"", "'"].flatMap { quote in
          [
            Span.text(prefix + quote, quote, inner),
            Span.block(.string, prefix + quote + quote + quote, quote + quote + quote, escape: "\\", inner),
          ]
        }
      }
    }
  }()
}

extension Scanner {
  /// Scans `@name` at the start of a line. Elsewhere, `@` is an operator.
  fileprivate mutating func scanDecorator() -> Bool {
    guard next(1).isLetter, isFirstOnLine else { return false }
    emit(.function, to: wordEnd(from: position + 1))
    previousToken = .word
    return true
  }
}
