// Reference values in double precision, computed independently of this project in Python: closed forms checked against
// a numerical solution of the oscillator (SciPy's DOP853), roots found with `brentq`. Measured values were read from
// UIKit on iOS 27.

enum DurationSpringReference {
  /// The products of angular frequency and duration, W = ω·d, of springs that start at rest.
  static let restW: [(dampingRatio: Double, w: Double)] = [
    (0.1, 46.10195353914842),
    (0.2, 26.59364181904082),
    (0.3, 19.169792714639406),
    (0.35, 16.92363518944148),
    (0.4, 15.196603101700926),
    (0.5, 12.716898269296165),
    (0.6, 11.033455344217261),
    (0.7, 9.839646588107554),
    (0.75, 9.377883324163454),
    (0.8, 8.994296689292398),
    (0.9, 8.48084485192793),
    (0.95, 8.442540457982899),
    (0.99, 8.945679511873212),
    (1, 9.233413476451586),
  ]

  static let criticalW = 9.233413476451586

  static let paths: [Path] = [
    Path(
      duration: 1, dampingRatio: 0.75, initialVelocity: 0.5, w: 9.278466054098537, stiffness: 86.08993231705888,
      damping: 13.917699081147806,
      t: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
      x: [
        0, 0.290139914, 0.669899913, 0.907371863, 1.006556492, 1.028375962, 1.02150419, 1.010476689, 1.003194747,
        0.999999744, 0.999205466,
      ],
      v: [
        0.5, 4.0692983, 3.1933013, 1.5916662, 0.5036881, 0.0149033, -0.1130841, -0.0959007, -0.0500693, -0.0169763,
        -0.0013914,
      ]),
    Path(
      duration: 0.4, dampingRatio: 0.8, initialVelocity: 0, w: 8.994296689292398, stiffness: 505.60858084385114,
      damping: 35.97718675716959,
      t: [0, 0.04, 0.08, 0.12, 0.16, 0.2, 0.24, 0.28, 0.32, 0.36, 0.4],
      x: [
        0, 0.248594691, 0.609318148, 0.851762697, 0.968790332, 1.009076806, 1.014985182, 1.010368143, 1.005109306,
        1.001810264, 1.000300898,
      ],
      v: [
        0, 9.3776081, 7.8353257, 4.3228498, 1.7537941, 0.4402193, -0.0480829, -0.1445704, -0.1093911, -0.0571162,
        -0.0217811,
      ]),
    Path(
      duration: 0.4, dampingRatio: 0.8, initialVelocity: 1, w: 8.922207405678652, stiffness: 497.53615618716856,
      damping: 35.68882962271461,
      t: [0, 0.04, 0.08, 0.12, 0.16, 0.2, 0.24, 0.28, 0.32, 0.36, 0.4],
      x: [
        0, 0.264259642, 0.620006331, 0.856341647, 0.970121099, 1.009288852, 1.014994011, 1.010404666, 1.00516933,
        1.001859325, 1.000326454,
      ],
      v: [
        1.0, 9.3767256, 7.6603479, 4.2046992, 1.7049362, 0.4277856, -0.0485805, -0.1435546, -0.1092959, -0.0576479,
        -0.0223509,
      ]),
    Path(
      duration: 1, dampingRatio: 0.5, initialVelocity: 0, w: 12.716898269296165, stiffness: 161.7195015916278,
      damping: 12.716898269296165,
      t: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
      x: [
        0, 0.4878231, 1.034970842, 1.16034733, 1.067018906, 0.987154536, 0.975056421, 0.991650723, 1.002992936,
        1.003774714, 1.000969393,
      ],
      v: [
        0, 6.9338708, 3.3220536, -0.3523492, -1.1001749, -0.4283158, 0.1032339, 0.1695414, 0.0522858, -0.0224818,
        -0.0254299,
      ]),
    Path(
      duration: 1, dampingRatio: 1, initialVelocity: 0, w: 9.233413476451586, stiffness: 85.25592442711776,
      damping: 18.466826952903173,
      t: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
      x: [
        0, 0.23606868, 0.550908374, 0.763768415, 0.88319104, 0.944477184, 0.97432156, 0.988360837, 0.994805111,
        0.997709477, 0.999,
      ],
      v: [
        0, 3.3862773, 2.6899887, 1.6026536, 0.8487433, 0.4213901, 0.2008461, 0.0930697, 0.0422472, 0.0188777,
        0.0083311,
      ]),
    Path(
      duration: 1, dampingRatio: 1, initialVelocity: 1, w: 9.11800647040274, stiffness: 83.13804199430623,
      damping: 18.23601294080548,
      t: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
      x: [
        0, 0.272018369, 0.576437155, 0.777152592, 0.889301173, 0.947019627, 0.975296549, 0.988701629, 0.994908834,
        0.997732785, 0.999,
      ],
      v: [
        1.0, 3.3759256, 2.551451, 1.5053258, 0.7977654, 0.3980596, 0.1910869, 0.0892934, 0.0409065, 0.0184566,
        0.0082277,
      ]),
  ]

