import CLinux
import Glibc

/// A system call that failed, and the `errno` it left.
package enum SystemError: Error, Equatable, CustomStringConvertible {
    case failed(call: String, errno: CInt)

    package var code: CInt {
        switch self {
        case .failed(_, let code): code
        }
    }

    package var description: String {
        switch self {
        case .failed(let call, let code): "\(call): \(String(cString: strerror(code)))"
        }
    }
}

/// Runs a system call that returns -1 and sets `errno` on failure, and retries it while it is interrupted.
@discardableResult
package func system(_ call: StaticString, _ body: () -> CInt) throws(SystemError) -> CInt {
    while true {
        let result = body()
        if result >= 0 { return result }
        let code = errno
        if code != EINTR { throw .failed(call: "\(call)", errno: code) }
    }
}
