import NavigationService

extension Browser {
  /// Returns what is told how synchronising in the background goes, on any thread.
  func hearing() -> @Sendable (SyncNews) -> Void {
    { [weak self] news in
      BackgroundWork.onMainActor { [weak self] in self?.show(news) }
    }
  }

  /// Shows what has come, or says why nothing goes.
  func show(_ news: SyncNews) {
    besideInput {
      switch news {
      case .received: steps.followSync()
      case .failed(let words): screen.notify(words)
      }
    }
  }
}
