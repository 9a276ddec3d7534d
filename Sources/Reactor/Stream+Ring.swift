import CLinux
import Glibc

/// The requests of a stream on a loop with a ring.
///
/// While the stream is read from, one request brings whatever arrives. What has arrived after the stream was
/// paused is held until it is read from again. Bytes are submitted at the end of a turn, together with the
/// next wait, and nothing else happens on the loop until the kernel has taken what it takes at once.
final class RingRequests {
    let generation: UInt32
    /// Whether the kernel reads.
    var isReceiving = false
    /// Whether the kernel was told to read no more.
    var isCancelling = false
    /// The bytes that have arrived while the stream was paused.
    var held: [UInt8] = []
    /// Whether the end of what the peer sends has arrived after it.
    var hasHeldEnd = false
    var willDeliver = false
    /// The events that are polled for; nil for no poll.
    var polled: EventSet?
    /// The bytes that were submitted, and what became of them: the count, or a negated `errno`.
    var submitted = 0
    var sent = 0
    /// Gets the socket once the kernel does not read it any more.
    var detaching: ((Stream.Detached?) -> Void)?

    init(generation: UInt32) { self.generation = generation }

    /// Whether something has arrived that was not delivered.
    var hasHeld: Bool { !held.isEmpty || hasHeldEnd }
}

extension Stream {
    // Receiving.

    func completed(_ completion: Ring.Completion, in ring: Ring) {
        guard let requests else { return }
        switch completion.token.kind {
        case .receive:
            receivedByRing(completion, requests, ring)
        case .poll:
            // A poll that was cancelled has made way for another one.
            if completion.result == -ECANCELED { return }
            if completion.result < 0 || !completion.hasMore { requests.polled = nil }
            // Where the kernel reads, that request tells of an error, after the bytes before it.
            let told: EventSet = requests.isReceiving ? .writable : [.writable, .error, .hangUp]
            let events = EventSet(rawValue: UInt32(bitPattern: max(0, completion.result)))
            ready(events.intersection(told))
            updateRequests()
        default: break
        }
    }

    private func receivedByRing(_ completion: Ring.Completion, _ requests: RingRequests, _ ring: Ring) {
        if !completion.hasMore { (requests.isReceiving, requests.isCancelling) = (false, false) }
        if let buffer = completion.buffer, completion.result > 0 {
            ring.withBuffer(buffer, count: Int(completion.result)) { received(&$0, requests) }
            if completion.hasMore && interest == .readable { return }
        } else {
            if let buffer = completion.buffer { ring.withBuffer(buffer, count: 0) { _ in } }
            switch -completion.result {
            case 0: endArrived(requests)
            // There was no buffer, or the request was told to end.
            case ENOBUFS, ECANCELED, EINTR, EAGAIN: break
            default: if requests.detaching == nil { fail(-completion.result) } else { endArrived(requests) }
            }
        }
        updateRequests()
    }

    private func received(_ bytes: inout MutableRawSpan, _ requests: RingRequests) {
        let count = bytes.byteCount
        traffic.received &+= UInt64(count)
        loop.traffic.received &+= UInt64(count)
        if mustHold(requests) {
            bytes.withUnsafeBytes { requests.held.append(contentsOf: $0) }
            delegate?.heldBytesChanged()
        } else {
            delegate?.received(&bytes)
        }
    }

    private func endArrived(_ requests: RingRequests) {
        if mustHold(requests) { requests.hasHeldEnd = true } else { receivedNothing(isEnd: true) }
    }

    private func mustHold(_ requests: RingRequests) -> Bool {
        isPaused || requests.hasHeld || requests.detaching != nil
    }

    /// Delivers what was held, now that the stream is read from again.
    private func deliverHeld() {
        guard let requests else { return }
        requests.willDeliver = false
        guard descriptor >= 0, !isPaused, requests.detaching == nil else { return }
        var bytes: [UInt8] = []
        swap(&bytes, &requests.held)
        if !bytes.isEmpty {
            delegate?.heldBytesChanged()
            var span = bytes.mutableSpan
            var raw = span.mutableBytes
            delegate?.received(&raw)
        }
        if descriptor >= 0, !isPaused, requests.hasHeldEnd {
            requests.hasHeldEnd = false
            receivedNothing(isEnd: true)
        }
        updateRequests()
    }

