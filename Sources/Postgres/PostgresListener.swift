import Codecs
package import Reactor

/// A listener to channels, with a connection of its own that it restores by itself.
///
/// Notifications that are sent while it is disconnected are lost: the caller catches up in `onConnect`.
package struct PostgresListener: Sendable {
    private let configuration: PostgresConfiguration
    private let loop: EventLoop
    private let channels: [String]
    private let keepalive: Duration
    private let session: [String]

    /// `keepalive` is the time without notifications after which the server is asked for an answer. `session`
    /// is run on each connection before it listens.
    package init(
        _ configuration: PostgresConfiguration, on loop: EventLoop, channels: [String],
        keepalive: Duration = .seconds(15), session: [String] = []
    ) {
        self.session = session
        self.configuration = configuration
        self.loop = loop
        self.channels = channels
        self.keepalive = keepalive
    }

    /// Listens until the task is cancelled.
    ///
    /// `onConnect` is called whenever a connection begins to listen, `onNotification` for each notification
    /// after that, `onFailure` when the connection could not be made or broke. The next call waits until they
    /// return.
    package func run(
        onConnect: () async -> Void,
        onNotification: (PostgresNotification) async -> Void,
        onFailure: (PostgresError) async -> Void = { _ in }
    ) async {
        var failures = 0
        while !Task.isCancelled {
            do throws(PostgresError) {
                let connection = try await PostgresConnection.connect(configuration, on: loop)
                do throws(PostgresError) {
                    for statement in session { try await connection.simple(statement) }
                    for channel in channels { try await connection.simple("LISTEN \(quoted(channel))") }
                    failures = 0
                    await onConnect()
                    try await listen(connection, onNotification)
                } catch {
                    await connection.close()
                    throw error
                }
            } catch .cancelled {
                return
            } catch {
                failures += 1
                await onFailure(error)
                try? await Task.sleep(for: PostgresConfiguration.reconnecting.delay(afterFailures: failures))
            }
        }
    }

    private func listen(
        _ connection: PostgresConnection, _ onNotification: (PostgresNotification) async -> Void
    ) async throws(PostgresError) {
        while true {
            let notifications = try await connection.notifications(within: keepalive)
            if notifications.isEmpty { try await connection.simple("SELECT 1") }
            for notification in notifications { await onNotification(notification) }
        }
    }
}

/// Returns a name as a quoted identifier of SQL, whatever it contains.
package func quoted(_ identifier: String) -> String {
    var text = "\""
    for character in identifier.unicodeScalars {
        if character == "\"" { text.unicodeScalars.append("\"") }
        if character.value != 0 { text.unicodeScalars.append(character) }
    }
    return text + "\""
}
