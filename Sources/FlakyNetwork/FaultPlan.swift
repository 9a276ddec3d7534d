/// The faults of one direction of a connection: bytes in, steps out.
///
/// Until the upgrade a direction is one message, and a fault hits it at a byte that was drawn. After it the
/// plan decides for each frame; over TLS it does so for each record, from the first one on. Decisions depend
/// on the seed, the connection, the direction and the number of the message only, not on how the bytes are
/// cut.
struct FaultPlan {
    enum Step: Equatable, Sendable {
        case pass([UInt8], after: Duration)
        /// A message is held back until `release`.
        case held
        case reset
        case halfOpen
    }

    /// The number of first bytes that faults before the upgrade hit; a request's head has that many.
    private static let headBytes = 256

    /// The longest head of an answer that is read, in bytes.
    private static let longestHead = 64 * 1024

    private enum Phase {
        /// The bytes so far of the head of the server's first answer, until that head is complete.
        case head([UInt8])
        /// Plain HTTP.
        case bytes
        /// Frames, or records of TLS, which only the two ends can read.
        case frames(FrameSplitter)
        /// The connection was reset, or is silent.
        case over
    }

    let tally: FlakyTally
    private var faults: Faults
    private var phase: Phase
    private var dice: FaultDice
    /// The dice for control frames, which come by the clock: their decisions must not shift those of
    /// messages.
    private var controlDice: FaultDice
    /// The number of bytes that came before the upgrade.
    private var passed = 0
    private let resetAt: Int?
    private let halfOpenAt: Int?
    private let corruptAt: Int?
    private var firstDelay: Duration
    private var held: [UInt8]?

    /// Creates a plan. `stream` is different for each connection and direction. `readsHead`: an answer of 101
    /// begins the frames. `isSecure`: the connection uses TLS, and its content cannot be read.
    init(
        _ faults: Faults, seed: UInt64, stream: UInt64, readsHead: Bool, isSecure: Bool = false,
        counting tally: FlakyTally = FlakyTally()
    ) {
        self.faults = faults
        self.tally = tally
        phase = isSecure ? .frames(FrameSplitter(isSecure: true)) : readsHead ? .head([]) : .bytes
        dice = FaultDice(seed: seed, stream: stream &* 2)
        controlDice = FaultDice(seed: seed, stream: stream &* 2 &+ 1)
        resetAt = Self.place(faults.reset, &dice)
        halfOpenAt = Self.place(faults.halfOpen, &dice)
        corruptAt = Self.place(faults.corruption, &dice)
        firstDelay = dice.delay(faults.delay)
    }

    private static func place(_ probability: Double, _ dice: inout FaultDice) -> Int? {
        let place = Int.random(in: 0..<headBytes, using: &dice)
        return dice.happens(probability) ? place : nil
    }

    /// Applies other faults to the messages from now on.
    mutating func change(to faults: Faults) { self.faults = faults }

    /// Reads the bytes that follow as frames.
    mutating func upgrade() {
        if case .bytes = phase { phase = .frames(FrameSplitter()) }
    }

    /// Whether the bytes are frames, or records of TLS.
    var isInFrames: Bool {
        if case .frames = phase { true } else { false }
    }

    mutating func receive(_ bytes: [UInt8]) -> [Step] {
        switch phase {
        case .over: return []
        case .head(let begun): return head(begun + bytes)
        case .bytes: return before(bytes)
        case .frames(var splitter):
            splitter.receive(bytes)
            var steps: [Step] = []
            while let piece = splitter.next() {
                steps += decide(piece)
                if case .over = phase { return steps }
            }
            phase = .frames(splitter)
            return steps
        }
    }

    /// Ends the direction. Returns the steps for a held message, and for bytes that made no frame.
    mutating func finish() -> [Step] {
        switch phase {
        case .head(let begun):
            phase = .bytes
            return before(begun)
        case .frames(var splitter):
            var steps = release()
            if case .raw(let rest)? = splitter.takeRest() { steps.append(.pass(rest, after: .zero)) }
            return steps
        case .bytes, .over: return []
        }
    }

