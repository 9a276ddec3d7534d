import Codecs
import Crypto
import Glibc
import HTTP1
import PageFiles
import Reactor
import TestKit
import Testing

@testable import BackendTesting
@testable import Web

@Suite("The embedded files of the page")
struct PageFileTests {
    private static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    private static let folder = root + "/Sources/Web/Page"
    private static let fixed = ["index.html", "manifest.webmanifest", "worker.js"]
    private static let placeholders = ["{{base}}", "{{files}}"]

    /// Returns the bytes of a file.
    private static func read(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "r") else { throw TestError("\(path): \(errno)") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    private static func run(_ program: String, _ arguments: String...) async throws -> ChildProcess {
        let child = try await ChildProcess.run(.init(program, arguments))
        #expect(await child.ending() == .exited(0), "\(child.output(.standardError))")
        return child
    }

    @Test("are those of Sources/Web/Page, as they are there but for the placeholders of three")
    func files() async throws {
        let listed = try await Self.run("/bin/ls", Self.folder).output().split(separator: "\n")
            .map(String.init).sorted()
        #expect(PageFile.all.map(\.name) == listed)
        #expect(Set(Self.fixed).isSubset(of: listed))
        for file in PageFile.all {
            let source = try Self.read("\(Self.folder)/\(file.name)")
            if !Self.fixed.contains(file.name) {
                // The bytes are too many to be printed.
                let isSame = file.bytes == source
                #expect(isSame, "\(file.name)")
                continue
            }
            var text = String(decoding: source, as: UTF8.self)
            let files = PageFile.all.map(\.name).filter { !Self.fixed.contains($0) }
            let paths = files.map { #""{{base}}/\#($0)""# }.joined(separator: ", ")
            text = text.replacing("{{files}}", with: "[\(paths)]")
            text = text.replacing("{{base}}", with: "/page/\(PageFile.hash)")
            let isSame = file.bytes == Array(text.utf8)
            #expect(isSame, "\(file.name)")
        }
    }

    @Test("are the same after gzip, and smaller before")
    func gzip() async throws {
        let folder = TemporaryFolder()
        for file in PageFile.all {
            guard let gzipped = file.gzipped else {
                #expect(file.name.hasSuffix(".png"))
                continue
            }
            let path = "\(folder.path)/\(file.name).gz"
            let output = try #require(fopen(path, "w"))
            #expect(fwrite(gzipped, 1, gzipped.count, output) == gzipped.count)
            fclose(output)
            let text = try await Self.run("gzip", "--decompress", "--stdout", path).output()
            let isSame = file.bytes == Array(text.utf8)
            #expect(isSame, "\(file.name)")
            #expect(gzipped.count < file.bytes.count || file.bytes.count < 200, "\(file.name)")
        }
    }

    @Test("import what the other files export")
    func imports() { #expect(PageModules.missing(among: PageFile.all) == []) }

    @Test("ask for nothing elsewhere, and have no style within the HTML, and only the script of the policy")
    func policy() async throws {
        let header = Lock("")
        try await PageServer.with { server in
            let answer = try await server.send("GET", "/day", PageServer.html)
            header.withLock { $0 = answer.headers["content-security-policy"] ?? "" }
        }
        let directives = header.withLock { $0 }.split(separator: ";")
        let directive = try #require(directives.first(where: { $0.contains("script-src ") }))
        let sources: [String] = directive.split(separator: " ").map { String($0) }
        #expect(sources.count == 3 && sources.prefix(2) == ["script-src", "'self'"])
        for file in PageFile.all where file.gzipped != nil {
            let text = String(decoding: file.bytes, as: UTF8.self)
            for placeholder in Self.placeholders {
                #expect(!Self.fixed.contains(file.name) || !text.contains(placeholder), "\(file.name)")
            }
            guard file.name.hasSuffix(".html") else { continue }
            // The digests of all scripts within, as a browser computes them. Each has no attribute.
            let scripts: [String] = text.matches(of: /<script>([^<]*)<\/script>/).map { match in
                "'sha256-\(Base64.encode(Digest.sha256(Array(match.1.utf8))))'"
            }
            #expect(text.matches(of: /<script(?![^>]*\bsrc=)/).count == scripts.count, "\(file.name)")
            #expect(scripts == Array(sources.dropFirst(2)), "\(file.name)")
            #expect(text.firstMatch(of: /<style|\sstyle=|\son[a-z]+=/) == nil)
            #expect(text.firstMatch(of: /(?:src|href)="(?!\/)[^"#]/) == nil)
        }
    }

    /// Writes the files into a folder and embeds them; returns the source, or nil if they are refused.
    private static func embed(
        _ files: [(name: String, text: String)], flags: [String] = []
    ) async throws -> String? {
        let folder = TemporaryFolder()
        let paths = try files.map { try folder.file($0.name, $0.text) }
        let source = "\(folder.path)/out.swift"
        let command = ChildProcess.Command("\(root)/script/dev/embed", flags + [source] + paths)
        let child = try await ChildProcess.run(command)
        guard await child.ending() == .exited(0) else {
            #expect(!child.output(.standardError).isEmpty)
            #expect(access(source, F_OK) != 0, "a part of the source was left")
            return nil
        }
        return String(decoding: try read(source), as: UTF8.self)
    }

    private static func hash(_ source: String?) throws -> String {
        let match = try #require(source?.firstMatch(of: /hash = "([0-9a-f]{16})"/))
        return String(match.1)
    }

    @Test("have another hash when any of them has another byte, another name, or is gone")
    func hash() async throws {
        let files = [(name: "a.js", text: "1;\n"), (name: "index.html", text: "{{base}} {{files}}")]
        let source = try await Self.embed(files)
        let hash = try Self.hash(source)
        #expect(source?.contains(#"/page/\#(hash) ["/page/\#(hash)/a.js"]"#) == true)
        #expect(try Self.hash(try await Self.embed(files)) == hash)
        for change in [
            [(name: "a.js", text: "2;\n"), files[1]], [(name: "b.js", text: "1;\n"), files[1]], [files[1]],
            [files[0], (name: "index.html", text: "{{base}} {{files}} ")],
            [files[0], (name: "b.js", text: ""), files[1]],
        ] {
            #expect(try Self.hash(try await Self.embed(change)) != hash, "\(change)")
        }
    }

    @Test("are refused where the source could not hold them")
    func refused() async throws {
        for (name, text) in [
            ("a.js", "a\r\nb"), ("a.js", "\"\"\"######"), ("a.js", "\\######(x)"), ("A.js", ""),
            ("a b.js", ""), ("a\".js", ""), ("-a.js", ""), ("a_b.js", ""),
        ] {
            #expect(try await Self.embed([(name: name, text: text)]) == nil, "\(name): \(text)")
        }
        #expect(try await Self.embed([]) == nil)
        #expect(try await Self.embed([(name: "a-b.1.js", text: "\"\"\"#####\\#####(x) \\n é 👋")]) != nil)
    }

    @Test("are strings under their names as documents, in which JSON has no white space between its tokens")
    func documents() async throws {
        let json = #"{ "a b" : [ 1,"c \\\" d\n" , " " ],"# + "\n\t" + #""é\\": { } }"# + "\n"
        let files = [(name: "a-b.json", text: json), (name: "c.po", text: "d  e\n")]
        let source = try await Self.embed(files, flags: ["--documents"])
        let lines = try #require(source).split(separator: "\n").map { String($0) }
        #expect(lines.contains("static let a_b_json =") && lines.contains("static let c_po ="))
        #expect(lines.contains(#"{"a b":[1,"c \\\" d\n"," "],"é\\":{}}"#) && lines.contains("d  e"))
        #expect(try await Self.embed([], flags: ["--documents"]) == nil)
        #expect(try await Self.embed([(name: "a.po", text: "\r")], flags: ["--documents"]) == nil)
    }

    @Test("have a media type for each kind of file, and none for another")
    func mediaTypes() {
        for (name, type) in [
            ("a.html", "text/html; charset=utf-8"), ("a.b.js", "text/javascript; charset=utf-8"),
            ("a.css", "text/css; charset=utf-8"), ("a.svg", "image/svg+xml"), ("a.png", "image/png"),
            ("a.webmanifest", "application/manifest+json"), ("a.txt", nil), ("a", nil), ("js.", nil),
        ] as [(String, String?)] {
            #expect(PageFile(name, base64: "").mediaType == type, "\(name)")
        }
    }
}
