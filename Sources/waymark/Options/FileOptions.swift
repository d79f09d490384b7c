import ArgumentParser
import LearningModel

/// The flags of commands that write a text: the output file, and whether an existing file may be replaced.
struct FileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The file to write (default: standard output).", valueName: "file"), completion: .file())
  var output: String?
  @OptionGroup var replacing: ReplacingOption

  /// Writes bytes to a file, and prints what was written where.
  ///
  /// - Parameters:
  ///   - content: The name of what is written, such as `the course “Knots”`.
  ///   - path: The path of the file.
  ///   - database: The path of the open database, which must not be overwritten.
  ///   - isPrivate: Whether only the file's owner can read the file.
  ///   - body: Writes the bytes with the function that it receives.
  func writeBytes(
    of content: String, to path: String, database: String, isPrivate: Bool,
    _ body: (@escaping ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    guard let name = try replacing.name(path, database: database) else { return }
    let file = try FileOutput(name, isPrivate: isPrivate)
    try body { try file.write($0) }
    try file.finish()
    // A file such as `/dev/stdout` must contain only the content.
    if name.temporary != nil { Printing.line("Wrote \(content) to \(quoted: path).") }
  }

  /// Writes a text to the output file, or to standard output.
  ///
  /// - Parameters:
  ///   - content: The name of what is written.
  ///   - database: The path of the open database, which must not be overwritten.
  ///   - isPrivate: Whether the text is a learner's history. If `true`, only the file's owner can read the file.
  ///   - body: Writes the text with the function that it receives.
  func write(
    _ content: String, database: String, isPrivate: Bool, _ body: ((String) throws -> Void) throws -> Void
  ) throws {
    try writeBytes(of: content, database: database, isPrivate: isPrivate) { sink in
      try withoutActuallyEscaping(sink) { sink in try body { try sink(Array($0.utf8)) } }
    }
  }

  /// Writes bytes to the output file, or to standard output.
  func writeBytes(
    of content: String, database: String, isPrivate: Bool, _ body: (([UInt8]) throws -> Void) throws -> Void
  ) throws {
    if let output {
      return try writeBytes(of: content, to: output, database: database, isPrivate: isPrivate) { try body($0) }
    }
    var standard = StandardOutput()
    try body { standard.write($0) }
    standard.flush()
  }
}

/// The flag of commands that write a file.
struct ReplacingOption: ParsableArguments {
  @Flag(help: "Replace an existing file.") var force = false

  /// Returns the name of the output file, or `nil` if the user declines to replace an existing file.
  func name(_ path: String, database: String) throws -> OutputName? {
    try OutputName(path, database: database, replacing: force ? .always : .asking)
  }
}
