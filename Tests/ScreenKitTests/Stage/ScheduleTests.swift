import TextCanvas
import Testing

@testable import ScreenKit

@MainActor @Suite struct ScheduleTests {
  @Test func `a scheduled closure runs once, and no frame is due earlier`() {
    let stage = Stage(size: CellSize(columns: 10, rows: 2))
    var calls: [Double] = []
    _ = stage.tick(at: 1)

    let call = stage.schedule(after: 2) { calls.append(stage.now) }
    #expect(stage.nextFrameTime == 3)
    _ = stage.tick(at: 2.9)
    #expect(call.isPending)
    _ = stage.tick(at: 7)
    _ = stage.tick(at: 9)

    #expect(calls == [3])
    #expect(!call.isPending)
    #expect(stage.nextFrameTime == nil)
  }

  @Test func `a cancelled closure never runs`() {
    let stage = Stage(size: CellSize(columns: 10, rows: 2))
    var calls = 0
    let call = stage.schedule(after: 2) { calls += 1 }

    call.cancel()
    _ = stage.tick(at: 5)

    #expect(calls == 0)
    #expect(stage.nextFrameTime == nil)
  }
}
