import Glibc

/// Returns the path of a program that the build has put beside the tests.
package func pathOfBuilt(_ program: String) throws -> String {
    var path = [UInt8](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count)
    // The program is in the folder of the tests, or in one that holds their bundle.
    var folder = String(decoding: path.prefix(max(0, count)), as: UTF8.self)
    while let slash = folder.lastIndex(of: "/") {
        folder = String(folder[..<slash])
        let candidate = "\(folder)/\(program)"
        var status = stat()
        if stat(candidate, &status) == 0, status.st_mode & S_IFMT == S_IFREG { return candidate }
    }
    throw TestError("\(program) was not built beside the tests")
}
