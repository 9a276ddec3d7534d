import CLinux
import Glibc

/// A runner of blocking work on a thread of its own: processes, disks and polls must not block a loop.
package enum BlockingThread {
    /// Runs the body on a new thread, and returns its result. The body is not cancelled, so it must limit its
    /// own time.
    ///
    /// If the system has no thread left, the body runs in place, which blocks the caller.
    package static func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, Failure>, Never>) in
            start { continuation.resume(returning: Result(catching: body)) }
        }
        return try result.get()
    }

    /// Starts a detached thread that ends with the body. If the system has no thread left, the body runs in
    /// place.
    static func start(_ body: @escaping @Sendable () -> Void) {
        if !detach(body) { body() }
    }

    /// Starts a detached thread that ends with the body; returns false if the system has no thread left.
    package static func detach(_ body: @escaping @Sendable () -> Void) -> Bool {
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        guard pthread_create(&thread, nil, Work.run, work.toOpaque()) == 0 else {
            work.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
            guard let argument else { return nil }
            // `takeRetainedValue` balances the one retain of `detach`.
            Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
            return nil
        }
    }
}
