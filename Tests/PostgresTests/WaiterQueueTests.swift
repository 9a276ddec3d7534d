import Codecs
import Testing

@testable import Postgres

struct WaiterQueueTests {
    @Test("callers are taken in the order of their arrival while others leave", arguments: 0..<20)
    func order(round: Int) {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix64(seed: seed)
        var queue = WaiterQueue()
        var model: [Int] = []
        for number in 0..<2_000 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                queue.append(number)
                model.append(number)
            case 2:
                #expect(queue.popFirst() == model.first, "seed \(seed)")
                model = Array(model.dropFirst())
            default:
                let waiter = model.randomElement(using: &random) ?? number
                #expect(queue.remove(waiter) == model.contains(waiter), "seed \(seed)")
                model.removeAll { $0 == waiter }
            }
            #expect(queue.count == model.count && queue.isEmpty == model.isEmpty, "seed \(seed)")
        }
        while let next = queue.popFirst() {
            #expect(next == model.first, "seed \(seed)")
            model.removeFirst()
        }
        #expect(model.isEmpty, "seed \(seed)")
    }
}
