import Client
import Contract
import Reactor

/// The time by the clock of the service, also if the clock of this machine is wrong.
enum ServerClock {
    /// The largest difference that means nothing: answers carry whole seconds, and take their time.
    static let tolerance = Duration.seconds(5)

    /// Returns the machine's own time, unless the server's plainly differs.
    static func now(_ api: APIClient) async -> Timestamp {
        let mine = WallClock.now
        guard let theirs = try? await ServerProbe(api).clock() else { return mine }
        let difference = theirs.since(mine)
        return max(difference, .zero - difference) > tolerance ? theirs : mine
    }
}
