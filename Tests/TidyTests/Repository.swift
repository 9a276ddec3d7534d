import Glibc

/// The files of this repository, as they are on the disk.
enum Repository {
    static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    static func exists(_ path: String) -> Bool { access("\(root)/\(path)", F_OK) == 0 }

    /// Returns the text of a file; nil when there is none.
    static func text(of path: String) -> String? {
        guard let file = fopen("\(root)/\(path)", "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }

    /// Returns the lines of a file, counted from one.
    static func lines(of path: String) -> [(number: Int, text: Substring)] {
        (text(of: path) ?? "").split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .map { ($0.offset + 1, $0.element) }
    }

    /// Returns the lines of a Swift file that are neither blank nor comments, without their indentation.
    static func code(of path: String) -> [(number: Int, text: Substring)] {
        lines(of: path).map { ($0.number, $0.text.drop { $0 == " " }) }
            .filter { !$0.text.isEmpty && !$0.text.hasPrefix("//") }
    }

    /// Returns the names in a folder, sorted, without hidden ones.
    static func names(in folder: String) -> [String] {
        guard let directory = opendir("\(root)/\(folder)") else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                // The kernel ends the name with a zero, within the field.
                String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// Returns the paths of all Swift files below a folder, sorted.
    static func swiftFiles(below folder: String) -> [String] { files(below: folder, ending: ".swift") }

    /// Returns the paths of all files below a folder whose names end so, sorted.
    static func files(below folder: String, ending: String) -> [String] {
        names(in: folder).flatMap { name -> [String] in
            let path = "\(folder)/\(name)"
            return name.hasSuffix(ending) ? [path] : files(below: path, ending: ending)
        }
    }

    /// Returns the modules that a target's files import.
    static func imports(of folder: String) -> Set<String> {
        Set(
            swiftFiles(below: folder).flatMap { path in
                (text(of: path) ?? "").split(separator: "\n").compactMap { line in
                    let words = line.split(separator: " ")
                    guard let index = words.firstIndex(of: "import"), index < 2, words.count == index + 2
                    else {
                        return nil
                    }
                    return String(words[index + 1])
                }
            })
    }
}
