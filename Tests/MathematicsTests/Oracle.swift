import Foundation

/// Runs Python scripts that read formulas with other libraries. `WAYMARK_ORACLE_PYTHON` is the path of a Python with
/// these libraries.
enum Oracle {
  static let python = ProcessInfo.processInfo.environment["WAYMARK_ORACLE_PYTHON"]

  /// Returns whether that Python can import the libraries.
  static func has(_ libraries: String) -> Bool {
    (try? run(["-c", "import \(libraries)"], Data())) != nil
  }

  /// Returns the output of a script in this folder for an input.
  static func answer<Question: Encodable, Answer: Decodable>(
    _ script: String, _ question: Question, as type: Answer.Type
  ) throws -> Answer {
    let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: script).path
    return try JSONDecoder().decode(Answer.self, from: run([path], JSONEncoder().encode(question)))
  }

  private struct Failure: Error { var status: Int32 }

  private static func run(_ arguments: [String], _ input: Data) throws -> Data {
    guard let python else { throw Failure(status: 1) }
    let file = FileManager.default.temporaryDirectory.appending(path: "formulas-\(UUID().uuidString)")
    try input.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(filePath: python)
    process.arguments = arguments
    process.standardInput = try FileHandle(forReadingFrom: file)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
    return data
  }
}
