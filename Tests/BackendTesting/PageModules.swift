import PageFiles

/// The modules of a page, as far as they name each other.
enum PageModules {
    /// Returns what modules import by name that no file of the page exports, a line each; and a line if there
    /// are no imports at all.
    static func missing(among files: [PageFile]) -> [String] {
        let texts = files.filter { $0.name.hasSuffix(".js") }.map { file in
            (name: file.name, text: String(decoding: file.bytes, as: UTF8.self))
        }
        let exported = Dictionary(uniqueKeysWithValues: texts.map { ($0.name, exports(of: $0.text)) })
        var count = 0
        var missing: [String] = []
        for (importer, text) in texts {
            for match in text.matches(of: /import\s*\{([^}]*)\}\s*from\s*'\.\/([a-z0-9.-]+)'/) {
                let known = exported[String(match.2)] ?? []
                for name in names(in: match.1) {
                    count += 1
                    if !known.contains(name) { missing.append("\(importer): \(match.2) has no \(name)") }
                }
            }
        }
        return count == 0 ? ["there are no imports"] : missing
    }

    private static func exports(of text: String) -> Set<String> {
        var exports: Set<String> = []
        let single = /export\s+(?:async\s+)?(?:function\*?|const|let|class)\s+([A-Za-z0-9_]+)/
        for match in text.matches(of: single) { exports.insert(String(match.1)) }
        for match in text.matches(of: /export\s+(?:const\s+)?\{([^}]*)\}/) {
            exports.formUnion(names(in: match.1))
        }
        return exports
    }

    /// Returns the first word of each part of a list.
    private static func names(in list: Substring) -> [String] {
        list.split(separator: ",").compactMap { part in
            part.split(whereSeparator: \.isWhitespace).first.map(String.init)
        }
    }
}
