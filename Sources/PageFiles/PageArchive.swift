/// The files of a page as one sequence of bytes, in which a server hands its page to another one. Each file
/// is its name, its bytes and its gzip form, each after its length in four bytes, the most significant first.
/// A file without a gzip form has an empty one.
package enum PageArchive {
    /// The most files of a page.
    package static let maximumFiles = 200

    package static func encode(_ files: [PageFile]) -> [UInt8] {
        var bytes: [UInt8] = []
        for file in files {
            for part in [Array(file.name.utf8), file.bytes, file.gzipped ?? []] {
                for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: part.count >> shift)) }
                bytes += part
            }
        }
        return bytes
    }

    /// Returns nil if the bytes are no archive, have too many files, or name one in a way that a page cannot.
    package static func decode(_ bytes: [UInt8]) -> [PageFile]? {
        var rest = bytes[...]
        func part() -> [UInt8]? {
            guard rest.count >= 4 else { return nil }
            let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        var files: [PageFile] = []
        while !rest.isEmpty {
            guard files.count < maximumFiles, let name = part().map({ String(decoding: $0, as: UTF8.self) }),
                isName(name), let plain = part(), let gzipped = part()
            else { return nil }
            files.append(PageFile(name, bytes: plain, gzipped: gzipped.isEmpty ? nil : gzipped))
        }
        return files.isEmpty ? nil : files
    }

    /// Whether these are the characters of a file's name, as `script/dev/embed` permits them.
    private static func isName(_ name: String) -> Bool {
        guard let first = name.first, name.utf8.count <= 100, !"-.".contains(first) else { return false }
        return name.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || "-.".contains($0)) }
    }
}
