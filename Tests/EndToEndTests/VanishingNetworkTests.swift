import PostgresTesting
import Reactor
import SocketTesting
import TestKit
import Testing

/// The command line in a network in which the IPv6 address of a name swallows packets.
@Suite("A family of addresses whose packets vanish", .timeLimit(.minutes(5)))
struct VanishingNetworkTests {
    @Test(
        "is named by doctor, and the command line uses the other one",
        .enabled(if: VanishingNetwork.isPossible))
    func doctor() async throws {
        let cluster = try await TestCluster.make()
        defer { cluster.remove() }
        let folder = TemporaryFolder()
        let hosts = try folder.file("hosts", "127.0.0.1 both.test\n\(VanishingNetwork.hole) both.test\n")
        let script = """
            set -e
            \(VanishingNetwork.commands)
            mount --bind \(hosts) /etc/hosts
            "$1" serve 1>&2 &
            server=$!
            until "$1" healthcheck 1>&2; do kill -0 $server; done
            "$2" signup Ada && "$2" slots
            code=0; "$2" doctor || code=$?
            kill $server
            wait $server || true
            exit $code
            """
        let programs = [try BuiltProgram.server.path(), try BuiltProgram.client.path()]
        let outcome = try await Finished.run(
            "unshare", ["--net", "--mount", "sh", "-c", script, "sh"] + programs,
            environment: [
                "DATABASE_URL": cluster.url(), "DATA_DIR": folder.path, "HOST": "127.0.0.1", "PORT": "8080",
                "LETSSWITCH_URL": "http://both.test:8080", "HOME": folder.path,
                "XDG_CONFIG_HOME": folder.path,
            ])
        #expect(outcome.status == 1, "\(outcome)")
        let failures = outcome.output.split(separator: "\n").filter { $0.hasPrefix("FAIL") }
        #expect(failures.map { $0.split(separator: " ")[1] } == ["port"], "\(outcome)")
        #expect(failures.first?.contains("by IPv4 alone. [\(VanishingNetwork.hole)]:8080") == true)
        #expect(outcome.output.contains("You are signed in as Ada"), "\(outcome)")
    }
}
