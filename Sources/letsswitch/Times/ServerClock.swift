import Client
import Contract
import Reactor

/// What time it is for the service, also where the clock of this machine is wrong.
enum ServerClock {
    /// Answers carry whole seconds and take their time, so a smaller difference means nothing.
    static let tolerance = Duration.seconds(5)

    /// The machine's own time, unless the server's is plainly another one.
    static func now(_ api: APIClient) async -> Timestamp {
        let mine = WallClock.now
        guard let theirs = try? await ServerProbe(api).clock() else { return mine }
        let difference = theirs.since(mine)
        return max(difference, .zero - difference) > tolerance ? theirs : mine
    }
}
