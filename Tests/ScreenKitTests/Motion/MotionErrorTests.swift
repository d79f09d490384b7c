import ScreenKit
import Testing

struct MotionErrorTests {
  @Test func `each error states the failure, its reason and a remedy`() {
    #expect(
      MotionError.completionSpeedNotPositive(0).description
        == "Could not complete the transition at speed '0.0': a speed must be a number above 0. "
        + "Use 1 to continue at the speed of the animation.")
  }
}
