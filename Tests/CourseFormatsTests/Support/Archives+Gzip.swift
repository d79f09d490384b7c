import Foundation
import TestSupport

extension Archives {
  /// Compresses data with the system's gzip.
  static func gzip(_ data: Data, in folder: TestFolder) throws -> Data {
    try folder.write(data, to: "plain")
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "gzip -c plain > packed.gz"]
    process.currentDirectoryURL = folder.url
    try process.run()
    process.waitUntilExit()
    return try Data(contentsOf: folder.url.appending(path: "packed.gz"))
  }
}
