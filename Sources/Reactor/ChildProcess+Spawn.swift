import CLinux
import Glibc

extension ChildProcess.Command {
    /// A started program, and the reading ends of the captured streams (-1: not captured). The caller closes
    /// them.
    struct Started {
        let processID: pid_t
        let output: CInt
        let errors: CInt
    }

    /// The bytes of input that a pipe holds while no process reads.
    private static let inputLimit = 32 * 1024
    /// `POSIX_SPAWN_SETSID`, which glibc declares for `_GNU_SOURCE` only.
    private static let setSession: CInt = 0x80

    func spawn() throws(SystemError) -> Started {
        let input = try openInput()
        let output = try open(standardOutput, inherited: STDOUT_FILENO)
        let errors = try open(standardError, inherited: STDERR_FILENO)

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.raw, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output.child, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors.child, STDERR_FILENO)
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        if let workingDirectory {
            posix_spawn_file_actions_addchdir_np(&actions, workingDirectory)
        }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        prepare(&attributes)

        var processID = pid_t()
        let variables = environment.map { "\($0.key)=\($0.value)" }
        let code = withCStrings([executable] + arguments) { arguments in
            withCStrings(variables) { variables in
                posix_spawnp(&processID, executable, &actions, &attributes, arguments, variables)
            }
        }
        if code != 0 { throw .failed(call: executable, errno: code) }
        return Started(
            processID: processID, output: output.releaseReader(), errors: errors.releaseReader())
    }

    /// Sets the attributes so that no signal is blocked or ignored in the child, whatever this process does
    /// with its own.
    private func prepare(_ attributes: inout posix_spawnattr_t) {
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let flags = CInt(POSIX_SPAWN_SETSIGMASK) | CInt(POSIX_SPAWN_SETSIGDEF)
        posix_spawnattr_setflags(&attributes, Int16(flags | (ownSession ? Self.setSession : 0)))
    }

    private func openInput() throws(SystemError) -> OwnedDescriptor {
        if input.isEmpty { return try Self.openFile("/dev/null", O_RDONLY) }
        guard input.utf8.count <= Self.inputLimit else { throw .failed(call: "input", errno: E2BIG) }
        let (reader, writer) = try Self.pipe()
        defer { _ = Glibc.close(writer) }
        let bytes = Array(input.utf8)
        _ = Glibc.write(writer, bytes, bytes.count)
        return OwnedDescriptor(adopting: reader)
    }

    private func open(
        _ destination: ChildProcess.Destination, inherited: CInt
    ) throws(SystemError) -> OutputEnds {
        switch destination {
        case .inherit:
            return OutputEnds(child: inherited, writer: nil, reader: nil)
        case .discard:
            return OutputEnds(writing: try Self.openFile("/dev/null", O_WRONLY).release(), reader: nil)
        case .file(let path):
            return OutputEnds(
                writing: try Self.openFile(path, O_WRONLY | O_APPEND | O_CREAT).release(), reader: nil)
        case .capture:
            let (reader, writer) = try Self.pipe()
            return OutputEnds(writing: writer, reader: OwnedDescriptor(adopting: reader))
        }
    }

    private static func openFile(_ path: String, _ flags: CInt) throws(SystemError) -> OwnedDescriptor {
        OwnedDescriptor(adopting: try system("open") { Glibc.open(path, flags | O_CLOEXEC, 0o600) })
    }

    private static func pipe() throws(SystemError) -> (reader: CInt, writer: CInt) {
        var ends: [CInt] = [-1, -1]
        try system("pipe2") { pipe2(&ends, O_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

/// The two ends of an output stream: the child's, and the one that is read here.
private struct OutputEnds: ~Copyable {
    let child: CInt
    private let writer: OwnedDescriptor?
    private var reader: OwnedDescriptor?

    init(child: CInt, writer: consuming OwnedDescriptor?, reader: consuming OwnedDescriptor?) {
        self.child = child
        self.writer = writer
        self.reader = reader
    }

    init(writing writer: CInt, reader: consuming OwnedDescriptor?) {
        self.init(child: writer, writer: OwnedDescriptor(adopting: writer), reader: reader)
    }

    /// Returns the reading end, which the caller has to close; the child's end is closed here.
    consuming func releaseReader() -> CInt {
        if let reader = reader.take() { return reader.release() }
        return -1
    }
}

/// Calls the body with a null-terminated array of C strings, as `exec` wants it.
private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    let array = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: strings.count + 1)
    for (index, string) in strings.enumerated() { array.advanced(by: index).initialize(to: strdup(string)) }
    array.advanced(by: strings.count).initialize(to: nil)
    defer {
        for index in strings.indices { free(array[index]) }
        array.deallocate()
    }
    return body(array)
}
