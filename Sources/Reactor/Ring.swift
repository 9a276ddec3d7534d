import CLinux
import Glibc

/// One io_uring of the kernel (io_uring(7)): requests are written to a queue in shared memory, and one system
/// call submits them and waits for completions, which come by another queue.
///
/// Loop only, but for the initializer. Unsafe memory: the queues, the requests and the buffers are mapped for
/// as long as the ring lives; an index into a queue is always masked by the queue's size.
final class Ring {
    /// The wish of a request.
    enum Kind: UInt64 {
        /// Bytes of a socket, again and again, each time in another buffer of the ring.
        case receive
        /// That bytes are sent; only a failure, or a part, is reported.
        case send
        /// The events of a descriptor, again and again.
        case poll
        /// One connection of a listening socket.
        case accept
        /// That something is ready in the epoll of the loop.
        case epoll
        /// That another thread has woken the loop, again and again.
        case wakeup
        /// The end of another request.
        case cancel
    }

    /// The name of a request, which its completions carry.
    struct Token: Equatable {
        let value: UInt64

        init(value: UInt64) { self.value = value }

        init(_ kind: Kind, _ descriptor: CInt, _ generation: UInt32) {
            value =
                kind.rawValue << 60 | UInt64(generation & 0x0FFF_FFFF) << 32
                | UInt64(UInt32(bitPattern: descriptor))
        }

        var kind: Kind? { Kind(rawValue: value >> 60) }
        var descriptor: Int { Int(UInt32(truncatingIfNeeded: value)) }
        var generation: UInt32 { UInt32(truncatingIfNeeded: value >> 32) & 0x0FFF_FFFF }
    }

    struct Completion {
        let token: Token
        /// The result that the call would have; a negated `errno` for a failure.
        let result: Int32
        let flags: UInt32

        /// Whether the request goes on, and further completions follow.
        var hasMore: Bool { flags & IORING_CQE_F_MORE != 0 }
        /// The number of the buffer that the bytes are in; nil for none.
        var buffer: UInt16? {
            flags & IORING_CQE_F_BUFFER != 0 ? UInt16(truncatingIfNeeded: flags >> 16) : nil
        }
    }

    private static let bufferSize = 1024
    private static let bufferGroup: UInt16 = 1

    private let bufferCount: Int
    private let descriptor: OwnedDescriptor
    private let parameters: io_uring_params
    private let queues: Mapping
    private let requestMemory: Mapping
    private let bufferRing: Mapping
    private let buffers: Mapping
    /// The end of the requests that were written, and of those that were submitted.
    private var written: UInt32 = 0
    private var submitted: UInt32 = 0
    private var bufferTail: UInt16 = 0
    /// The completions that came when there were more than places for them.
    private var backlog: [Completion] = []
    /// The buffers that completions have brought, and that were not lent to the kernel again.
    private(set) var borrowed = 0

    /// Creates a ring, which only the thread that calls `enable` may use. Throws if the kernel has no
    /// io_uring of 6.1 or later, or does not permit it. What exceeds the places for completions waits in the
    /// kernel; `buffers` is a power of two.
    init(requests: UInt32 = 1024, completions: UInt32 = 8192, buffers count: Int = 512) throws(SystemError) {
        bufferCount = count
        var parameters = io_uring_params()
        parameters.flags =
            IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP | IORING_SETUP_SUBMIT_ALL
            | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_R_DISABLED
        parameters.cq_entries = completions
        descriptor = OwnedDescriptor(
            adopting: try system("io_uring_setup") { ring_setup(requests, &parameters) })
        self.parameters = parameters
        let raw = descriptor.raw
        let requestEnd = Int(parameters.sq_off.array) + Int(parameters.sq_entries) * 4
        let completionEnd =
            Int(parameters.cq_off.cqes) + Int(parameters.cq_entries) * MemoryLayout<io_uring_cqe>.size
        queues = try Mapping(max(requestEnd, completionEnd), of: raw, at: IORING_OFF_SQ_RING)
        requestMemory = try Mapping(
            Int(parameters.sq_entries) * MemoryLayout<io_uring_sqe>.size, of: raw, at: UInt64(IORING_OFF_SQES)
        )
        bufferRing = try Mapping(bufferCount * MemoryLayout<io_uring_buf>.size)
        buffers = try Mapping(bufferCount * Self.bufferSize)
        var registration = io_uring_buf_reg()
        registration.ring_addr = UInt64(UInt(bitPattern: bufferRing.start))
        registration.ring_entries = UInt32(bufferCount)
        registration.bgid = Self.bufferGroup
        try system("io_uring_register") {
            ring_register(raw, UInt32(IORING_REGISTER_PBUF_RING), &registration, 1)
        }
        // A request is always in the place of its number.
        let places = queues.start + Int(parameters.sq_off.array)
        for index in 0..<parameters.sq_entries {
            places.storeBytes(of: index, toByteOffset: Int(index) * 4, as: UInt32.self)
        }
        for id in 0..<UInt16(bufferCount) { lend(id) }
    }

