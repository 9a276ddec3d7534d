/// The shells that completions are made for.
enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// A script that makes the shell ask `letsswitch complete` for the words that can stand at the cursor.
    var completions: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    /// Bash inserts the word alone. If it lists several words, each is followed by its meaning.
    private static let bashScript = #"""
        # Completions of bash for letsswitch. Try them: source <(letsswitch completions bash)
        _letsswitch() {
            local current=${COMP_WORDS[COMP_CWORD]} line
            COMPREPLY=()
            while IFS= read -r line; do
                if [[ $line == :file ]]; then
                    compopt -o filenames 2>/dev/null
                    mapfile -t COMPREPLY < <(compgen -f -- "$current")
                    return
                fi
                [[ $line != "$current"* ]] || COMPREPLY+=("$line")
            done < <(letsswitch complete -- bash "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
            ((${#COMPREPLY[@]} > 1 && ${COMP_TYPE:-37} != 37 && ${COMP_TYPE:-37} != 42)) ||
                COMPREPLY=("${COMPREPLY[@]%%$'\t'*}")
            COMPREPLY=("${COMPREPLY[@]//$'\t'/  }")
        }
        complete -F _letsswitch letsswitch

        """#

    private static let zshScript = #"""
        #compdef letsswitch
        # Completions of zsh for letsswitch. Keep them as _letsswitch in a folder of $fpath, or try them:
        # source <(letsswitch completions zsh)
        _letsswitch() {
            local -a offers
            offers=(${(f)"$(letsswitch complete -- zsh "${(@)words[2,CURRENT]}" 2>/dev/null)"})
            if [[ $offers == :file ]]; then
                compset -P '--*='
                _files
            else
                offers=("${(@)offers//\\/\\\\}")
                offers=("${(@)offers/$'\t'/:}")
                _describe letsswitch offers
            fi
        }
        if [ "$funcstack[1]" = _letsswitch ]; then
            _letsswitch "$@"
        else
            compdef _letsswitch letsswitch
        fi

        """#

    private static let fishScript = #"""
        # Completions of fish for letsswitch. Keep them as
        # ~/.config/fish/completions/letsswitch.fish, or try them: letsswitch completions fish | source
        function __letsswitch_offers
            set -l token (commandline -ct)
            set -l offers (letsswitch complete -- fish (commandline -opc)[2..-1] "$token" 2>/dev/null)
            if test "$offers" = :file
                set -l option (string match -r '^--[^=]*=' -- $token)
                string join \n -- "$option"(__fish_complete_path (string replace -r '^--[^=]*=' '' -- $token))
            else if string match -q -- '-*' $token
                # Fish itself would also offer options that only contain the characters.
                string match -- "$token*" $offers
            else
                string join \n -- $offers
            end
        end
        complete -c letsswitch -f -a '(command -q letsswitch; and __letsswitch_offers)'

        """#

    /// Returns the text in single quotes, so that the shell takes it literally.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
