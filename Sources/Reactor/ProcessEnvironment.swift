import CLinux
import Glibc

/// The environment variables of this process.
package enum ProcessEnvironment {
    /// Returns a copy of all variables. Nothing in the process may call `setenv` meanwhile.
    package static func current() -> [String: String] {
        var variables: [String: String] = [:]
        var next = process_environment()
        while let entry = next?.pointee {
            let text = String(cString: entry)
            if let sign = text.firstIndex(of: "=") {
                variables[String(text[..<sign])] = String(text[text.index(after: sign)...])
            }
            next = next?.advanced(by: 1)
        }
        return variables
    }
}
