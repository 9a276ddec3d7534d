package import Contract
package import Postgres
package import Settings

/// The time without an opening nearby, for work that can wait.
package struct Quiet: Sendable {
    /// The time before and after an opening that is not quiet. If slots are so short that it would never be
    /// quiet, it is a sixth of a slot.
    let margin: Duration
    package let lead: Duration

    /// The pause until the next try of work that failed, or that an opening has stopped: about five minutes.
    /// It varies, since a fixed time could end near an opening again and again.
    package static var pause: Duration { .seconds(Double.random(in: 240...300)) }

    package init(_ configuration: ServerConfiguration) {
        let step =
            configuration.slotLengths.isEmpty
            ? configuration.slotSeconds : min(configuration.slotSeconds, configuration.slotGridMinutes * 60)
        margin = min(.seconds(300), .seconds(step) / 6)
        lead = .seconds(configuration.leadSeconds)
    }

    private static let opening = """
        SELECT FROM slots
        WHERE closed_at IS NULL AND starts_at > $1 AND starts_at < $2
            AND EXISTS (
                SELECT FROM registrations
                WHERE registrations.starts_at = slots.starts_at AND cancelled_at IS NULL)
        LIMIT 1
        """

    package func reigns(at now: Timestamp, in source: some RowSource) async throws(PostgresError) -> Bool {
        let opening = now.adding(lead)
        return try await source.rows(
            Self.opening, [opening.adding(.zero - margin), opening.adding(margin)]
        ).isEmpty
    }
}
