public import Contract
import HTTP1

extension APIClient {
    /// Makes a routine: the server registers its task by its rule, as far ahead as registrations are
    /// possible. Days that it could not register are in `Routine.problems`.
    ///
    /// Throws a problem: `limitReached` beyond `Limits.routines`.
    public func makeRoutine(_ routine: NewRoutine) async throws(ClientError) -> Routine {
        try await submit(Routine.self, .post, Routes.routines, routine)
    }

    /// Returns one page of the caller's routines, oldest first.
    public func routines(
        limit: Int? = nil, cursor: String? = nil
    ) async throws(ClientError) -> RoutineList {
        try await fetchPage(RoutineList.self, Routes.routines, limit, cursor)
    }

    /// Returns one of the caller's routines. Throws the problem `notFound` for another id.
    public func routine(_ id: Identifier) async throws(ClientError) -> Routine {
        try await fetch(Routine.self, Routes.routine(id))
    }

    /// Returns a routine with the tag of its state, for `changeRoutine`.
    public func taggedRoutine(_ id: Identifier) async throws(ClientError) -> Tagged<Routine> {
        try await fetchTagged(Routine.self, Routes.routine(id)) { $0 }
    }

    /// Changes a routine from a day on, and cancels future registrations that no longer fit. With a tag it
    /// changes nothing and throws the problem `preconditionFailed` if the routine has changed since.
    public func changeRoutine(
        _ id: Identifier, _ patch: RoutinePatch, ifMatch tag: String? = nil
    ) async throws(ClientError) -> Routine {
        try await submit(Routine.self, .patch, Routes.routine(id), patch, ifMatch: tag)
    }

    /// Deletes a routine, and cancels its future registrations unless they are kept.
    public func deleteRoutine(
        _ id: Identifier, keepingRegistrations: Bool = false
    ) async throws(ClientError) {
        let query = [(name: "registrations", value: keepingRegistrations ? "keep" : nil)]
        _ = try await send(.delete, Routes.query(Routes.routine(id), query))
    }

    /// Skips a day of a routine and cancels its registration. It can be repeated.
    public func skip(_ date: LocalDate, ofRoutine id: Identifier) async throws(ClientError) -> Routine {
        try await submit(Routine.self, .post, Routes.routineSkips(id), NewSkip(date: date))
    }

    /// Registers a skipped day of a routine again.
    public func unskip(_ date: LocalDate, ofRoutine id: Identifier) async throws(ClientError) {
        _ = try await send(.delete, Routes.routineSkip(id, date))
    }
}
