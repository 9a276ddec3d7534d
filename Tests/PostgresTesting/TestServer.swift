import CLinux
import Glibc

/// The server that most tests share: a cluster that the first user starts, or the one of
/// `LETSSWITCH_TEST_DATABASE_URL`, whose user must be allowed to create databases.
package enum TestServer {
    private static let cluster = Task { try await TestCluster.make() }

    package static func url() async throws -> String {
        if let given = getenv("LETSSWITCH_TEST_DATABASE_URL"), given.pointee != 0 {
            return String(cString: given)
        }
        return try await cluster.value.url()
    }
}
