import Glibc
import Testing

@testable import bench

/// Tests of what `bench cluster` computes beside its processes.
@Suite("bench cluster")
struct ClusterTests {
    @Test("a device that was in its room asks for what it has missed")
    func target() {
        var device = CrowdMember(path: "/socket?id=1&token=2")
        #expect(device.target == "/socket?id=1&token=2")
        device.position = ("abc", 7)
        #expect(device.target == "/socket?id=1&token=2&epoch=abc&since=7")
    }

    @Test("each row of the help is known by its name")
    func rows() {
        for row in ClusterRow.allCases { #expect(ClusterCommand.help.contains(row.rawValue)) }
        #expect(ClusterRow(rawValue: "take-over") == .takeOver)
    }

    @Test("the figures of two processes are added up")
    func sum() throws {
        let own = try #require(ServerProcess(Int(getpid())))
        #expect(own.seconds > 0 && own.residentBytes > 0)
        var sum = ServerProcess()
        sum += own
        sum += own
        #expect(sum.seconds == 2 * own.seconds && sum.residentBytes == 2 * own.residentBytes)
    }
}
