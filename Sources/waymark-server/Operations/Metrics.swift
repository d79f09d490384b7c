import Synchronization

/// Counters in the format of Prometheus. They contain neither names of learners nor paths of places.
final class Metrics: Sendable {
  private struct Route: Hashable {
    let method: String
    let route: String
    let status: Int
  }

  /// A cumulative histogram. Each count includes all values up to its bound; the last count includes all values.
  private struct Histogram {
    let bounds: [Double]
    var counts: [Int]
    var sum = 0.0

    init(_ bounds: [Double]) {
      self.bounds = bounds
      counts = Array(repeating: 0, count: bounds.count + 1)
    }

    mutating func record(_ value: Double) {
      for (index, bound) in bounds.enumerated() where value <= bound { counts[index] += 1 }
      counts[bounds.count] += 1
      sum += value
    }
  }

  private struct State {
    var requests: [Route: Int] = [:]
    var seconds = Histogram([0.001, 0.005, 0.01, 0.025, 0.06, 0.1, 0.25, 1, 3])
    var commits = Histogram([1, 2, 4, 8, 16, 32, 64, 128, 256])
    var wrongTokens = 0
    var streams = 0
    var events = 0
  }

  private let state = Mutex(State())

  /// Counts a response.
  ///
  /// - Parameter route: The route as its endpoint defines it, without the values of its placeholders.
  func recordResponse(_ method: String, _ route: String, status: Int, seconds: Double) {
    state.withLock { state in
      state.requests[Route(method: method, route: route, status: status), default: 0] += 1
      state.seconds.record(seconds)
    }
  }

  /// Counts a commit of a number of requests.
  func recordCommit(of requests: Int) { state.withLock { $0.commits.record(Double(requests)) } }

  /// Counts a request with an invalid token.
  func recordWrongToken() { state.withLock { $0.wrongTokens += 1 } }

  /// Changes the number of open event streams.
  func recordStreams(_ change: Int) { state.withLock { $0.streams += change } }

  /// Counts navigation events that were sent to streams.
  func recordEvents(_ count: Int) { state.withLock { $0.events += count } }

  /// The metrics as text.
  ///
  /// Source: Prometheus, "Exposition formats", text-based format 0.0.4.
  var text: String {
    let state = state.withLock { $0 }
    var lines: [String] = []
    func head(_ name: String, _ type: String, _ help: String) {
      lines += ["# HELP \(name) \(help)", "# TYPE \(name) \(type)"]
    }
    func histogram(_ name: String, _ values: Histogram, _ help: String) {
      head(name, "histogram", help)
      for (bound, count) in zip(values.bounds, values.counts) {
        lines.append("\(name)_bucket{le=\"\(bound)\"} \(count)")
      }
      let all = values.counts[values.bounds.count]
      lines += ["\(name)_bucket{le=\"+Inf\"} \(all)", "\(name)_sum \(values.sum)", "\(name)_count \(all)"]
    }

    head("waymark_requests_total", "counter", "Number of answered requests.")
    lines += state.requests.map { route, count in
      "waymark_requests_total{method=\"\(route.method)\",route=\"\(route.route)\",status=\"\(route.status)\"} \(count)"
    }.sorted()
    histogram("waymark_request_seconds", state.seconds, "Duration of a request in seconds.")
    histogram("waymark_commit_requests", state.commits, "Number of requests in a commit.")
    head("waymark_wrong_tokens_total", "counter", "Number of requests with an invalid token.")
    lines.append("waymark_wrong_tokens_total \(state.wrongTokens)")
    head("waymark_event_streams", "gauge", "Number of open event streams.")
    lines.append("waymark_event_streams \(state.streams)")
    head("waymark_events_total", "counter", "Number of sent events.")
    lines.append("waymark_events_total \(state.events)")
    return lines.joined(separator: "\n") + "\n"
  }
}
