import Contract

/// The join screen as lines of text: a value in, lines out.
enum JoinScreen {
    static func lines(_ model: JoinModel, now: Timestamp, columns: Int, rows: Int) -> [String] {
        let now = now.adding(model.clockOffset)
        var lines = ["Let's Switch", "", status(model, now), ""]
        if let me = model.me { lines += ["You      " + task(me), ""] }
        for partner in model.partners.prefix(max(1, rows / 3)) {
            lines.append("\(partner.present ? "●" : "○") \(SafeText.escape(partner.name)): \(task(partner))")
        }
        let hidden = model.partners.count - max(1, rows / 3)
        if hidden > 0 { lines.append("  and \(hidden) more") }
        if model.room != nil && model.partners.isEmpty {
            lines.append("Nobody else yet. A partner may still come.")
        }
        lines += ["", counts(model), ""]
        let footer = ["", SafeText.escape(model.message), keys(model)]
        let space = max(0, rows - lines.count - footer.count)
        for ale in model.ales.suffix(space).reversed() {
            lines.append("  \(LocalClock.timeWithSeconds(ale.at))  ale from \(ale.name)")
        }
        while lines.count + footer.count < rows { lines.append("") }
        var all = lines + footer
        // What is empty goes first where there is little room, then the top.
        if all.count > rows { all.removeAll(where: \.isEmpty) }
        return all.suffix(rows).map { TextWidth.cut($0, columns) }
    }

    /// The bytes that draw the lines over what is there, without a flash.
    static func frame(_ lines: [String]) -> String {
        let text = lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
        return "\u{1B}[?2026h\u{1B}[H\(text)\u{1B}[J\u{1B}[?2026l"
    }

    private static func status(_ model: JoinModel, _ now: Timestamp) -> String {
        switch model.stage {
        case .looking: "Looking for your room …"
        case .waiting(let registration):
            "\(LocalClock.span(registration.slot))  begins in "
                + Countdown.clock(registration.slot.startsAt.since(now))
        case .connecting: "Entering the room …"
        case .interrupted(let until):
            "Connection lost; again in \(Countdown.clock(until.adding(model.clockOffset).since(now)))"
        case .closed: "The room closed."
        case .inRoom: countdown(model, now)
        }
    }

    private static func countdown(_ model: JoinModel, _ now: Timestamp) -> String {
        if let startsAt = model.startsAt, now < startsAt {
            return "Begins in \(Countdown.clock(startsAt.since(now)))"
        }
        return model.closesAt.map { "Ends in \(Countdown.clock($0.since(now)))" } ?? ""
    }

    private static func task(_ member: Member) -> String {
        let tag = member.tag.map { "  #\(SafeText.escape($0))" } ?? ""
        return SafeText.escape(member.task ?? "no task") + tag
    }

    private static func counts(_ model: JoinModel) -> String {
        let onTheWay = model.unacknowledged > 0 ? " (\(model.unacknowledged) on the way)" : ""
        return "Ales: \(model.received) received, \(model.sent) sent\(onTheWay)"
    }

    private static func keys(_ model: JoinModel) -> String {
        model.room == nil ? "q leaves" : "space or Enter sends an ale · q leaves"
    }
}
