import Foundation
import LearningModel
import Testing

struct RandomIdentifierTests {
  @Test func `random identifiers are unique version 4 UUIDs in lower case`() throws {
    var identifiers: Set<String> = []
    for _ in 0..<1_000 {
      let name = RandomIdentifier.make()
      let uuid = try #require(UUID(uuidString: name))

      #expect(uuid.uuidString.lowercased() == name)
      #expect(uuid.uuid.6 >> 4 == 4)
      #expect(uuid.uuid.8 >> 6 == 0b10)
      #expect(identifiers.insert(name).inserted)
    }
  }
}
