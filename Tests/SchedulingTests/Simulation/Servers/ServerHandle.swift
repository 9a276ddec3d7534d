/// One process of a server, as its requests to the world name it.
struct ServerHandle: Equatable, Sendable {
    let index: Int
    let generation: Int
}

/// The error of a process that was killed: nothing that it does any more has an effect.
struct ServerKilled: Error {}
