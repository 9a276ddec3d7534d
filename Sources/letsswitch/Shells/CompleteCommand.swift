import Client
import Contract
import Glibc
import Reactor

/// `complete -- SHELL WORDS…`, which the scripts of shells call: prints the words that can stand instead of
/// the last one, each on a line with its meaning after a tab. `:file` stands for the names of files. It never
/// fails, and never makes the shell wait for longer than `patience`.
///
/// `complete KIND`, which the scripts of earlier versions call, prints the entries of one kind.
enum CompleteCommand {
    private static let zones = "zones"

    /// The time after which the shell gets what was known before.
    private static let patience = Duration.milliseconds(800)

    /// The use of an earlier answer, by its age.
    enum Use {
        /// The server is not asked again, since a shell calls at each press of a key.
        case fresh
        /// It is offered where the server does not answer.
        case old
        case useless

        init(age: Duration) {
            switch age {
            case Duration.zero..<Duration.seconds(5): self = .fresh
            case Duration.zero..<Duration.seconds(86_400): self = .old
            default: self = .useless
            }
        }
    }

    private static let zoneTable = "/usr/share/zoneinfo/zone.tab"
    private static let maximumZoneBytes = 1 << 18

    @Sendable static func run(_ invocation: Invocation) async throws {
        let words = invocation.arguments.positional
        switch words.count == 1 ? .values(kind(words[0]), prefix: "") : Offers(Array(words.dropFirst())) {
        case .words(let offers):
            // Bash has no column for meanings, and shows these words side by side.
            let isPlain = words[0] == Shell.bash.rawValue
            for (word, summary) in offers { write(isPlain ? word : "\(word)\t\(summary.local)") }
        case .values(.nothing, _): break
        case .values(.file, _): write(":file")
        case .values(.words(let values), let prefix): for value in values { write(prefix + value) }
        case .values(.zones, let prefix):
            let table = try? SmallFile.read(zoneTable, limit: maximumZoneBytes)
            for zone in zoneNames(table ?? "") { write(prefix + zone) }
        case .values(.entries(let kind), let prefix):
            for line in await lines(kind, prefix, invocation) { write(line) }
        }
    }

    private static func kind(_ word: String) -> Command.Completion {
        word == zones ? .zones : EntryKind(rawValue: word).map { .entries($0) } ?? .nothing
    }

    private static func write(_ line: String) { Console.write("\(line)\n") }

    private static func lines(
        _ kind: EntryKind, _ prefix: String, _ invocation: Invocation
    ) async -> [String] {
        func line(_ entry: ListEntry) -> String { "\(prefix)\(entry.id)\t\(entry.label)" }
        guard let tokens = try? invocation.tokens, let stored = try? tokens.read(),
            let server = stored.server ?? invocation.usualServer
        else { return [] }
        let store = EntryStore(directory: tokens.directory, server: server, token: stored.token)
        let known = store.completions(of: kind)
        let use = known.map { Use(age: WallClock.now.since($0.at)) } ?? .useless
        let useful = use == .useless ? [] : known?.entries ?? []
        if use == .fresh { return useful.map(line) }
        // The process ends with the timer, whatever the request is at then.
        invocation.loop.schedule(after: patience) {
            for entry in useful { write(line(entry)) }
            exit(ExitCode.success.rawValue)
        }
        // The token goes to the server that it is for, whichever the command line names.
        let api = APIClient(
            server: server, token: stored.token, trust: server.isSecure ? invocation.trust : .system,
            loop: invocation.loop)
        guard let entries = try? await kind.entries(api) else { return useful.map(line) }
        store.keepCompletions(entries, of: kind)
        return entries.map(line)
    }

    /// Returns the names of the zones in the text of `zone.tab`, and UTC, in order.
    static func zoneNames(_ table: String) -> [String] {
        let names = table.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "\t")
            return line.hasPrefix("#") || fields.count < 3 ? nil : String(fields[2])
        }
        return Set(names + ["UTC"]).sorted()
    }
}
