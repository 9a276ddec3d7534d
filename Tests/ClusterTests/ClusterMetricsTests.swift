import Codecs
import Contract
import Testing

@testable import Cluster

@Suite("The figures of the cluster")
struct ClusterMetricsTests {
    private static let (room, other) = (Identifier(value: 1), Identifier(value: 2))
    private static let second: UInt64 = 1_000_000_000

    @Test("count a take-over from the first knock, also if a client had to come back")
    func firstKnock() {
        let metrics = ClusterMetrics()
        metrics.knocked(at: Self.room, 10 * Self.second)
        metrics.knocked(at: Self.room, 12 * Self.second)
        metrics.opened(Self.room, knock: 13 * Self.second, now: 14 * Self.second)
        metrics.opened(Self.other, knock: 13 * Self.second, now: 14 * Self.second)
        #expect(metrics.current.takeOverSeconds.count == 2)
        #expect(metrics.current.takeOverSeconds.sum == 5)
        // It is over: the next one starts again.
        metrics.opened(Self.room, knock: 20 * Self.second, now: 21 * Self.second)
        #expect(metrics.current.takeOverSeconds.sum == 6)
    }

    @Test("forget a knock after a minute")
    func old() {
        let metrics = ClusterMetrics()
        metrics.knocked(at: Self.room, 0)
        metrics.opened(Self.room, knock: 60 * Self.second, now: 61 * Self.second)
        #expect(metrics.current.takeOverSeconds.sum == 1)
        metrics.knocked(at: Self.other, 0)
        metrics.knocked(at: Self.other, 60 * Self.second)
        metrics.opened(Self.other, knock: 62 * Self.second, now: 63 * Self.second)
        #expect(metrics.current.takeOverSeconds.sum == 4)
    }

    @Test("remember a bounded number of knocks")
    func bounded() {
        let metrics = ClusterMetrics()
        for number in 0..<10_000 { metrics.knocked(at: Identifier(value: UInt128(100 + number)), 0) }
        metrics.knocked(at: Self.room, 1)
        metrics.opened(Self.room, knock: Self.second, now: 2 * Self.second)
        #expect(metrics.current.takeOverSeconds.sum == 1)
        // A minute later there is room again.
        metrics.knocked(at: Self.room, 60 * Self.second)
        metrics.opened(Self.room, knock: 62 * Self.second, now: 62 * Self.second)
        #expect(metrics.current.takeOverSeconds.sum == 3)
    }
}
