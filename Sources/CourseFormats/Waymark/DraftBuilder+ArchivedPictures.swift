import LearningModel

extension DraftBuilder {
  /// Keeps the picture of an image that says its digest: one that has been read, or a file of that name in the folder of
  /// pictures.
  mutating func keepPicture(_ image: Inline, in source: CourseSource) throws -> Inline {
    guard case .image(let name, let words, let picture?) = image else { return image }
    if let kept = pictures.kept[picture.digest] { return .image(source: name, alternative: words, picture: kept) }
    let files = WaymarkArchive.extensions.map { WaymarkArchive.folder + "/" + picture.digest + "." + $0 }
    let finding: DraftPictures.Finding = try source.isFolder ? find(files: files) : .lost("its file is not there")
    switch finding {
    case .kept(let found) where found.digest == picture.digest:
      return .image(source: name, alternative: words, picture: found)
    case .kept: findings.losePicture(words, because: "its file is another one")
    case .lost(let reason): findings.losePicture(words, because: reason)
    }
    return .image(source: name, alternative: words)
  }
}
