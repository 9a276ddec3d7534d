import Backend
import Glibc
import Reactor

ServerProgram.blockSignals()
let arguments = Array(CommandLine.arguments.dropFirst())
let environment = ProcessEnvironment.current()
exit(MainThread.run { await ServerProgram.run(arguments: arguments, environment: environment) })
