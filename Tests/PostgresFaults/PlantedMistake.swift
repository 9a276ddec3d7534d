import Synchronization

/// A mistake that a server makes on purpose, to test that the crash harness notices it: the statements that
/// it concerns are changed, or not committed.
package enum PlantedMistake: String, CaseIterable, Sendable {
    /// Entries into rooms are not stored.
    case losesEntries
    /// The agenda lacks the slots that started before a server read it.
    case forgetsCatchUp
    /// A delivery that succeeded is stored as expired.
    case expiresDeliveries
    /// A deleted account is not removed.
    case keepsAccounts
    /// No registrations are found in every other slot.
    case skipsSlots
    /// The first of several new notifications is not sent to listeners.
    case skipsNotifications
    /// Blocks are ignored in matches.
    case ignoresBlocks
    /// Some registrations are acknowledged and not committed.
    case losesRegistrations
    /// A cancellation is acknowledged and not committed.
    case losesCancellings
    /// Some deliveries are never claimed.
    case forgetsDeliveries
    /// Words about a session are acknowledged and not committed.
    case losesWords
    /// A slot that has ended is not closed.
    case forgetsToClose
    /// A member who cancels stays in the room.
    case keepsSeats
    /// Every member is reported as having missed the session.
    case missesWhoCame
    /// Every session is reported as lapsed.
    case lapsesWhatRan
    /// A change of a room causes no notification.
    case hidesChanges
    /// The answers of idempotency keys are not found.
    case forgetsKeys
    /// A room that is taken over keeps its term.
    case forgetsTerms
    /// A server that starts claims the rooms of its file, even if another one has taken them over.
    case restoresLostRooms
    /// Rooms of servers that are gone are not taken over.
    case neverTakesOver

    /// The mistakes that only several servers notice.
    package static let ofClusters: Set<PlantedMistake> = [
        .forgetsTerms, .restoresLostRooms, .neverTakesOver,
    ]

    private static let occasions = Atomic<Int>(0)

    package typealias Change = (mark: String, old: String, new: String)

    /// The mark of each statement that is changed, and the text that is replaced in it; none for mistakes
    /// that concern transactions.
    package var changes: [Change] { Self.changes[self] ?? [] }

    private static let changes: [PlantedMistake: [Change]] = [
        .losesEntries: [
            (
                "UPDATE members SET entered_at", "coalesce(members.entered_at, visit.entered_at)",
                "members.entered_at"
            ),
            (
                "UPDATE members SET entered_at", "SET entered_at = visit.entered_at",
                "SET entered_at = NULL"
            ),
        ],
        .forgetsCatchUp: [
            (
                "served_at IS NOT NULL", "WHERE closed_at IS NULL",
                "WHERE closed_at IS NULL AND starts_at > now()"
            )
        ],
        .expiresDeliveries: [
            ("UPDATE deliveries AS delivery", "THEN settlement.outcome END", "THEN 'expired' END")
        ],
        .keepsAccounts: [("DELETE FROM users", "WHERE id = $1", "WHERE false AND id = $1")],
        .skipsSlots: [
            (
                "FROM left_alone", "WHERE registrations.starts_at = $1",
                "WHERE extract(epoch FROM $1)::int8 / 6 % 2 = 0 AND registrations.starts_at = $1"
            )
        ],
        .skipsNotifications: [("ANY($1::uuid[])", "notice.id > $2", "notice.id > $2 + 1")],
        .ignoresBlocks: [("one", "FROM blocks", "FROM (SELECT * FROM blocks WHERE false) AS blocks")],
        .forgetsDeliveries: [
            (
                "FROM deliveries AS delivery", "delivery.due_at <= $2",
                "delivery.due_at <= $2 AND delivery.id % 3 > 0"
            )
        ],
        .forgetsToClose: [
            ("UPDATE slots SET closed_at", "WHERE starts_at = $1", "WHERE starts_at = $1 AND false")
        ],
        .keepsSeats: [
            (
                "UPDATE members SET left_revision", "registration_id = ANY($1::uuid[])",
                "registration_id = ANY($1::uuid[]) AND false"
            )
        ],
        .missesWhoCame: [("'session.completed'", "visit.entered_at IS NOT NULL", "false")],
        .lapsesWhatRan: [("'session.lapsed'", "rooms.id IS NULL OR slots.served_at IS NULL", "true")],
        .hidesChanges: [
            (
                "INSERT INTO notifications",
                "AS notice (user_id, type, registration_id, room_id, revision)",
                "AS notice (user_id, type, registration_id, room_id, revision) WHERE type <> "
                    + "'room.changed'"
            )
        ],
        .forgetsKeys: [
            ("idempotency_keys", "made_at > $2", "made_at > $2 AND false"),
            ("idempotency_keys", "made_at > horizon", "made_at > horizon AND false"),
            (
                "idempotency_keys", "WHERE idempotency_keys.made_at",
                "WHERE true OR idempotency_keys.made_at"
            ),
        ],
        .forgetsTerms: [("INSERT INTO lost_rooms", "term = term + 1", "term = term")],
        .restoresLostRooms: [
            ("AS saved (id, term)", "SELECT rooms.id", "SELECT rooms.id, saved.term AS was"),
            ("AS saved (id, term)", "USING (id, term)", "USING (id)"),
            ("AS saved (id, term)", "term = term + 1", "term = saved.was + 1"),
        ],
        .neverTakesOver: [("INSERT INTO lost_rooms", "DISTINCT FROM $3", "DISTINCT FROM $3 AND $3 IS NULL")],
    ]

    /// Returns the text that is sent in place of a statement.
    func changed(_ sql: String) -> String {
        changes.reduce(sql) { text, change in
            sql.contains(change.mark) ? text.replacing(change.old, with: change.new) : text
        }
    }

    /// Whether the transaction of this statement is to be undone and reported as committed.
    func undoesTransaction(of sql: String) -> Bool {
        switch self {
        case .losesRegistrations:
            sql.hasPrefix("INSERT INTO registrations")
                && Self.occasions.wrappingAdd(1, ordering: .relaxed).newValue % 3 == 0
        case .losesCancellings: sql.hasPrefix("UPDATE registrations SET cancelled_at")
        case .losesWords: sql.hasPrefix("INSERT INTO session_words")
        case .losesEntries, .forgetsCatchUp, .expiresDeliveries, .keepsAccounts, .skipsSlots,
            .skipsNotifications,
            .ignoresBlocks, .forgetsDeliveries, .forgetsToClose, .keepsSeats, .missesWhoCame,
            .lapsesWhatRan,
            .hidesChanges, .forgetsKeys, .forgetsTerms, .restoresLostRooms, .neverTakesOver:
            false
        }
    }
}
