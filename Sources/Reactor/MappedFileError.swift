/// Why a `MappedFile` could not be opened or grown.
package enum MappedFileError: Error, Equatable, CustomStringConvertible {
    /// Another process has it.
    case inUse
    /// A folder, a pipe, a device.
    case notAFile
    /// It is larger than it may be, or would be.
    case tooLarge(maximumBytes: Int)
    case failed(SystemError)

    package var description: String {
        switch self {
        case .inUse: "another process uses it"
        case .notAFile: "it is no file"
        case .tooLarge(let bytes): "it may have \(bytes) bytes"
        case .failed(let error): "\(error)"
        }
    }
}
