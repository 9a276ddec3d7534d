import Backend
import Glibc
import Reactor

ServerProgram.blockSignals()
exit(
    await ServerProgram.run(
        arguments: Array(CommandLine.arguments.dropFirst()), environment: ProcessEnvironment.current()))
