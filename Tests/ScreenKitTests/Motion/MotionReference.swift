import Foundation

/// Reference values in double precision, read from `MotionReference.json`.
///
/// They were computed independently of this project in Python: closed forms checked against a numerical solution of the
/// oscillator (SciPy's DOP853), roots found with `brentq`. Measured values were read from UIKit on iOS 27.
struct MotionReference: Decodable, Sendable {
  static let bezier = stored.bezier
  static let durationSprings = stored.durationSprings
  static let percentDriven = stored.percentDriven
  static let physicalSprings = stored.physicalSprings
  static let responseSprings = stored.responseSprings
  static let rubberBand = stored.rubberBand

  private static let stored: MotionReference = {
    let file = URL(filePath: #filePath).deletingPathExtension().appendingPathExtension("json")
    return try! JSONDecoder().decode(MotionReference.self, from: Data(contentsOf: file))
  }()

  private let bezier: Bezier
  private let durationSprings: DurationSprings
  private let percentDriven: PercentDriven
  private let physicalSprings: PhysicalSprings
  private let responseSprings: ResponseSprings
  private let rubberBand: RubberBand

  struct Bezier: Decodable, Sendable {
    /// The fractions of time at which each curve is evaluated.
    let x: [Double]
    /// The curves linear, ease, ease in, ease out, and ease in out.
    let curves: [Curve]

    struct Curve: Decodable, Sendable {
      let controlPoints, y: [Double]
    }
  }

  struct DurationSprings: Decodable, Sendable {
    /// The products of angular frequency and duration, W = ω·d, of springs that start at rest.
    let restW: [RestW]
    let criticalW: Double
    let paths: [Path]
    /// The stiffnesses measured on UIKit's springs, with the solutions of the equation.
    let stiffnesses: [Stiffness]

    struct RestW: Decodable, Sendable {
      let dampingRatio, w: Double
    }

    struct Path: Decodable, Sendable {
      let duration, dampingRatio, initialVelocity, w, stiffness, damping: Double
      /// Times in seconds. The last one is just before the spring is cut off.
      let t: [Double]
      let x, v: [Double]
    }

    struct Stiffness: Decodable, Sendable {
      let duration, dampingRatio, initialVelocity, measured, computed: Double
    }
  }

  struct PercentDriven: Decodable, Sendable {
    let times: [Time]
    /// A transition of 1 s, released at 0.4, with speed 1 and ease in out.
    let fractionOfRemainingTime, finish, cancel: [Double]

    struct Time: Decodable, Sendable {
      let duration, percent, completionSpeed, finish, cancel: Double
    }
  }

  struct PhysicalSprings: Decodable, Sendable {
    /// Springs of mass 1, released at 0 towards 1.
    let paths: [Path]

    struct Path: Decodable, Sendable {
      let stiffness, damping, initialVelocity: Double
      let t, x, v: [Double]
    }
  }

  struct ResponseSprings: Decodable, Sendable {
    let paths: [Path]
    /// Settling durations measured in SwiftUI, with those computed by its rule.
    let settlings: [Settling]

    struct Path: Decodable, Sendable {
      let duration, bounce, dampingRatio, stiffness, damping, settlingSwiftUI, settlingCoreAnimation: Double
      let t, x, v: [Double]
    }

    struct Settling: Decodable, Sendable {
      let duration, bounce, measured, computed: Double
    }
  }

  /// A rubber band with a dimension of 80 points and the constant 0.55.
  struct RubberBand: Decodable, Sendable {
    let pull, offset: [Double]
  }
}
