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

    private func export(_ user: SignedInUser, _ request: HTTPRequest) throws -> HTTPResponse {
        let lease = try application.limits.export(of: user.id)
        let export = AccountExport(of: user, from: application.database(request.loop))
        let now = application.now()
        return HTTPResponse(
            status: 200,
            headers: [
                "Content-Type": "application/json", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
                "Content-Disposition": "attachment; filename=\"letsswitch-export.json\"",
            ],
            document: { stream in
                // The lease is held until here, however the document ends.
                defer { withExtendedLifetime(lease) {} }
                do {
                    try await export.write(at: now) { piece in try await stream.write(piece) }
                } catch {
                    Self.logExport(error, request)
                    throw error
                }
            })
    }

    private static func logExport(_ error: any Error, _ request: HTTPRequest) {
        switch error {
        // The reader has gone, or may not go on: nothing is wrong here.
        case is ResponseStream.Ended, is AccountExport.SignedOut, is CancellationError: break
        default: Log.warning("an export was cut off", ["request": request.id, "error": "\(error)"])
        }
    }
}
