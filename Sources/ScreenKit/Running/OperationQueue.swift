/// Runs the operations of one container one after another: what is asked for while one is being started or ended (in a
/// screen's `didAppear`, say) waits until that is done, in the same turn. Nothing is dropped.
@MainActor final class OperationQueue {
  private var isBusy = false
  private var waiting: [@MainActor () -> Void] = []

  func perform(_ operation: @escaping @MainActor () -> Void) {
    waiting.append(operation)
    guard !isBusy else { return }
    isBusy = true
    while !waiting.isEmpty { waiting.removeFirst()() }
    isBusy = false
  }

  /// Whether something would wait.
  var wouldWait: Bool { isBusy }
}

extension OperationQueue {
  /// Runs a block at once; what is asked for meanwhile waits until it is done.
  func directly(_ block: () -> Void) {
    if isBusy {
      block()
      return
    }
    isBusy = true
    block()
    isBusy = false
    if !waiting.isEmpty { perform {} }
  }
}
