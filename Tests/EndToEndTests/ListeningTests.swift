import Glibc
import PostgresTesting
import Reactor
import SocketTesting
import TestKit
import Testing

@Suite("A server at all addresses", .timeLimit(.minutes(5)))
struct ListeningTests {
    /// The start of a shell script that runs in a network of its own, whose loopback interface is up.
    private static let network = """
        PATH=$PATH:/usr/sbin:/sbin
        ip link set lo up
        echo 1 > /proc/sys/net/ipv6/bindv6only
        """

    /// Whether this process may make networks, and the machine has IPv6.
    private static let isPossible = VanishingNetwork.isPossible && access("/proc/net/if_inet6", F_OK) == 0

    /// Runs a script in a network of its own: the server is `$SERVER`.
    private func run(_ script: String, _ settings: [String: String]) async throws -> Finished {
        try await Finished.run(
            "unshare",
            (geteuid() == 0 ? [] : ["--map-root-user"]) + [
                "--net", "bash", "-ec", "\(Self.network)\n\(script)",
            ],
            environment: settings.merging(["SERVER": try BuiltProgram.server.path()]) { $1 })
    }

    @Test(
        "at `::` serves both families, whatever the system's default is; healthcheck finds it without IPv6",
        .enabled(if: ListeningTests.isPossible), arguments: [0, 1])
    func both(withoutIPv6: Int) async throws {
        try await Permits.shared.with {
            try await TestDatabase.with { database in
                let folder = TemporaryFolder()
                let hosts = withoutIPv6 == 0 ? "127.0.0.1 [::1]" : "127.0.0.1"
                let end = try await run(
                    """
                    echo \(withoutIPv6) > /proc/sys/net/ipv6/conf/lo/disable_ipv6
                    "$SERVER" > server.log 2>&1 &
                    server=$!
                    trap 'kill $server; wait $server || true; cat server.log >&2' EXIT
                    until grep -q 'ready url=' server.log; do kill -0 $server; sleep 0.1; done
                    "$SERVER" healthcheck
                    for host in \(hosts); do curl -sSg --max-time 50 "http://$host:8080/livez"; done
                    """.cd(to: folder.path),
                    ["DATABASE_URL": database.url, "DATA_DIR": folder.path, "HOST": "::", "PORT": "8080"])
                #expect(end.status == 0, "\(end)")
                let answers = withoutIPv6 == 0 ? "alive\nalive\n" : "alive\n"
                #expect(end.output == "ready\n" + answers, "\(end)")
            }
        }
    }
}

extension String {
    fileprivate func cd(to folder: String) -> String { "cd '\(folder)'\n" + self }
}
