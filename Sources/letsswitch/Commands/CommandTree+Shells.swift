import Contract

extension CommandTree {
    static let completions = Command(
        name: "completions", summary: "Print what teaches your shell the commands and options",
        details: """
            The shell then also completes what is yours now: registrations, rooms, people, endpoints,
            calendars and tokens. It asks the server for that, and waits for no longer than a second.
            """,
        arguments: [
            .init(
                name: "SHELL", meaning: "bash, zsh or fish",
                completion: .words(Shell.allCases.map(\.rawValue)))
        ],
        examples: [
            .init(line: "source <(letsswitch completions bash)", meaning: "In this bash, from now on"),
            .init(
                line: "letsswitch completions zsh >~/.zfunc/_letsswitch",
                meaning: "In every zsh whose fpath has ~/.zfunc"),
            .init(
                line: "letsswitch completions fish >~/.config/fish/completions/letsswitch.fish",
                meaning: "In every fish"),
        ], run: CompletionsCommand.run)

    /// The command that the scripts of the shells call.
    static let complete = Command(
        name: "complete", summary: "Print what may stand in a place of the command line",
        arguments: [.init(name: "KIND", meaning: "What it has to be")],
        takesFurtherWords: true,
        examples: [.init(line: "letsswitch complete zones", meaning: "The names of time zones")],
        run: CompleteCommand.run)

    static let man = Command(
        name: "man", summary: "Print the manual page",
        examples: [
            .init(line: "letsswitch man | man -l -", meaning: "Read it"),
            .init(
                line: "letsswitch man >~/.local/share/man/man1/letsswitch.1",
                meaning: "From then on it is: man letsswitch"),
        ], run: { $0.console.write(ManualPage.roff) })
}
