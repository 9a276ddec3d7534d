import Glibc
import Reactor

// The signals are blocked first, so that every thread inherits the mask, and they arrive as events of a loop.
SignalWatcher.block([SIGINT, SIGTERM])
signal(SIGPIPE, SIG_IGN)
OpenFiles.allowAll()
exit(Program.run(Array(CommandLine.arguments.dropFirst())))
