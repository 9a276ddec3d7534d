import Contract
import HTTP1
package import HTTPServer

/// The path below which clients reach the service, such as `/switch`, in answers. Requests come without it:
/// see `HTTPServerConfiguration.basePath`.
extension HTTPService {
    /// Returns the service whose answers name addresses below a base path. An empty path changes nothing.
    package func below(_ base: String) -> HTTPService {
        if base.isEmpty { return self }
        var service = self
        service.router.changeResponses { $0.move(below: base) }
        service.refuse = { [refuse] fault, head, id in
            var response = refuse(fault, head, id)
            response.move(below: base)
            return response
        }
        return service
    }

    /// Whether a base path begins as a path of the service does. A request for such a path is ambiguous.
    package func uses(_ base: String) -> Bool {
        let first = base.split(separator: "/").first
        return first != nil && router.routes.contains { $0.pattern.split(separator: "/").first == first }
    }
}

extension HTTPResponse {
    /// Puts a base path before the addresses in `Location`, `Link` and the type of a problem.
    mutating func move(below base: String) {
        if base.isEmpty { return }
        if let location = headers.first("Location"), location.hasPrefix("/") {
            headers.set("Location", base + location)
        }
        if let link = headers.first("Link"), link.hasPrefix("</") {
            headers.set("Link", "<\(base)\(link.dropFirst())")
        }
        guard headers.first("Content-Type") == Problem.mediaType, case .bytes(let bytes) = body,
            var problem = try? JSON.decode(Problem.self, from: bytes)
        else { return }
        problem.type = base + problem.type
        if let moved = try? JSON.encode(problem) { body = .bytes(moved) }
    }
}
