import TestSupport
import Testing

struct TierTests {
  @Test(arguments: [(nil, false), ("", false), ("0", false), ("1", true), ("yes", true)])
  func `a run is long where the variable asks for it, and 0 does not`(_ value: String?, _ isLong: Bool) {
    #expect(Tier.isOn(value) == isLong)
  }
}
