public import Contract
import HTTP1

extension APIClient {
    /// Makes a routine: its task is registered again and again, as far ahead as one may register. Days for
    /// which that was not possible are in `problems` of the answer.
    ///
    /// Throws a problem: `limitReached` beyond `Limits.routines`.
    public func makeRoutine(_ routine: NewRoutine) async throws(ClientError) -> Routine {
        try await submit(Routine.self, .post, Routes.routines, routine)
    }

    /// Returns one page of the caller's routines, oldest first.
    public func routines(
        limit: Int? = nil, cursor: String? = nil
    ) async throws(ClientError) -> RoutineList {
        try await fetch(
            RoutineList.self, Routes.routines, [("limit", limit.map { String($0) }), ("cursor", cursor)])
    }

    /// Returns one of the caller's routines. Throws the problem `notFound` for another id.
    public func routine(_ id: Identifier) async throws(ClientError) -> Routine {
        try await fetch(Routine.self, Routes.routine(id))
    }

    /// Returns a routine with the tag of its state, for `changeRoutine`.
    public func taggedRoutine(_ id: Identifier) async throws(ClientError) -> Tagged<Routine> {
        try await fetchTagged(Routine.self, Routes.routine(id)) { $0 }
    }

    /// Changes a routine from a day on. Registrations ahead that no longer fit are cancelled. With the tag of
    /// a state it throws the problem `preconditionFailed`, and changes nothing, where that is not the current
    /// one any more.
    public func changeRoutine(
        _ id: Identifier, _ patch: RoutinePatch, ifMatch tag: String? = nil
    ) async throws(ClientError) -> Routine {
        try await submit(Routine.self, .patch, Routes.routine(id), patch, ifMatch: tag)
    }

    /// Ends a routine. Its registrations ahead are cancelled, unless they are kept.
    public func deleteRoutine(
        _ id: Identifier, keepingRegistrations: Bool = false
    ) async throws(ClientError) {
        let query = [(name: "registrations", value: keepingRegistrations ? "keep" : nil)]
        _ = try await send(.delete, Routes.query(Routes.routine(id), query))
    }

    /// Leaves one day of a routine out. Its registration is cancelled. Doing so again is no error.
    public func skip(_ date: LocalDate, ofRoutine id: Identifier) async throws(ClientError) -> Routine {
        try await submit(Routine.self, .post, Routes.routineSkips(id), NewSkip(date: date))
    }

    /// Takes back that a day is left out: it is registered again.
    public func unskip(_ date: LocalDate, ofRoutine id: Identifier) async throws(ClientError) {
        _ = try await send(.delete, Routes.routineSkip(id, date))
    }
}
