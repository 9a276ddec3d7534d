import CLinux
import Glibc

/// A system call that failed, and the `errno` it left.
package struct SystemError: Error, Equatable, CustomStringConvertible {
    private let call: String
    package let code: CInt

    package static func failed(call: String, errno code: CInt) -> SystemError {
        SystemError(call: call, code: code)
    }

    /// Whether nothing listens at the address that was connected to.
    package var isRefusal: Bool { code == ECONNREFUSED }

    /// Whether the peer did not answer in time.
    package var isTimeout: Bool { code == ETIMEDOUT }

    /// Whether the machine has no way to addresses of that family.
    package var isWithoutRoute: Bool { [ENETUNREACH, EADDRNOTAVAIL, EAFNOSUPPORT].contains(code) }

    /// Whether the process, or the system, has no descriptor left.
    package var isOutOfDescriptors: Bool { Self.isOutOfDescriptors(code) }

    static func isOutOfDescriptors(_ code: CInt) -> Bool { code == EMFILE || code == ENFILE }

    /// Whether the operation was cancelled, or its loop has ended.
    package var isCancellation: Bool { code == ECANCELED }

    /// The system's message for the error, without the name of the call.
    package var reason: String { String(cString: strerror(code)) }

    package var description: String { "\(call): \(reason)" }
}

/// Runs a system call that returns -1 and sets `errno` on failure, and retries it while it is interrupted.
/// A failure for want of descriptors is noted in the budget of the process.
@discardableResult
package func system(_ call: StaticString, _ body: () -> CInt) throws(SystemError) -> CInt {
    while true {
        let result = body()
        if result >= 0 { return result }
        let code = errno
        if code == EINTR { continue }
        if SystemError.isOutOfDescriptors(code) { DescriptorBudget.process.ranOut() }
        throw .failed(call: "\(call)", errno: code)
    }
}
