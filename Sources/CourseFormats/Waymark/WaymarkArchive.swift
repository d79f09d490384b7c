import LearningModel
import Images

/// A zip file with Waymark's JSON form and the images of the course: `course.json`, and `pictures/` with a file for
/// each image, named after its digest.
///
/// Invariant: ``WaymarkReader`` reads the same nodes, contents, language and images that were written.
package enum WaymarkArchive {
  /// The file with the course.
  static let course = "course.json"
  /// The folder with the images and sounds.
  static let folder = "pictures"
  /// The extensions of image files, and that of all sounds.
  static let extensions = ["png", "jpg", "webp", "gif", "svg", "media"]

  /// Writes the zip file.
  ///
  /// - Parameters:
  ///   - images: The digests of the images, in the order in which they are written.
  ///   - bytes: Returns the bytes of an image, or `nil` if it is no longer stored.
  ///   - write: Writes the JSON text, using the function that it receives.
  ///   - sink: Receives the zip file in chunks.
  /// - Throws: The errors of `bytes`, `write` and `sink`, and ``CourseFormatError/badArchive(source:reason:)``.
  package static func write(
    images: [String], bytes: (String) throws -> [UInt8]?, json write: ((String) throws -> Void) throws -> Void,
    to sink: @escaping ([UInt8]) throws -> Void
  ) throws {
    let zip = try ZipWriter(to: sink)
    try zip.begin(course, packed: true)
    var waiting: [UInt8] = []
    try write { text in
      waiting += text.utf8
      if waiting.count >= 64 << 10 {
        try zip.add(waiting)
        waiting.removeAll(keepingCapacity: true)
      }
    }
    try zip.add(waiting)
    for digest in images {
      guard let bytes = try bytes(digest) else { continue }
      try zip.begin(folder + "/" + digest + "." + ending(of: bytes), packed: false)
      try zip.add(bytes)
    }
    try zip.finish()
  }

  /// Returns the extension for a stored file: that of the image format, or `media` for a sound.
  package static func ending(of bytes: [UInt8]) -> String {
    switch ImageFormat(firstBytes: Array(bytes.prefix(12))) {
    case .png: "png"
    case .jpeg: "jpg"
    case .webp: "webp"
    case .gif: "gif"
    case nil: DraftImages.isSVG(bytes) ? "svg" : "media"
    }
  }
}
