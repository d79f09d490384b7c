import LearningModel

extension DraftBuilder {
  /// Keeps the picture that an image of a text names, where it is there and is not too large. What parsing has counted as
  /// lost is then not lost.
  ///
  /// - Parameters:
  ///   - image: The image; its source is a path, an address, or the picture itself.
  ///   - file: The file that says it.
  mutating func keepPicture(_ image: Inline, file: String) throws -> Inline {
    guard case .image(let name, let words, _) = image else { return image }
    let source = name.isData ? "" : name
    guard let finding = try find(picture: name, file: file) else { return .image(source: source, alternative: words) }
    switch finding {
    case .kept(let picture):
      findings.regainPicture(words)
      return .image(source: source, alternative: words, picture: picture)
    case .lost(let reason):
      findings.regainPicture(words)
      findings.losePicture(words, because: reason)
      return .image(source: source, alternative: words)
    }
  }

  /// What becomes of a picture; `nil` where a text names none.
  private mutating func find(picture name: String, file: String) throws -> DraftPictures.Finding? {
    if name.isData { return try find(data: name) }
    switch LinkTarget(name) {
    case .file(let path, _): return path.isEmpty ? nil : try find(files: picturePaths(path, file))
    case .address: return .lost("it is on the net")
    case .unsafe, .node, .anchor: return nil
    }
  }

  /// The files that a name may mean: beside the file; where a page's address is a folder, as on many a site, one step
  /// further in; below a folder that a site has at its top.
  ///
  /// Source: what mdBook, MkDocs (`use_directory_urls`), Docusaurus and Hugo (`static`) do.
  static func picturePaths(_ name: String, in file: String) -> [String] {
    let folder = SourcePath.folder(of: file)
    guard name.hasPrefix("/") else {
      let asFolder = SourcePath.join(folder, SourcePath.stem(of: SourcePath.name(of: file)))
      return [folder, asFolder, ""].compactMap { SourcePath.resolve(name, in: $0) }
    }
    let bare = name.drop { $0 == "/" }
    var tops = [folder]
    while let last = tops.last, !last.isEmpty { tops.append(SourcePath.folder(of: last)) }
    return tops.reversed().flatMap { top in
      ["", "static", "public"].compactMap { SourcePath.resolve(bare, in: SourcePath.join(top, $0)) }
    }
  }
}

extension Findings {
  /// Counts a picture that is only told of, as parsing finds it.
  mutating func losePicture(_ words: String) { lose("image", Self.treatment(words)) }

  /// Takes back that a picture is lost.
  mutating func regainPicture(_ words: String) { regain("image", Self.treatment(words)) }

  /// Counts a picture that is only told of, and why.
  mutating func losePicture(_ words: String, because reason: String) {
    lose("image", (Self.isBlank(words) ? "its place is shown, for " : "its description is shown, for ") + reason)
  }

  private static func treatment(_ words: String) -> String {
    isBlank(words) ? "its place is shown, for it has no description" : "its description is shown"
  }

  private static func isBlank(_ words: String) -> Bool { words.allSatisfy(\.isWhitespace) }
}
