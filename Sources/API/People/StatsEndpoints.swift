import Contract
import Database
import HTTP1
package import HTTPServer

/// The call for the statistics of an account.
package struct StatsEndpoints: EndpointGroup {
    package let rest: REST

    package init(_ rest: REST) { self.rest = rest }

    package func add(to router: inout Router) {
        router.on(
            .get, Routes.stats,
            rest.signedIn { user, request in
                try Answer.json(try await Stats.read(of: user.id, from: application.database(request.loop)))
            })
    }
}
