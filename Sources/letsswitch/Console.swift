import Contract
import Glibc

/// The output of a command, in the form that was asked for. Results go to standard output, errors to standard
/// error.
struct Console: Sendable {
    let isJSON: Bool
    /// Whether only results and errors are written, without confirmations and progress.
    let isQuiet: Bool
    let isTerminal: Bool
    let hasColor: Bool
    /// The characters of the output. Files and programs get UTF-8, whatever the terminal can show.
    private let charset: Charset

    init(isJSON: Bool, isQuiet: Bool) {
        self.isJSON = isJSON
        self.isQuiet = isQuiet
        isTerminal = isatty(STDOUT_FILENO) == 1
        // By no-color.org the variable counts if it is present and not empty, whatever its value.
        let refusesColor = !(Environment["NO_COLOR"] ?? "").isEmpty || Environment["TERM"] == "dumb"
        charset = isTerminal ? .current : .unicode
        hasColor = isTerminal && !refusesColor && !isJSON
    }

    // A literal is a text, which is said in the language of the process. Other strings are written as they
    // are.

    /// Writes a line of the result, for people.
    @_disfavoredOverload
    func line(_ text: String) { if !isJSON { write(text + "\n") } }

    func line(_ text: Text) { line(text.local) }

    /// Writes a confirmation or progress, for people, unless --quiet was given.
    @_disfavoredOverload
    func note(_ text: String) { if !isQuiet { line(text) } }

    func note(_ text: Text) { note(text.local) }

    /// Writes a question for the one at the terminal, on standard error.
    func ask(_ text: Text) {
        Self.write(Array(charset.show("\(text.local) ").utf8), to: STDERR_FILENO)
    }

    /// Writes how to act on what was printed, for people at a terminal: a line on standard error.
    func advise(_ text: Text) { advise(text.local) }

    @_disfavoredOverload
    func advise(_ text: String) {
        guard isTerminal, !isJSON, !isQuiet, isatty(STDERR_FILENO) == 1 else { return }
        Self.write(Array(charset.show(dim(text) + "\n").utf8), to: STDERR_FILENO)
    }

    /// Writes one object of the result, for programs.
    func json(_ value: some Encodable) {
        guard isJSON, let bytes = try? JSON.encode(value) else { return }
        Self.write(bytes + [UInt8(ascii: "\n")], to: STDOUT_FILENO)
    }

    /// Writes a diagnostic: a line of JSON on standard error, in every form of output.
    func diagnostic(_ value: some Encodable) {
        guard let bytes = try? JSON.encode(value) else { return }
        Self.write(bytes + [UInt8(ascii: "\n")], to: STDERR_FILENO)
    }

    func write(_ text: String) { Self.write(charset.show(text)) }

    /// Writes the text unchanged to standard output.
    static func write(_ text: String) { write(Array(text.utf8), to: STDOUT_FILENO) }

    func warn(_ text: Text) { warn(text.local) }

    @_disfavoredOverload
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
