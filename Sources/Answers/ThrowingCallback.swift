/// Calls a function whose callback cannot throw, with a callback that throws. The first error of the callback ends the calls,
/// and is thrown after the function has returned.
///
/// - Parameters:
///   - body: The callback.
///   - call: Calls the function, and passes on its argument as the function's callback.
package func withThrowingCallback<Element>(
  _ body: (Element) throws -> Void, _ call: ((Element) -> Bool) throws -> Void
) throws {
  var failure: (any Error)?
  // The compiler permits no call of a non-escaping function from an argument of another one.
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
