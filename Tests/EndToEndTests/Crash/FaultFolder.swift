import Glibc

/// The folder by which the servers of a siege are told what goes wrong, and tell where they were.
///
/// A fault that is armed strikes once, at the next statement of its site; see `StatementFault`.
struct FaultFolder: Sendable {
    /// What `StatementFault` knows.
    enum Way: String, CaseIterable, Sendable {
        case killedBefore = "killed-before"
        case killedAfter = "killed-after"
        case lostBefore = "lost-before"
        case lostAfter = "lost-after"
        case unanswered
        case serializationFailure = "40001"
        case deadlock = "40P01"
        case canceled = "57014"
        case adminShutdown = "57P01"

        static let kills: [Way] = [.killedBefore, .killedAfter]
        static let failures = Way.allCases.filter { !kills.contains($0) }
    }

    /// One way at one site.
    struct Fault: Hashable, Sendable, CustomStringConvertible {
        let way: Way
        let site: String

        var description: String { "\(way.rawValue) \(site)" }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var settings: [String: String] { ["LETSSWITCH_FAULTS": folder.path] }

    /// So many faults may be armed at once.
    static let hooks = 0..<3

    func arm(_ fault: Fault, _ hook: Int) throws { _ = try folder.file("armed-\(hook)", "\(fault)") }

    /// False where it has struck already.
    func disarm(_ hook: Int) -> Bool { unlink("\(folder.path)/armed-\(hook)") == 0 }

    func isArmed(_ hook: Int) -> Bool { access("\(folder.path)/armed-\(hook)", F_OK) == 0 }

    /// The sites at which some server was, with what tells a person which they are.
    func passed() -> [(site: String, label: String)] {
        lines("passed").map { line in
            (String(line.prefix { $0 != " " }), String(line.drop { $0 != " " }.dropFirst()))
        }
    }

    private func lines(_ name: String) -> [Substring] {
        let descriptor = open("\(folder.path)/\(name)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count <= 0 { break }
            text += buffer.prefix(count)
        }
        return String(decoding: text, as: UTF8.self).split(separator: "\n")
    }
}
