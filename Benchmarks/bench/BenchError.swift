/// The reason why there is no result.
enum BenchError: Error, CustomStringConvertible {
    /// The command line is invalid.
    case usage(String)
    /// The server, or the machine, does not do what the measurement needs.
    case failed(String)

    var description: String {
        switch self {
        case .usage(let text), .failed(let text): text
        }
    }
}
