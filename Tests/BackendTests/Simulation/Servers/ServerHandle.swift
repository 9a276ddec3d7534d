/// One process of a server, as what it asks the world for names it.
struct ServerHandle: Equatable, Sendable {
    let index: Int
    let generation: Int
}

/// The process that asks was killed. Whatever it does from here on, nobody hears of it.
struct ServerKilled: Error {}
