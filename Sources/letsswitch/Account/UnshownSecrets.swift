import Client
import Contract
import Glibc
import Reactor

/// The secrets that the server shows once and that have not been shown: standard output could not be
/// written, or the process was ended.
///
/// A secret is in a file beside the token, for its owner alone, from before it is written to standard output
/// until it has been. The file belongs to the account that is signed in: another one that takes its place
/// removes it.
struct UnshownSecrets: Sendable {
    enum Kind: String, Codable, Sendable {
        case recoveryCode, token, webhookSecret, calendar, invite

        var name: Text {
            switch self {
            case .recoveryCode: "Recovery code"
            case .token: "Token"
            case .webhookSecret: "Webhook secret"
            case .calendar: "Calendar"
            case .invite: "Invite"
            }
        }
    }

    struct Item: Codable, Hashable, Sendable {
        let kind: Kind
        /// The name or the id of the thing that the secret is for; nil for the recovery code.
        let subject: String?
        let secret: String
        let madeAt: Timestamp
    }

    struct Content: Codable, Sendable {
        var secrets: [Item]
    }

    /// The number of secrets that are kept. At the limit the oldest one is removed.
    static let limit = 64
    private static let maximumBytes = 1 << 18
    private static let name = "unshown"

    let directory: String
    private var path: String { "\(directory)/\(Self.name)" }

    var all: [Item] {
        guard let bytes = PrivateFile.read(path, limit: Self.maximumBytes),
            let content = try? JSON.decode(Content.self, from: bytes)
        else { return [] }
        return content.secrets
    }

    /// Keeps a secret; a recovery code takes the place of an earlier one, which has ended. Returns whether
    /// that could be done. The caller holds the lock of the folder.
    func keep(_ item: Item) -> Bool {
        let others = all.filter { item.kind != .recoveryCode || $0.kind != .recoveryCode }
        return write(others.suffix(Self.limit - 1) + [item])
    }

    /// Removes secrets that have been shown. The caller holds the lock of the folder.
    func remove(_ items: [Item]) {
        let rest = all.filter { !items.contains($0) }
        if rest.isEmpty { Self.removeAll(in: directory) } else { _ = write(rest) }
    }

    static func removeAll(in directory: String) { _ = unlink("\(directory)/\(name)") }

    private func write(_ items: [Item]) -> Bool {
        guard let bytes = try? JSON.encode(Content(secrets: items)) else { return false }
        return PrivateFile.write(bytes, to: path)
    }

    private static let current = Lock<Kind?>(nil)

    /// How the secret that is being written can be read later; nil if there is none.
    static var advice: Text? {
        current.withLock { $0 }.map { kind in
            switch kind {
            case .recoveryCode: "The recovery code is kept. Show it: letsswitch account recovery"
            case .token, .webhookSecret, .calendar, .invite:
                "The secret is kept. Show it: letsswitch token show"
            }
        }
    }

    static func isShowing(_ kind: Kind?) { current.withLock { $0 = kind } }
}

extension Invocation {
    /// Shows a secret that the server shows once. It is kept until all of it has been written.
    func reveal(_ kind: UnshownSecrets.Kind, _ secret: String, of subject: String?, show: () -> Void) async {
        let item = UnshownSecrets.Item(kind: kind, subject: subject, secret: secret, madeAt: WallClock.now)
        let isKept = await withUnshown { $0.keep(item) } ?? false
        if isKept { UnshownSecrets.isShowing(kind) }
        show()
        UnshownSecrets.isShowing(nil)
        if isKept { await forget([item]) }
    }

    /// Prints a secret with a heading and advice. With `--json` it prints the answer that contains it.
    func reveal(
        _ kind: UnshownSecrets.Kind, _ secret: String, of subject: String?, _ answer: some Encodable,
        _ heading: Text, _ advice: Text
    ) async {
        await reveal(kind, secret, of: subject) {
            console.json(answer)
            console.note(heading)
            console.line(SafeText.escape(secret))
            console.note(advice)
        }
    }

    /// Removes secrets that have been shown.
    func forget(_ items: [UnshownSecrets.Item]) async { _ = await withUnshown { $0.remove(items) } }

    /// Calls the body while no other process changes the file. Returns nil if the file has no place.
    private func withUnshown<Result>(_ body: (UnshownSecrets) -> Result) async -> Result? {
        guard let tokens = try? tokens, let lock = try? await tokens.lock() else { return nil }
        defer { _ = close(lock) }
        return body(tokens.unshown)
    }
}
