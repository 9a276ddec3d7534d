import Testing

@testable import Client

@Suite("A feed")
struct FeedTests {
    @Test("has everything since it was asked for, for each reader on its own")
    func readers() async {
        let source = Broadcast<Int>(limit: 10)
        source.publish(0)
        let first = source.feed()
        source.publish(1)
        let second = source.feed()
        source.publish(2)
        source.finish()
        var (one, two): ([Int], [Int]) = ([], [])
        for await element in first { one.append(element) }
        for await element in second { two.append(element) }
        #expect(one == [1, 2])
        #expect(two == [2])
    }

    @Test("drops the oldest past its limit, and tells how many", arguments: [1, 2, 64, 65, 200])
    func limit(limit: Int) async {
        let source = Broadcast<Int>(limit: limit) { -$0 }
        let feed = source.feed()
        for number in 1...1000 { source.publish(number) }
        source.finish()
        var elements: [Int] = []
        for await element in feed { elements.append(element) }
        #expect(elements == [limit - 1000] + Array((1001 - limit)...1000))
    }

    @Test("begins with the latest element where its source has a state")
    func latest() async {
        let source = Broadcast(latest: 1, limit: 10)
        source.publish(2)
        #expect(await source.feed().first { _ in true } == 2)
    }

    @Test("ends where the task that reads is cancelled, before or while it waits")
    func cancellation() async {
        let source = Broadcast<Int>(limit: 10)
        let feed = source.feed()
        let reader = Task { await feed.first { _ in true } }
        reader.cancel()
        #expect(await reader.value == nil)
    }
}
