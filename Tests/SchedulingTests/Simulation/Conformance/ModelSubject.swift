import Contract
import TestKit

@testable import Scheduling

/// The model as the subject of a script: a world in which nothing happens but the script.
struct ModelSubject: ScriptSubject {
    private let world: SimulatedWorld

    var store: any ScheduleStore { ModelStore(world: world, server: nil) }

    /// Runs a script to its end on the calling thread.
    static func play(seed: UInt64) -> Result<[String], any Error> {
        let world = SimulatedWorld(plan: WorldPlan(seed: 0), bug: nil, keepsTrace: false)
        let outcome = ScriptOutcome()
        let loop = world.inPlace { world in
            world.isCalm = true
            world.isEnding = true
            world.runningTasks = 1
            return world.worldLoop
        }
        Task(executorPreference: loop) {
            do {
                outcome.set(.success(try await StoreScript.play(ModelSubject(world: world), seed: seed)))
            } catch {
                outcome.set(.failure(error))
            }
            world.inPlace { $0.runningTasks = 0 }
        }
        Simulation.drive(world, [loop])
        return outcome.value
    }

    func register(_ registration: ScriptRegistration) async throws -> String {
        world.inPlace { world in
            let answer = world.tables.register(
                ModelTables.Registration(
                    id: registration.id, user: registration.user, startsAt: registration.startsAt,
                    tag: registration.tag, intent: registration.intent),
                endsAt: registration.startsAt.adding(.seconds(1800)))
            return "\(answer)"
        }
    }

    func outages() async throws -> [ClosedRange<Timestamp>] {
        world.inPlace { $0.tables.outages.sorted { $0.lowerBound < $1.lowerBound } }
    }

    func cancel(_ registration: ScriptRegistration, at now: Timestamp) async throws {
        try await ModelStore(world: world, server: nil).transaction { slot in
            try await world.takeLock(of: registration.startsAt, in: slot.transaction, nil)
            let known = try await slot.read { $0.registrations[registration.id] }
            guard let known, known.isLive else { return }
            try await slot.add([.cancel(known, at: now), .depart(known, at: now)])
        }
    }

    func visit(_ registration: ScriptRegistration, isPresent: Bool, at now: Timestamp) async throws {
        world.inPlace { world in
            guard let current = world.tables.member(of: registration.id) else { return }
            world.store(
                SimulatedEntry(
                    room: current.room, registration: registration.id, at: now, isPresent: isPresent), 0)
        }
    }

    func block(_ one: ScriptRegistration, _ other: ScriptRegistration) async throws {
        world.inPlace { world in
            if world.tables.blocks.contains(where: { $0.user == one.user && $0.other == other.user }) {
                return
            }
            world.tables.blocks.append(.init(user: one.user, other: other.user, commit: 0))
        }
    }

    func notifications() async throws -> [ScriptNotification] {
        world.inPlace { world in
            world.tables.notifications.map { known in
                ScriptNotification(
                    type: known.notice.type.rawValue, registration: known.notice.registration,
                    room: known.notice.room, revision: known.notice.revision)
            }
        }
    }
}
