package import Contract
package import Postgres

/// The facts about the meeting of a user with another one, from the user's side.
package struct Meeting: Sendable {
    package var id: Identifier
    package var name: String
    /// Whether the other one is a former user, of whom nothing is known from before.
    var isFormer = false
    var sharedTag: String?
    var isFavourite = false
    /// The start of the last earlier session that both attended.
    var lastMetAt: Timestamp?
    var youWereLate = false
    var theyWereLate = false
    var isReplacement = false
    /// Whether no other room was open in the slot.
    var isOnlyRoom = false

    package init(
        id: Identifier, name: String, isFormer: Bool = false, sharedTag: String? = nil,
        isFavourite: Bool = false,
        lastMetAt: Timestamp? = nil, youWereLate: Bool = false, theyWereLate: Bool = false,
        isReplacement: Bool = false, isOnlyRoom: Bool = false
    ) {
        self.id = id
        self.name = name
        self.isFormer = isFormer
        self.sharedTag = sharedTag
        self.isFavourite = isFavourite
        self.lastMetAt = lastMetAt
        self.youWereLate = youWereLate
        self.theyWereLate = theyWereLate
        self.isReplacement = isReplacement
        self.isOnlyRoom = isOnlyRoom
    }

    /// The reasons why they meet, the choice first and the circumstances last.
    package var explained: ExplainedMember {
        var reasons: [MeetingReason] = []
        if isFavourite { reasons.append(MeetingReason(.favourite, "\(name) is one of your favourites.")) }
        if let sharedTag {
            reasons.append(MeetingReason(.sameTag, "Both of you chose the tag “\(sharedTag)”."))
        }
        if let lastMetAt {
            let day = lastMetAt.description.prefix(10)
            reasons.append(
                MeetingReason(.metBefore, "You have met before, last on \(day).", lastMetAt: lastMetAt))
        } else if !isFormer {
            reasons.append(MeetingReason(.firstMeeting, "This is your first meeting."))
        }
        if youWereLate {
            reasons.append(MeetingReason(.late, "You registered late, and there was a place with \(name)."))
        } else if theyWereLate {
            reasons.append(MeetingReason(.late, "\(name) registered late, and there was a place with you."))
        } else if isReplacement {
            reasons.append(
                MeetingReason(.replacement, "Somebody had left, and so you two were put together."))
        }
        if isOnlyRoom {
            reasons.append(MeetingReason(.onlyOneLeft, "There was nobody else in this slot to choose from."))
        }
        return ExplainedMember(id: id, name: name, reasons: reasons)
    }
}

extension Meeting {
    /// Reads a row of the explanation; nil if it holds nobody.
    package init?(_ row: PostgresRow) throws(PostgresError) {
        guard let id = try row.decode(0, Identifier?.self) else { return nil }
        self.init(id: id, name: try row.decode(1))
        isFormer = try !row.decode(2, Bool.self)
        sharedTag = try row.decode(3)
        isFavourite = try row.decode(4)
        lastMetAt = try row.decode(5)
        youWereLate = try row.decode(6)
        theyWereLate = try row.decode(7)
        isReplacement = try row.decode(8)
        isOnlyRoom = try row.decode(9)
    }
}
