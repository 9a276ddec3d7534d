extension RoomConnection {
    /// Makes the alarm ring at that instant or earlier.
    func arm(at instant: Duration) {
        guard alarm.isLate(for: instant) else { return }
        alarm.set(
            instant,
            Task(executorPreference: loop) { [weak self, clock] in
                do { try await clock.sleep(instant) } catch { return }
                await self?.alarmRang(at: instant)
            })
    }

    private func alarmRang(at instant: Duration) {
        // Another alarm may have been set just before this one rang.
        guard alarm.due == instant else { return }
        alarm.rang()
        let now = clock.now()
        beat()
        switch phase {
        case .waiting(let until): if now >= until { tryNow() }
        case .connected(let transport): send(to: transport)
        case .idle, .connecting, .closed: break
        }
        expireFlights(at: now)
        expireWatches(at: now)
        for due in [heartbeat?.due, waitEnd, pausedUntil, flights.due(configuration), watches.due] {
            if let due { arm(at: due) }
        }
    }

    private var waitEnd: Duration? {
        switch phase {
        case .waiting(let until): until
        case .idle, .connecting, .connected, .closed: nil
        }
    }
}
