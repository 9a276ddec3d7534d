import CLinux
import Glibc

/// A value behind a mutex, for whose changes threads can wait. Waiting blocks the thread, so it is not for
/// loops.
///
/// Unchecked: the value is touched only while the mutex is held, by the functions here.
package final class Monitor<Value>: @unchecked Sendable {
    /// The result of a check by a waiting thread.
    package enum Finding<Result> {
        case found(Result)
        /// There is nothing yet; the check is repeated after a change, or at that instant in monotonic
        /// nanoseconds.
        case nothing(until: UInt64?)
    }

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Changes the value, and wakes the waiting threads. The body is short, and must not block.
    package func change<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return body(&value)
    }

    /// Reads the value.
    package func read<Result>(_ body: (borrowing Value) -> sending Result) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(value)
    }

    /// Blocks until the body finds something; then other waiting threads are woken, since the body may have
    /// changed the value.
    package func wait<Result>(_ body: (inout Value) -> Finding<Result>) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        while true {
            switch body(&value) {
            case .found(let result): return result
            case .nothing(until: nil): pthread_cond_wait(condition, mutex)
            case .nothing(until: .some(let instant)):
                var time = timespec()
                time.tv_sec = Int(instant / 1_000_000_000)
                time.tv_nsec = Int(instant % 1_000_000_000)
                pthread_cond_timedwait(condition, mutex, &time)
            }
        }
    }
}
