import ArgumentParser

/// What every command understands that writes a text: into which file, and whether one that is there goes.
struct FileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The file to write (default: standard output).", valueName: "file"), completion: .file())
  var output: String?
  @OptionGroup var replacing: ReplacingOption

  /// Writes bytes piece by piece into the file that was asked for.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - database: The one in use, which is not to be written over.
  ///   - body: What writes, by what it is given.
  func writeBytes(
    to path: String, database: String, _ body: (@escaping ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    guard let name = try replacing.name(path, database: database) else { return }
    let file = try FileOutput(name, isPrivate: false)
    try body { try file.write($0) }
    try file.finish()
  }

  /// Writes a text piece by piece, into the file or to standard output.
  ///
  /// - Parameters:
  ///   - database: The open database, which cannot be the file.
  ///   - isPrivate: Whether the text is a person's history, which only the file's owner may read.
  ///   - body: Writes the text by the function that it receives.
  func write(
    database: String, isPrivate: Bool, _ body: ((String) throws -> Void) throws -> Void
  ) throws {
    try writeBytes(database: database, isPrivate: isPrivate) { sink in
      try withoutActuallyEscaping(sink) { sink in try body { try sink(Array($0.utf8)) } }
    }
  }

  /// Writes bytes in the same way.
  func writeBytes(
    database: String, isPrivate: Bool, _ body: (([UInt8]) throws -> Void) throws -> Void
  ) throws {
    guard let output else {
      var standard = StandardOutput()
      try body { standard.write($0) }
      return standard.flush()
    }
    guard let name = try replacing.name(output, database: database) else { return }
    let file = try FileOutput(name, isPrivate: isPrivate)
    try body { try file.write($0) }
    try file.finish()
  }
}

/// What every command understands that writes a file.
struct ReplacingOption: ParsableArguments {
  @Flag(help: "Replace the file where there is one already.") var force = false

  /// The name of the file; `nil` where the person at the terminal keeps the file that has it.
  func name(_ path: String, database: String) throws -> OutputName? {
    try OutputName(path, database: database, replacing: force ? .always : .asking)
  }
}
