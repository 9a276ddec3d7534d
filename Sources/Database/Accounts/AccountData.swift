/// The list of all that is held about an account: what an export shows, and what a deletion removes, in the
/// reverse order. A test compares it with the foreign keys of the database, so that nothing is missing.
package enum AccountData {
    package static let tables: [AccountTable] = [
        users, tokens, recoveryCodes, signInCodes, keys, calendars, endpoints, retiredSecrets, routines,
        occurrences,
        registrations, made, spans, words, intents, invites, members, leftAlone, notifications, deliveries,
        attempts, blocks, favourites, pastSums, pastEntries, pastMeetings, suspensions, reports, notes,
        announcements, auditWords,
    ]

    package static func table(_ name: String) -> AccountTable? { tables.first { $0.name == name } }

    // The reasons for which a column is not exported.
    private static let owner = "The account that the export is about."
    private static let secret = "A secret, a key, or a digest of one."
    private static let others = "It names another person."
    private static let internalNumber = "A number that only the service counts by."
    private static let ofServer = "It is about a server of the service."
    private static let derived = "It follows from what is exported of another column or table."
    private static let aside = "Notes of operators can name other people."
    private static let record =
        "The record of what operators did; what it led to is exported where it is kept."
    private static let work = "When the service has work to do."

    private static let users = AccountTable(
        name: "users", member: "account", owner: .account, removal: .deleted,
        columns: [
            .shown("id", "id", .id), .shown("name", "name", .text), .shown("time_zone", "timeZone", .text),
            .shown("language", "language", .text), .shown("created_at", "createdAt", .time),
            .leftOut("token_hash", secret),
            .leftOut("token_version", internalNumber), .leftOut("last_token", internalNumber),
            .leftOut("deleted_at", "An account that is deleted has no export."),
        ])

    private static let tokens = AccountTable(
        name: "tokens", member: "tokens", key: [(.number, "number")],
        columns: [
            .leftOut("user_id", owner), .leftOut("number", internalNumber), .leftOut("hash", secret),
            .shown("created_at", "createdAt", .time), .shown("pending_until", "pendingUntil", .time),
            .leftOut("made_under", secret), .shown("label", "name", .text),
            .shown("prefix", "prefix", .text), .shown("expires_at", "expiresAt", .time),
            .shown("last_used_at", "lastUsedAt", .time), .leftOut("made_by", internalNumber),
            .leftOut("parent", internalNumber),
        ])

    private static let recoveryCodes = AccountTable(
        name: "recovery_codes", member: "recoveryCode",
        columns: [
            .leftOut("user_id", owner), .leftOut("hash", secret), .shown("created_at", "createdAt", .time),
            .leftOut("previous_hash", secret),
            .leftOut("previous_until", "The use of the token that asks for the export ends it."),
            .shown("by_operator", "byOperator", .flag), .shown("guarded_until", "guardedUntil", .time),
        ])

    private static let signInCodes = AccountTable(
        name: "sign_in_codes", member: "signInCode",
        columns: [
            .leftOut("user_id", owner), .leftOut("hash", secret), .shown("created_at", "createdAt", .time),
            .shown("expires_at", "expiresAt", .time),
        ])

    private static let keys = AccountTable(
        name: "idempotency_keys", member: "idempotencyKeys",
        key: [(.bytes, "name")],
        columns: [
            .leftOut("name", secret), .leftOut("user_id", owner), .leftOut("fingerprint", secret),
            .shown("made_at", "madeAt", .time), .shown("status", "status", .number),
            .leftOut("fields", "An answer that was given, kept for a day."),
            .leftOut("body", "An answer that was given, kept for a day; others may be named in it."),
            .leftOut("gaps", internalNumber), .leftOut("secret", "A word for what kind of secret was shown."),
            .leftOut("secret_hash", secret), .leftOut("salt", secret),
        ])

    private static let calendars = AccountTable(
        name: "calendars", member: "calendars", key: [(.id, "id")],
        columns: [
            .shown("id", "id", .id), .leftOut("user_id", owner), .leftOut("hash", secret),
            .shown("created_at", "createdAt", .time), .shown("last_read_at", "lastReadAt", .time),
        ])

    private static let endpoints = AccountTable(
        name: "endpoints", member: "endpoints", key: [(.id, "id")],
        columns: [
            .shown("id", "id", .id), .leftOut("user_id", owner), .shown("kind", "kind", .text),
            .shown("address", "address", .text), .leftOut("host", derived), .shown("types", "types", .texts),
            .shown("environment", "environment", .text), .leftOut("p256dh", secret),
            .leftOut("auth", secret), .leftOut("secret", secret), .shown("created_at", "createdAt", .time),
            .shown("failing_since", "failingSince", .time), .shown("disabled_at", "disabledAt", .time),
            .shown("reason", "reason", .text), .leftOut("reason_code", derived),
            .shown("verified_at", "verifiedAt", .time),
            .shown("registered_at", "registeredAt", .time), .leftOut("session", internalNumber),
            .shown("farewell_at", "farewellAt", .time),
        ])

    private static let retiredSecrets = AccountTable(
        name: "retired_secrets", member: "retiredSecrets",
        owner: .through(table: "endpoints", column: "endpoint_id"),
        key: [(.id, "endpoint_id"), (.bytes, "secret")],
        columns: [
            .shown("endpoint_id", "endpointId", .id), .leftOut("secret", secret),
            .shown("valid_until", "validUntil", .time),
        ])

    private static let routines = AccountTable(
        name: "routines", member: "routines", key: [(.id, "id")],
        columns: [
            .shown("id", "id", .id), .leftOut("user_id", owner), .shown("task", "task", .text),
            .shown("tag", "tag", .text), .shown("rrule", "rrule", .text),
            .shown("start_date", "startDate", .text), .shown("local_time", "localTime", .text),
            .shown("time_zone", "timeZone", .text), .shown("created_at", "createdAt", .time),
            .shown("updated_at", "updatedAt", .time), .shown("paused_at", "pausedAt", .time),
            .shown("acts_from", "actsFrom", .text), .leftOut("planned_at", work), .leftOut("due_at", work),
        ])

    private static let occurrences = AccountTable(
        name: "routine_occurrences", member: "routineDays",
        owner: .through(table: "routines", column: "routine_id"), key: [(.id, "routine_id"), (.day, "date")],
        columns: [
            .shown("routine_id", "routineId", .id), .shown("date", "date", .text),
            .shown("starts_at", "startsAt", .slot), .shown("registration_id", "registrationId", .id),
            .shown("outcome", "outcome", .text),
        ])

    private static let made = AccountTable(
        name: "registrations_made", member: "registrationsMade",
        columns: [
            .leftOut("user_id", owner), .leftOut("day", internalNumber), .leftOut("made", internalNumber),
        ])

    private static let registrations = AccountTable(
        name: "registrations", member: "registrations",
        key: [(.time, "starts_at"), (.id, "id")],
        removal: .erased(["user_id", "task", "tag"]),
        columns: [
            .shown("id", "id", .id), .leftOut("user_id", owner),
            .shown("starts_at", "startsAt", .slot), .shown("task", "task", .text),
            .shown("tag", "tag", .text), .shown("adjusted", "adjusted", .text),
            .shown("created_at", "createdAt", .time), .shown("updated_at", "updatedAt", .time),
            .shown("cancelled_at", "cancelledAt", .time), .leftOut("change_count", internalNumber),
        ])

    private static let spans = AccountTable(
        name: "registration_spans", member: "registrationSpans",
        owner: .through(table: "registrations", column: "registration_id"), key: [(.id, "registration_id")],
        removal: .deleted,
        columns: [
            .leftOut("registration_id", derived), .leftOut("user_id", owner), .leftOut("span", derived),
        ])

    private static let words = AccountTable(
        name: "session_words", member: "sessionWords",
        key: [(.id, "registration_id")],
        columns: [
            .shown("registration_id", "registrationId", .id), .leftOut("user_id", owner),
            .shown("check_in", "checkIn", .text), .shown("outcome", "outcome", .text),
            .shown("note", "note", .text), .leftOut("revision", internalNumber),
            .shown("updated_at", "updatedAt", .time),
        ])

    private static let intents = AccountTable(
        name: "intents", member: "intents",
        owner: .through(table: "registrations", column: "registration_id"), key: [(.id, "registration_id")],
        removal: .deleted,
        columns: [
            .shown("registration_id", "registrationId", .id),
            .shown("favourites_only", "favouritesOnly", .flag), .shown("quiet", "quiet", .flag),
            .leftOut("invited_by", others),
        ])

    private static let invites = AccountTable(
        name: "invites", member: "invites",
        owner: .through(table: "registrations", column: "registration_id"),
        key: [(.id, "registration_id"), (.time, "created_at"), (.bytes, "hash")], removal: .deleted,
        columns: [
            .leftOut("hash", secret), .shown("registration_id", "registrationId", .id),
            .shown("created_at", "createdAt", .time), .shown("used_at", "usedAt", .time),
            .shown("let_in_at", "letInAt", .time),
        ])

    private static let members = AccountTable(
        name: "members", member: "rooms", owner: .through(table: "registrations", column: "registration_id"),
        key: [(.id, "registration_id"), (.id, "room_id"), (.number, "joined_revision")], removal: .kept,
        columns: [
            .shown("room_id", "roomId", .id), .shown("registration_id", "registrationId", .id),
            .leftOut("joined_revision", internalNumber), .leftOut("left_revision", internalNumber),
            .shown("entered_at", "enteredAt", .time), .leftOut("present_on", ofServer),
            .shown("ales_sent", "alesSent", .number), .shown("ales_received", "alesReceived", .number),
            .shown("away_since", "awaySince", .time), .leftOut("log", ofServer),
        ])

    private static let leftAlone = AccountTable(
        name: "left_alone", member: "leftAlone",
        key: [(.time, "starts_at"), (.id, "registration_id")], removal: .deleted,
        columns: [
            .shown("registration_id", "registrationId", .id), .leftOut("user_id", owner),
            .shown("starts_at", "startsAt", .slot),
        ])

    private static let notifications = AccountTable(
        name: "notifications", member: "notifications", key: [(.number, "id")],
        removal: .deleted,
        columns: [
            .shown("id", "id", .number), .leftOut("user_id", owner), .shown("type", "type", .text),
            .shown("created_at", "createdAt", .time), .shown("registration_id", "registrationId", .id),
            .shown("room_id", "roomId", .id), .leftOut("revision", internalNumber),
            .leftOut("announcement_id", "What was announced to many is no word about the account."),
        ])

    private static let deliveries = AccountTable(
        name: "deliveries", member: "deliveries", owner: .through(table: "endpoints", column: "endpoint_id"),
        key: [(.id, "endpoint_id"), (.number, "id")],
        columns: [
            .shown("id", "id", .number), .shown("endpoint_id", "endpointId", .id),
            .shown("notification_id", "notificationId", .number), .leftOut("priority", internalNumber),
            .shown("due_at", "dueAt", .time), .shown("expires_at", "expiresAt", .start),
            .leftOut("courier", ofServer), .shown("attempts", "attempts", .number),
            .shown("settled_at", "settledAt", .time), .shown("outcome", "outcome", .text),
        ])

    private static let attempts = AccountTable(
        name: "attempts", member: "attempts", owner: .through(table: "endpoints", column: "endpoint_id"),
        key: [(.id, "endpoint_id"), (.number, "id")],
        columns: [
            .shown("id", "id", .number), .shown("delivery_id", "deliveryId", .number),
            .shown("endpoint_id", "endpointId", .id), .shown("at", "at", .time),
            .leftOut("seconds", "How long the receiver took."), .shown("outcome", "outcome", .text),
            .shown("detail", "detail", .text), .leftOut("detail_code", derived),
        ])

    private static let blocks = AccountTable(
        name: "blocks", member: "blocks", key: [(.number, "id")],
        columns: [
            .leftOut("id", internalNumber), .leftOut("user_id", owner), .leftOut("other_id", others),
            .shown("registration_id", "registrationId", .id), .shown("report", "report", .text),
            .shown("created_at", "createdAt", .time), .shown("removed_at", "removedAt", .time),
        ])

    private static let favourites = AccountTable(
        name: "favourites", member: "favourites", key: [(.number, "id")],
        columns: [
            .leftOut("id", internalNumber), .leftOut("user_id", owner), .leftOut("other_id", others),
            .shown("registration_id", "registrationId", .id), .shown("created_at", "createdAt", .time),
            .shown("removed_at", "removedAt", .time),
        ])

    private static let pastSums = AccountTable(
        name: "past_sums", member: "past",
        columns: [
            .leftOut("user_id", owner), .shown("attended", "attended", .number),
            .shown("missed", "missed", .number), .shown("cancelled", "cancelledLate", .number),
            .shown("current_streak", "currentStreak", .number),
            .shown("longest_streak", "longestStreak", .number), .shown("ales_sent", "alesSent", .number),
            .shown("ales_received", "alesReceived", .number), .shown("entries", "entries", .number),
            .shown("entry_seconds", "entrySeconds", .number), .shown("alone_at", "aloneAt", .start),
            .shown("seated_at", "seatedAt", .start), .shown("done", "done", .number),
            .shown("partly", "partly", .number), .shown("not_done", "notDone", .number),
        ])

    private static let pastEntries = AccountTable(
        name: "past_entries", member: "pastEntries", key: [(.number, "seconds")],
        columns: [
            .leftOut("user_id", owner), .shown("seconds", "seconds", .number),
            .shown("times", "times", .number),
        ])

    private static let pastMeetings = AccountTable(
        name: "past_meetings", member: "pastMeetings", owner: .either("one_id", "other_id"),
        key: [(.id, "one_id"), (.id, "other_id")],
        columns: [
            .leftOut("one_id", others), .leftOut("other_id", others), .shown("last_at", "lastMetAt", .start),
            .shown("times", "times", .number),
        ])

    private static let suspensions = AccountTable(
        name: "suspensions", member: "suspension",
        columns: [
            .leftOut("user_id", owner), .shown("since", "since", .time), .shown("until", "until", .time),
            .shown("reason", "reason", .text), .leftOut("operator", others),
        ])

    /// The reports that the account has made. Those about it are evidence, and stay with a pseudonym.
    private static let reports = AccountTable(
        name: "reports", member: "reports", owner: .column("by_id"), key: [(.number, "id")],
        columns: [
            .leftOut("id", internalNumber), .leftOut("block_id", internalNumber), .shown("at", "at", .time),
            .leftOut("by_id", owner), .leftOut("about_id", others), .leftOut("pseudonym", others),
            .shown("starts_at", "startsAt", .slot), .shown("room_id", "roomId", .id),
            .shown("text", "text", .text), .shown("state", "state", .text),
            .leftOut("outcome", others), .leftOut("taken_by", others), .shown("closed_at", "closedAt", .time),
        ])

    private static let notes = AccountTable(
        name: "operator_notes", member: "operatorNotes", owner: .column("person"), key: [(.number, "id")],
        columns: [
            .leftOut("id", internalNumber), .leftOut("at", aside), .leftOut("operator", others),
            .leftOut("person", owner), .leftOut("report_id", internalNumber), .leftOut("text", aside),
        ])

    private static let announcements = AccountTable(
        name: "announcements", member: "announcements", owner: .column("person"), key: [(.number, "id")],
        columns: [
            .leftOut("id", internalNumber), .shown("at", "at", .time), .leftOut("operator", others),
            .shown("text", "text", .text), .leftOut("audience", derived), .leftOut("starts_at", derived),
            .leftOut("person", owner), .leftOut("reached", work), .leftOut("people", work),
            .leftOut("done_at", work), .leftOut("to_all_endpoints", derived),
        ])

    private static let auditWords = AccountTable(
        name: "audit_words", member: "auditWords", owner: .column("person"), key: [(.number, "audit_id")],
        columns: [
            .leftOut("audit_id", internalNumber), .leftOut("person", owner), .leftOut("salt", secret),
            .leftOut("before", record), .leftOut("after", record),
        ])
}
