import HTTP1
import Outbox

/// Reads a server's bytes as a client does, and then the end of the connection.
///
/// Oracle: the responses and the error are the same however the bytes are cut; nothing is over its limit.
enum HTTPResponseFuzz {
    struct Outcome: Equatable {
        var heads: [ResponseHead] = []
        var bodies: [[UInt8]] = []
        var ends = 0
        var error: HTTPError?
    }

    static func test(_ input: [UInt8]) {
        for method in [HTTPMethod.get, .head] {
            let whole = read([input], to: method)
            let cut = read(Cuts.pieces(of: input), to: method)
            expect(whole.heads == cut.heads, "the heads depend on the cuts")
            expect(whole.error == cut.error, "the error depends on the cuts")
            if whole.error == nil { expect(whole == cut, "the bodies depend on the cuts") }
            let limits = HTTPRequestFuzz.limits
            expect(whole.bodies.allSatisfy { $0.count <= limits.body }, "a body is over its limit")
            expect(whole.heads.allSatisfy { $0.headers.count <= limits.headerCount }, "too many fields")
        }
    }

    private static func read(_ pieces: [[UInt8]], to method: HTTPMethod) -> Outcome {
        var outcome = Outcome()
        var parser = ResponseParser(responseTo: method, limits: HTTPRequestFuzz.limits)
        do throws(HTTPError) {
            for piece in pieces {
                parser.receive(piece.span.bytes)
                while let event = try parser.next() { outcome.take(event) }
            }
            if let event = try parser.receiveEnd() { outcome.take(event) }
        } catch {
            outcome.error = error
        }
        return outcome
    }
}

extension HTTPResponseFuzz.Outcome {
    fileprivate mutating func take(_ event: ResponseEvent) {
        switch event {
        case .head(let head):
            heads.append(head)
            bodies.append([])
        case .body(let bytes): bodies[bodies.count - 1] += bytes
        case .end: ends += 1
        }
    }
}
