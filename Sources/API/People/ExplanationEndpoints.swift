import Contract
import Database
import HTTP1
package import HTTPServer

/// The call that explains a room: why its members were matched.
package struct ExplanationEndpoints: EndpointGroup {
    package let rest: REST

    package init(_ rest: REST) { self.rest = rest }

    package func add(to router: inout Router) {
        router.on(.get, Routes.rooms + "/{id}/explanation", rest.signedIn(explainRoom))
    }

    private func explainRoom(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let room = try request.id()
        let database = application.database(request.loop)
        let read = try await Meeting.read(of: user.id, in: room, from: database).orThrow(.notFound)
        let language = request.language(of: user)
        let members = read.meetings.map { $0.explained(in: language) }
        let message = Self.message(members.map(\.name), favouritesOnly: read.favouritesOnly)
        return try Answer.json(
            Explanation(roomId: room, message: message.said(in: language), members: members),
            in: language)
    }

    private static func message(_ names: [String], favouritesOnly: Bool) -> Text {
        switch names.count {
        case 0 where favouritesOnly:
            "You are alone here so far, since you asked to meet favourites only. One of them may still come."
        case 0: "You are alone here so far. People who come late can join you."
        case 1: "You meet \(names[0]) here."
        default: "You meet \(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1]) here."
        }
    }
}