    /// Returns the steps for a message that was held back, if nothing has overtaken it.
    mutating func release() -> [Step] {
        held.take().map { [.pass($0, after: .zero)] } ?? []
    }

    private mutating func head(_ bytes: [UInt8]) -> [Step] {
        guard let end = Self.end(of: bytes) else {
            phase = bytes.count > Self.longestHead ? .bytes : .head(bytes)
            return bytes.count > Self.longestHead ? before(bytes) : []
        }
        phase = .bytes
        guard bytes.starts(with: Array("HTTP/1.1 101 ".utf8)) else { return before(bytes) }
        let steps = before(Array(bytes[..<end]))
        upgrade()
        return steps + receive(Array(bytes[end...]))
    }

    private static func end(of head: [UInt8]) -> Int? {
        let mark = Array("\r\n\r\n".utf8)
        guard head.count >= mark.count else { return nil }
        return (0...(head.count - mark.count)).first { head[$0..<($0 + mark.count)].elementsEqual(mark) }
            .map { $0 + mark.count }
    }

    private mutating func before(_ bytes: [UInt8]) -> [Step] {
        var bytes = bytes
        let range = passed..<(passed + bytes.count)
        if let corruptAt, range.contains(corruptAt) {
            tally.counters.corrupted += 1
            bytes[corruptAt - passed] ^= 1
        }
        passed = range.upperBound
        defer { firstDelay = .zero }
        let ends: [(Int, Step)] = [(resetAt, Step.reset), (halfOpenAt, .halfOpen)].compactMap { place, step in
            place.flatMap { range.contains($0) ? ($0, step) : nil }
        }
        guard let (place, step) = ends.min(by: { $0.0 < $1.0 }) else {
            return [.pass(bytes, after: firstDelay)]
        }
        let head = Array(bytes.prefix(place - range.lowerBound))
        return (head.isEmpty ? [] : [.pass(head, after: firstDelay)]) + end(step)
    }

    private mutating func end(_ step: Step) -> [Step] {
        phase = .over
        held = nil
        return [step]
    }

    private mutating func decide(_ piece: FrameSplitter.Piece) -> [Step] {
        switch piece {
        case .message(let frame, let payload): return decide(frame, payload)
        case .fragment(let frame):
            let (hasReset, isSilent) = (dice.happens(faults.reset), dice.happens(faults.halfOpen))
            let delay = dice.delay(faults.delay)
            if hasReset || isSilent { return end(hasReset ? .reset : .halfOpen) }
            return release() + [.pass(frame, after: delay)]
        case .control(let frame):
            let (hasReset, isSilent) = (
                controlDice.happens(faults.reset), controlDice.happens(faults.halfOpen)
            )
            if hasReset || isSilent { return end(hasReset ? .reset : .halfOpen) }
            return [.pass(frame, after: controlDice.delay(faults.delay))]
        case .raw(let bytes): return release() + [.pass(bytes, after: .zero)]
        }
    }

    /// Decides on one message. The draws have one order, whatever is decided.
    private mutating func decide(_ frame: [UInt8], _ payload: Int) -> [Step] {
        tally.counters.messages += 1
        let hasReset = dice.happens(faults.reset)
        let isSilent = dice.happens(faults.halfOpen)
        let isLost = dice.happens(faults.loss)
        let isDoubled = dice.happens(faults.duplication)
        let isLate = dice.happens(faults.reordering)
        let isDamaged = dice.happens(faults.corruption)
        let bit = dice.next()
        let delay = dice.delay(faults.delay)
        if hasReset || isSilent { return end(hasReset ? .reset : .halfOpen) }
        if isLost {
            tally.counters.lost += 1
            return []
        }
        var frame = frame
        if isDamaged && frame.count > payload {
            tally.counters.corrupted += 1
            let place = payload + Int(bit >> 3) % (frame.count - payload)
            frame[place] ^= 1 << UInt8(bit & 7)
        }
        if isDoubled {
            tally.counters.duplicated += 1
            frame += frame
        }
        if isLate && held == nil {
            tally.counters.reordered += 1
            held = frame
            return [.held]
        }
        return [.pass(frame, after: delay)] + release()
    }
}
