import JSONCoding
package import LearningModel

/// An error that prevents a source from being read.
package enum CourseFormatError: ExplainedError, Hashable {
  /// Nothing exists at the path.
  case sourceMissing(path: String)
  /// Reading the path is not permitted.
  case noPermission(path: String)
  /// The system reported another error; `reason` is its message.
  case readFailed(path: String, reason: String)
  /// `--from` names an unknown format.
  case unknownFormat(name: String, known: [String])
  /// No reader recognises the source; `needs` lists what identifies a source of each format.
  case unrecognised(source: String, needs: [String])
  /// The source has a known format that no reader reads. `name` is the format's name with an indefinite article.
  /// Either `advice` or `remedy` describes how to convert the source.
  case foreign(source: String, name: String, advice: String?, remedy: Remedy?)
  /// The format of the source requires a program that is not installed, which is in a Debian package.
  case programMissing(
    source: String, name: String, program: String, package: String, advice: String?, remedy: Remedy?)
  /// A program could not convert a file.
  case cannotConvert(file: String, program: String, reason: String)
  /// The source does not have the requested format; `needs` describes what identifies a source of that format.
  case notOfFormat(source: String, format: String, needs: String)
  /// A file that is referred to does not exist in the source.
  case fileMissing(file: String)
  /// A file name is not UTF-8.
  case nameNotUTF8(file: String)
  /// A path inside the source leads out of it.
  case leavesSource(file: String)
  /// A symbolic link leads to a folder that contains the link; `target` is the content of the link.
  case linkInCircles(file: String, target: String)
  /// The path is a pipe or a device that cannot be read as a file, or a folder where a file is expected.
  case notAFile(file: String)
  /// A byte is not valid text; `offset` is its position from 0.
  case notText(file: String, line: Int, byte: UInt8, offset: Int)
  /// A limit is exceeded.
  case limit(ExceededLimit, file: String, line: Int?)
  /// A text of a known grammar is malformed.
  case malformed(file: String, line: Int?, problem: String, advice: String)
  /// An archive cannot be unpacked; `reason` describes the problem.
  case badArchive(source: String, reason: String)
  /// An address has a transport that is not supported.
  case unsupportedAddress(String)
  /// A Git repository cannot be fetched.
  case cannotFetch(String, reason: String)
  /// A temporary file cannot be made or used.
  case noTemporarySpace(reason: String)
}

extension CourseFormatError {
  /// Creates the error for a file that is not the expected JSON.
  init(_ error: JSONError, file: String) {
    self =
      switch error {
      case .malformed(let line, let problem, let advice):
        .malformed(file: file, line: line, problem: problem, advice: advice)
      case .tooDeep(let limit, let line): .limit(.nestingDepth(limit), file: file, line: line)
      }
  }

  /// The error for a file whose name contains a control character.
  static func controlCharacter(in file: String) -> CourseFormatError {
    .malformed(file: file, line: nil, problem: "the name contains a control character", advice: "Rename the file.")
  }

  /// The error for a file whose name differs from that of another file only in its Unicode form.
  static func sameName(as file: String) -> CourseFormatError {
    let problem = "the name is that of another file here in another Unicode form"
    return .malformed(file: file, line: nil, problem: problem, advice: "Rename the file.")
  }

  package var kind: FailureKind {
    switch self {
    case .sourceMissing: .notFound
    case .noPermission: .noPermission
    case .readFailed, .noTemporarySpace: .inputOutput
    case .unknownFormat, .unsupportedAddress: .refused
    case .cannotFetch, .programMissing: .unavailable
    default: .badData
    }
  }
}

extension CourseFormatError {
  /// The message: the failed task, the cause, and advice that applies to every program.
  package var description: String {
    (["Could not \(task): \(problem)."] + [advice].compactMap(\.self)).joined(separator: " ").onOneLine
  }

  /// The advice, if each front end has its own text for it; otherwise `nil`. ``description`` does not include this
  /// advice.
  package var remedy: Remedy? {
    switch self {
    case .unrecognised: .listFormats
    case .notOfFormat: .detectFormat
    case .foreign(_, _, _, let remedy), .programMissing(_, _, _, _, _, let remedy): remedy
    default: nil
    }
  }

  /// The error as a diagnostic about a file of the source. The diagnostic makes the import fail.
  package var diagnostic: Diagnostic {
    let (file, line) = place
    return Diagnostic(
      severity: .error, file: file.escapingControls, line: line,
      message: ([problem.prefix(1).uppercased() + problem.dropFirst() + "."] + [advice].compactMap(\.self))
        .joined(separator: " ").onOneLine,
      remedy: remedy)
  }

