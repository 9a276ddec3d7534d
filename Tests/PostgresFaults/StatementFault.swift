/// A way in which a statement fails, for tests that failures do no harm.
package enum StatementFault: String, CaseIterable, Sendable {
    /// SIGKILL ends the process before the statement is sent, or after it was answered.
    case killedBefore = "killed-before"
    case killedAfter = "killed-after"
    /// The connection breaks before the statement is sent, or after it took effect: then the answer is
    /// lost.
    case lostBefore = "lost-before"
    case lostAfter = "lost-after"
    /// The statement took effect, and no answer comes in time.
    case unanswered
    /// PostgreSQL reports the error in place of the statement.
    case serializationFailure = "40001"
    case deadlock = "40P01"
    case canceled = "57014"
    /// PostgreSQL ends the session in place of the statement.
    case adminShutdown = "57P01"
}
