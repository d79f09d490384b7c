import Foundation
import NavigationService

/// Files whose names are similar to a path that does not exist.
enum NearbyFiles {
  /// The largest folder whose names are compared.
  private static let mostNames = 10_000

  /// Returns the paths with the nearest names in the same folder, the nearest first.
  static func names(like path: String) -> [String] {
    let path = path.hasSuffix("/") ? String(path.dropLast()) : path
    let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let folder = String(path[..<start])
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    guard names.count <= mostNames else { return [] }
    return Likeness.nearest(to: String(path[start...]), among: names.filter { !$0.hasPrefix(".") }).map { folder + $0 }
  }
}
