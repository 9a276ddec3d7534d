package import Codecs
package import HTTP1

/// The router, which maps paths and methods to handlers.
package struct Router: Sendable {
    package enum Handler: Sendable {
        /// Answers at once, on the loop; it must not block.
        case immediate(@Sendable (HTTPRequest) -> HTTPResponse)
        case task(@Sendable (HTTPRequest) async -> HTTPResponse)
        /// Answers by a task with a time-out of its own instead of the server's.
        case taskWithin(Duration, @Sendable (HTTPRequest) async -> HTTPResponse)
        /// Answers at once if the first closure returns a response, and else by a task.
        case immediateElseTask(
            @Sendable (HTTPRequest) -> HTTPResponse?, @Sendable (HTTPRequest) async -> HTTPResponse)

        /// Returns this handler with another time-out, if it is a task.
        package func within(_ timeout: Duration) -> Handler {
            if case .task(let body) = self { .taskWithin(timeout, body) } else { self }
        }

        /// Returns a handler that answers as this one does, with a change to its response.
        package func changing(_ change: @escaping @Sendable (inout HTTPResponse) -> Void) -> Handler {
            @Sendable func changed(_ response: HTTPResponse) -> HTTPResponse {
                var response = response
                change(&response)
                return response
            }
            return switch self {
            case .immediate(let body): .immediate { changed(body($0)) }
            case .task(let body): .task { changed(await body($0)) }
            case .taskWithin(let timeout, let body): .taskWithin(timeout) { changed(await body($0)) }
            case .immediateElseTask(let immediate, let body):
                .immediateElseTask({ immediate($0).map(changed) }, { changed(await body($0)) })
            }
        }

        /// Returns a handler that answers at once where `first` returns a response, and else as this one
        /// does, with a change to its response.
        package func preferring(
            _ first: @escaping @Sendable (HTTPRequest) -> HTTPResponse?,
            otherwise change: @escaping @Sendable (inout HTTPResponse) -> Void
        ) -> Handler {
            switch changing(change) {
            case .immediate(let body): .immediate { first($0) ?? body($0) }
            case .task(let body): .immediateElseTask(first, body)
            case .taskWithin(let timeout, let body):
                .taskWithin(timeout) { request in
                    if let response = first(request) { response } else { await body(request) }
                }
            case .immediateElseTask(let immediate, let body):
                .immediateElseTask({ first($0) ?? immediate($0) }, body)
            }
        }
    }

    /// A path of the router: counts of requests are kept by it.
    package struct Route: Sendable {
        /// The number of the path, in the order in which paths were added.
        package let index: Int
        /// The path, in which `{name}` stands for a variable segment.
        package let pattern: String
        /// Whether a query that cannot be read counts as none.
        var takesAnyQuery = false
    }

    package enum Match: Sendable {
        /// `body` is the most bytes of the body.
        case found(Handler, route: Route, parameters: [String], body: Int)
        case notFound
        /// `allowed` is the value of `Allow`.
        case methodNotAllowed(allowed: String, route: Route)
    }

    private enum Segment: Sendable, Equatable {
        case literal(String)
        case parameter
    }

    private struct Resource: Sendable {
        var route: Route
        let segments: [Segment]
        var handlers: [(method: HTTPMethod, handler: Handler, body: Int)] = []
    }

    private var fixed: [String: Int] = [:]
    private var resources: [Resource] = []

    private let defaultBody: Int

    /// Creates a router. `body` is the most bytes of the bodies of routes that declare none themselves.
    package init(body: Int = 0) { defaultBody = body }

    /// Adds a handler. `pattern` is a path in which `{name}` stands for one segment. `body` is the most bytes
    /// of a request's body; a longer one is refused at the head of the request.
    package mutating func on(
        _ method: HTTPMethod, _ pattern: String, body: Int? = nil, _ handler: Handler
    ) {
        let segments = pattern.split(separator: "/", omittingEmptySubsequences: false).map { part in
            part.hasPrefix("{") ? Segment.parameter : .literal(String(part))
        }
        let index: Int
        if let known = resources.firstIndex(where: { $0.segments == segments }) {
            index = known
        } else {
            index = resources.count
            resources.append(
                Resource(route: Route(index: index, pattern: pattern), segments: segments))
            if !segments.contains(.parameter) { fixed[pattern] = index }
        }
        resources[index].handlers.append((method, handler, body ?? defaultBody))
    }

    /// Adds a handler that answers at once.
    package mutating func immediate(
        _ method: HTTPMethod, _ pattern: String, body: Int? = nil,
        _ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse
    ) {
        on(method, pattern, body: body, .immediate(answer))
    }

    /// Adds a handler that answers by a task.
    package mutating func task(
        _ method: HTTPMethod, _ pattern: String, body: Int? = nil,
        _ answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
    ) {
        on(method, pattern, body: body, .task(answer))
    }

    /// Replaces the handler of a method and a pattern by one that is made of it; nothing where there is none.
    package mutating func change(
        _ method: HTTPMethod, _ pattern: String, _ change: (Handler) -> Handler
    ) {
        guard let index = resources.firstIndex(where: { $0.route.pattern == pattern }) else { return }
        resources[index].handlers = resources[index].handlers.map { entry in
            entry.method == method ? (method, change(entry.handler), entry.body) : entry
        }
    }

    /// Has a path take any query: one that cannot be read counts as none. It is for pages, whose addresses
    /// people and other sites extend.
    package mutating func takeAnyQuery(at pattern: String) {
        guard let index = resources.firstIndex(where: { $0.route.pattern == pattern }) else { return }
        resources[index].route.takesAnyQuery = true
    }

    /// Makes every handler answer with the response that `refusal` returns, if it returns one.
    package mutating func screen(_ refusal: @escaping @Sendable (HTTPRequest) -> HTTPResponse?) {
        for index in resources.indices {
            resources[index].handlers = resources[index].handlers.map { entry in
                (entry.method, entry.handler.preferring(refusal, otherwise: { _ in }), entry.body)
            }
        }
    }

    /// Changes the response of every handler.
    package mutating func changeResponses(_ change: @escaping @Sendable (inout HTTPResponse) -> Void) {
        for index in resources.indices {
            resources[index].handlers = resources[index].handlers.map { entry in
                (entry.method, entry.handler.changing(change), entry.body)
            }
        }
    }

    /// The routes in the order in which they were added, path by path.
    package var routes: [(method: HTTPMethod, pattern: String, body: Int)] {
        resources.flatMap { resource in
            resource.handlers.map { ($0.method, resource.route.pattern, $0.body) }
        }
    }

    package func match(_ method: HTTPMethod, _ path: String) throws(PercentCoding.Failure) -> Match {
        if let index = fixed[path] { return choose(method, resources[index], parameters: []) }
        var parts: [String] = []
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            parts.append(try PercentCoding.decode(part, plusIsSpace: false))
        }
        for resource in resources {
            if let parameters = Self.parameters(of: resource, in: parts) {
                return choose(method, resource, parameters: parameters)
            }
        }
        return .notFound
    }

    /// Returns the route of a path, whatever the method; nil if there is none.
    func route(of head: RequestHead) -> Route? {
        switch try? match(head.method, head.path) {
        case .found(_, let route, _, _), .methodNotAllowed(_, let route): route
        case .notFound, nil: nil
        }
    }

    private static func parameters(of resource: Resource, in parts: [String]) -> [String]? {
        guard resource.segments.count == parts.count else { return nil }
        var parameters: [String] = []
        for (segment, part) in zip(resource.segments, parts) {
            switch segment {
            case .literal(let text): if text != part { return nil }
            case .parameter:
                if part.isEmpty { return nil }
                parameters.append(part)
            }
        }
        return parameters
    }

    private func choose(_ method: HTTPMethod, _ resource: Resource, parameters: [String]) -> Match {
        // HEAD is GET without the body (RFC 9110 §9.3.2); the connection leaves the body out.
        let wanted = method == .head ? .get : method
        if let entry = resource.handlers.first(where: { $0.method == wanted }) {
            return .found(entry.handler, route: resource.route, parameters: parameters, body: entry.body)
        }
        let allowed = Self.allowed(resource.handlers.map(\.method))
        if method == .options {
            return .found(
                .immediate { _ in HTTPResponse(status: 204, headers: ["Allow": allowed]) },
                route: resource.route, parameters: parameters, body: 0)
        }
        return .methodNotAllowed(allowed: allowed, route: resource.route)
    }

    private static func allowed(_ methods: [HTTPMethod]) -> String {
        var names = methods.map(\.rawValue)
        if methods.contains(.get) { names.append("HEAD") }
        names.append("OPTIONS")
        return names.joined(separator: ", ")
    }
}
