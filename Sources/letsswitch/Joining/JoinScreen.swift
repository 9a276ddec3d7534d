import Client
import Contract

/// The join screen as lines: a value in, lines out.
struct JoinScreen {
    /// The seconds before the beginning in which the countdown is big, and those after it in which the start
    /// is shown.
    private static let bigSeconds: Int64 = 10
    private static let startSeconds: Int64 = 3

    let model: JoinModel
    /// The time by the clock of this machine.
    let now: Timestamp
    let columns: Int
    let rows: Int
    var charset = Charset.unicode

    /// Returns the lines of the screen, no more than fit the terminal.
    func lines() -> [ScreenLine] {
        let footer = [ScreenLine(), message, status, ScreenLine(keys, .dim)]
        if model.showsKeys { return explanation(above: footer) }
        let top = [title, ScreenLine()] + countdown + [ScreenLine()]
        // Long tasks take half of the lines that would be empty; the rest is for ales.
        var none = 0
        var spare = max(0, rows - top.count - tasks(&none).count - 1 - footer.count) / 2
        var head = top + tasks(&spare) + [counts]
        let space = max(0, rows - head.count - footer.count)
        for ale in model.ales.suffix(space).reversed() {
            head.append(ScreenLine("  \(LocalClock.timeWithSeconds(ale.at))  ale from \(ale.name)"))
        }
        return fitted(head, footer)
    }

    private var title: ScreenLine {
        let slot: String? =
            if case .waiting(let registration) = model.stage {
                LocalClock.span(registration.slot)
            } else {
                model.slot.map(LocalClock.span)
            }
        return ScreenLine(["Let's Switch", slot].compactMap(\.self).joined(separator: " · "), .bold)
    }

    private var serverNow: Timestamp { now.adding(model.clockOffset) }

    /// Returns the time until that instant in seconds, rounded up.
    private func seconds(until instant: Timestamp) -> Int64 {
        let left = instant.since(serverNow)
        return left.components.seconds + (left.components.attoseconds > 0 ? 1 : 0)
    }

    private var countdown: [ScreenLine] {
        switch model.stage {
        case .looking: return [ScreenLine("Looking for your room …")]
        case .closed: return [ScreenLine("The room closed.")]
        case .waiting(let registration):
            let startsAt = registration.slot.startsAt
            if seconds(until: startsAt) > -Self.startSeconds { return beginning(at: startsAt) }
            return [ScreenLine("Waiting for your room to open …")]
        case .connecting, .inRoom, .interrupted:
            guard let startsAt = model.startsAt, let closesAt = model.closesAt else { return [] }
            if seconds(until: startsAt) > -Self.startSeconds { return beginning(at: startsAt) }
            return [ScreenLine("Ends in \(Countdown.clock(.seconds(seconds(until: closesAt))))")]
        }
    }

    private func beginning(at startsAt: Timestamp) -> [ScreenLine] {
        let left = seconds(until: startsAt)
        let text = left > 0 ? "\(left)" : "Start!"
        guard left <= Self.bigSeconds else {
            return [ScreenLine("Begins in \(Countdown.clock(.seconds(left)))")]
        }
        let big = BigText.lines(text)
        // The big letters are those of English.
        guard left > 0 || ProcessLanguage.current == .english, rows >= 18,
            columns >= 4 + (big.map(TextWidth.of).max() ?? 0)
        else {
            return [left > 0 ? ScreenLine("Begins in \(text)", .green) : ScreenLine("Start!", .green)]
        }
        return [left > 0 ? ScreenLine("Begins in") : ScreenLine()]
            + big.map { ScreenLine("    \($0)", .green) }
    }

    /// Returns the lines of the user's own task and the partners'.
    private func tasks(_ spare: inout Int) -> [ScreenLine] {
        var lines: [ScreenLine] = []
        if let mine {
            let words = model.me.map(SpokenWords.lines(of:)) ?? []
            let you = local("You") + "  "
            lines = wrapped(you, mine, &spare) + below(you, words, &spare) + [ScreenLine()]
        }
        return lines + partners(&spare) + [ScreenLine()]
    }

    private var mine: String? {
        switch model.stage {
        case .waiting(let registration): Self.task(registration.task, registration.tag)
        case .looking, .connecting, .inRoom, .interrupted, .closed:
            model.me.map { Self.task($0.task, $0.tag) + Self.status($0) }
        }
    }

    /// Returns the lines of a text behind its head. A text that is too long goes on below itself, in as many
    /// lines as are to spare.
    private func wrapped(
        _ head: String, _ text: String, _ spare: inout Int, _ style: ScreenLine.Style = .plain
    ) -> [ScreenLine] {
        let indent = TextWidth.of(head)
        let lines = TextWidth.wrap(text, max(1, columns - indent), limit: spare + 1)
        spare -= lines.count - 1
        return lines.enumerated().map { index, line in
            ScreenLine((index == 0 ? head : String(repeating: " ", count: indent)) + line, style)
        }
    }

