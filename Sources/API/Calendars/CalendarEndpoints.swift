import Contract
import Database
import HTTP1
package import HTTPServer

/// The calls for calendars, and the addresses at which calendar programs read.
package struct CalendarEndpoints: EndpointGroup {
    package let rest: REST

    package init(_ rest: REST) { self.rest = rest }

    package func add(to router: inout Router) {
        router.on(.post, Routes.calendars, rest.keyed(addCalendar))
        router.on(.get, Routes.calendars, rest.signedIn(listCalendars))
        router.on(.delete, Routes.calendars + "/{id}", rest.signedIn(removeCalendar))
        router.on(.get, Routes.calendarFiles + "/{secret}", rest.open(readCalendar))
    }

    private func addCalendar(_ user: SignedInUser, _ keyed: KeyedRequest) async throws -> HTTPResponse {
        let now = application.now()
        var random = SystemRandomNumberGenerator()
        let derived = keyed.secret(.calendar)
        let secret = CalendarSecret(derived: derived)
        let url = Routes.calendarFile(publicURL: application.tickets.publicURL, secret: secret.text)
        let feed = CalendarFeed(
            id: .v7(at: now, using: &random), createdAt: now, url: url,
            webcal: "webcal" + url.drop { $0 != ":" })
        return try await keyed.transaction(
            in: application.database(keyed.request.loop), showing: derived
        ) { connection in
            try await CalendarFeeds.add(feed, secret, of: user.id, on: connection)
            return try Answer.json(feed, status: 201)
        }
    }

    private func listCalendars(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let feeds = try await CalendarFeeds.list(of: user.id, in: application.database(request.loop))
        let list = ShortList(entries: feeds) { .init(createdAt: $0.createdAt, id: $0.id) }
        return try list.answer(Routes.calendars, for: request, CalendarFeedList.init)
    }

    private func removeCalendar(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request.id()
        guard try await CalendarFeeds.remove(id, of: user.id, in: application.database(request.loop)) else {
            throw APIError.notFound
        }
        return HTTPResponse(status: 204)
    }

    private func readCalendar(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let secret = CalendarSecret(fileName: request.parameters.first ?? ""),
            let (events, language) = try await CalendarFeeds.events(
                at: secret, now: application.now(), isRead: request.head.method != .head,
                in: application.database(request.loop))
        else {
            throw APIError(.notFound, "There is no such calendar, or no more. Make one in your account.")
        }
        let spoken = request.head.language(else: language)
        let text = CalendarText(events, in: spoken, publicURL: application.tickets.publicURL)
        let tag = EntityTag(of: text.bytes)
        var headers: HTTPHeaders = ["ETag": tag.text, "Cache-Control": "private, no-cache"]
        headers.append(textIn: spoken)
        if tag.isKnown(to: request.head.headers) {
            return HTTPResponse(status: 304, headers: headers)
        }
        headers.append("Content-Type", "text/calendar; charset=utf-8")
        headers.append("Content-Disposition", "inline; filename=\"letsswitch.ics\"")
        headers.append("X-Content-Type-Options", "nosniff")
        return HTTPResponse(status: 200, headers: headers, body: text.bytes)
    }
}
