import CLinux
import Glibc
import Reactor
import TestKit
import Testing

@Suite("A file that is memory")
struct MappedFileTests {
    /// Lends the path of a file in a folder of its own, which is removed afterwards.
    private func withPath(_ body: (String) throws -> Void) throws {
        let folder = TemporaryFolder()
        try body("\(folder.path)/file")
    }

    private func open(_ path: String, _ maximumBytes: Int = 1 << 20) throws(MappedFileError) -> MappedFile {
        try MappedFile(opening: path, maximumBytes: maximumBytes)
    }

    @Test("keeps its words, and begins with none")
    func keeps() throws {
        try withPath { path in
            do {
                let file = try open(path)
                #expect(file.wordCount == 0)
                try file.grow(to: 1000)
                for index in 0..<1000 {
                    #expect(file.load(index) == 0)
                    file.store(UInt64(index), at: index)
                }
                try file.grow(to: 2000)
                #expect(file.load(999) == 999 && file.load(1999) == 0)
                try file.grow(to: 5)
                #expect(file.wordCount == 2000)
            }
            let again = try open(path)
            #expect(again.wordCount == 2000)
            #expect((0..<1000).allSatisfy { again.load($0) == UInt64($0) })
            try again.empty()
            try again.grow(to: 1000)
            #expect((0..<1000).allSatisfy { again.load($0) == 0 })
        }
    }

    @Test(
        "outlives a truncation by another program: words past the end are lost, and new ones kept in memory")
    func truncated() throws {
        try withPath { path in
            let file = try open(path)
            try file.grow(to: 100_000)
            for index in [0, 511, 512, 99_999] { file.store(7, at: index) }
            #expect(!file.isTruncated)
            #expect(truncate(path, 4096) == 0)
            #expect(file.load(99_999) == 0 && file.load(512) == 0)
            #expect(file.load(0) == 7 && file.load(511) == 7)
            #expect(file.isTruncated)
            file.store(8, at: 50_000)
            #expect(file.load(50_000) == 8)
            #expect(truncate(path, 0) == 0)
            file.store(9, at: 0)
            #expect(file.load(0) == 9)
            // Another file is what it was.
            let other = try open(path + "-2")
            try other.grow(to: 1)
            #expect(!other.isTruncated)
        }
    }

    @Test("is one's at a time, and the next one's when it goes away")
    func locked() throws {
        try withPath { path in
            do {
                let file = try open(path)
                #expect(throws: MappedFileError.inUse) { try open(path) }
                #expect(file.wordCount == 0)
            }
            _ = try open(path)
        }
    }

    @Test("is the next one's when it goes away, though a copy of its descriptor is left")
    func copied() throws {
        try withPath { path in
            var copy: DescriptorCopy?
            do {
                let file = try open(path)
                copy = DescriptorCopy(ofFile: path)
                #expect(copy != nil && file.wordCount == 0)
            }
            _ = try open(path)
            withExtendedLifetime(copy) {}
        }
    }

    @Test("has a limit, also where it is there already")
    func limit() throws {
        try withPath { path in
            let error = MappedFileError.tooLarge(maximumBytes: 4096)
            do {
                let file = try open(path, 4096)
                try file.grow(to: 512)
                #expect(throws: error) { try file.grow(to: 513) }
                #expect(throws: error) { try file.grow(to: .max) }
                #expect(file.wordCount == 512)
            }
            #expect(try open(path, 8192).wordCount == 512)
            try open(path, 8192).grow(to: 513)
            #expect(throws: error) { try open(path, 4096) }
        }
    }

    @Test("leaves out bytes at the end that are no whole word, and has blocks of the disk for a hole")
    func odd() throws {
        try withPath { path in
            let descriptor = Glibc.open(path, O_RDWR | O_CREAT, 0o600)
            #expect(ftruncate(descriptor, 100_003) == 0)
            let file = try open(path)
            #expect(file.wordCount == 12_500)
            var status = stat()
            #expect(fstat(descriptor, &status) == 0 && status.st_blocks * 512 >= 100_000)
            close(descriptor)
            for index in 0..<12_500 { file.store(1, at: index) }
        }
    }

    @Test("cannot be a folder, a pipe, or where there is no folder")
    func noFile() throws {
        try withPath { path in
            #expect(throws: MappedFileError.failed(.failed(call: "open", errno: ENOENT))) {
                try open("\(path)/none/file")
            }
            mkfifo(path, 0o600)
            #expect(throws: MappedFileError.notAFile) { try open(path) }
            unlink(path)
            mkdir(path, 0o700)
            #expect(throws: MappedFileError.failed(.failed(call: "open", errno: EISDIR))) { try open(path) }
        }
    }
}
