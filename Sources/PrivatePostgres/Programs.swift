import CLinux
import Glibc
import Reactor

/// Programs of the system, and where they are.
enum Programs {
    private static let standardPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

    package static var path: String { ProcessEnvironment.current()["PATH"] ?? standardPath }

    /// The first one of the name in `PATH`, or where programs usually are.
    package static func find(_ name: String) -> String? {
        "\(path):\(standardPath)".split(separator: ":").lazy.map { "\($0)/\(name)" }
            .first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
    }
}
