import Client
import Contract
import Glibc
import Reactor

/// Lists that are kept in files beside the token: the one that was printed last, and those that completions
/// have asked for. They are in the folder of the token and not in that of the state, since an account of
/// another folder has numbers of its own.
struct EntryStore: Sendable {
    /// A list with what it holds for.
    struct Content: Codable, Sendable {
        let server: String
        /// The beginning of the token, as `token list` shows it too.
        let account: String
        let kind: EntryKind
        let at: Timestamp
        let entries: [ListEntry]
    }

    /// The maximum number of entries that are kept.
    static let limit = 999
    private static let maximumBytes = 1 << 20
    private static let accountCharacters = 8
    private static let lastList = "last-list"

    private let directory: String
    private let server: String
    private let account: String

    init(directory: String, server: Server, token: String?) {
        self.directory = directory
        self.server = server.url
        account = String((token ?? "").prefix(Self.accountCharacters))
    }

    /// The list that was printed last for this account; nil: there is none.
    var last: Content? { read(Self.lastList) }

    /// Keeps the list that is about to be printed. Returns whether that could be done.
    func keepLast(_ entries: [ListEntry], of kind: EntryKind) -> Bool {
        write(entries, of: kind, to: Self.lastList)
    }

    func completions(of kind: EntryKind) -> Content? {
        read(Self.completions(kind)).flatMap { $0.kind == kind ? $0 : nil }
    }

    func keepCompletions(_ entries: [ListEntry], of kind: EntryKind) {
        _ = write(entries, of: kind, to: Self.completions(kind))
    }

    static func removeAll(in directory: String) {
        for name in [lastList] + EntryKind.allCases.map(completions) { _ = unlink("\(directory)/\(name)") }
    }

    private static func completions(_ kind: EntryKind) -> String { "complete-\(kind.rawValue)" }

    private func read(_ name: String) -> Content? {
        guard let bytes = PrivateFile.read("\(directory)/\(name)", limit: Self.maximumBytes),
            let content = try? JSON.decode(Content.self, from: bytes),
            content.server == server, content.account == account
        else { return nil }
        return content
    }

    private func write(_ entries: [ListEntry], of kind: EntryKind, to name: String) -> Bool {
        let content = Content(
            server: server, account: account, kind: kind, at: WallClock.now,
            entries: Array(entries.prefix(Self.limit)))
        guard let bytes = try? JSON.encode(content), bytes.count <= Self.maximumBytes else { return false }
        return PrivateFile.write(bytes, to: "\(directory)/\(name)")
    }
}