    /// Makes the calling thread the one that uses the ring.
    func enable() throws(SystemError) {
        let raw = descriptor.raw
        try system("io_uring_register") { ring_register(raw, UInt32(IORING_REGISTER_ENABLE_RINGS), nil, 0) }
    }

    // Requests.

    func receive(_ token: Token) {
        fill(
            IORING_OP_RECV, token, flags: UInt8(1 << IOSQE_BUFFER_SELECT_BIT),
            priority: UInt16(IORING_RECV_MULTISHOT), bufferGroup: Self.bufferGroup)
    }

    /// Asks for all of these bytes to be sent at once, and for a report unless they were. They have to stay
    /// until `enter` has returned.
    func send(_ token: Token, _ bytes: UnsafeRawPointer, _ count: Int) {
        fill(
            IORING_OP_SEND, token, flags: UInt8(1 << IOSQE_CQE_SKIP_SUCCESS_BIT),
            address: UInt64(UInt(bitPattern: bytes)),
            length: UInt32(count),
            operation: UInt32(MSG_NOSIGNAL | MSG_DONTWAIT | MSG_WAITALL))
    }

    /// Asks whether a descriptor is readable, or for the moment at which it is.
    func pollReadable(_ token: Token) {
        fill(IORING_OP_POLL_ADD, token, operation: EventSet.readable.rawValue)
    }

    /// Asks for these events, and for errors and hang-ups, as they come. The kernel also reports that the
    /// peer has ended, for as long as it is so: a request for the next event alone would be over at once.
    func poll(_ token: Token, _ events: EventSet) {
        fill(
            IORING_OP_POLL_ADD, token, length: UInt32(IORING_POLL_ADD_MULTI), operation: events.rawValue)
    }

    /// Asks for one connection. A request for all of them (`IORING_ACCEPT_MULTISHOT`) would open as many
    /// descriptors as connections wait, before the loop can count the first.
    func accept(_ token: Token) {
        fill(
            IORING_OP_ACCEPT, token,
            operation: UInt32(SOCK_NONBLOCK.rawValue) | UInt32(SOCK_CLOEXEC.rawValue))
    }

    /// Asks to be woken by each write to an eventfd, which need not be read.
    func watchWakeup(_ eventfd: CInt) {
        poll(Token(.wakeup, eventfd, 0), .readable)
    }

    /// Ends every request of that name.
    func cancel(_ token: Token) {
        fill(
            IORING_OP_ASYNC_CANCEL, Token(.cancel, -1, 0), descriptor: -1,
            flags: UInt8(1 << IOSQE_CQE_SKIP_SUCCESS_BIT), address: token.value,
            operation: IORING_ASYNC_CANCEL_ALL)
    }

    private func fill(
        _ code: io_uring_op, _ token: Token, descriptor: CInt? = nil, flags: UInt8 = 0, priority: UInt16 = 0,
        address: UInt64 = 0, length: UInt32 = 0, operation: UInt32 = 0, bufferGroup: UInt16 = 0
    ) {
        if written &- submitted == parameters.sq_entries { submit() }
        let index = Int(written & (parameters.sq_entries - 1))
        let places = requestMemory.start.assumingMemoryBound(to: io_uring_sqe.self)
        ring_fill(
            places + index, UInt8(code.rawValue), flags, priority,
            descriptor ?? CInt(truncatingIfNeeded: token.descriptor), address, length, operation, bufferGroup,
            token.value)
        written &+= 1
    }

    // Submitting and waiting.

    /// Submits the requests, and waits for a completion: until that instant in monotonic nanoseconds, for
    /// ever if it is nil, and not at all if it has passed.
    func enter(until due: UInt64?) {
        var time = __kernel_timespec()
        var arguments = io_uring_getevents_arg()
        var least: UInt32 = isEmpty ? 1 : 0
        if let due, least > 0 {
            let now = Monotonic.nanoseconds()
            if due <= now { least = 0 }
            let left = due > now ? due - now : 0
            (time.tv_sec, time.tv_nsec) = (Int64(left / 1_000_000_000), Int64(left % 1_000_000_000))
        }
        store_release(word(parameters.sq_off.tail), written)
        let raw = descriptor.raw
        _ = withUnsafePointer(to: &time) { time in
            if due != nil && least > 0 { arguments.ts = UInt64(UInt(bitPattern: time)) }
            return ring_enter(
                raw, written &- submitted, least, IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG, &arguments,
                MemoryLayout<io_uring_getevents_arg>.size)
        }
        submit()
        gatherOverflow()
    }

