/// The reliance of an owner: on the lease of the database, else on what its peers say, else on being alone.
///
/// Times are microseconds since the start of the machine, by a clock that cannot be set and that counts while
/// the machine sleeps. A question counts from before it was sent.
package struct Lease: Equatable, Sendable {
    package enum State: Equatable, Sendable {
        /// Nothing is relied on: the server has just started, was paused, or its lease has expired and no
        /// answer has come yet. An answer to a question that was asked since leads to another state.
        case unsure
        /// The database has renewed the lease. It ends in `unsure`, unless the next renewal comes before.
        case held(until: Int64)
        /// The database does not answer, and no peer that answered names a higher term. Asked again each
        /// second.
        case byPeers(until: Int64)
        /// The database does not answer, and no peer does either, or there is none.
        case alone(until: Int64)
    }

    /// A question to ask now. The caller reports how it ended, whatever the outcome.
    package enum Step: Equatable, Sendable {
        case renew
        /// Asks the peers for the terms of the rooms here. Rooms with a higher term are given up before the
        /// answer counts.
        case askPeers
    }

    /// The time after a renewal for which an owner relies on it: a second less than the database does.
    static let reliance: Int64 = 4_000_000
    /// The time after a question to the peers for which an owner relies on their answers.
    static let grant: Int64 = 2_000_000
    /// The longest time between two heartbeats of a process that was not paused.
    package static let longestGap: Int64 = 1_000_000
    /// The time between two renewals, and between two questions to the peers.
    static let interval: Int64 = 1_000_000
    /// The time between two renewals while no slot is near.
    static let idleInterval: Int64 = 60_000_000

    package private(set) var state = State.unsure
    /// Whether a slot is near or open. Else nothing is relied on, and the lease is mostly past.
    package var isActive = false
    private var lastHeartbeat: Int64?
    /// The instant since which the process was not paused. Answers to earlier questions do not count.
    private var runningSince = Int64.min
    private var renewal = Question()
    private var question = Question()
    /// Whether the last renewal that ended since the process runs has failed.
    private var hasFailed = false
    /// The instant from which the age of the lease counts: before its last renewal was sent.
    package private(set) var renewedAt: Int64?
    /// The number of serving peers at the last renewal; nil before the first.
    private var peers: Int?

    private struct Question: Equatable {
        var sent: Int64?
        var isUnderWay = false

        func isDue(at now: Int64, every interval: Int64, since: Int64) -> Bool {
            guard !isUnderWay else { return false }
            return sent.map { now - $0 >= interval || $0 < since } ?? true
        }
    }

    package init() {}

    /// The instant until which this server may acknowledge what it is told.
    package var deadline: Int64 {
        guard let until, let lastHeartbeat else { return .min }
        return min(until, lastHeartbeat + Self.longestGap)
    }

    /// Notes that the process runs, and returns the questions to ask now: the caller counts them from `now`.
    package mutating func beat(at now: Int64) -> [Step] {
        if let lastHeartbeat, now - lastHeartbeat >= Self.longestGap {
            state = .unsure
            runningSince = now
            hasFailed = false
        }
        lastHeartbeat = now
        if let until, until <= now { state = .unsure }
        var steps: [Step] = []
        let pause = isActive ? Self.interval : Self.idleInterval
        if renewal.isDue(at: now, every: pause, since: isActive ? runningSince : .min) {
            renewal = Question(sent: now, isUnderWay: true)
            steps.append(.renew)
        }
        guard isActive, isDatabaseSilent(at: now), needsMore(at: now), let peers else { return steps }
        if peers == 0 {
            if hasFailed { state = .alone(until: now + Self.grant) }
        } else if question.isDue(at: now, every: Self.interval, since: runningSince) {
            question = Question(sent: now, isUnderWay: true)
            steps.append(.askPeers)
        }
        return steps
    }

    /// Notes that the database has renewed the lease, and that the rooms that were lost meanwhile are given
    /// up.
    package mutating func renewed(servingPeers: Int, at now: Int64) {
        renewal.isUnderWay = false
        hasFailed = false
        peers = servingPeers
        renewedAt = renewal.sent
        guard let sent = renewal.sent, sent >= runningSince, sent + Self.reliance > now else { return }
        state = .held(until: sent + Self.reliance)
    }

    package mutating func renewalFailed() {
        renewal.isUnderWay = false
        // A connection that did not outlive a pause says nothing about the database.
        hasFailed = renewal.sent.map { $0 >= runningSince } ?? false
    }

    /// Notes that the peers have had the time to answer, `reached` of them have, and that the rooms with
    /// higher terms are given up.
    package mutating func peersAnswered(reached: Int, at now: Int64) {
        question.isUnderWay = false
        guard let sent = question.sent, sent >= runningSince, sent + Self.grant > now else { return }
        // A renewal that came meanwhile says more.
        guard isDatabaseSilent(at: now), needsMore(at: now) else { return }
        if reached > 0 {
            state = .byPeers(until: sent + Self.grant)
        } else if hasFailed {
            state = .alone(until: sent + Self.grant)
        }
    }

    private var until: Int64? {
        switch state {
        case .unsure: nil
        case .held(let until), .byPeers(let until), .alone(let until): until
        }
    }

    /// Whether the database has failed to renew, or has not answered for a second.
    private func isDatabaseSilent(at now: Int64) -> Bool {
        if hasFailed { return true }
        guard renewal.isUnderWay, let sent = renewal.sent else { return false }
        return now - max(sent, runningSince) >= Self.interval
    }

    /// Whether what is relied on ends soon: the peers are asked before the lease is past.
    private func needsMore(at now: Int64) -> Bool {
        switch state {
        case .unsure, .byPeers, .alone: true
        case .held(let until): until - now <= Self.interval
        }
    }
}
