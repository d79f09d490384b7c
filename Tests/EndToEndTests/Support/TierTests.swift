import TestSupport
import Testing

struct TierTests {
  @Test(arguments: [(nil, false), ("", false), ("0", false), ("1", true), ("yes", true)])
  func `long tests are enabled by any value except an empty one and 0`(_ value: String?, _ isLong: Bool) {
    #expect(Tier.isOn(value) == isLong)
  }
}