    /// Returns the lines of texts below those of a task, as far as there are lines to spare.
    private func below(_ head: String, _ texts: [String], _ spare: inout Int) -> [ScreenLine] {
        let indent = String(repeating: " ", count: TextWidth.of(head))
        var lines: [ScreenLine] = []
        for text in texts where spare > 0 {
            spare -= 1
            lines += wrapped(indent, text, &spare)
        }
        return lines
    }

    private func partners(_ spare: inout Int) -> [ScreenLine] {
        let limit = max(1, rows / 3 - 2)
        let width = min(20, model.partners.map { TextWidth.of(SafeText.escape($0.name)) }.max() ?? 0)
        var lines: [ScreenLine] = []
        for partner in model.partners.prefix(limit) {
            let name = TextWidth.fit(SafeText.escape(partner.name), width)
            let text =
                Self.task(partner.task, partner.tag) + (partner.present ? "" : "  " + local("(not here)"))
                + (partner.quiet == true ? "  " + local("(quiet)") : "") + Self.status(partner)
            let head = "\(partner.present ? "●" : "○") \(name)  "
            lines += wrapped(head, text, &spare, partner.present ? .green : .dim)
            lines += below(head, SpokenWords.lines(of: partner), &spare)
        }
        let hidden = model.partners.count - limit
        if hidden > 0 { lines.append(ScreenLine("  and \(hidden) more")) }
        if model.room != nil && model.partners.isEmpty {
            lines.append(ScreenLine("No partner yet. One may still come."))
        }
        return lines
    }

    private static func task(_ task: String?, _ tag: String?) -> String {
        SafeText.escape(task ?? local("no task")) + (tag.map { "  #\(SafeText.escape($0))" } ?? "")
    }

    private static func status(_ member: Member) -> String {
        member.status.map { "  (\(SpokenWords.status($0)))" } ?? ""
    }

    private var counts: ScreenLine {
        if model.room == nil { return ScreenLine() }
        let counts: Text = "Ales: \(model.received) received, \(model.sent) sent"
        let waiting = model.unacknowledged
        return ScreenLine(waiting > 0 ? "\(counts) (\(waiting) on the way)" : counts)
    }

    /// The line with a suggestion for the connection, if there is one, else with the latest event.
    private var message: ScreenLine {
        switch model.health {
        case .healthy: ScreenLine(SafeText.escape(model.message))
        case .unhealthy(let suggestion): ScreenLine(suggestion.said, .yellow)
        }
    }

    /// The line with the state of the connection.
    private var status: ScreenLine {
        if let until = model.nextAttempt {
            let left = max(0, seconds(until: until.adding(model.clockOffset)))
            return left > 0
                ? ScreenLine("○ Connection lost; again in \(left) s, at once with any key", .yellow)
                : ScreenLine("○ Connection lost; again now", .yellow)
        }
        switch model.stage {
        case .closed: return ScreenLine()
        case .looking, .waiting:
            return model.link == .connected
                ? ScreenLine("● In touch with the server", .dim)
                : ScreenLine("○ Reaching the server …", .yellow)
        case .connecting, .interrupted: return ScreenLine("○ Entering the room …", .yellow)
        case .inRoom:
            guard let time = model.roundTrip else { return ScreenLine("● Connected", .dim) }
            return ScreenLine("● Connected, \(PingStatistics.rounded(time)) ms", .dim)
        }
    }

    /// The columns that the long text on the keys needs.
    private static let keysColumns = 56

    private var keys: Text {
        let help: Text = model.showsKeys ? "? hides this" : "? shows keys"
        if model.room == nil { return "q leaves · \(help)" }
        let long: Text = "space or Enter sends an ale · q leaves · \(help)"
        return columns < max(Self.keysColumns, TextWidth.of(long.local))
            ? "space: ale · q leaves · \(help)" : long
    }

    /// Returns the screen that explains the keys: the title and the countdown stay.
    private func explanation(above footer: [ScreenLine]) -> [ScreenLine] {
        let rows = [
            [local("space, Enter"), local("send an ale")], ["r", local("say that you are ready, or not")],
            ["g", local("say that you are getting ready, or not")], ["q", local("leave")],
            ["?", local("hide this again")],
            ["Ctrl-Z", local("suspend; fg resumes")], ["Ctrl-C", local("end at once")],
            [local("any key"), local("retry a lost connection")],
        ]
        let keys = Table.lines(rows).map { ScreenLine("  \($0)") }
        let sound = [ScreenLine(), ScreenLine("no sound: --no-bell, \(JoinSound.variable)=off", .dim)]
        return fitted([title, ScreenLine()] + countdown + [ScreenLine()] + keys + sound, footer)
    }

    /// Returns lines that fit the terminal, with the footer at the end. If there is little room, empty lines
    /// go first, then the top.
    private func fitted(_ head: [ScreenLine], _ footer: [ScreenLine]) -> [ScreenLine] {
        let space = max(0, rows - head.count - footer.count)
        var all = head + Array(repeating: ScreenLine(), count: space) + footer
        while all.count > rows, let empty = all.firstIndex(where: \.text.isEmpty) { all.remove(at: empty) }
        return all.suffix(rows).map { $0.fitted(columns, charset) }
    }
}
