// Reference values in double precision, computed independently of this project in Python: closed forms checked against
// a numerical solution of the oscillator (SciPy's DOP853), roots found with `brentq`. Measured values were read from
// UIKit on iOS 27.

enum ResponseSpringReference {
  static let paths: [Path] = [
    Path(
      duration: 0.5, bounce: 0, dampingRatio: 1, stiffness: 157.91367041742973, damping: 25.132741228718345,
      settlingSwiftUI: 0.8, settlingCoreAnimation: 0.7347716981942959,
      t: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
      x: [
        0, 0.357739556, 0.715415689, 0.890033939, 0.960457286, 0.986399069, 0.995461153, 0.998518112, 0.99952414,
        0.999849168, 0.999952689,
      ],
      v: [
        0, 4.4943738, 2.5582833, 1.0921678, 0.4144552, 0.1474474, 0.0503579, 0.0167211, 0.0054388, 0.0017414,
        0.0005507,
      ]),
    Path(
      duration: 0.5, bounce: 0.15, dampingRatio: 0.85, stiffness: 157.91367041742973, damping: 21.362830044410593,
      settlingSwiftUI: 0.8768271225053476, settlingCoreAnimation: 0.736650699089414,
      t: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
      x: [
        0, 0.388102446, 0.78636917, 0.956446594, 1.001616993, 1.006019961, 1.003072604, 1.000954815, 1.000154774,
        0.99997115, 0.999966082,
      ],
      v: [
        0, 5.0389076, 2.7317083, 0.8858626, 0.157651, -0.0191479, -0.028998, -0.0134593, -0.0038721, -0.0005097,
        0.0001809,
      ]),
    Path(
      duration: 0.5, bounce: 0.3, dampingRatio: 0.7, stiffness: 157.91367041742973, damping: 17.59291886010284,
      settlingSwiftUI: 1.0447130905120119, settlingCoreAnimation: 0.8629552831744205,
      t: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
      x: [
        0, 0.423302123, 0.873710896, 1.033930362, 1.039302609, 1.014498422, 1.000736701, 0.997885115, 0.998778658,
        0.999732037, 1.000071597,
      ],
      v: [
        0, 5.7075583, 2.9538068, 0.5460186, -0.2259688, -0.2109508, -0.0702681, -4.68e-05, 0.0120736, 0.0062565,
        0.0011592,
      ]),
    Path(
      duration: 0.5, bounce: 0.5, dampingRatio: 0.5, stiffness: 157.91367041742973, damping: 12.566370614359172,
      settlingSwiftUI: 1.4154164094969397, settlingCoreAnimation: 1.1719376897855351,
      t: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
      x: [
        0, 0.479612147, 1.02697195, 1.161460828, 1.072260786, 0.989822129, 0.974394953, 0.990219977, 1.002445472,
        1.003994211, 1.00128148,
      ],
      v: [
        0, 6.8573185, 3.3949736, -0.2708488, -1.1003358, -0.4676765, 0.0816252, 0.1735168, 0.0626747, -0.0183551,
        -0.0269252,
      ]),
    Path(
      duration: 1, bounce: 0.3, dampingRatio: 0.7, stiffness: 39.47841760435743, damping: 8.79645943005142,
      settlingSwiftUI: 1.9539284905684269, settlingCoreAnimation: 1.725910566348841,
      t: [0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0],
      x: [
        0, 0.423302123, 0.873710896, 1.033930362, 1.039302609, 1.014498422, 1.000736701, 0.997885115, 0.998778658,
        0.999732037, 1.000071597,
      ],
      v: [
        0, 2.8537792, 1.4769034, 0.2730093, -0.1129844, -0.1054754, -0.0351341, -2.34e-05, 0.0060368, 0.0031282,
        0.0005796,
      ]),
  ]

  /// Settling durations measured in SwiftUI, with those computed by its rule.
  static let settlings: [Settling] = [
    Settling(duration: 0.2, bounce: 0.15, measured: 0.3830696727855301, computed: 0.3830696727855301),
    Settling(duration: 0.2, bounce: 0.3, measured: 0.4566775828907009, computed: 0.4566775828907009),
    Settling(duration: 0.2, bounce: 0.8, measured: 1.41541640949694, computed: 1.41541640949694),
    Settling(duration: 0.4, bounce: 0.15, measured: 0.7168809341060295, computed: 0.7168809341060295),
    Settling(duration: 0.4, bounce: 0.3, measured: 0.8541884949107246, computed: 0.8541884949107246),
    Settling(duration: 0.4, bounce: 0.8, measured: 2.6511507410928496, computed: 2.6511507410928496),
    Settling(duration: 0.5, bounce: 0.15, measured: 0.8768271225053476, computed: 0.8768271225053476),
    Settling(duration: 0.5, bounce: 0.3, measured: 1.0447130905120119, computed: 1.0447130905120119),
    Settling(duration: 0.5, bounce: 0.8, measured: 3.248473219023009, computed: 3.248473219023009),
    Settling(duration: 1, bounce: 0.15, measured: 1.639248286451969, computed: 1.639248286451969),
    Settling(duration: 1, bounce: 0.3, measured: 1.9539284905684269, computed: 1.9539284905684269),
    Settling(duration: 1, bounce: 0.8, measured: 6.144678678599303, computed: 6.144678678599303),
    Settling(duration: 0.2, bounce: 0, measured: 0.3, computed: 0.30000000000000004),
    Settling(duration: 0.4, bounce: 0, measured: 0.6, computed: 0.6000000000000001),
    Settling(duration: 0.5, bounce: 0, measured: 0.8, computed: 0.8),
    Settling(duration: 1, bounce: 0, measured: 1.5, computed: 1.5),
    Settling(duration: 0.4, bounce: 0.175, measured: 0.7364637244227076, computed: 0.7364637244227076),
    Settling(duration: 0.55, bounce: 0.7, measured: 2.449679164092318, computed: 2.4496791640923177),
    Settling(duration: 1, bounce: 0.7, measured: 4.226765245462452, computed: 4.226765245462451),
    Settling(duration: 0.55, bounce: 0, measured: 0.9, computed: 0.9),
  ]

  struct Path: Sendable {
    let duration, bounce, dampingRatio, stiffness, damping, settlingSwiftUI, settlingCoreAnimation: Double
    let t, x, v: [Double]
  }

  struct Settling: Sendable {
    let duration, bounce, measured, computed: Double
  }
}
