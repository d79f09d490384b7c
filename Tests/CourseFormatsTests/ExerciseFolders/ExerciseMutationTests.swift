import CourseFormats
import Foundation
import LearningModel
import TestSupport
import Testing

/// Tests with randomly damaged folders of exercises, which are either read or rejected with an error.
struct ExerciseMutationTests {
  private func damaged(_ text: String, _ random: inout SplitMix64) -> [UInt8] {
    var bytes = Array(text.utf8)
    for _ in 0...random.below(3) where !bytes.isEmpty {
      let start = random.below(bytes.count)
      let end = min(bytes.count, start + 1 + random.below(40))
      switch random.below(6) {
      case 0: bytes[start] = UInt8(random.below(256))
      case 1: bytes.removeSubrange(start..<end)
      case 2: bytes.insert(contentsOf: bytes[start..<end], at: random.below(bytes.count))
      case 3: bytes.removeSubrange(start...)
      case 4:
        let marks = [
          "{", "}", "[", "]", "\"", "\"\"\"", "'", "\\", "../", "null", "-1e999", "\n", "exercises/", "= true\n",
        ]
        bytes.insert(contentsOf: marks[random.below(marks.count)].utf8, at: start)
      default: bytes.insert(contentsOf: [UInt8](repeating: bytes[start], count: random.below(500)), at: start)
      }
    }
    return bytes
  }

  @Test(arguments: ExerciseFixtures.all.keys.sorted(), Tier.seeds(Array(1...8), long: 1..<301))
  func `a damaged folder of exercises is either read or rejected`(_ name: String, _ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let files = try #require(ExerciseFixtures.all[name]).sorted { $0.key < $1.key }
    let folder = try TestFolder(Dictionary(uniqueKeysWithValues: files))
    let file = files[random.below(files.count)]
    try folder.write(Data(damaged(file.value, &random)), to: file.key)
    var options = ReadOptions()
    options.includesProgress = true

    do {
      let draft = try folder.read(options: options)
      #expect(draft.nodes.contains { $0.type == .exercise } || draft.isRefused || draft.format == "markdown")
      for case .exercise(let exercise) in try draft.isRefused ? [] : draft.allContents() {
        #expect(exercise.files.allSatisfy { !$0.path.contains("..") })
      }
    } catch let error as CourseFormatError {
      #expect(!error.description.isEmpty)
    }
  }
}
