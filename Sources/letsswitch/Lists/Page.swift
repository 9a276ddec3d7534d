import Contract

/// One page of a list, with the cursor of the next one.
protocol Page {
    associatedtype Entry
    var entries: [Entry] { get }
    var nextCursor: String? { get }
}

extension Page {
    /// Reads the pages from the first one to the last, or as many as `limit`, and returns their entries.
    static func all(
        limit: Int = .max, _ read: (_ cursor: String?) async throws -> Self
    ) async throws -> [Entry] {
        var all: [Entry] = []
        var cursor: String?
        for _ in 0..<limit {
            let page = try await read(cursor)
            all += page.entries
            cursor = page.nextCursor
            if cursor == nil { break }
        }
        return all
    }
}

extension BlockList: Page { var entries: [Block] { blocks } }
extension FavouriteList: Page { var entries: [Favourite] { favourites } }
extension RegistrationList: Page { var entries: [Registration] { registrations } }
extension RoutineList: Page { var entries: [Routine] { routines } }
