public import Contract

/// An action by which a person can repair a connection. The raw value is a stable key for translations.
public enum Suggestion: String, CaseIterable, Codable, Hashable, Sendable {
    /// The server does not accept the token, or the account is suspended.
    case signInAgain = "sign-in-again"
    /// The server is restarting. The connection comes back by itself.
    case serverRestarting = "server-restarting"
    /// The server, or a limit of the account, refuses the connection for a time.
    case serverOverloaded = "server-overloaded"
    /// The server has a fault.
    case serverFault = "server-fault"
    /// The server cannot be reached.
    case checkNetwork = "check-network"
    /// The connection is too slow, or was silent for too long.
    case slowNetwork = "slow-network"
    /// The clock of this machine differs from the server's by five minutes or more.
    case checkClock = "check-clock"
    /// The certificate of the server is not trusted.
    case notTrusted = "not-trusted"
    /// The address is invalid, or another service answers.
    case checkAddress = "check-address"
    /// The user has as many connections to the room as are permitted.
    case leaveOnAnotherDevice = "leave-on-another-device"
    /// The room has closed.
    case roomIsOver = "room-is-over"
    /// The user is not a member of the room.
    case notAMember = "not-a-member"
    /// The client and the server do not understand each other.
    case update = "update"

    /// The suggestion in English.
    public var text: String { said.description }

    /// Returns the suggestion in that language.
    public func text(in language: Language) -> String { said.said(in: language) }

    /// The suggestion, translatable.
    package var said: Text {
        switch self {
        case .signInAgain: "Sign in again: the server does not take your token any more."
        case .serverRestarting: "The server is restarting: nothing to do, you will be back in a moment."
        case .serverOverloaded: "The server has too much to do: nothing to do, it is tried again."
        case .serverFault: "The server has a fault: nothing to do, it is tried again."
        case .checkNetwork: "The server cannot be reached: check the network."
        case .slowNetwork: "The connection is too slow or comes and goes: check the network."
        case .checkClock: "Your clock differs from the server's: check the clock of this machine."
        case .notTrusted:
            "The server cannot prove who it is: check its address, and the clock of this machine."
        case .checkAddress: "What answers is not this service: check the address, or sign in to the network."
        case .leaveOnAnotherDevice: "Too many of your devices are in this room: leave it on one of them."
        case .roomIsOver: "The room is over: register for another slot."
        case .notAMember: "You are not in this room any more: look at your registrations."
        case .update: "Client and server do not understand each other: update this program."
        }
    }

    /// Chooses the suggestion for a failed attempt to connect.
    init(_ error: ClientError) {
        switch error {
        case .network, .timedOut: self = .checkNetwork
        case .untrusted: self = .notTrusted
        case .badAddress, .unexpected: self = .checkAddress
        case .cancelled, .queueFull, .badMessage, .storage: self = .checkNetwork
        case .problem(let problem): self.init(problem)
        }
    }

    private init(_ problem: Problem) {
        switch problem.name {
        case .unauthenticated, .suspended: self = .signInAgain
        case .gone: self = .roomIsOver
        case .notFound: self = .notAMember
        case .tooManyDevices: self = .leaveOnAnotherDevice
        case .draining: self = .serverRestarting
        case .upgradeRequired, .httpVersion, .notImplemented: self = .update
        case .tooManyRequests, .quotaExceeded, .tooManyConnections, .tooManyStreams, .tooManyExports,
            .unavailable, .keyUnderWay:
            self = .serverOverloaded
        case .unreadable, .crossSite, .recentlyRecovered, .signUpsClosed, .forbidden, .methodNotAllowed,
            .requestTimeout,
            .conflict, .alreadyRegistered, .overlaps, .tooLate, .inviteUnusable,
            .attendance, .limitReached, .timeZoneUnknown, .preconditionFailed, .contentTooLarge, .uriTooLong,
            .unsupportedMediaType, .expectationFailed, .invalid, .headerTooLarge, .tooManyRegistrations,
            .keyReused, .answerGone, .internalError, .misdirected, nil:
            self = problem.status < 500 ? .update : .serverFault
        }
    }

    /// Chooses the suggestion for the close code of a lost connection.
    init(closeCode code: UInt16) {
        switch code {
        case 1000: self = .roomIsOver
        case 1001, 1012: self = .serverRestarting
        case 1002, 1003, 1007, 1009, 1010: self = .update
        case 1008: self = .notAMember
        case 1013: self = .serverOverloaded
        case 1011, 1014: self = .serverFault
        case RoomClose.tooSlow.rawValue, RoomClose.heartbeatMissed.rawValue: self = .slowNetwork
        case 4100...4199: self = .serverOverloaded
        default: self = .checkNetwork
        }
    }
}
