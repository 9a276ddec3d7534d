enum ManCommand {
    @Sendable static func run(_ invocation: Invocation) async { invocation.console.write(ManualPage.roff) }
}
