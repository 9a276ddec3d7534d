/// An error of opening or growing a `MappedFile`.
package enum MappedFileError: Error, Equatable, CustomStringConvertible {
    /// Another process has the file open.
    case inUse
    /// The path is a folder, a pipe or a device.
    case notAFile
    /// The file is larger than it may be, or would become so.
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
