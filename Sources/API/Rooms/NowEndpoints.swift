import Contract
import Database
import HTTP1
package import HTTPServer
package import Postgres
import Settings

/// `GET /v1/now`, the one line about the whole service that needs no account.
package struct NowEndpoints: EndpointGroup {
    package let rest: REST
    private let figures: RecentFigures<PeopleNow>

    /// Creates an endpoint that counts with the pool, once in five seconds at most.
    package init(_ rest: REST, _ pool: PostgresPool) {
        self.rest = rest
        let (now, signUps) = (rest.application.now, rest.application.configuration.signUps)
        figures = RecentFigures(now: now) {
            guard let count = try? await PresentPeople.count(in: pool) else { return nil }
            return PeopleNow(time: now(), peopleInRooms: count, signUps: signUps)
        }
    }

    package func add(to router: inout Router) {
        router.on(
            .get, Routes.now,
            rest.open { _ in
                guard let people = await figures.current() else {
                    throw APIError(
                        .unavailable, "The people cannot be counted just now. Try again in a moment.",
                        headers: ["Retry-After": "5"])
                }
                var response = try Answer.json(people)
                response.headers.set("Cache-Control", "public, max-age=5")
                return response
            })
    }
}
