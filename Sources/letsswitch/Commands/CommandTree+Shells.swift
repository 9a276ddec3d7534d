extension CommandTree {
    static let completions = Command(
        name: "completions", summary: "Print what teaches your shell the commands and options",
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

    static let man = Command(
        name: "man", summary: "Print the manual page",
        examples: [
            .init(line: "letsswitch man | man -l -", meaning: "Read it"),
            .init(
                line: "letsswitch man >~/.local/share/man/man1/letsswitch.1",
                meaning: "From then on it is: man letsswitch"),
        ], run: ManCommand.run)
}
