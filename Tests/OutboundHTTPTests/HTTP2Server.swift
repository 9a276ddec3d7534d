import Reactor
import TLS
import TLSTesting

/// An HTTP/2 server (RFC 9113) on loopback that answers each request with 200 and can send GOAWAY. It reads
/// no header fields. It stops when it is deallocated.
///
/// Unchecked: the state is touched on the server's loop alone, but for the lock.
final class HTTP2Server: @unchecked Sendable {
    /// The counters of one connection.
    struct Figures: Equatable, Sendable {
        /// The number of streams that were opened before the first answer was sent.
        var streamsBeforeAnswer = 0
        var streams = 0
    }

    private enum FrameType: UInt8 {
        case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate, continuation
    }

    private final class Talk {
        var read = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8).count
        var waiting: [UInt32] = []
        var pingsLeft = HTTP2Server.roundTrips
        var hasAnswered = false
        var hasLeft = false
    }

    /// The number of round trips for which the first answer of a connection waits, so that a client that
    /// sends more has the time to.
    private static let roundTrips = 3

    private let state = Lock<[ObjectIdentifier: Figures]>([:])
    private var talks: [ObjectIdentifier: (TLSTalk, Talk)] = [:]
    /// After as many requests on the first connection it is told to go away, and only the first half of them
    /// is answered.
    private let goesAwayAfter: Int
    private var hasGoneAway = false
    private var endpoint: TLSEndpoint?

    init(_ identity: Identity, goesAwayAfter: Int) async throws {
        self.goesAwayAfter = goesAwayAfter
        endpoint = try await TLSEndpoint(identity, speaksHTTP2: true) { [weak self] talk, event in
            switch event {
            case .established: self?.write(.settings, to: talk)
            case .received: self?.received(talk)
            case .ended, .failed, .drained: break
            }
        }
    }

    var port: UInt16 { endpoint?.port ?? 0 }

    /// The figures of each connection.
    var figures: [Figures] { state.withLock { Array($0.values) } }

    private func received(_ talk: TLSTalk) {
        let id = ObjectIdentifier(talk)
        let mine = talks[id, default: (talk, Talk())].1
        talks[id] = (talk, mine)
        while talk.received.count >= mine.read + 9 {
            let head = Array(talk.received[mine.read..<(mine.read + 9)])
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard talk.received.count >= mine.read + 9 + length else { return }
            let payload = Array(talk.received[(mine.read + 9)..<(mine.read + 9 + length)])
            mine.read += 9 + length
            let stream = head[5..<9].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            handle(FrameType(rawValue: head[3]), flags: head[4], stream, payload, talk, mine)
        }
    }

    private func handle(
        _ type: FrameType?, flags: UInt8, _ stream: UInt32, _ payload: [UInt8], _ talk: TLSTalk, _ mine: Talk
    ) {
        let isEndOfStream = flags & 1 != 0
        switch type {
        case .settings: if flags & 1 == 0 { write(.settings, flags: 1, to: talk) }
        case .headers:
            state.withLock { all in
                all[ObjectIdentifier(talk), default: Figures()].streams += 1
                if !mine.hasAnswered { all[ObjectIdentifier(talk)]?.streamsBeforeAnswer += 1 }
            }
            if isEndOfStream { complete(stream, talk, mine) }
        case .data: if isEndOfStream { complete(stream, talk, mine) }
        case .ping: if flags & 1 != 0 { pinged(talk, mine) }
        case .reset: mine.waiting.removeAll { $0 == stream }
        case .priority, .pushPromise, .goAway, .windowUpdate, .continuation, nil: break
        }
    }

    /// Records a whole request. The first one is answered after some round trips.
    private func complete(_ stream: UInt32, _ talk: TLSTalk, _ mine: Talk) {
        if mine.hasLeft { return }
        mine.waiting.append(stream)
        guard mine.hasAnswered else {
            if mine.waiting.count == 1 { write(.ping, payload: [UInt8](repeating: 0, count: 8), to: talk) }
            return
        }
        guard hasGoneAway else {
            if mine.waiting.count == goesAwayAfter { goAway(talk, mine) }
            return
        }
        answer(talk, mine)
    }

    private func pinged(_ talk: TLSTalk, _ mine: Talk) {
        mine.pingsLeft -= 1
        guard mine.pingsLeft <= 0 else {
            return write(.ping, payload: [UInt8](repeating: 0, count: 8), to: talk)
        }
        mine.hasAnswered = true
        answer(talk, mine)
    }

    private func goAway(_ talk: TLSTalk, _ mine: Talk) {
        (hasGoneAway, mine.hasLeft) = (true, true)
        mine.waiting = Array(mine.waiting.prefix(goesAwayAfter / 2))
        let last = mine.waiting.last ?? 0
        write(.goAway, payload: Self.bytes(last) + Self.bytes(0), to: talk)
        answer(talk, mine)
    }

    private func answer(_ talk: TLSTalk, _ mine: Talk) {
        // ":status: 200" of the static table (RFC 7541, appendix A). The flags end header and stream.
        for stream in mine.waiting { write(.headers, flags: 5, stream, payload: [0x88], to: talk) }
        mine.waiting = []
    }

    private func write(
        _ type: FrameType, flags: UInt8 = 0, _ stream: UInt32 = 0, payload: [UInt8] = [], to talk: TLSTalk
    ) {
        let length = [UInt8(payload.count >> 16), UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        talk.stream?.write(length + [type.rawValue, flags] + Self.bytes(stream) + payload)
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
