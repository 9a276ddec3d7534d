/// One command: what parsing and help are made from, and what it does.
struct Command: Sendable {
    /// What a shell may offer in a place.
    enum Completion: Hashable, Sendable {
        /// Only the person knows.
        case nothing
        case file
        case words([String])
    }

    /// Something given by its place.
    struct Argument: Sendable {
        let name: String
        let meaning: String
        var isOptional = false
        var completion = Completion.nothing
    }

    /// Something given by its name.
    struct Option: Sendable {
        let name: String
        var short: Character?
        /// The word for its value in help; nil: a switch.
        var value: String?
        var isRepeatable = false
        var isRequired = false
        var completion = Completion.nothing
        let meaning: String
    }

    struct Example: Sendable {
        let line: String
        let meaning: String
    }

    let name: String
    /// A few words for the list of commands.
    let summary: String
    /// Sentences for its own help.
    var details = ""
    var arguments: [Argument] = []
    var options: [Option] = []
    let examples: [Example]
    let run: @Sendable (Invocation) async throws -> Void

    /// Its own and those of every command.
    var allOptions: [Option] { options + Self.everywhere }

    static let everywhere: [Option] = [
        Option(
            name: "server", value: "URL",
            meaning: "Where the service is, http:// or https://. Default: LETSSWITCH_URL, else "
                + Invocation.defaultServer),
        Option(
            name: "cacert", value: "FILE", completion: .file,
            meaning:
                "For https: trust the authorities in this PEM file only. Default: LETSSWITCH_CACERT, else "
                + "the system's"),
        Option(
            name: "pin", value: "PIN", isRepeatable: true,
            meaning:
                "For https: the server has this key, or another one given: sha256//BASE64. doctor shows it"),
        Option(name: "json", meaning: "Print JSON for programs: one object on a line"),
        Option(name: "timeout", value: "SECONDS", meaning: "Give up after that long, with exit code 8"),
        Option(name: "quiet", short: "q", meaning: "Print results and errors only"),
        Option(name: "help", short: "h", meaning: "Print this help"),
    ]
}
