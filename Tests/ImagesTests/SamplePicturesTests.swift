import Foundation
import Images
import Testing

/// Tests with the images of real courses in the folder `WAYMARK_SAMPLES`.
struct SamplePicturesTests {
  private static let folder = ProcessInfo.processInfo.environment["WAYMARK_SAMPLES"]

  @Test(.enabled(if: folder != nil, "WAYMARK_SAMPLES names no folder."))
  func `every sample image is decoded with the size in its header`() throws {
    let folder = try #require(Self.folder)
    let files = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
      .filter { ["png", "jpg", "jpeg", "gif"].contains(($0 as NSString).pathExtension.lowercased()) }
    try #require(!files.isEmpty)

    for file in files {
      let bytes = Array(try Data(contentsOf: URL(filePath: folder).appending(path: file)))
      let header = try PixelImage.header(of: bytes, named: file)
      let image = try PixelImage(decoding: bytes, named: file)
      #expect(image.width == header.width && image.height == header.height, "\(file)")
    }
  }
}
