import PageFiles
import Testing

@Suite("The archive of a page")
struct PageArchiveTests {
    private static let files = [
        PageFile("app.js", bytes: Array("app()".utf8), gzipped: [0x1F, 0x8B]),
        PageFile("icon-192.png", bytes: [0x89], gzipped: nil),
        PageFile("empty.css", bytes: [], gzipped: nil),
    ]

    @Test("has every file, with and without its gzip form")
    func roundTrip() throws {
        let decoded = try #require(PageArchive.decode(PageArchive.encode(Self.files)))
        #expect(decoded.map(\.name) == Self.files.map(\.name))
        #expect(decoded.map(\.bytes) == Self.files.map(\.bytes))
        #expect(decoded.map(\.gzipped) == Self.files.map(\.gzipped))
    }

    @Test("is refused when it is cut, but after a whole file")
    func cut() throws {
        let bytes = PageArchive.encode(Self.files)
        let whole = (1...Self.files.count).map { PageArchive.encode(Array(Self.files.prefix($0))).count }
        for count in 0...bytes.count {
            let files = PageArchive.decode(Array(bytes.prefix(count)))
            let expected = whole.firstIndex(of: count).map { $0 + 1 }
            #expect(files?.count == expected, "\(count)")
        }
    }

    @Test(
        "is refused with a name that no file of a page has",
        arguments: [
            "", ".js", "-a.js", "A.js", "a/b.js", "a b.js", "a\0.js", String(repeating: "a", count: 101),
        ])
    func names(name: String) throws {
        #expect(PageArchive.decode(PageArchive.encode([PageFile(name, bytes: [1], gzipped: nil)])) == nil)
    }

    @Test("is refused with more files than a page may have")
    func count() throws {
        let files = (0...PageArchive.maximumFiles).map { PageFile("\($0).js", bytes: [], gzipped: nil) }
        #expect(PageArchive.decode(PageArchive.encode(files)) == nil)
        #expect(PageArchive.decode(PageArchive.encode(Array(files.dropLast()))) != nil)
    }
}
