#if canImport(Glibc)
import Foundation
import Glibc

/// A user with whose rights a test runs.
public enum TestUser: String, CaseIterable, Sendable {
  case current, nobody

  /// The users of this system. `nobody` is included if the current user is root and all users can write to the temporary folder.
  public static let possible: [TestUser] = {
    var folder = stat()
    let isShared = stat(FileManager.default.temporaryDirectory.path, &folder) == 0 && folder.st_mode & 0o002 != 0
    return geteuid() == 0 && isShared ? TestUser.allCases : [.current]
  }()

  /// Calls a function on a thread of its own, with the rights of the user.
  public func run(_ body: @escaping () throws -> Void) throws {
    nonisolated(unsafe) var result = Result<Void, any Error>.success(())
    nonisolated(unsafe) let body = body
    let end = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      if self == .nobody { Self.becomeNobody() }
      result = Result { try body() }
      end.signal()
    }
    end.wait()
    try result.get()
  }

  /// Gives the calling thread the user and group `nobody`. The functions of the C library change all threads.
  private static func becomeNobody() {
    #if arch(x86_64)
    let (setGroups, setGroup, setUser) = (116, 119, 117)
    #else
    let (setGroups, setGroup, setUser) = (159, 149, 147)
    #endif
    _ = systemCall(setGroups, 0, 0, 0)
    _ = systemCall(setGroup, 65_534, 65_534, 65_534)
    _ = systemCall(setUser, 65_534, 65_534, 65_534)
  }
}

@_silgen_name("syscall")
private func systemCall(_ number: Int, _ first: UInt, _ second: UInt, _ third: UInt) -> Int
#endif
