public import Contract
import HTTP1

extension APIClient {
    /// Makes a secret address from which calendar programs read the caller's registrations. The address is in
    /// this answer only.
    ///
    /// Throws a problem: `limitReached` beyond `Limits.calendars`.
    public func addCalendar() async throws(ClientError) -> CalendarFeed {
        try await send(.post, Routes.calendars).decode(CalendarFeed.self)
    }

    /// Returns all calendars of the caller, oldest first, without their addresses.
    public func calendars() async throws(ClientError) -> [CalendarFeed] {
        try await fetch(CalendarFeedList.self, Routes.calendars).calendars
    }

    /// Removes a calendar, so that its address leads nowhere any more.
    public func removeCalendar(_ id: Identifier) async throws(ClientError) {
        _ = try await send(.delete, Routes.calendar(id))
    }
}
