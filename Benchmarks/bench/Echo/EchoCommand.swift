import HTTPServer
import Reactor

/// `bench echo`: an echo server on the project's own HTTP and WebSocket.
enum EchoCommand {
    static let help = """
        bench echo --port PORT

        A WebSocket at / that echoes every text and binary message of up to 32 MiB, until it is interrupted.
        For the Autobahn Testsuite: script/dev/conformance.
        """

    static func run(_ words: ArraySlice<String>) throws(BenchError) -> CInt {
        let options = try Options(words, values: ["port"])
        if options.wantsHelp {
            Output.say(help)
            return 0
        }
        let port = try options.integer("port", default: 9001, in: 0...65_535)
        return Program.perform {
            try await serve(port: UInt16(port))
            return 0
        }
    }

    private static func serve(port: UInt16) async throws {
        let address = try Loopback.address(port: port)
        let group = try EventLoopGroup(count: 1, name: "echo")
        let loop = group.loops[0]
        var configuration = HTTPServerConfiguration()
        configuration.maximumMessageBytes = 32 << 20
        // A reader may be one message behind when the next one has already arrived.
        configuration.maximumPendingBytes = 80 << 20
        let server = try await HTTPServer(
            EchoService.make(on: loop), on: group.loops, binding: address, configuration: configuration)
        Output.say("echoing at \(server.address)")
        await Interruption.wait(on: loop)
        await server.drain()
        group.shutdown()
    }
}
