import Foundation

/// The pages and pictures of this folder, which the build embeds in the program with `embedded/pack`.
package enum ManualArchive {
  /// A tar.gz archive of the pages and pictures, and of a navigation file with the order of the pages.
  package static var bytes: [UInt8] {
    let text = Data(bytes: embeddedArchive.utf8Start, count: embeddedSize)
    return Data(base64Encoded: text, options: .ignoreUnknownCharacters).map { Array($0) } ?? []
  }

  /// The number of bytes that the archive has in the program.
  package static var embeddedSize: Int { embeddedArchive.utf8CodeUnitCount }

  /// The pages in the order of the manual: the path without the extension, and the title.
  package static var pages: [(name: String, title: String)] {
    embeddedPages.split(separator: "\n").map { line in
      let fields = line.split(separator: "\t", maxSplits: 1).map(String.init)
      return (fields[0], fields.last ?? "")
    }
  }
}
