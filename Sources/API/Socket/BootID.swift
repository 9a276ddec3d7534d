package import Contract
import Reactor

/// The identity of the current boot of the machine.
package enum BootID {
    private static let path = "/proc/sys/kernel/random/boot_id"

    /// The system does not provide a boot id.
    struct Unknown: Error, CustomStringConvertible {
        package var description: String { "\(path) cannot be read" }
    }

    package static func current() throws -> Identifier {
        let text = try SmallFile.read(path)
        return try Identifier(String(text.prefix { !$0.isNewline })).orThrow(Unknown())
    }
}
