import Glibc
import TestKit
import Testing

/// A running child process, and our ends of its standard streams. It is waited for once.
struct Child {
    let id: pid_t
    let input: CInt
    let output: CInt
    let errors: CInt

    init(
        _ path: String, _ arguments: [String], _ environment: [String], nonBlockingOutput: Bool = false
    ) throws {
        let (input, theirInput) = try Self.pair()
        let (output, theirOutput) = try Self.pair()
        let (errors, theirErrors) = try Self.pair()
        if nonBlockingOutput { #expect(fcntl(theirOutput, F_SETFL, O_NONBLOCK) == 0) }
        defer { for end in [theirInput, theirOutput, theirErrors] { close(end) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, theirInput, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, theirOutput, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, theirErrors, STDERR_FILENO)
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { for word in words + variables { free(word) } }
        var id: pid_t = 0
        let code = posix_spawn(&id, path, &actions, nil, &words, &variables)
        try #require(code == 0)
        (self.id, self.input, self.output, self.errors) = (id, input, output, errors)
    }

    /// Writes the text, which is short, and closes the input.
    func write(_ text: String) {
        _ = send(input, text, text.utf8.count, CInt(MSG_NOSIGNAL))
        shutdown(input, CInt(SHUT_WR))
        close(input)
    }

    /// Returns the exit status of the process, which has closed its streams already.
    func wait() -> Int32 {
        var status: Int32 = 0
        waitpid(id, &status, 0)
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }

    private static func pair() throws -> (ours: CInt, theirs: CInt) {
        var ends: [CInt] = [0, 0]
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        return (ends[0], ends[1])
    }

    /// Returns the path of the built command.
    static func command() throws -> String { try pathOfBuilt("letsswitch") }
}
