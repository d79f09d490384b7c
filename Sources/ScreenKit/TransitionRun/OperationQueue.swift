/// Runs the operations of one container one after another. An operation that is requested while another one is starting
/// or ending, for example in `didAppear` of a screen, runs directly afterwards. None is dropped.
@MainActor final class OperationQueue {
  private var isBusy = false
  private var pendingOperations: [@MainActor () -> Void] = []

  func perform(_ operation: @escaping @MainActor () -> Void) {
    pendingOperations.append(operation)
    guard !isBusy else { return }
    isBusy = true
    while !pendingOperations.isEmpty { pendingOperations.removeFirst()() }
    isBusy = false
  }

  /// Whether an operation would have to wait.
  var mustWait: Bool { isBusy }
}

extension OperationQueue {
  /// Runs a block immediately. Operations that are requested by the block run after it.
  func performDirectly(_ block: () -> Void) {
    if isBusy {
      block()
      return
    }
    isBusy = true
    block()
    isBusy = false
    if !pendingOperations.isEmpty { perform {} }
  }
}
