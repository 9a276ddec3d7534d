import Contract
import Glibc

/// What is written, and in which form. Results go to standard output, errors to standard error.
struct Console: Sendable {
    let isJSON: Bool
    /// No confirmations and no progress: results and errors only.
    let isQuiet: Bool
    let isTerminal: Bool
    let hasColor: Bool
    /// Files and programs get UTF-8, whatever the terminal can show.
    private let charset: Charset

    init(isJSON: Bool, isQuiet: Bool) {
        self.isJSON = isJSON
        self.isQuiet = isQuiet
        isTerminal = isatty(STDOUT_FILENO) == 1
        // no-color.org: present and not empty, whatever it says.
        let refusesColor = !(Environment["NO_COLOR"] ?? "").isEmpty || Environment["TERM"] == "dumb"
        charset = isTerminal ? .current : .unicode
        hasColor = isTerminal && !refusesColor && !isJSON
    }

    /// A line of the result, for people.
    func line(_ text: String) { if !isJSON { write(text + "\n") } }

    /// A confirmation or progress, for people who want it.
    func note(_ text: String) { if !isQuiet { line(text) } }

    /// One object of the result, for programs.
    func json(_ value: some Encodable) {
        guard isJSON, let bytes = try? JSON.encode(value) else { return }
        Self.write(bytes + [UInt8(ascii: "\n")], to: STDOUT_FILENO)
    }

    /// For whoever looks for a fault: a line of JSON on standard error, in every form of output.
    func diagnostic(_ value: some Encodable) {
        guard let bytes = try? JSON.encode(value) else { return }
        Self.write(bytes + [UInt8(ascii: "\n")], to: STDERR_FILENO)
    }

    func write(_ text: String) { Self.write(charset.show(text)) }

    /// As it is, to standard output.
    static func write(_ text: String) { write(Array(text.utf8), to: STDOUT_FILENO) }

    func warn(_ text: String) {
        if !isQuiet { Self.write(Array("letsswitch: \(text)\n".utf8), to: STDERR_FILENO) }
    }

    func fail(_ failure: Failure) {
        if isJSON {
            Self.write(failure.document + [UInt8(ascii: "\n")], to: STDERR_FILENO)
            return
        }
        var text = "letsswitch: \(SafeText.escape(failure.detail))\n"
        for particular in failure.particulars { text += "  \(SafeText.escape(particular))\n" }
        Self.write(Array(text.utf8), to: STDERR_FILENO)
    }

    func bold(_ text: String) -> String { style(text, "1") }
    func dim(_ text: String) -> String { style(text, "2") }
    func green(_ text: String) -> String { style(text, "32") }
    func yellow(_ text: String) -> String { style(text, "33") }

    private func style(_ text: String, _ code: String) -> String {
        hasColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    private static func write(_ bytes: [UInt8], to descriptor: CInt) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }
}
