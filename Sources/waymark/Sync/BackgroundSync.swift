import Dispatch
import Foundation
import NavigationKit
import Synchronization

/// Synchronises while the learner does something else.
///
/// On a thread of its own, and not as a task: the runtime would look after its threads once a second from then on. It writes
/// so little at a time that no step waits for it, and sleeps for a minute between two looks.
final class BackgroundSync: Sendable {
  /// Steps, things done and facts that are written at a time.
  private static let limit = 20
  /// Seconds before the first look: the first frames are drawn first.
  private static let delay = 2.0
  /// Seconds that the end of the program waits for the last exchange at most.
  private static let patience = 1.0
  /// A request asks this while it waits. There is one such thread in a process.
  private static let isCancelled = Atomic(false)

  private let address: SyncAddress
  private let file: TokenFile
  private let service: NavigationService
  private let ending = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  private let hasBegun = Atomic(false)

  /// Prepares it; nothing is sent yet.
  ///
  /// - Parameters:
  ///   - folder: Where Waymark's settings are, with the tokens beside them.
  ///   - service: Whose database it is.
  init(with address: SyncAddress, tokensIn folder: String, service: NavigationService) {
    self.address = address
    self.service = service
    file = TokenFile(in: folder, host: address.host, learner: service.learner)
  }

  /// Begins.
  ///
  /// - Parameter tell: Is told on a thread of its own what has come, and once in a while why nothing goes.
  func begin(telling tell: @escaping @Sendable (SyncNews) -> Void) {
    hasBegun.store(true, ordering: .relaxed)
    let thread = Thread { [self] in
      defer { ended.signal() }
      run(telling: tell)
    }
    // Messages of a megabyte are read and written on it.
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Ends it. What was done last goes out, where that takes no longer than a second; else it goes the next time.
  func finish() {
    guard hasBegun.load(ordering: .relaxed) else { return }
    ending.signal()
    guard ended.wait(timeout: .now() + Self.patience) == .timedOut else { return }
    Self.isCancelled.store(true, ordering: .relaxed)
  }

  // MARK: - On its own thread

  private func run(telling tell: (SyncNews) -> Void) {
    var (rounds, isReached, isTold, wait) = (SyncRounds(), false, false, Self.delay)
    do {
      let state = try service.changeNumber()
      var connection: SyncConnection?
      while true {
        let isEnding = ending.wait(timeout: .now() + wait) == .success
        wait = SyncRounds.interval
        // Who leaves waits for no server that could not be reached.
        if isEnding, !isReached { return }
        if rounds.isDue(try state()) {
          do {
            let opened = try connection ?? connect()
            connection = opened
            let report = try Synchroniser(service, writing: Self.limit, send: opened.send).run()
            rounds.ended(try state())
            (isReached, isTold) = (true, false)
            if report.hasReceived { tell(.received) }
          } catch SyncClientError.unreachable {
            isReached = false
            if !isTold { tell(.failed(Self.words(onMissing: address.host))) }
            isTold = true
          } catch SyncClientError.busy, SyncClientError.interrupted, NavigationError.busy {
            // The next look comes.
          }
        }
        if isEnding { return }
      }
    } catch NavigationError.learnerIsHere(let name) {
      tell(.failed(Self.words(onErased: name, there: address)))
    } catch {
      tell(.failed(String(describing: error)))
    }
  }

  static func words(onMissing host: String) -> String {
    "Could not synchronise with '\(host)': it cannot be reached. What you do is saved here, and goes there when it can be."
  }

  static func words(onErased name: String, there address: SyncAddress) -> String {
    "Could not synchronise '\(name)': they were erased on the server. Close this, and run 'waymark sync \(address.url)': "
      + "then they are erased here too."
  }

  private func connect() throws -> SyncConnection {
    guard let token = try file.token() else { throw SyncClientError.noToken(host: address.host, file: file.path) }
    return try SyncConnection(to: address, token: token) { BackgroundSync.isCancelled.load(ordering: .relaxed) }
  }
}
