import Glibc
import PostgresFaults
import Reactor
import TestKit

/// The faults at the sites that servers have passed, and those that have struck: several sieges share the
/// work.
final class FaultCatalogue: Sendable {
    let ways: [StatementFault]
    private let folder: TemporaryFolder
    private let hooks = Lock(0)

    init(_ ways: [StatementFault]) throws {
        self.ways = ways
        folder = TemporaryFolder()
    }

    /// Returns a hook for the servers of one more siege.
    func hook() throws -> FaultHook {
        let number = hooks.withLock { hooks in
            hooks += 1
            return hooks
        }
        let path = "\(folder.path)/siege-\(number)"
        guard mkdir(path, 0o700) == 0 else { throw TestError("mkdir \(path): \(errno)") }
        return FaultHook(in: path)
    }

    /// The sites that some server has passed, with their labels for people.
    var sites: [String: String] {
        let lines = text(of: "passed").split(separator: "\n").map { line in
            (String(line.prefix { $0 != " " }), String(line.drop { $0 != " " }.dropFirst()))
        }
        return Dictionary(lines) { first, _ in first }
    }

    /// The number of faults that have struck.
    var struck: Int { all.count { hasStruck($0) } }

    /// The faults at passed sites that have not struck.
    var missed: [Fault] { all.filter { !hasStruck($0) } }

    /// The progress, for people: how many sites each way has struck, of how many.
    var summary: String {
        let all = all
        let struck = all.filter { hasStruck($0) }
        let each = ways.map { way in "\(way.rawValue) \(struck.count { $0.way == way })" }
        return "\(struck.count) of \(all.count) faults have struck, at \(all.count / ways.count) sites: "
            + each.joined(separator: ", ")
    }

    private var all: [Fault] {
        sites.keys.sorted().flatMap { site in ways.map { Fault(way: $0, site: site) } }
    }

    private func hasStruck(_ fault: Fault) -> Bool {
        access("\(folder.path)/\(fault.site) \(fault.way.rawValue)", F_OK) == 0
    }

    private func text(of name: String) -> String {
        let descriptor = open("\(folder.path)/\(name)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count <= 0 { break }
            text += buffer.prefix(count)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
