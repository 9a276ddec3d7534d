import Glibc
import Reactor
import SocketTesting
import TestKit

/// HAProxy or nginx as a process, with a configuration of `ops/balancers` before three servers, or one of a
/// test's own.
final class Balancer: Sendable {
    enum Recipe: String, Sendable {
        case haproxy = "haproxy.cfg"
        case nginx = "nginx.conf"
        case turns = "nginx-round-robin.conf"

        var program: String { self == .haproxy ? "haproxy" : "nginx" }
    }

    /// The names of the three servers in the configurations.
    static let names = ["one", "two", "three"]

    static let configurations =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/ops/balancers"

    var port: UInt16 { reserved.number }
    let url: String
    private let reserved: ReservedPort
    private let folder = TemporaryFolder(mode: 0o755)
    private let child: ChildProcess

    /// Starts a balancer, and waits until it passes requests on.
    convenience init(_ recipe: Recipe, at port: ReservedPort, before servers: [ServerProcess]) async throws {
        let text = try Self.text(of: recipe, at: port.number, before: servers)
        try await self.init(recipe.program, text, at: port)
    }

    /// Starts `haproxy` or `nginx`, and waits until it passes requests below a path on. The text is a
    /// configuration; nginx's stands within `http`.
    init(_ name: String, _ text: String, at port: ReservedPort, below path: String = "") async throws {
        reserved = port
        url = "http://127.0.0.1:\(port.number)"
        let program = try Self.path(of: name)
        let folder = self.folder
        let text = text.replacing("/var/log/nginx", with: folder.path)
        var arguments: [String]
        if name == "haproxy" {
            arguments = ["-db", "-f", try folder.file("configuration", text)]
        } else {
            let path = folder.path
            let parts = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            let whole = """
                daemon off; pid \(path)/pid; worker_processes 1; error_log \(path)/error.log;
                events {} http { access_log off;
                \(parts.map { "\($0)_temp_path \(path)/\($0);" }.joined(separator: "\n"))
                \(text)
                }
                """
            let file = try folder.file("configuration", whole)
            arguments = ["-p", path, "-c", file, "-e", "\(path)/error.log"]
        }
        let check = try await Finished.run(program, arguments + [name == "haproxy" ? "-c" : "-t"])
        guard check.status == 0, !check.errors.lowercased().contains("[warn") else {
            throw TestError("\(name): \(check)")
        }
        var command = ChildProcess.Command(program, arguments)
        command.timeLimit = .seconds(300)
        child = try ChildProcess(command)
        let url = self.url + path
        try await eventually(equals: 200) { (try? await Curl("\(url)/readyz"))?.status }
    }

    /// The text of nginx's logs.
    func logs() throws -> String {
        try ["letsswitch.log", "letsswitch.error.log", "error.log"].map { name in
            guard let file = fopen("\(folder.path)/\(name)", "r") else {
                throw TestError("\(name): \(errno)")
            }
            defer { fclose(file) }
            var buffer = [UInt8](repeating: 0, count: 1_000_000)
            return String(decoding: buffer[..<fread(&buffer, 1, buffer.count, file)], as: UTF8.self)
        }.joined()
    }

    func stop() async {
        child.signal(SIGTERM)
        _ = await child.ending()
    }

    /// Returns where the program is; Debian has both where only administrators look.
    static func path(of program: String) throws -> String {
        let folders = ["/usr/sbin", "/usr/local/sbin", "/usr/bin", "/usr/local/bin", "/sbin"]
        guard
            let found = folders.map({ folder -> String in "\(folder)/\(program)" }).first(where: {
                access($0, X_OK) == 0
            })
        else {
            throw TestError("\(program) is not installed")
        }
        return found
    }

    /// Returns the configuration with the addresses of these servers.
    private static func text(
        of recipe: Recipe, at port: UInt16, before servers: [ServerProcess]
    ) throws -> String {
        guard let file = fopen("\(configurations)/\(recipe.rawValue)", "r") else {
            throw TestError("\(configurations)/\(recipe.rawValue): \(errno)")
        }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var text = String(decoding: buffer[..<fread(&buffer, 1, buffer.count, file)], as: UTF8.self)
        for (index, server) in servers.enumerated() {
            text.replace("10.0.0.\(index + 1):8080", with: "127.0.0.1:\(server.ownPort)")
        }
        text.replace("bind :80\n", with: "bind 127.0.0.1:\(port)\n")
        text.replace("listen 80;", with: "listen 127.0.0.1:\(port) reuseport;")
        text.replace("maxconn 100000", with: "maxconn 1000")
        return text
    }
}
