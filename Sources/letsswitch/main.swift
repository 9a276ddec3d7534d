import Glibc
import Reactor

// The signals are blocked first of all, so that every thread that starts has them blocked, and they arrive as
// events of the loop.
StandardStreams.prepare()
SignalWatcher.block([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH])
Program.run()
