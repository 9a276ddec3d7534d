import Glibc

/// How the servers of one siege are told that something has to go wrong, wherever they come by next; see
/// `StatementFault`.
struct FaultHook: Sendable {
    private let folder: String

    /// The folder has to be there.
    init(in folder: String) { self.folder = folder }

    var settings: [String: String] { ["LETSSWITCH_FAULTS": folder] }

    private var path: String { "\(folder)/due" }

    /// In one of these ways, the first that has not been at the site.
    func arm(_ ways: [Fault.Way]) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(ways.map(\.rawValue).joined(separator: " ").utf8)
        _ = write(descriptor, bytes, bytes.count)
    }

    /// False where it has struck.
    func disarm() -> Bool { unlink(path) == 0 }

    var isArmed: Bool { access(path, F_OK) == 0 }
}
