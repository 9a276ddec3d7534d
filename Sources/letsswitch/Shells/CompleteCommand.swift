import Client
import Contract
import Glibc
import Reactor

/// `complete`, which the scripts of shells call: prints what may stand in a place, a word on a line, with its
/// meaning behind a tab. It never fails, and never makes the shell wait for longer than `patience`.
enum CompleteCommand {
    static let zones = "zones"

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
        let source = invocation.arguments[0] ?? ""
        if source == zones {
            for zone in zoneNames(zoneFile() ?? []) { Console.write("\(zone)\n") }
        } else if let kind = EntryKind(rawValue: source) {
            for line in await lines(kind, invocation) { Console.write("\(line)\n") }
        }
    }

    private static func lines(_ kind: EntryKind, _ invocation: Invocation) async -> [String] {
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
            for entry in useful { Console.write("\(line(entry))\n") }
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

    private static func line(_ entry: ListEntry) -> String { "\(entry.id)\t\(entry.label)" }

    /// Returns the names of the zones in the text of `zone.tab`, and UTC, in order.
    static func zoneNames(_ bytes: [UInt8]) -> [String] {
        let names = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "\t")
            return line.hasPrefix("#") || fields.count < 3 ? nil : String(fields[2])
        }
        return Set(names + ["UTC"]).sorted()
    }

    private static func zoneFile() -> [UInt8]? {
        let file = open(zoneTable, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { _ = close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < maximumZoneBytes {
            let count = read(file, &buffer, buffer.count)
            if count <= 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }
}
