public import Contract

/// The feeds of a connection, each for any number of readers.
extension RoomConnection {
    /// A feed of the current state, and each later one.
    public nonisolated var states: Feed<ConnectionState> { feeds.states.feed() }

    /// A feed of later events in the room and of the connection.
    public nonisolated var events: Feed<RoomEvent> { feeds.events.feed() }

    /// A feed of later messages from the server, unchanged: unknown ones too, but none twice.
    public nonisolated var messages: Feed<ServerMessage> { feeds.messages.feed() }

    /// A feed of the current health, and each change.
    public nonisolated var healthChanges: Feed<Health> { feeds.health.feed() }

    /// A feed of later events of the connection, for diagnosis.
    public nonisolated var diagnostics: Feed<Diagnostic> { feeds.diagnostics.feed() }
}