  /// The stiffnesses measured on UIKit's springs, with the solutions of the equation.
  static let stiffnesses: [Stiffness] = [
    Stiffness(
      duration: 1, dampingRatio: 0.35, initialVelocity: 0, measured: 286.40942818911714,
      computed: 286.40942802530196),
    Stiffness(
      duration: 0.8, dampingRatio: 0.6, initialVelocity: 0, measured: 190.21427544499548,
      computed: 190.2142763013069),
    Stiffness(
      duration: 1, dampingRatio: 0.5, initialVelocity: 0, measured: 161.7195025042016,
      computed: 161.7195015916278),
    Stiffness(
      duration: 1, dampingRatio: 0.8, initialVelocity: 0, measured: 80.89737200360506,
      computed: 80.89737293501618),
    Stiffness(
      duration: 1, dampingRatio: 0.99, initialVelocity: 0, measured: 80.02518243167793,
      computed: 80.02518192914816),
    Stiffness(
      duration: 0.3, dampingRatio: 0.5, initialVelocity: 0, measured: 1796.8833611577954,
      computed: 1796.8833510180866),
    Stiffness(
      duration: 1, dampingRatio: 1, initialVelocity: 0, measured: 85.25592900599884,
      computed: 85.25592442711776),
    Stiffness(
      duration: 1, dampingRatio: 1, initialVelocity: 1, measured: 83.13803615388531,
      computed: 83.13804199430623),
    Stiffness(
      duration: 1, dampingRatio: 0.5, initialVelocity: 0.25, measured: 159.67233773812114,
      computed: 159.67233682502103),
    Stiffness(
      duration: 1, dampingRatio: 0.5, initialVelocity: 1.0, measured: 152.86841381792456,
      computed: 152.86841294637955),
    Stiffness(
      duration: 1, dampingRatio: 0.5, initialVelocity: -2.0, measured: 175.4224123383425,
      computed: 175.42241141964658),
    Stiffness(
      duration: 0.1, dampingRatio: 0.75, initialVelocity: 5, measured: 8608.993299556556,
      computed: 8608.993231705888),
    Stiffness(
      duration: 0.1, dampingRatio: 0.75, initialVelocity: 0, measured: 8794.469633346649,
      computed: 8794.469564162297),
    Stiffness(
      duration: 0.4, dampingRatio: 0.8, initialVelocity: 0, measured: 505.6085750225316,
      computed: 505.60858084385114),
    Stiffness(
      duration: 0.4, dampingRatio: 0.8, initialVelocity: 1, measured: 497.5361505635245,
      computed: 497.53615618716856),
    Stiffness(
      duration: 0.1, dampingRatio: 0.75, initialVelocity: 20, measured: 7926.76356105806,
      computed: 7926.763490881643),
    Stiffness(
      duration: 0.1, dampingRatio: 0.5, initialVelocity: 20, measured: 1560.7795742872447,
      computed: 1560.7795736128908),
    Stiffness(
      duration: 0.1, dampingRatio: 0.8, initialVelocity: 1, measured: 8058.236860638529,
      computed: 8058.236952489515),
  ]

  struct Path: Sendable {
    let duration, dampingRatio, initialVelocity, w, stiffness, damping: Double
    /// Times in seconds. The last one is just before the spring is cut off.
    let t: [Double]
    let x, v: [Double]
  }

  struct Stiffness: Sendable {
    let duration, dampingRatio, initialVelocity, measured, computed: Double
  }
}
