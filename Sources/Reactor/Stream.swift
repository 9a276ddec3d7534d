import CLinux
import Glibc

/// A receiver of a stream's events. Called on the loop's thread only.
package protocol StreamDelegate: AnyObject {
    /// Called when bytes have arrived. They may be changed in place, and are valid only during the call.
    func received(_ bytes: inout MutableRawSpan)
    /// Called when the peer sends no more. The stream can still be written to, and still has to be closed.
    func ended()
    /// Called when the connection broke, or its loop has ended. The stream is closed already.
    func failed(_ error: SystemError)
    /// Called when all written bytes were sent, unless `tellsWhenDrained` is off.
    func drained()
    /// Called, also during a write, when `heldBytes` of the stream has changed. It must not close the stream.
    func heldBytesChanged()
}

extension StreamDelegate {
    package func heldBytesChanged() {}
}

/// The numbers of bytes that were received and sent.
package struct Traffic: Equatable, Sendable {
    package var received: UInt64 = 0
    package var sent: UInt64 = 0

    package init() {}

    package static func += (left: inout Traffic, right: Traffic) {
        left.received &+= right.received
        left.sent &+= right.sent
    }
}

/// A connected socket on one loop. Loop only.
///
/// The bytes written in a turn of the loop are sent at its end, in one system call. The owner closes the
/// stream; a stream that broke has closed itself before `failed` is called.
package final class Stream: RequestHandler {
    package let loop: EventLoop
    /// The receiver of events. It is kept until the stream is closed or detached, so an owner needs no other
    /// reference.
    package var delegate: (any StreamDelegate)?
    var descriptor: CInt
    var output = OutputBuffer()
    private var isTouched = false
    var isPaused = false
    /// Whether the peer sends no more.
    package internal(set) var hasEnded = false
    var isFinishing = false
    /// Whether the socket is closed for writing.
    private var isShutDown = false
    /// Whether `drained` is called. A delegate that does not need it saves the call after each write.
    package var tellsWhenDrained = true
    var interest: EventSet
    /// The bytes of this connection until now.
    package internal(set) var traffic = Traffic()
    /// The requests of the stream; nil on a loop without a ring.
    var requests: RingRequests?

    /// Adopts the descriptor, which must be non-blocking, and starts to read.
    package init(adopting descriptor: consuming OwnedDescriptor, on loop: EventLoop) throws(SystemError) {
        self.loop = loop
        self.descriptor = descriptor.release()
        interest = .readable
        do throws(SystemError) {
            if loop.ring == nil {
                try loop.register(self.descriptor, interest, handler: self)
            } else {
                requests = RingRequests(generation: loop.registerRequests(self.descriptor, handler: self))
                updateRequests()
            }
        } catch {
            _ = Glibc.close(self.descriptor)
            self.descriptor = -1
            throw error
        }
    }

    deinit {
        // The loop holds every registered stream, so a stream that is released was closed, or its loop has
        // ended.
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
        output.free()
    }

    package var isOpen: Bool { descriptor >= 0 }

    /// The number of written bytes that were not sent yet.
    package var pendingBytes: Int { output.count }

    /// The bytes of memory that the stream holds: output that is more than a small block, and input that has
    /// arrived while it was paused. None once it is closed.
    package var heldBytes: Int { output.largeBytes + (requests?.held.count ?? 0) }

    /// Whether the socket took no more at the last write, and some bytes still wait.
    package var isBehind: Bool { interest.contains(.writable) }

    /// Has the kernel take no more bytes than it can send soon: at most so many, at least 1, wait unsent in
    /// it (`TCP_NOTSENT_LOWAT`). Where it cannot be set, the kernel takes as many as it likes.
    package func limitUnsent(to bytes: Int32) {
        if descriptor >= 0 { setOption(CInt(IPPROTO_TCP), TCP_NOTSENT_LOWAT, to: bytes, of: descriptor) }
    }

    /// Queues bytes, which are sent at the end of the turn. It does nothing on a closed stream.
    package func write(_ bytes: RawSpan) {
        guard descriptor >= 0 else { return }
        let held = output.largeBytes
        output.append(bytes, pool: loop.outputBlocks)
        if output.largeBytes != held { delegate?.heldBytesChanged() }
        // A full socket is written to when the loop reports that it takes bytes again.
        if isTouched || interest.contains(.writable) { return }
        isTouched = true
        loop.touch(self)
    }

    package func write(_ bytes: [UInt8]) { write(bytes.span.bytes) }

    /// Stops or resumes reading, which pushes back on the peer.
    package func setPaused(_ paused: Bool) {
        guard paused != isPaused else { return }
        isPaused = paused
        updateInterest()
    }

    /// Closes the socket for writing once all written bytes were sent: the peer sees the end.
    package func finishWriting() {
        guard descriptor >= 0 else { return }
        isFinishing = true
        if output.count == 0 { return shutDownWriting() }
        if requests == nil { return flush() }
        // The stream may be closed before this turn ends.
        push()
        if output.count == 0 { flushed() } else { flushSoon() }
    }

    /// Sends at once the bytes that the socket takes, to make room for further ones. The delegate is not
    /// called before the turn ends, so that this may be called at any point.
    package func push() {
        while output.count > 0 && descriptor >= 0 {
            let sent = send(descriptor, output.start, output.count, CInt(MSG_NOSIGNAL))
            if sent < 0 {
                if errno == EINTR { continue }
                return  // The error is found at the end of the turn.
            }
            consume(sent)
        }
    }

    /// Closes at once; unsent bytes are dropped. The delegate is not called.
    package func close() {
        guard descriptor >= 0 else { return }
        let detaching = requests?.detaching.take()
        defer { detaching?(nil) }
        cancelRequests()
        requests?.held = []
        loop.unregister(descriptor)
        _ = Glibc.close(descriptor)
        descriptor = -1
        delegate = nil
        output.release(to: loop.outputBlocks)
    }

    /// A socket that a stream has released, with the bytes that were read and not delivered.
    package struct Detached: Sendable {
        package let descriptor: CInt
        package let bytes: [UInt8]
    }

    /// Releases the socket for another loop to adopt, and calls the body with it: at once, or once the kernel
    /// reads no more of it. The body gets nil if bytes are unsent, the stream is closed, or its loop ends.
    package func detach(_ body: @escaping (Detached?) -> Void) {
        guard descriptor >= 0, output.count == 0 else { return body(nil) }
        delegate = nil
        if let requests {
            requests.detaching = body
            return updateRequests()
        }
        body(release(with: []))
    }

    func release(with bytes: [UInt8]) -> Detached {
        loop.unregister(descriptor)
        defer { descriptor = -1 }
        return Detached(descriptor: descriptor, bytes: bytes)
    }

    /// The address of the peer, if it has one.
    package var peer: SocketAddress? { descriptor >= 0 ? SocketAddress.peer(of: descriptor) : nil }

    package func ready(_ events: EventSet) {
        if events.contains(.readable) && !isPaused && !hasEnded {
            let buffer = loop.readBuffer
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 {
                traffic.received &+= UInt64(count)
                loop.traffic.received &+= UInt64(count)
                // The kernel has just written the prefix, and no other read happens on this loop meanwhile.
                let filled = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
                var span = filled.mutableBytes
                delegate?.received(&span)
            } else {
                receivedNothing(isEnd: count == 0)
            }
        } else if events == .hangUp && !hasEnded && (isShutDown || !isPaused) {
            // Both sides have sent their ends, and what the peer sent before its own is still to be read. The
            // hang-up is reported for as long as it is watched for: again, and then at the resumption. A
            // stream that was resumed in this turn is read from in the next one.
            if isPaused { watch(.once) }
        } else if !events.isDisjoint(with: [.error, .hangUp]) {
            fail(ECONNRESET)
        }
        if descriptor >= 0 && events.contains(.writable) { flushSoon() }
    }

    /// Sends the pending bytes that the socket takes: at once, or on a ring at the end of the turn.
    func flushSoon() {
        if requests == nil { return flush() }
        if isTouched { return }
        isTouched = true
        loop.touch(self)
    }

    package func loopEnded() {
        fail(ECANCELED)
    }

    /// Handles the end of what the peer sends, or the error of the last system call.
    func receivedNothing(isEnd: Bool) {
        if isEnd {
            hasEnded = true
            updateInterest()
            delegate?.ended()
        } else if errno != EAGAIN && errno != EINTR {
            fail(errno)
        }
    }

    private func shutDownWriting() {
        guard descriptor >= 0 else { return }
        isShutDown = true
        _ = shutdown(descriptor, CInt(SHUT_WR))
    }

    /// Sends the pending bytes that the socket takes; the loop calls it at the end of a turn.
    func flush() {
        isTouched = false
        guard output.count > 0 else {
            releaseOutput()
            return updateInterest()
        }
        if let requests { return submitOutput(requests) }
        while output.count > 0 && descriptor >= 0 {
            let sent = send(descriptor, output.start, output.count, CInt(MSG_NOSIGNAL))
            if sent < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN { break }
                fail(errno)
                return
            }
            consume(sent)
        }
        flushed()
    }

    /// Goes on after the socket took what it takes now.
    func flushed() {
        guard descriptor >= 0 else { return }
        if output.count == 0 {
            let hadWaited = interest.contains(.writable)
            releaseOutput()
            if hadWaited { updateInterest() }
            if isFinishing { shutDownWriting() }
            if tellsWhenDrained { delegate?.drained() }
        } else {
            updateInterest()
        }
    }

    private func releaseOutput() {
        let held = output.largeBytes
        output.release(to: loop.outputBlocks)
        if held > 0 { delegate?.heldBytesChanged() }
    }

    func consume(_ sent: Int) {
        output.consume(sent)
        traffic.sent &+= UInt64(sent)
        loop.traffic.sent &+= UInt64(sent)
    }

    func updateInterest() {
        guard descriptor >= 0 else { return }
        var wanted: EventSet = isPaused || hasEnded ? [] : .readable
        if output.count > 0 && !isTouched { wanted.insert(.writable) }
        watch(wanted)
    }

    private func watch(_ wanted: EventSet) {
        guard wanted != interest else { return }
        interest = wanted
        if requests != nil { return updateRequests() }
        do throws(SystemError) { try loop.modify(descriptor, wanted) } catch { fail(error.code) }
    }

    func fail(_ code: CInt) {
        guard descriptor >= 0 else { return }
        let delegate = delegate
        close()
        delegate?.failed(.failed(call: "socket", errno: code))
    }
}
