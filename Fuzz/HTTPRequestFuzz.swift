import HTTP1
import Outbox

/// Reads a connection's bytes as a server does.
///
/// Oracle: the requests and the error are the same however the bytes are cut; nothing beyond a limit is
/// delivered or buffered; and an accepted request means the same when a client writes it in its plain form.
enum HTTPRequestFuzz {
    struct Outcome: Equatable {
        struct Request: Equatable {
            var head: RequestHead
            var body: [UInt8] = []
            var isComplete = false
        }

        var requests: [Request] = []
        var error: HTTPError?
    }

    /// Small limits, so that short inputs reach each of them.
    static let limits = HTTPLimits(
        startLine: 200, headerBytes: 400, headerCount: 12, body: 300, chunkLine: 64, chunkExtensions: 100,
        trailerBytes: 100)

    static func test(_ input: [UInt8]) {
        let whole = read([input], limits)
        let cut = read(Cuts.pieces(of: input), limits)
        // A part of a body may have been delivered before the body's error.
        expect(whole.requests.map(\.head) == cut.requests.map(\.head), "the heads depend on the cuts")
        expect(whole.error == cut.error, "the error depends on the cuts")
        if whole.error == nil { expect(whole == cut, "the bodies depend on the cuts") }
        for request in whole.requests {
            check(request)
            if request.isComplete && request.head.minorVersion == 1 { checkPlainForm(of: request) }
        }
    }

    static func read(_ pieces: [[UInt8]], _ limits: HTTPLimits) -> Outcome {
        var outcome = Outcome()
        var parser = RequestParser(limits: limits)
        do throws(HTTPError) {
            for piece in pieces {
                parser.receive(piece.span.bytes)
                while let event = try parser.next() { outcome.take(event) }
                let most = max(limits.startLine, limits.headerBytes) + 2
                expect(parser.bufferedCount <= most, "\(parser.bufferedCount) bytes wait after a read")
            }
        } catch {
            outcome.error = error
            expect((400...505).contains(error.status) && error.detail.hasSuffix("."), "an error says nothing")
        }
        return outcome
    }

    private static func check(_ request: Outcome.Request) {
        let head = request.head
        expect(request.body.count <= limits.body, "a body is over its limit")
        expect(head.headers.count <= limits.headerCount, "there are more fields than allowed")
        expect(head.target.utf8.count <= limits.startLine, "a target is over its limit")
        expect(
            head.headers.all("content-length").count + head.headers.all("transfer-encoding").count <= 1,
            "a body was framed in two ways")
        if head.minorVersion == 1 { expect(head.headers.all("host").count == 1, "a request has no one Host") }
        for field in head.headers.fields {
            expect(!field.value.utf8.contains { $0 < 0x20 && $0 != 9 || $0 == 0x7F }, "a value has a control")
        }
    }

    private static func checkPlainForm(of request: Outcome.Request) {
        let head = request.head
        var bytes: [UInt8] = []
        RequestEncoder.encode(
            method: head.method, target: head.target, headers: head.headers,
            body: head.framing == .none ? nil : request.body, into: &bytes)
        let again = read([bytes], .requests)
        expect(again.error == nil && again.requests.count == 1, "what was taken is refused in its plain form")
        guard let second = again.requests.first else { return }
        expect(second.head.requestTarget == head.requestTarget, "the target changed in its plain form")
        expect(second.head.keepAlive == head.keepAlive, "the end of the connection changed in its plain form")
        expect(second.body == request.body && second.isComplete, "the body changed in its plain form")
    }
}

extension HTTPRequestFuzz.Outcome {
    fileprivate mutating func take(_ event: RequestEvent) {
        switch event {
        case .head(let head): requests.append(Request(head: head))
        case .body(let bytes): requests[requests.count - 1].body += bytes
        case .end: requests[requests.count - 1].isComplete = true
        }
    }
}