    // Requests.

    /// Makes the requests that the state of the stream wants, and ends those that it does not.
    func updateRequests() {
        guard descriptor >= 0, let requests, let ring = loop.ring else { return }
        let receive = Ring.Token(.receive, descriptor, requests.generation)
        if requests.detaching != nil || !interest.contains(.readable) {
            // A stream that is paused for a moment, and to which nothing comes meanwhile, keeps its request.
            if requests.isReceiving, !requests.isCancelling, requests.hasHeld || requests.detaching != nil {
                ring.cancel(receive)
                requests.isCancelling = true
            }
        } else if requests.hasHeld {
            deliverLater(requests)
        } else if !requests.isReceiving {
            ring.receive(receive)
            requests.isReceiving = true
        }
        pollAsWanted(requests, ring)
        if !requests.isReceiving, let body = requests.detaching.take() {
            body(release(with: requests.held))
        }
    }

    private func deliverLater(_ requests: RingRequests) {
        if requests.willDeliver { return }
        requests.willDeliver = true
        let stream = LoopBound(self, to: loop)
        loop.execute { stream.value.deliverHeld() }
    }

    private func pollAsWanted(_ requests: RingRequests, _ ring: Ring) {
        let events = polledEvents(requests)
        if events == requests.polled { return }
        let poll = Ring.Token(.poll, descriptor, requests.generation)
        if requests.polled != nil { ring.cancel(poll) }
        if let events { ring.poll(poll, events) }
        requests.polled = events
    }

    /// The events to poll for; nil for no poll. A poll for none tells of an error or a hang-up.
    private func polledEvents(_ requests: RingRequests) -> EventSet? {
        if requests.detaching != nil { return nil }
        if interest.contains(.writable) { return .writable }
        return requests.isReceiving || interest != [] ? nil : []
    }

    /// Ends all requests, before the descriptor is closed.
    func cancelRequests() {
        guard let requests, let ring = loop.ring else { return }
        if requests.isReceiving, !requests.isCancelling {
            ring.cancel(Ring.Token(.receive, descriptor, requests.generation))
        }
        if requests.polled != nil { ring.cancel(Ring.Token(.poll, descriptor, requests.generation)) }
        // A request that was not submitted yet names the descriptor, which may be another socket's soon.
        ring.submit()
    }

    // Sending.

    /// Submits the pending bytes with the next wait.
    func submitOutput(_ requests: RingRequests) {
        guard let start = output.start, let ring = loop.ring else { return }
        (requests.submitted, requests.sent) = (output.count, output.count)
        ring.send(Ring.Token(.send, descriptor, requests.generation), start, output.count)
        loop.sending.append(self)
    }

    /// Whether a caller waits until the bytes are sent.
    var wantsSettling: Bool { tellsWhenDrained || isFinishing }

    /// Notes that not all submitted bytes were sent: how many were, or a negated `errno`.
    func sendFailed(_ result: Int32) { requests?.sent = Int(result) }

    /// Takes the bytes that were sent from those that wait. Calls no callback.
    func settle() {
        guard descriptor >= 0, let requests, requests.sent > 0 else { return }
        consume(requests.sent)
    }

    /// Goes on after the submitted bytes were sent, or some of them.
    func tellSettled() {
        guard descriptor >= 0, let requests else { return }
        let code = CInt(min(0, requests.sent))
        if [EINTR, ECANCELED].contains(-code) { return flushSoon() }
        if code < 0, code != -EAGAIN { return fail(-code) }
        // More may have been written meanwhile, also to a stream that waited for room.
        if requests.sent == requests.submitted, output.count > 0 { return flushSoon() }
        flushed()
    }
}
