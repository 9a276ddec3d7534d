import Glibc
import Reactor

// First of all, so that every thread that starts has them blocked, and they arrive as events of a loop.
SignalWatcher.block([SIGINT, SIGTERM])
signal(SIGPIPE, SIG_IGN)
OpenFiles.allowAll()
exit(Program.run(Array(CommandLine.arguments.dropFirst())))
