import ScreenKit
import Testing

struct MotionErrorTests {
  @Test func `each error says what could not be done, why, and what to do`() {
    #expect(
      MotionError.keyframeOutsideAnimation(start: 1.2, duration: 0.5).description
        == "Could not place the keyframe at '1.2' with duration '0.5': both must be fractions of the whole animation, "
        + "0 to 1. Divide the seconds by the animation's duration.")
    #expect(
      MotionError.completionSpeedNotPositive(0).description
        == "Could not complete the transition at speed '0.0': a speed must be a number above 0. "
        + "Use 1 to go on as fast as the animation itself.")
  }
}
