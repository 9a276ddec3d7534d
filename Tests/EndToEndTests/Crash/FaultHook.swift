import Glibc
import PostgresFaults

/// The channel that tells the servers of one siege to fail at the next statement; see `FaultFolder`.
struct FaultHook: Sendable {
    private let folder: String

    /// Makes a hook in a folder, which must exist.
    init(in folder: String) { self.folder = folder }

    var settings: [String: String] { ["LETSSWITCH_FAULTS": folder] }

    private var path: String { "\(folder)/due" }

    /// Arms the hook: the next site fails in the first of these ways that has not struck there.
    func arm(_ ways: [StatementFault]) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(ways.map(\.rawValue).joined(separator: " ").utf8)
        _ = write(descriptor, bytes, bytes.count)
    }

    /// Disarms the hook; returns false when it has struck.
    func disarm() -> Bool { unlink(path) == 0 }

    var isArmed: Bool { access(path, F_OK) == 0 }
}
