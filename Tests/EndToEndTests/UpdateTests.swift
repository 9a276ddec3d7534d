import SocketTesting
import TestKit
import Testing

/// Servers of two builds side by side, whose pages have different files, as during a rolling update.
@Suite("The page during an update", .timeLimit(.minutes(5)))
struct UpdateTests {
    /// The HTML of a server, or behind a balancer, and the files that it names.
    private struct Shell {
        let hash: String
        let files: [String]

        /// Loads it as a browser at this address of the machine does.
        init(_ url: String, from address: String = "127.0.0.1") async throws {
            let answer = try await Curl(url, "-H", "Accept: text/html", "--interface", address)
            let files = answer.body.matches(of: /"(\/page\/[0-9a-f]{16}\/[^"]+)"/).map { String($0.1) }
            let first = try #require(files.first)
            hash = String(first.split(separator: "/")[1])
            self.files = files
        }

        /// Asks for each file, and for a module that the page loads later; returns the statuses.
        func load(from url: String, at address: String = "127.0.0.1") async throws -> Set<String> {
            let targets = (files + ["/page/\(hash)/room.js"]).flatMap { ["-o", "/dev/null", "\(url)\($0)"] }
            let run = try await Finished.run(
                "curl", ["-sS", "--interface", address, "-w", "%{http_code}\n"] + targets)
            return Set(run.output.split(separator: "\n").map(String.init))
        }
    }

    @Test("is whole at any server, which gets what it does not have from a server of the other build")
    func anyServer() async throws {
        try await BuiltProgram.makeOther()
        try await Stage.with { stage in
            let old = try await stage.startOne(of: .otherServer)
            let first = try await Shell(old.url)
            let new = try await stage.startOne()
            // The new server knows the old one, and the old one has not heard of the new one yet.
            for (server, other) in [(new, old), (old, new)] {
                let shell = try await Shell(other.url)
                #expect(try await shell.load(from: server.url) == ["200"])
                for file in shell.files + ["/page/\(shell.hash)/room.js"] {
                    for option in ["--no-compressed", "--compressed"] {
                        let given = try await Curl(option, server.url + file)
                        let own = try await Curl(option, other.url + file)
                        #expect(given.body == own.body, "\(file)")
                        for field in ["content-type", "content-encoding", "cache-control", "vary"] {
                            #expect(given.headers[field] == own.headers[field], "\(file): \(field)")
                        }
                    }
                }
                let missing = try await Curl("\(server.url)/page/\(shell.hash)/none.js")
                #expect(missing.status == 404 && missing.headers["cache-control"] == "no-store")
            }
            #expect(try await Shell(new.url).hash != first.hash)
            // When the last server of a build has ended, its page is gone. A hash that no server has makes
            // the new one read the list of servers before its next renewal.
            await old.stop()
            try await eventually(equals: Set(["404"])) {
                let unknown = try await Curl("\(new.url)/page/0123456789abcdef/app.js")
                #expect(unknown.status == 404)
                return try await first.load(from: new.url)
            }
        }
    }

    @Test("is whole for fresh browsers behind each balancer, and for tabs that are older than the update")
    func balanced() async throws {
        try await BuiltProgram.makeOther()
        for recipe in [Balancer.Recipe.haproxy, .nginx, .turns] {
            try await Stage.with { stage in
                let port = try ReservedPort()
                let publicURL = ["PUBLIC_URL": "http://127.0.0.1:\(port.number)"]
                var servers: [ServerProcess] = []
                for (name, program) in zip(
                    Balancer.names, [BuiltProgram.otherServer, .server, .otherServer])
                {
                    let own = publicURL.merging(["SERVER_NAME": name]) { $1 }
                    servers.append(try await stage.startOne(own, of: program))
                }
                let balancer = try await Balancer(recipe, at: port, before: servers)
                do {
                    var shells: [Shell] = []
                    for number in 1...12 {
                        let address = "127.0.1.\(number)"
                        let shell = try await Shell(balancer.url, from: address)
                        #expect(try await shell.load(from: balancer.url, at: address) == ["200"], "\(recipe)")
                        // The browser stays at its server.
                        let again = try await Shell("\(balancer.url)/day", from: address)
                        #expect(again.hash == shell.hash, "\(recipe) \(address)")
                        shells.append(shell)
                    }
                    // Tabs whose address the balancer knows as another one.
                    for shell in shells + [try await Shell(servers[1].url)] {
                        let statuses = try await shell.load(from: balancer.url, at: "127.0.2.1")
                        #expect(statuses == ["200"], "\(recipe)")
                    }
                } catch {
                    await balancer.stop()
                    throw error
                }
                await balancer.stop()
            }
        }
    }
}
