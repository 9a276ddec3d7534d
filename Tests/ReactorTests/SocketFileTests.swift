import CLinux
import Glibc
import SocketTesting
import TestKit
import Testing

@testable import Reactor

@Suite("The file of a Unix socket", .timeLimit(.minutes(5)))
struct SocketFileTests {
    private let folder = TemporaryFolder()

    private var path: String { "\(folder.path)/server.sock" }

    private func address() throws -> SocketAddress { try #require(SocketAddress(unix: "unix:\(path)")) }

    /// Returns the status of the file; nil if there is none.
    private func fileStatus() -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    /// Leaves a socket's file at which nothing listens, as a killed process does.
    private func leaveFile() throws {
        let raw = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(raw) }
        let code = try address().withSockaddr { bind(raw, $0, $1) }
        #expect(code == 0)
    }

    @Test("has the mode and the group, and is gone with its listener")
    func access() throws {
        var access = SocketFile.Access()
        access.mode = 0o620
        access.group = geteuid() == 0 ? 1 : getegid()
        var listener: Listener? = try Listener(binding: try address(), access: access)
        #expect(listener?.address.description == "unix:\(path)" && listener?.address.path == path)
        let status = try #require(fileStatus())
        #expect(status.st_mode & 0o7777 == 0o620 && status.st_gid == access.group)
        listener = nil
        #expect(fileStatus() == nil)
    }

    @Test("is replaced where a killed process has left it")
    func stale() async throws {
        try leaveFile()
        let listener = try Listener(binding: try address())
        let peer = try await Peer(to: listener.address)
        #expect(try #require(fileStatus()).st_mode & 0o777 == 0o660)
        await peer.close()
        #expect(listener.address.path == path)
    }

    @Test("is refused while a listener has it, of this program or of another, and stays")
    func taken() async throws {
        let listener = try Listener(binding: try address())
        var error = #expect(throws: SystemError.self) { try Listener(binding: listener.address) }
        #expect(error?.code == EADDRINUSE)
        // Another program takes no lock.
        unlink("\(path).lock")
        error = #expect(throws: SystemError.self) { try Listener(binding: listener.address) }
        #expect(error?.code == EADDRINUSE)
        let peer = try await Peer(to: listener.address)
        await peer.close()
        #expect(listener.address.path == path)
    }

    @Test("is refused where the path is a file of another kind, which stays")
    func otherFile() throws {
        let file = try folder.file("server.sock", "text")
        #expect(file == path)
        let error = #expect(throws: SystemError.self) { try Listener(binding: try address()) }
        #expect(error?.code == ENOTSOCK)
        #expect(try SmallFile.read(path) == "text")
    }
}
