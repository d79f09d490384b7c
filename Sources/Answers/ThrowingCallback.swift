/// Calls a function that takes a non-throwing callback, and lets the callback throw. After the first error, the
/// callback is not called again. The error is thrown when the function has returned.
///
/// - Parameters:
///   - body: The callback.
///   - call: Calls the function with the callback that it receives.
package func withThrowingCallback<Element>(
  _ body: (Element) throws -> Void, _ call: ((Element) -> Bool) throws -> Void
) throws {
  var failure: (any Error)?
  // The compiler does not allow calling a non-escaping function from an argument of another function.
  try withoutActuallyEscaping(body) { body in
    try call { element in
      do {
        try body(element)
        return true
      } catch {
        failure = error
        return false
      }
    }
  }
  if let failure { throw failure }
}
