import Codecs
import HTTP1
import HTTPServer
import Reactor

/// The counts of requests by route, method and status, and their durations.
final class RequestMetrics: Sendable {
    struct Count {
        let method: String
        let status: Int
        var number = 0
    }

    /// The counts of one route.
    struct Route {
        let pattern: String
        /// The counts by method and status, so few that a linear search is faster than hashing.
        var counts: [Count] = []

        mutating func add(_ method: String, _ status: Int, _ number: Int = 1) {
            let known = counts.firstIndex { $0.status == status && $0.method == method }
            if let known {
                counts[known].number += number
            } else {
                counts.append(Count(method: method, status: status, number: number))
            }
        }
    }

    struct Values {
        /// The routes that had a request, at their numbers in the router.
        fileprivate(set) var routes: [Route?] = []
        /// The counts of requests that no route has.
        fileprivate(set) var elsewhere = Route(pattern: "none")
        fileprivate(set) var seconds = Histogram(bounds: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5])
    }

    /// The methods that are told apart. All others share a name, since a method can be any word.
    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    private let values = Lock(Values())

    /// Counts a request. Routes are patterns, so that what clients write makes no new counts.
    func add(_ request: AnsweredRequest) {
        add(
            method: request.method, route: request.route, status: request.status,
            seconds: request.isStream ? nil : request.seconds)
    }

    /// Counts a request. `seconds` is nil for a stream, which lasts as long as its client wants.
    func add(method: HTTPMethod?, route: Router.Route?, status: Int, seconds: Double?) {
        let method = Self.name(of: method)
        values.withLock { values in
            if let seconds { values.seconds.add(seconds) }
            guard let route else { return values.elsewhere.add(method, status) }
            while values.routes.count <= route.index { values.routes.append(nil) }
            if values.routes[route.index] == nil {
                values.routes[route.index] = Route(pattern: route.pattern)
            }
            values.routes[route.index]?.add(method, status)
        }
    }

    private static func name(of method: HTTPMethod?) -> String {
        guard let method else { return "none" }
        return methods.contains(method.rawValue) ? method.rawValue : "other"
    }

    var current: Values { values.withLock { $0 } }
}

extension RequestMetrics.Values {
    var figures: [Figure] {
        let routes = (routes.compactMap { $0 } + [elsewhere]).sorted { $0.pattern < $1.pattern }
        let together = Self.sum(of: routes).map { count in
            Figure.Sample(["method": count.method, "status": "\(count.status)"], count.number)
        }
        let byRoute = routes.flatMap { route in
            Self.sorted(route.counts).map { count in
                Figure.Sample(
                    ["method": count.method, "route": route.pattern, "status": "\(count.status)"],
                    count.number)
            }
        }
        return [
            Figure("http_requests_total", "Requests that were answered, also without a handler.", together),
            Figure(
                "http_route_requests_total", "Requests that were answered, by the route of their path.",
                byRoute),
            Figure("http_request_duration_seconds", "How long answers took, but for streams.", seconds),
        ]
    }

    private static func sum(of routes: [RequestMetrics.Route]) -> [RequestMetrics.Count] {
        var sum = RequestMetrics.Route(pattern: "all")
        for count in routes.flatMap(\.counts) { sum.add(count.method, count.status, count.number) }
        return sorted(sum.counts)
    }

    private static func sorted(_ counts: [RequestMetrics.Count]) -> [RequestMetrics.Count] {
        counts.sorted { ($0.method, $0.status) < ($1.method, $1.status) }
    }
}
