import Glibc
import OutboundHTTP
import Reactor
import SocketTesting

/// nghttpd, an independent HTTP/2 server. It answers each POST with 200.
enum Nghttpd {
    /// The path of the program; nil when it is not installed.
    static let program: String? = ["/usr/bin/nghttpd", "/usr/sbin/nghttpd"].first { path in
        access(path, X_OK) == 0
    }

    /// Starts the program on a port that was free a moment ago; tries another one when it was taken
    /// meanwhile. Both files are PEM.
    static func start(key: String, certificate: String) async throws -> (ChildProcess, UInt16) {
        guard let program else { throw OutboundError.unreachable("nghttpd is not installed") }
        for _ in 0..<5 {
            let port = try Listener(binding: Loopback.address).address.port
            var command = ChildProcess.Command(
                program, ["-v", "-a", "127.0.0.1", "--echo-upload", "\(port)", key, certificate])
            command.timeLimit = .seconds(120)
            let service = try ChildProcess(command)
            if await service.hasPrinted("listen 127.0.0.1:\(port)", on: .standardOutput) {
                return (service, port)
            }
        }
        throw OutboundError.unreachable("nghttpd does not start")
    }
}
