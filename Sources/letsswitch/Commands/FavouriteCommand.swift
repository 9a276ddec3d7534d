import Client
import Contract

enum FavouriteCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let id = try Identifier(argument: invocation.arguments[0] ?? "", command: "explain")
        let api = try await invocation.signedIn()
        let console = invocation.console
        if invocation.arguments.has("remove") {
            try await api.removeFavourite(id)
            console.json(TakenBack(registrationId: id))
            return console.note("No longer a favourite.")
        }
        let favourite = try await api.addFavourite(id)
        console.json(favourite)
        console.note("\(SafeText.escape(favourite.name)) is one of your favourites.")
    }
}

/// The output for programs when an entry was taken off a list.
struct TakenBack: Encodable {
    let registrationId: Identifier
    let removed = true

    private enum CodingKeys: String, CodingKey { case registrationId, removed }
}
