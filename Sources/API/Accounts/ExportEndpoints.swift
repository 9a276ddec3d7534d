import Contract
import Database
import HTTP1
import HTTPServer
import Logging

extension REST {
    /// Adds `GET /v1/me/export`: everything that is held about the account.
    func addExport(to router: inout Router) {
        router.on(.get, Routes.export, signedIn(sensitive: true, export))
    }

    /// Throws a 403 if the account came back by a code of an operator lately.
    func checkRecovery(_ user: SignedInUser, _ request: HTTPRequest) async throws {
        guard
            let until = try await RecoveryWriter.guardedUntil(
                of: user.id, in: application.database(request.loop))
        else { return }
        var error = APIError(
            .recentlyRecovered,
            "This account was recovered by a code of an operator. It can be exported and deleted from "
                + "\(until) on.")
        error.problem.until = until
        throw error
    }

    private func export(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        try await checkRecovery(user, request)
        let place = try application.limits.export(of: user.id, from: request.client)
        let export = AccountExport(of: user, from: application.database(request.loop))
        let now = application.now()
        return HTTPResponse(
            status: 200,
            headers: [
                "Content-Type": "application/json", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
                "Content-Disposition": "attachment; filename=\"letsswitch-export.json\"",
            ],
            document: { stream in
                // The place is held until here, however the document ends.
                defer { withExtendedLifetime(place) {} }
                place.whenLost { stream.end() }
                do {
                    try await export.write(at: now) { piece in
                        try await place.waiting { () async throws(ResponseStream.Ended) in
                            try await stream.write(piece)
                        }
                    }
                } catch {
                    Self.logExport(error, request)
                    throw error
                }
            })
    }

    private static func logExport(_ error: any Error, _ request: HTTPRequest) {
        switch error {
        // The reader has gone, may not go on, or was slow while others waited.
        case is ResponseStream.Ended, is AccountExport.SignedOut, is CancellationError: break
        default: Log.warning("an export was cut off", ["request": request.id, "error": "\(error)"])
        }
    }
}
