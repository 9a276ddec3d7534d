enum ManCommand {
    @Sendable static func run(_ invocation: Invocation) { invocation.console.write(ManualPage.roff) }
}
