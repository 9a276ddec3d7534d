import Contract
import Database
import HTTP1
package import HTTPServer
import Logging

/// `GET /v1/me/export`: all data that is stored about the account.
package struct ExportEndpoints: EndpointGroup {
    package let rest: REST

    package init(_ rest: REST) { self.rest = rest }

    package func add(to router: inout Router) {
        router.on(.get, Routes.export, rest.signedIn(sensitive: true, export))
    }

    private func export(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        try await application.checkRecovery(user, request)
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
        default: Log.warning("export cut off", ["request": request.id, "error": "\(error)"])
        }
    }
}
