import Contract
import HTTP1
import Reactor

extension APIClient {
    /// Reads all data of the account as one JSON document, and calls `write` with each piece of it. The
    /// document is complete only if this returns. The call is retried only before the first piece.
    ///
    /// Throws a problem: `tooManyExports` while another export of the account is running.
    public func export(_ write: ([UInt8]) async throws -> Void) async throws {
        var reader = try await openExport()
        let result = await Result {
            while let event = try await reader.next() {
                // The deadline is that of a piece: a large document takes as long as it takes.
                await reader.transport.setDeadline(http.timeout)
                if case .body(let bytes) = event { try await write(bytes) }
                if case .end = event { break }
            }
        }
        await reader.transport.close()
        try result.get()
    }

    private func openExport() async throws(ClientError) -> ResponseReader {
        try await signedIn { token throws(ClientError) in
            try await openExport(headers.authorized(by: token))
        }
    }

    private func openExport(_ headers: HTTPHeaders) async throws(ClientError) -> ResponseReader {
        let (http, pace) = (http, pace)
        return try await retries.attempt(isIdempotent: true) { () async throws(AttemptFailure) in
            let answer: HTTPAnswer
            do throws(ClientError) {
                var reader = try await http.open(.get, Routes.export, headers: headers, isEndless: true)
                let head = try await reader.head()
                pace.note(head.headers)
                if head.status == 200 { return reader }
                answer = HTTPAnswer(head: head, body: try await reader.body())
                await reader.transport.close()
            } catch {
                throw AttemptFailure(error)
            }
            throw AttemptFailure(answer)
        }
    }
}
