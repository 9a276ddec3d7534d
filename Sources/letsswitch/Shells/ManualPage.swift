import Contract

/// The page for man(1), made from the command tree. The form is that of man(7), and the language English, as
/// of pages that are installed without a language.
enum ManualPage {
    private static let description =
        "You say what you will do, and when. You meet a person who works at that time. Each sees the "
        + "other's task, and each can cheer the other on: an ale. Results go to standard output, errors to "
        + "standard error."

    static var roff: String {
        var page = """
            .TH LETSSWITCH 1 "" "Let\\(aqs Switch" "User Commands"
            .SH NAME
            letsswitch \\- register a task, meet a partner, and cheer each other on
            .SH SYNOPSIS
            .B letsswitch
            .I COMMAND
            .RI [ OPTIONS ]
            .SH DESCRIPTION
            \(text(description))
            .SH COMMANDS

            """
        for command in CommandTree.commands { page += section(command) }
        page += ".SH OPTIONS\nEvery command takes these.\n"
        for option in Command.everywhere { page += entry(Help.spelling(option), option.meaning.description) }
        page += ".SH EXIT STATUS\n"
        for (code, meaning) in Help.exitCodes { page += entry("\(code)", meaning) }
        page += ".SH ENVIRONMENT\n"
        for (name, meaning) in Help.variables { page += entry(name, meaning) }
        page += ".SH FILES\n"
        page += entry(
            "$XDG_CONFIG_HOME/letsswitch/token",
            "The token of the one who is signed in, and the server that it is for, in ~/.config where "
                + "XDG_CONFIG_HOME is not set; while the token is replaced, the new one too. A file that "
                + "others can read is refused")
        page += entry(
            "$XDG_CONFIG_HOME/letsswitch/unshown",
            "Secrets that could not be shown when they were made, until \"letsswitch token show\" has shown "
                + "them")
        page += entry(
            "$XDG_CONFIG_HOME/letsswitch/last-list, complete-*",
            "The list that was printed last on a terminal, by whose numbers entries are named, and what "
                + "shells have asked for, to complete it. They may be removed at any time")
        return page
    }

    private static func section(_ command: Command) -> String {
        var page = ".SS \(text(command.name))\n\(text(command.summary.description)).\n"
        page += ".PP\n.B \(text(Help.usage(command)))\n"
        let details = command.details.description
        if !details.isEmpty {
            let sentences = details.split(separator: "\n").map { text(String($0)) }
            page += ".PP\n\(sentences.joined(separator: "\n"))\n"
        }
        for argument in command.arguments { page += entry(argument.name, argument.meaning.description) }
        for option in command.options { page += entry(Help.spelling(option), option.meaning.description) }
        for (line, meaning) in command.examples {
            let meaning = text(meaning.description)
            page += ".PP\n\(meaning):\n.PP\n.RS 4\n.nf\n\(text(line))\n.fi\n.RE\n"
        }
        return page
    }

    private static func entry(_ name: String, _ meaning: String) -> String {
        ".TP\n.B \(text(name))\n\(text(meaning)).\n"
    }

    /// Returns the text in ASCII, with nothing in it that is taken for a request or an escape.
    private static func text(_ text: String) -> String {
        var escaped = text.first == "." || text.first == "'" ? "\\&" : ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "'": escaped += "\\(aq"
            case "\"": escaped += "\\(dq"
            case "`": escaped += "\\(ga"
            case "^": escaped += "\\(ha"
            case "~": escaped += "\\(ti"
            case "…": escaped += "..."
            case _ where scalar.isASCII: escaped.unicodeScalars.append(scalar)
            default:
                let code = String(scalar.value, radix: 16, uppercase: true)
                escaped += "\\[u" + String(repeating: "0", count: max(0, 4 - code.count)) + code + "]"
            }
        }
        return escaped
    }
}
