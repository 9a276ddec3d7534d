import Contract
import Matching
import Scheduling
import TestKit

/// People who register, come, go, and change their minds at random instants.
extension SimulatedWorld {
    func planPeople() {
        for _ in 0..<plan.people {
            let user = makeID()
            tables.users.insert(user)
            for startsAt in plan.slots where chance(0.75) { planRegistration(of: user, startsAt) }
            for other in tables.users.sorted() where other != user {
                if chance(plan.blocking) { planBlock(user, other) }
                if (plan.hasPreferences && chance(0.05)) || (plan.hasIntents && chance(0.25)) {
                    tables.favourites.append(.init(user: user, other: other, commit: 0))
                }
            }
            if chance(0.04) { at(anyInstant()) { $0.delete(user) } }
        }
        if plan.hasStragglers { for startsAt in plan.slots { planStraggler(startsAt) } }
    }

    /// Plans a registration that is accepted in the last second, and may be written after the closing.
    private func planStraggler(_ startsAt: Timestamp) {
        let user = makeID()
        tables.users.insert(user)
        let endsAt = plan.rules.endsAt(startsAt)
        let longest = plan.rules.grace.wholeMicroseconds + 1_500_000
        at(between(endsAt.adding(.seconds(-1)), endsAt)) { $0.register(user, startsAt, longest: longest) }
    }

    /// Plans a block: before everything, at some instant, or just before an opening.
    private func planBlock(_ user: Identifier, _ other: Identifier) {
        let opensAt = plan.slots.randomElement(using: &random).map(plan.rules.opensAt) ?? plan.begin
        let instant =
            switch draw(0...3) {
            case 0, 1: plan.begin
            case 2: anyInstant()
            default: opensAt.adding(.microseconds(-draw(0...400_000)))
            }
        at(instant) { world in
            guard world.tables.users.contains(user), world.tables.users.contains(other) else { return }
            world.commits += 1
            world.tables.blocks.append(
                .init(user: user, other: other, commit: world.commits, at: world.elapsed))
            world.note("user \(user.number) blocks user \(other.number)")
        }
    }

    /// Returns a server that is up, if there is one.
    func anyServer() -> Int? {
        let up = servers.indices.filter { servers[$0].isUp && !servers[$0].loop.isStalled }
        return up.isEmpty ? nil : up[Int(draw(0...Int64(up.count - 1)))]
    }

    private func anyInstant() -> Timestamp {
        plan.begin.adding(.microseconds(draw(0...plan.calmAt.since(plan.begin).wholeMicroseconds)))
    }

    private func between(_ begin: Timestamp, _ end: Timestamp) -> Timestamp {
        begin.adding(.microseconds(draw(0...max(0, end.since(begin).wholeMicroseconds))))
    }

    private func planRegistration(of user: Identifier, _ startsAt: Timestamp) {
        let opensAt = plan.rules.opensAt(startsAt)
        let last = startsAt.adding(.seconds(plan.lateSeconds))
        let instant =
            switch draw(0...9) {
            case 0...5: between(plan.begin, opensAt)
            case 6: between(opensAt.adding(.milliseconds(-20)), opensAt.adding(.milliseconds(20)))
            case 7, 8: between(opensAt, last)
            default: last
            }
        at(instant) { $0.register(user, startsAt) }
    }

    /// Registers as `POST /v1/registrations` does: accepted by the clock of a server, written a little later,
    /// at most `longest` microseconds later if given.
    private func register(_ user: Identifier, _ startsAt: Timestamp, longest: Int64? = nil) {
        guard let server = anyServer() else { return }
        let now = clock(of: server)
        if now > startsAt.adding(.seconds(plan.lateSeconds)) || now >= plan.rules.endsAt(startsAt) { return }
        // Ids are drawn at the request, and do not become visible in their order.
        let id = makeID()
        let isSlow = !isCalm && chance(plan.faults.slowAnswer)
        let slowest = longest ?? (isSlow ? 2_000_000 : nil)
        after(slowest.map { draw(1_000...$0) } ?? draw(500...10_000)) {
            $0.insert(id, user, startsAt, server)
        }
    }

    private func insert(_ id: Identifier, _ user: Identifier, _ startsAt: Timestamp, _ server: Int) {
        guard servers[server].isUp, elapsed >= databaseAwayUntil, tables.users.contains(user),
            !leavingUsers.contains(user)
        else { return }
        let tag = !plan.hasPreferences || chance(0.5) ? nil : chance(0.5) ? "code" : "write"
        let intent = plan.hasIntents ? drawIntent(of: user, startsAt) : SlotIntent()
        let registration = ModelTables.Registration(
            id: id, user: user, startsAt: startsAt, createdAt: clock(of: server), tag: tag, intent: intent)
        let endsAt =
            bug == .endsByTheGrid
            ? startsAt.adding(.seconds(plan.rules.grid.slotSeconds)) : plan.rules.endsAt(startsAt)
        let answer = tables.register(
            registration, endsAt: endsAt, evenIfOver: bug == .registersTooLate,
            evenIfOverlapping: bug == .allowsOverlaps)
        if answer != .registered { return }
        checkOverlaps(of: user)
        note("r\(id.number) of user \(user.number) registers for \(startsAt) at server \(server)")
        commits += 1
        registeredAt[id] = elapsed
        owners[id] = user
        statistics.registrations += 1
        changeEvent(startsAt, from: server)
        planVisit(id, startsAt)
    }

