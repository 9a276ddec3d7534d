import Contract

extension CommandTree {
    static let completions = Command(
        name: "completions", summary: "Print the completion script of a shell",
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
            "source <(letsswitch completions bash)": "In this bash, from now on",
            "letsswitch completions zsh >~/.zfunc/_letsswitch": "In every zsh whose fpath has ~/.zfunc",
            "letsswitch completions fish >~/.config/fish/completions/letsswitch.fish": "In every fish",
        ], run: CompletionsCommand.run)

    /// The command that the scripts of the shells call.
    static let complete = Command(
        name: "complete", summary: "Print the candidates for a place of the command line",
        arguments: [.init(name: "KIND", meaning: "The beginning that it must have")],
        takesFurtherWords: true,
        examples: ["letsswitch complete zones": "The names of time zones"],
        run: CompleteCommand.run)

    static let man = Command(
        name: "man", summary: "Print the manual page",
        examples: [
            "letsswitch man | man -l -": "Read it",
            "letsswitch man >~/.local/share/man/man1/letsswitch.1": "From then on it is: man letsswitch",
        ], run: { $0.console.write(ManualPage.roff) })
}
