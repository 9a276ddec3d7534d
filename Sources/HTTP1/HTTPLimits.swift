/// The limits of one message. Every limit is checked on the announced length, before anything is buffered.
package struct HTTPLimits: Sendable, Equatable {
    /// The most bytes of the request line or status line, without its line end; past it: 414.
    package var startLine: Int
    /// The most bytes of all field lines of a head together, without their line ends; past it: 431.
    package var headerBytes: Int
    /// The most fields of a head; past it: 431.
    package var headerCount: Int
    /// The most bytes of the body, after its transfer coding; past it: 413. The default of `bodyLimit` for
    /// each message.
    package var body: Int
    /// The most bytes of one chunk-size line with its extensions; past it: 400.
    package var chunkLine: Int
    /// The most bytes of the extensions of all chunks of a body together; past it: 400.
    package var chunkExtensions: Int
    /// The most bytes of all trailer lines together; past it: 431.
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

    /// The limits of a server for requests from any client.
    package static let requests = HTTPLimits()
    /// The limits of a client for responses from the server that it chose.
    package static let responses = HTTPLimits(headerBytes: 64 * 1024, body: 16 * 1024 * 1024)
}
