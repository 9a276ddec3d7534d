/// The shells that completions are made for.
enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// A script that teaches the shell the commands and their options.
    var completions: String {
        switch self {
        case .bash: BashCompletions.script
        case .zsh: ZshCompletions.script
        case .fish: FishCompletions.script
        }
    }

    /// Returns the text in single quotes, so that the shell takes it literally.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
