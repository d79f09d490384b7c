import Answers
import Dispatch
import Foundation
import LearningModel
import NavigationKit
import Synchronization

/// Synchronises the database while the browser is open.
///
/// Runs on its own thread, because a task would cause the concurrency runtime to wake up once a second. The
/// transactions are so small that navigation does not wait for them. The thread sleeps for a minute between two polls.
final class BackgroundSync: Sendable {
  /// The maximum number of events and other records per transaction.
  private static let limit = 20
  /// The delay before the first poll in seconds. The first frames are drawn during this time.
  private static let delay = 2.0
  /// The maximum time in seconds for which ``finish()`` waits for the last exchange.
  private static let closeTimeout = 1.0
  /// Set when a waiting request must end. It can be static because a process has only one synchronisation thread.
  private static let isCancelled = Atomic(false)

  private let address: SyncAddress
  private let file: TokenFile
  private let service: NavigationService
  private let ending = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  private let hasStarted = Atomic(false)

  /// Creates a synchronisation that has not begun.
  ///
  /// - Parameters:
  ///   - folder: The folder of the settings file, which also contains the tokens.
  ///   - service: The service of the database.
  init(with address: SyncAddress, tokensIn folder: String, service: NavigationService) {
    self.address = address
    self.service = service
    file = TokenFile(in: folder, host: address.host, learner: service.learner)
  }

  /// Begins synchronising.
  ///
  /// - Parameter notify: Called on the background thread when changes have arrived. Also called once if the server
  ///   becomes unreachable, and once if synchronisation ends with an error.
  func begin(reportingTo notify: @escaping @Sendable (SyncEvent) -> Void) {
    hasStarted.store(true, ordering: .relaxed)
    let thread = Thread { [self] in
      defer { ended.signal() }
      run(reportingTo: notify)
    }
    // The stack must be large because the thread reads and writes messages of one megabyte.
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Sends the last changes and ends the thread. If this takes more than one second, the changes are sent the next
  /// time.
  func finish() {
    guard hasStarted.load(ordering: .relaxed) else { return }
    ending.signal()
    guard ended.wait(timeout: .now() + Self.closeTimeout) == .timedOut else { return }
    Self.isCancelled.store(true, ordering: .relaxed)
  }

  // MARK: - On its own thread

  private func run(reportingTo notify: (SyncEvent) -> Void) {
    var (pollInterval, isReached, isReported, wait) = (SyncPollInterval(), false, false, Self.delay)
    do {
      let state = try service.changeNumber()
      var connection: SyncConnection?
      while true {
        let isEnding = ending.wait(timeout: .now() + wait) == .success
        wait = SyncPollInterval.interval
        // If the server has not been reachable, the program ends without trying to reach it again.
        if isEnding, !isReached { return }
        if pollInterval.isDue(try state()) {
          do {
            let opened = try connection ?? connect()
            connection = opened
            let report = try Synchroniser(service, writing: Self.limit, send: opened.send).run()
            pollInterval.ended(try state())
            (isReached, isReported) = (true, false)
            if report.hasReceived { notify(.received) }
          } catch SyncClientError.unreachable {
            isReached = false
            if !isReported { notify(.failed(Self.missingTokenMessage(onMissing: address.host))) }
            isReported = true
          } catch SyncClientError.busy, SyncClientError.interrupted, NavigationError.busy {
            // The error is ignored, because the next poll tries again.
          }
        }
        if isEnding { return }
      }
    } catch NavigationError.learnerIsHere(let name) {
      notify(.failed(Self.erasedMessage(onErased: name, there: address)))
    } catch {
      notify(.failed(CommandWords.text(error)))
    }
  }

  static func missingTokenMessage(onMissing host: String) -> String {
    "Could not synchronise with \(quoted: host): it is unreachable. Your changes are saved here and will be sent later."
  }

  static func erasedMessage(onErased name: String, there address: SyncAddress) -> String {
    "Could not synchronise \(quoted: name): the learner was erased on the server. "
      + "Close the browser and run \(command: "waymark", "sync", address.url) to erase the learner here too."
  }

  private func connect() throws -> SyncConnection {
    guard let token = try file.token() else { throw SyncClientError.noToken(host: address.host, file: file.path) }
    return try SyncConnection(to: address, token: token) { BackgroundSync.isCancelled.load(ordering: .relaxed) }
  }
}