  private var place: (file: String, line: Int?) {
    switch self {
    case .sourceMissing(let path), .noPermission(let path), .readFailed(let path, _): (path, nil)
    case .unknownFormat(let name, _): (name, nil)
    case .unrecognised(let source, _), .foreign(let source, _, _, _), .notOfFormat(let source, _, _),
      .badArchive(let source, _), .programMissing(let source, _, _, _, _, _), .cannotConvert(let source, _, _):
      (source, nil)
    case .fileMissing(let file), .nameNotUTF8(let file), .leavesSource(let file), .notAFile(let file),
      .linkInCircles(let file, _):
      (file, nil)
    case .notText(let file, let line, _, _): (file, line)
    case .limit(_, let file, let line): (file, line)
    case .malformed(let file, let line, _, _): (file, line)
    case .unsupportedAddress(let address), .cannotFetch(let address, _): (address, nil)
    case .noTemporarySpace: ("temporary file", nil)
    }
  }

  private var task: String {
    let (file, line) = place
    return switch self {
    case .unknownFormat: "import from format \(quoted: file)"
    case .unrecognised, .foreign, .programMissing, .notOfFormat, .sourceMissing: "import \(quoted: file)"
    case .unsupportedAddress: "open \(quoted: file)"
    case .cannotFetch: "fetch \(quoted: file)"
    case .badArchive: "unpack \(quoted: file)"
    case .cannotConvert: "convert \(quoted: file)"
    case .noTemporarySpace: "store the course temporarily"
    default: "read \(quoted: file)" + (line.map { " at line \($0)" } ?? "")
    }
  }

  private var problem: String {
    switch self {
    case .sourceMissing: "there is no such file or folder"
    case .noPermission: "reading it is not permitted"
    case .cannotConvert(_, let program, let reason): "\(program) fails: \(reason)"
    case .readFailed(_, let reason), .badArchive(_, let reason),
      .cannotFetch(_, let reason),
      .noTemporarySpace(let reason):
      reason
    case .unsupportedAddress: "only Git repositories can be opened by URL, over https, ssh, git or file"
    case .unknownFormat: "there is no such format"
    case .unrecognised: "nothing in it is a course of a format that Waymark reads"
    case .foreign(_, let name, _, _): "it is \(name), a format that Waymark does not read"
    case .programMissing(_, let name, let program, _, _, _):
      "it is \(name), a format that Waymark reads through \(quoted: program), which is not installed"
    case .notOfFormat(_, let format, let needs): "it is not of the format \(quoted: format), which needs \(needs)"
    case .fileMissing: "the file does not exist"
    case .nameNotUTF8: "the name is not UTF-8"
    case .leavesSource: "the path leads outside the course's folder"
    case .linkInCircles(_, let target): "it is a symbolic link to \(quoted: target), a folder that contains it"
    case .notAFile: "it is neither a file nor a folder"
    case .notText(_, _, let byte, let offset):
      "byte 0x\(Self.hexadecimal(byte)) at offset \(offset) is not UTF-8 text"
    case .limit(let limit, _, _): limit.problem
    case .malformed(_, _, let found, _): found
    }
  }

  private var advice: String? {
    switch self {
    case .sourceMissing: "Check the path."
    case .noPermission: "Ask its owner for permission to read it."
    case .readFailed: "Check the disk, and try again."
    case .unknownFormat(_, let known): "Name one of: \(known.joined(separator: ", "))."
    case .unrecognised(_, let needs):
      "Looked for: \(needs.joined(separator: "; "))."
    case .foreign(_, _, let advice, _): advice
    case .programMissing(_, _, _, let package, let advice, _):
      "Install the package \(quoted: package)." + (advice.map { " Or: " + $0 } ?? "")
    case .cannotConvert(_, let program, _): "Check the file with \(program), or remove it from the course."
    case .notOfFormat: nil
    case .fileMissing: "Add the file, or remove the references to it."
    case .nameNotUTF8: "Rename it."
    case .leavesSource: "Copy the file into the folder and use its new path."
    case .notAFile: "Remove it, or save its content in a file."
    case .linkInCircles: "Remove it from the course's folder."
    case .notText: "Save the file as UTF-8."
    case .limit(let limit, _, _): limit.advice
    case .malformed(_, _, _, let advice): advice
    case .badArchive: "Create the archive again, or unpack it yourself and import the folder."
    case .unsupportedAddress: "Download it, and open the file."
    case .cannotFetch:
      "Check the address and the network. Install git if it is missing, and download files that are not in a "
        + "repository."
    case .noTemporarySpace: "Set TMPDIR to a folder that you can write, on a disk with free space."
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count == 1 ? "0" + digits : digits
  }
}
