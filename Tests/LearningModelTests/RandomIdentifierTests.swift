import Foundation
import LearningModel
import Testing

struct RandomIdentifierTests {
  @Test func `a random identifier is a UUID of version 4 in lower case, and never the same again`() throws {
    var seen: Set<String> = []
    for _ in 0..<1_000 {
      let name = RandomIdentifier.make()
      let uuid = try #require(UUID(uuidString: name))

      #expect(uuid.uuidString.lowercased() == name)
      #expect(uuid.uuid.6 >> 4 == 4)
      #expect(uuid.uuid.8 >> 6 == 0b10)
      #expect(seen.insert(name).inserted)
    }
  }
}