    /// Fetches the completions that had no place, after those that had one, so that all of them are known.
    private func gatherOverflow() {
        while load_acquire(word(parameters.sq_off.flags)) & IORING_SQ_CQ_OVERFLOW != 0 {
            takePlaced { backlog.append($0) }
            if ring_enter(descriptor.raw, 0, 0, IORING_ENTER_GETEVENTS, nil, 0) < 0 { sched_yield() }
        }
    }

    /// Submits the requests that the kernel has not taken. It takes all of them at once, unless its memory is
    /// short.
    func submit() {
        store_release(word(parameters.sq_off.tail), written)
        submitted = load_acquire(word(parameters.sq_off.head))
        while written != submitted {
            if ring_enter(descriptor.raw, written &- submitted, 0, 0, nil, 0) <= 0 { sched_yield() }
            submitted = load_acquire(word(parameters.sq_off.head))
        }
    }

    /// Whether no completion is there.
    private var isEmpty: Bool {
        load_acquire(word(parameters.cq_off.tail)) == load_acquire(word(parameters.cq_off.head))
    }

    /// Calls the body with each completion that is there, in order, without taking it.
    func peek(_ body: (Completion) -> Void) {
        for completion in backlog { body(completion) }
        var head = load_acquire(word(parameters.cq_off.head))
        let tail = load_acquire(word(parameters.cq_off.tail))
        while head != tail {
            body(completion(head))
            head &+= 1
        }
    }

    /// Takes the completions that are there now, in order.
    func take(_ body: (Completion) -> Void) {
        var waiting: [Completion] = []
        swap(&waiting, &backlog)
        for completion in waiting {
            if completion.buffer != nil { borrowed += 1 }
            body(completion)
        }
        takePlaced { completion in
            if completion.buffer != nil { borrowed += 1 }
            body(completion)
        }
    }

    private func takePlaced(_ body: (Completion) -> Void) {
        var head = load_acquire(word(parameters.cq_off.head))
        let tail = load_acquire(word(parameters.cq_off.tail))
        while head != tail {
            let next = completion(head)
            head &+= 1
            store_release(word(parameters.cq_off.head), head)
            body(next)
        }
    }

    private func completion(_ number: UInt32) -> Completion {
        let all = (queues.start + Int(parameters.cq_off.cqes)).assumingMemoryBound(to: io_uring_cqe.self)
        let entry = all + Int(number & (parameters.cq_entries - 1))
        return Completion(
            token: Token(value: entry.pointee.user_data), result: entry.pointee.res,
            flags: entry.pointee.flags)
    }

    private func word(_ offset: UInt32) -> UnsafeMutablePointer<UInt32> {
        (queues.start + Int(offset)).assumingMemoryBound(to: UInt32.self)
    }

    // Buffers.

    /// Calls the body with the bytes of a buffer, and then lends it to the kernel again.
    func withBuffer(_ id: UInt16, count: Int, _ body: (inout MutableRawSpan) -> Void) {
        let start = buffers.start + Int(id) % bufferCount * Self.bufferSize
        let bytes = UnsafeMutableRawBufferPointer(start: start, count: min(count, Self.bufferSize))
        var span = bytes.mutableBytes
        body(&span)
        lend(id)
        borrowed -= 1
    }

    private func lend(_ id: UInt16) {
        let ring = bufferRing.start.assumingMemoryBound(to: io_uring_buf_ring.self)
        let start = buffers.start + Int(id) % bufferCount * Self.bufferSize
        ring_lend(ring, bufferTail & UInt16(bufferCount - 1), start, UInt32(Self.bufferSize), id)
        bufferTail &+= 1
        ring_publish(ring, bufferTail)
    }
}

/// Memory that is shared with the kernel. It is unmapped with its owner.
private final class Mapping {
    let start: UnsafeMutableRawPointer
    private let size: Int

    /// Maps a part of a ring.
    convenience init(_ size: Int, of ring: CInt, at offset: UInt64) throws(SystemError) {
        try self.init(size, MAP_SHARED | MAP_POPULATE, ring, off_t(offset))
    }

    /// Maps fresh memory, at a page boundary.
    convenience init(_ size: Int) throws(SystemError) {
        try self.init(size, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    }

    private init(_ size: Int, _ flags: CInt, _ descriptor: CInt, _ offset: off_t) throws(SystemError) {
        guard let start = mmap(nil, size, PROT_READ | PROT_WRITE, flags, descriptor, offset),
            start != MAP_FAILED
        else { throw .failed(call: "mmap", errno: errno) }
        self.start = start
        self.size = size
    }

    deinit { munmap(start, size) }
}
