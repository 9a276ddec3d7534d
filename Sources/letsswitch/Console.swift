import Contract
import Glibc
import Reactor

/// The output of a command, in the form that was asked for. Results go to standard output, errors to standard
/// error.
struct Console: Sendable {
    let isJSON: Bool
    /// Whether only results and errors are written, without confirmations and progress.
    let isQuiet: Bool
    /// Whether standard error has lines of JSON only.
    let hasDiagnostics: Bool
    let isTerminal: Bool
    let hasColor: Bool
    /// The characters of the output. Files and programs get UTF-8, whatever the terminal can show.
    private let charset: Charset

    init(isJSON: Bool, isQuiet: Bool, hasDiagnostics: Bool = false) {
        self.isJSON = isJSON
        self.isQuiet = isQuiet
        self.hasDiagnostics = hasDiagnostics
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
        Self.say(Array(charset.show("\(text.local) ").utf8))
    }

    /// Writes how to act on what was printed, for people at a terminal: a line on standard error.
    func advise(_ text: Text) { advise(text.local) }

    @_disfavoredOverload
    func advise(_ text: String) {
        guard isTerminal, !isJSON, !isQuiet, !hasDiagnostics, isatty(STDERR_FILENO) == 1 else { return }
        Self.say(Array(charset.show(dim(text) + "\n").utf8))
    }

    /// Writes one object of the result, for programs.
    func json(_ value: some Encodable) {
        guard isJSON, let bytes = try? JSON.encode(value) else { return }
        write(bytes + [UInt8(ascii: "\n")])
    }

    /// Writes one object of the result, its members in the order of their names.
    func json(_ value: JSONValue) { if isJSON { write(value.bytes + [UInt8(ascii: "\n")]) } }

    /// Writes a diagnostic: a line of JSON on standard error, in every form of output.
    func diagnostic(_ value: some Encodable) {
        guard let bytes = try? JSON.encode(value) else { return }
        Self.say(bytes + [UInt8(ascii: "\n")])
    }

    func write(_ text: String) { write(Array(charset.show(text).utf8)) }

    /// Writes the text unchanged to standard output.
    static func write(_ text: String) { Console(isJSON: false, isQuiet: false).write(Array(text.utf8)) }

    func warn(_ text: Text) { warn(text.local) }

    @_disfavoredOverload
    func warn(_ text: String) {
        if isQuiet { return }
        if hasDiagnostics {
            let warning: JSONValue = ["detail": .string(text), "event": "warning"]
            return Self.say(warning.bytes + [UInt8(ascii: "\n")])
        }
        Self.say(Array("letsswitch: \(text)\n".utf8))
    }

    func fail(_ failure: Failure) {
        if isJSON || hasDiagnostics {
            Self.say(failure.document + [UInt8(ascii: "\n")])
            return
        }
        var text = "letsswitch: \(SafeText.escape(failure.detail))\n"
        for particular in failure.particulars { text += "  \(SafeText.escape(particular))\n" }
        Self.say(Array(text.utf8))
    }

    func bold(_ text: String) -> String { style(text, .bold) }
    func dim(_ text: String) -> String { style(text, .dim) }
    func green(_ text: String) -> String { style(text, .green) }
    func yellow(_ text: String) -> String { style(text, .yellow) }

    private func style(_ text: String, _ style: ScreenLine.Style) -> String {
        hasColor ? style.apply(to: text) : text
    }

    /// Writes bytes of the result unchanged to standard output.
    func write(_ bytes: [UInt8]) {
        do throws(StandardStreams.OutputError) {
            try StandardStreams.write(bytes)
        } catch {
            end(error)
        }
    }

    /// Writes to standard error. A failure has no place where it could be reported.
    private static func say(_ bytes: [UInt8]) { try? writeAll(bytes, to: STDERR_FILENO) }

    /// Ends the process because the results cannot be written: by SIGPIPE if their reader has ended, as other
    /// programs do, and otherwise with a failure.
    private func end(_ error: StandardStreams.OutputError) -> Never {
        TerminalMode.restore()
        Interruption.cleanUp()
        let advice = UnshownSecrets.advice
        let detail = [local("Standard output cannot be written: \(error.cause.reason)."), advice?.local]
        let failure = Failure(
            .other, "Standard output cannot be written",
            Text(verbatim: detail.compactMap(\.self).joined(separator: " ")))
        // A reader that has seen enough is no fault, but for a secret.
        if error.isBrokenPipe, advice == nil { StandardStreams.endByBrokenPipe() }
        fail(failure)
        if error.isBrokenPipe { StandardStreams.endByBrokenPipe() }
        exit(failure.code.rawValue)
    }
}
