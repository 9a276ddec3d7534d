import CLinux
import Glibc
import Reactor

/// The programs of the system, by their paths.
enum Programs {
    private static let standardPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

    package static var path: String { ProcessEnvironment.current()["PATH"] ?? standardPath }

    /// Returns the major version of a program of PostgreSQL; nil if it does not report one.
    static func major(of command: ChildProcess.Command) async -> Int? {
        guard let child = try? await ChildProcess.run(command) else { return nil }
        // postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)
        let words = child.output().split(separator: " ")
        return words.count >= 3 ? Int(words[2].prefix { $0.isNumber }) : nil
    }

    /// Returns the path of the first program of the name in `PATH`, or in the usual folders.
    package static func find(_ name: String) -> String? {
        "\(path):\(standardPath)".split(separator: ":").lazy.map { "\($0)/\(name)" }
            .first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
    }
}
