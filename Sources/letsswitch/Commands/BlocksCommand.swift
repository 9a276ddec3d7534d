import Client
import Contract

enum BlocksCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let api = try await invocation.signedIn()
        var all: [Block] = []
        var cursor: String?
        repeat {
            let page = try await api.blocks(limit: Limits.page.upperBound, cursor: cursor)
            all += page.blocks
            cursor = page.nextCursor
        } while cursor != nil
        let console = invocation.console
        console.json(BlockList(blocks: all))
        if all.isEmpty { console.note("There are none.") }
        let rows = all.map { block in
            EntryList.Row(
                entry: ListEntry(block.registrationId, SafeText.escape(block.name)),
                cells: [
                    LocalClock.dateAndTime(block.createdAt), block.registrationId.description,
                    SafeText.escape(block.name), SafeText.escape(oneLine(block.report ?? "")),
                ])
        }
        EntryList.show(
            .person, rows, invocation, api, advice: "Take one back by its number: letsswitch block N --remove"
        )
    }

    private static func oneLine(_ report: String) -> String {
        String(report.map { $0 == "\n" ? " " : $0 })
    }
}
