import Contract
import HTTP1

/// A whole response.
struct HTTPAnswer: Sendable {
    let head: ResponseHead
    let body: [UInt8]

    var isSuccess: Bool { (200..<300).contains(head.status) }

    /// The error of a refusal: its problem document, else its status.
    var refusal: ClientError {
        if let problem = try? JSON.decode(Problem.self, from: body) { return .problem(problem) }
        if (300..<400).contains(head.status), let place = head.headers.first("location") {
            return .unexpected(
                "The server sends on to \(place). That is not followed: if it is right, give that URL.")
        }
        return .unexpected(
            "The server answered \(head.status) \(head.reason), and not in this service's form.")
    }

    /// The wait of `Retry-After` in seconds, at most an hour; nil if there is none.
    var retryAfter: Duration? {
        guard let seconds = head.headers.first("retry-after").flatMap({ Int($0) }), seconds >= 0 else {
            return nil
        }
        return .seconds(min(seconds, 3600))
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws(ClientError) -> Value {
        do {
            return try JSON.decode(type, from: body)
        } catch {
            throw .unexpected(
                "The server's answer cannot be read. Is this the right address, and the same version?")
        }
    }
}
