/// The latest message ids of one member, and the ale that each became.
struct MessageIdMemory {
    private var numbers: [String: Int64] = [:]
    private var order: [String] = []
    private var oldest = 0

    func number(of messageId: String) -> Int64? { numbers[messageId] }

    /// Forgets the oldest where there are `capacity`.
    mutating func remember(_ messageId: String, _ number: Int64, capacity: Int) {
        numbers[messageId] = number
        if order.count < capacity {
            order.append(messageId)
        } else {
            numbers[order[oldest]] = nil
            order[oldest] = messageId
            oldest = (oldest + 1) % capacity
        }
    }
}
