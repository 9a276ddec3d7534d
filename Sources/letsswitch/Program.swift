import Contract
import Glibc
import Reactor

/// The process: one loop on the main thread, one task that carries out the command, and the signals and the
/// timeout that may end it early.
enum Program {
    static func run() -> Never {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let loop: EventLoop
        do throws(SystemError) {
            loop = try EventLoop(name: "letsswitch")
        } catch {
            Console(isJSON: false, isQuiet: false).fail(Failure(.other, "No event loop", "\(error)"))
            exit(ExitCode.other.rawValue)
        }
        loop.execute { watchSignals(loop) }
        let task = Task(executorPreference: loop) {
            exit(await execute(arguments, on: loop).rawValue)
        }
        loop.run()
        task.cancel()
        exit(ExitCode.other.rawValue)
    }

    private static func execute(_ arguments: [String], on loop: EventLoop) async -> ExitCode {
        var console = Console(
            isJSON: arguments.contains("--json"), isQuiet: false,
            hasDiagnostics: arguments.contains("--diagnostics"))
        do {
            switch try ArgumentParser.parse(arguments) {
            case .help(let text):
                console.write(text)
            case .run(let command, let arguments):
                console = Console(
                    isJSON: arguments.has("json"), isQuiet: arguments.has("quiet"),
                    hasDiagnostics: arguments.has("diagnostics"))
                let invocation = try Invocation(arguments, console: console, loop: loop)
                limit(invocation)
                try await command.run(invocation)
            }
            return .success
        } catch {
            TerminalMode.restore()
            let failure = Failure(describing: error)
            console.fail(failure)
            return failure.code
        }
    }

    private static func watchSignals(_ loop: EventLoop) {
        // The loop keeps the watcher.
        do throws(SystemError) {
            _ = try SignalWatcher([SIGTSTP, SIGCONT], on: loop) { signal in
                signal == SIGTSTP ? Suspension.begin() : Suspension.end()
            }
            _ = try SignalWatcher([SIGINT, SIGTERM, SIGHUP, SIGQUIT], on: loop) { signal in
                TerminalMode.restore()
                if signal == SIGINT { Interruption.perform() }
                Interruption.cleanUp()
                exit(ExitCode.signalBase + signal)
            }
        } catch {
            Console(isJSON: false, isQuiet: false).warn("Signals cannot be watched: \(error).")
        }
    }

    /// Ends the process when `--timeout` has run out.
    private static func limit(_ invocation: Invocation) {
        guard let timeout = invocation.timeout else { return }
        invocation.loop.schedule(after: timeout) {
            TerminalMode.restore()
            Interruption.perform()
            Interruption.cleanUp()
            let failure = Failure(
                .timedOut, "The time has run out", "--timeout ran out before the command was done.")
            invocation.console.fail(failure)
            exit(failure.code.rawValue)
        }
    }
}
