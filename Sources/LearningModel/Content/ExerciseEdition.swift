extension Exercise {
  /// Returns a digest of the files to edit as the learner has left them, and whether at least one of them differs from the
  /// author's. Both are recorded with a check.
  ///
  /// - Parameter bytes: Returns the content of a file, or `nil` if the learner has deleted it.
  package func edition(of bytes: (ExerciseFile) throws -> [UInt8]?) rethrows -> (digest: String, isChanged: Bool) {
    var (digest, isChanged) = (SourceDigest(), false)
    for file in files(.edit) {
      let found = try bytes(file).map(SourceDigest.digest) ?? ""
      isChanged = isChanged || found != file.digest
      digest.add(Array(found.utf8), of: file.path)
    }
    return (digest.hexadecimal(), isChanged)
  }
}
