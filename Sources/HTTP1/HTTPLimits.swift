/// What one message may cost. Every limit is checked on the announced length, before anything is buffered.
package struct HTTPLimits: Sendable, Equatable {
    /// The request line or the status line, without its line end; past it: 414.
    package var startLine: Int
    /// All field lines of a head together, without their line ends; past it: 431.
    package var headerBytes: Int
    /// How many fields a head may have; past it: 431.
    package var headerCount: Int
    /// The body, after its transfer coding; past it: 413. The default of `bodyLimit` for each message.
    package var body: Int
    /// One chunk-size line with its extensions; past it: 400.
    package var chunkLine: Int
    /// The extensions of all the chunks of a body together; past it: 400.
    package var chunkExtensions: Int
    /// All trailer lines together; past it: 431.
    package var trailerBytes: Int

    package init(
        startLine: Int = 8 * 1024, headerBytes: Int = 16 * 1024, headerCount: Int = 100,
        body: Int = 256 * 1024, chunkLine: Int = 256, chunkExtensions: Int = 4 * 1024,
        trailerBytes: Int = 8 * 1024
    ) {
        self.startLine = startLine
        self.headerBytes = headerBytes
        self.headerCount = headerCount
        self.body = body
        self.chunkLine = chunkLine
        self.chunkExtensions = chunkExtensions
        self.trailerBytes = trailerBytes
    }

    /// What a server takes from anybody.
    package static let requests = HTTPLimits()
    /// What a client takes from the server that it chose.
    package static let responses = HTTPLimits(headerBytes: 64 * 1024, body: 16 * 1024 * 1024)
}
