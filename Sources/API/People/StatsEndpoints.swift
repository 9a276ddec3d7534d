import Contract
import Database
import HTTP1
import HTTPServer

extension REST {
    func addStats(to router: inout Router) {
        router.on(
            .get, Routes.stats,
            signedIn { user, request in
                try Answer.json(try await Stats.read(of: user.id, from: application.database(request.loop)))
            })
    }
}
