import CLinux
import Glibc

/// A group of loops, each on a thread of its own.
package final class EventLoopGroup: Sendable {
    package let loops: [EventLoop]
    private let threads: Lock<[pthread_t]>

    /// Starts `count` threads named `name-0`, `name-1` and so on.
    package convenience init(
        count: Int, name: String, _ mechanism: EventLoop.Mechanism = .standard
    ) throws(SystemError) {
        precondition(count > 0)
        var loops: [EventLoop] = []
        for index in 0..<count { loops.append(try EventLoop(name: "\(name)-\(index)", mechanism)) }
        try self.init(loops)
    }

    /// Starts a thread for each loop, with its name.
    init(_ loops: [EventLoop]) throws(SystemError) {
        self.loops = loops
        threads = Lock(try loops.map { loop throws(SystemError) in try Self.start(loop) })
    }

    /// Stops the loops, and waits for their threads. It must not be called on one of them.
    package func shutdown() {
        for loop in loops { loop.stop() }
        let running = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in running { pthread_join(thread, nil) }
    }

    private static func start(_ loop: EventLoop) throws(SystemError) -> pthread_t {
        var thread = pthread_t()
        // The thread owns this retain, and releases it when the loop has ended.
        let argument = Unmanaged.passRetained(loop).toOpaque()
        let code = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let loop = Unmanaged<EventLoop>.fromOpaque(argument).takeRetainedValue()
                pthread_setname_np(pthread_self(), String(loop.name.prefix(15)))
                loop.run()
                return nil
            }, argument)
        if code != 0 {
            Unmanaged<EventLoop>.fromOpaque(argument).release()
            throw .failed(call: "pthread_create", errno: code)
        }
        return thread
    }
}
