import Client
import Contract

enum FavouritesCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let api = try await invocation.signedIn()
        var all: [Favourite] = []
        var cursor: String?
        repeat {
            let page = try await api.favourites(limit: Limits.page.upperBound, cursor: cursor)
            all += page.favourites
            cursor = page.nextCursor
        } while cursor != nil
        let console = invocation.console
        console.json(FavouriteList(favourites: all))
        if all.isEmpty { console.note("There are none. letsswitch favourite ID") }
        let rows = all.map { favourite in
            EntryList.Row(
                entry: ListEntry(favourite.registrationId, SafeText.escape(favourite.name)),
                cells: [
                    LocalClock.dateAndTime(favourite.createdAt), favourite.registrationId.description,
                    SafeText.escape(favourite.name),
                ])
        }
        EntryList.show(
            .person, rows, invocation, api,
            advice: "Take one back by its number: letsswitch favourite N --remove")
    }
}
