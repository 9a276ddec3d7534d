import Client
import Contract

enum FavouriteCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let (api, entry) = try await invocation.signedIn(naming: invocation.arguments[0], .person)
        let id = entry.id
        let console = invocation.console
        if invocation.arguments.has("remove") {
            try await api.removeFavourite(id)
            console.json(TakenBack(registrationId: id))
            return console.note("No longer a favourite\(entry.suffix).")
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
}
