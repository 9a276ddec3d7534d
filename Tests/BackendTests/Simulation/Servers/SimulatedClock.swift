import Contract

@testable import Backend

/// The clock of one process: its wall clock may be set, its alarms go by a clock that nobody sets.
struct SimulatedClock: ScheduleClock {
    let world: SimulatedWorld
    let server: ServerHandle

    func now() -> Timestamp { world.inPlace { $0.readClock(of: server) } }

    func monotonicNanoseconds() -> UInt64 { world.inPlace { UInt64($0.elapsed) * 1_000 } }

    func wake(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let alarm = world.inPlace { $0.setAlarm(of: server, after: delay, body) }
        return { [world, server] in world.inPlace { $0.cancelAlarm(alarm, of: server) } }
    }
}

extension SimulatedWorld {
    func readClock(of server: ServerHandle) -> Timestamp {
        let shown = wallClock(of: server.index)
        guard bug == .trustsClock else { return shown }
        // A clock that was once ahead stays there.
        let highest = servers[server.index].offsets.map(\.offset).max() ?? 0
        return now.adding(.microseconds(max(highest, servers[server.index].offset)))
    }

    func setAlarm(
        of server: ServerHandle, after delay: Duration, _ body: @escaping @Sendable () -> Void
    ) -> Int {
        servers[server.index].lastAlarm += 1
        let alarm = servers[server.index].lastAlarm
        servers[server.index].alarms[alarm] = body
        let loop = servers[server.index].loop
        let lateness = plan.isFaultless ? draw(0...500) : draw(0...5_000)
        after(delay.wholeMicroseconds + lateness) { world in
            guard world.servers[server.index].alarms[alarm] != nil else { return }
            loop.execute {
                let body = world.inPlace { $0.servers[server.index].alarms.removeValue(forKey: alarm) }
                body?()
            }
        }
        return alarm
    }

    func cancelAlarm(_ alarm: Int, of server: ServerHandle) {
        servers[server.index].alarms[alarm] = nil
    }

    /// The latest time that the clock of the server has shown since then, microseconds.
    func latest(of server: Int, since begin: Int64) -> Timestamp {
        let offsets = servers[server].offsets
        var latest = wallClock(of: server)
        for (index, setting) in offsets.enumerated() where index + 1 < offsets.count {
            let end = offsets[index + 1].since
            if end >= begin {
                latest = max(latest, Timestamp(microseconds: plan.begin.microseconds + end + setting.offset))
            }
        }
        return latest
    }
}
