import Contract

/// One command: the source of its parsing and help, and its action.
struct Command: Sendable {
    /// The completions that a shell may offer for a value.
    enum Completion: Hashable, Sendable {
        /// No completion, since only the user knows the value.
        case nothing
        case file
        case words([String])
        /// The entries of the account that the server has now.
        case entries(EntryKind)
        /// The names of time zones.
        case zones
    }

    /// An argument that is given by its position.
    struct Argument: Sendable {
        let name: String
        let meaning: Text
        var isOptional = false
        var completion = Completion.nothing
    }

    /// An option that is given by its name.
    struct Option: Sendable {
        let name: String
        var short: Character?
        /// The word for the option's value in help; nil: a switch.
        var value: String?
        var isRepeatable = false
        var isRequired = false
        var completion = Completion.nothing
        let meaning: Text
    }

    let name: String
    /// Other names of the command, which help and completions of its group show.
    var aliases: [String] = []
    /// The summary of the command, in a few words, for the list of commands.
    let summary: Text
    /// The sentences for the command's own help.
    var details: Text = ""
    var arguments: [Argument] = []
    /// Whether any words can follow the arguments.
    var takesFurtherWords = false
    var options: [Option] = []
    /// Command lines, and what each does.
    let examples: KeyValuePairs<String, Text>
    let run: @Sendable (Invocation) async throws -> Void

    /// The options of this command and those of every command.
    var allOptions: [Option] { options + Self.everywhere }

    static let everywhere: [Option] = [
        Option(
            name: "server", value: "URL",
            meaning:
                "Where the service is, http:// or https://. Default: LETSSWITCH_URL, else "
                + "\(Invocation.defaultServer)"
        ),
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
        Option(
            name: "timeout", value: "DURATION",
            meaning: "Give up after that long, such as 30, 0.5, 5m or 2h, with exit code 8"),
        Option(name: "quiet", short: "q", meaning: "Print results and errors only"),
        Option(name: "help", short: "h", meaning: "Print this help"),
        Option(name: "version", meaning: "Print which version of letsswitch this is"),
    ]
}
