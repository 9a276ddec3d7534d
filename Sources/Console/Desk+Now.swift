import API
import Contract
import Database
import HTTP1
import HTTPServer
import Reactor

extension Desk {
    /// The interval at which a stream looks whether its session is still valid.
    private static let checkInterval = Duration.seconds(15)

    var nowRoutes: [DeskRoute] {
        [
            get("/now", .viewer, "What goes on now.") { _ in DeskCall.json(await board.snapshot()) },
            get("/live", .viewer, "The same once a second, as server-sent events.", live),
        ]
    }

    private func live(_ call: DeskCall) async throws -> HTTPResponse {
        guard let snapshots = await board.look() else {
            throw APIError(
                .tooManyStreams, "\(LiveBoard.capacity) look already. Ask for /now instead.",
                headers: ["Retry-After": "5"])
        }
        return HTTPResponse(
            status: 200,
            headers: [
                "Content-Type": "text/event-stream", "Cache-Control": "no-store, no-transform",
                "X-Accel-Buffering": "no",
            ]
        ) { stream in
            var number: Int64 = 0
            var checked = application.now()
            for await snapshot in snapshots {
                if application.now().since(checked) > Self.checkInterval {
                    // The database may be away: a session ends by its word alone.
                    if await access.isOver(call.request) { return }
                    checked = application.now()
                }
                number += 1
                let event = Array("event: now\nid: \(number)\ndata: ".utf8) + snapshot + Array("\n\n".utf8)
                do { try await stream.write(event) } catch { return }
            }
        }
    }
}
