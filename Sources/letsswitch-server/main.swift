import Backend
import Glibc
import Reactor

let arguments = Array(CommandLine.arguments.dropFirst())
ServerProgram.prepareProcess(arguments: arguments)
let environment = ProcessEnvironment.current()
exit(MainThread.run { await ServerProgram.run(arguments: arguments, environment: environment) })
