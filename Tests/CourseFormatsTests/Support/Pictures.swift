import Foundation
import LearningModel
import Images

/// Returns a PNG file with a single colour.
func tinyPNG(width: Int = 3, height: Int = 2, grey: UInt8 = 90) -> Data {
  let pixel: [UInt8] = [grey, grey, grey, 255]
  return Data(PixelImage(width: width, height: height, pixels: (0..<width * height).flatMap { _ in pixel }).png)
}

extension CourseDraft {
  /// Returns every image of every text, as `source|alternative|width×height`, or `source|alternative` if it is not
  /// stored.
  func images() throws -> [String] {
    try allContents().flatMap { content -> [String] in
      guard case .reading(let blocks) = content else { return [] }
      return blocks.images
    }
  }

  /// Returns the digests of all stored images in the texts, in order.
  func digests() throws -> [String] { try allContents().flatMap(\.storedImages).map(\.digest) }
}

extension [Block] {
  fileprivate var images: [String] {
    flatMap { block -> [String] in
      switch block {
      case .paragraph(let line), .heading(_, let line, _): line.images
      case .quote(let blocks), .details(_, let blocks): blocks.images
      default: []
      }
    }
  }
}

extension [Inline] {
  fileprivate var images: [String] {
    flatMap { piece -> [String] in
      switch piece {
      case .image(let source, let words, let picture):
        let kept = picture.map { $0.size.map { "|\($0.width)×\($0.height)" } ?? "|no pixels" } ?? ""
        return ["\(source)|\(words)\(kept)"]
      case .link(_, let inner), .emphasis(let inner), .strong(let inner): return inner.images
      default: return []
      }
    }
  }
}