    /// Draws the intent of a person. Guests and inviters invite no other person.
    private func drawIntent(of user: Identifier, _ startsAt: Timestamp) -> SlotIntent {
        var intent = SlotIntent(favouritesOnly: chance(0.2))
        let here = tables.registrations(of: startsAt)
        let paired = Set(here.flatMap { [$0.intent.invitedBy, $0.intent.invitedBy == nil ? nil : $0.id] })
        let hosts = here.filter { $0.isLive && !paired.contains($0.id) && $0.user != user }
        if !hosts.isEmpty, chance(0.4) {
            intent.invitedBy = hosts[Int(draw(0...Int64(hosts.count - 1)))].id
            statistics.invited += 1
        }
        if intent.favouritesOnly { statistics.selective += 1 }
        return intent
    }

    private func planVisit(_ registration: Identifier, _ startsAt: Timestamp) {
        let opensAt = plan.rules.opensAt(startsAt)
        let begin = max(opensAt, now)
        let endsAt = plan.rules.endsAt(startsAt)
        if chance(0.75) { at(between(begin, endsAt)) { $0.enter(registration) } }
        if chance(0.3) { at(between(begin, startsAt)) { $0.enter(registration) } }
        if chance(0.15) { at(between(now, endsAt)) { $0.cancel(registration) } }
    }

    /// Cancels as `DELETE /v1/registrations/{id}` does.
    private func cancel(_ id: Identifier) {
        guard let known = tables.registrations[id], anyServer() != nil else { return }
        act { world in
            let store = ModelStore(world: world, server: nil)
            try await store.transaction { slot in
                try await world.takeLock(of: known.startsAt, in: slot.transaction, nil)
                let cancelled = try await slot.on(known.startsAt).read { view in view.registrations[id] }
                guard let cancelled, cancelled.isLive else { return }
                let now = world.inPlace { $0.now }
                let endsAt = world.plan.rules.endsAt(known.startsAt)
                if now >= endsAt { return }
                try await world.takeNotificationLock(in: slot.transaction, nil)
                try await slot.add([.cancel(cancelled, at: now), .depart(cancelled, at: now)])
                world.inPlace { $0.note("r\(id.number) cancels") }
            }
        }
    }

    /// Deletes the account as `DELETE /v1/me` does. The user's row is locked, so that nothing is registered
    /// meanwhile.
    private func delete(_ user: Identifier) {
        guard anyServer() != nil else { return }
        leavingUsers.insert(user)
        act { world in
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await world.deleteOnce(user)) } catch { outcome = .failure(error) }
            world.inPlace { _ = $0.leavingUsers.remove(user) }
            try outcome.get()
        }
    }

    nonisolated private func deleteOnce(_ user: Identifier) async throws {
        let store = ModelStore(world: self, server: nil)
        try await store.transaction { slot in
            let now = inPlace { $0.now }
            let soon = now.adding(plan.rules.lead).adding(.seconds(30))
            let mine = try await slot.read { view in
                view.registrations.values.filter { $0.user == user && $0.isLive && $0.startsAt <= soon }
                    .filter { view.slots[$0.startsAt]?.closedAt == nil }
                    .map(\.startsAt).sorted()
            }
            for startsAt in mine { try await takeLock(of: startsAt, in: slot.transaction, nil) }
            let leaving = try await slot.read { view in
                view.registrations.values.filter { $0.user == user && $0.isLive }
                    .filter { registration in
                        guard let known = view.slots[registration.startsAt] else { return false }
                        return known.closedAt == nil && known.endsAt > now
                    }
                    .sorted { $0.id < $1.id }
            }
            try await takeNotificationLock(in: slot.transaction, nil)
            try await slot.add(leaving.map { .depart($0, at: now) } + [.forget(user, at: now)])
            inPlace { $0.note("user \(user.number) deletes the account") }
        }
    }

    /// Runs an action of one person, concurrently with everything else. An action that throws had no effect.
    private func act(_ body: @escaping @Sendable (SimulatedWorld) async throws -> Void) {
        runningTasks += 1
        Task(executorPreference: worldLoop) {
            try? await body(self)
            self.inPlace { $0.runningTasks -= 1 }
        }
    }
}
