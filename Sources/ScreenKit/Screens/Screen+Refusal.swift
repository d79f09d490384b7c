extension Screen {
  /// Reports a refusal where nothing can be thrown.
  func reportingRefusal<T>(_ body: () throws(ContainmentError) -> T?) -> T? {
    do { return try body() } catch {
      ScreenIssue.refused(error).report(on: stage)
      return nil
    }
  }
}
