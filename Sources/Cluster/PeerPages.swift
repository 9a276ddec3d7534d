import Contract
import Database
import Reactor

/// The pages of other builds, which the servers of these builds hand over when a browser asks this one for
/// them. During an update, a browser may get the HTML from a server of one build, and ask one of another
/// build for its files. A page is kept as long as a server that has it is in the list of peers.
package final class PeerPages<Page: Sendable>: Sendable {
    private struct State {
        /// The hashes of the peers' pages. That of an incarnation never changes.
        var hashes: [Identifier: String] = [:]
        var pages: [String: Page] = [:]
        /// The instant at which the peers were last asked for their hashes, in nanoseconds.
        var askedAt: UInt64?
    }

    /// The most pages: a fleet has two during an update, and three if the next one begins before its end.
    private static var maximumPages: Int { 4 }
    /// The most peers that are asked for one page.
    private static var maximumAttempts: Int { 3 }
    /// The most peers that are asked for their hashes at a time.
    private static var maximumPeers: Int { 64 }
    /// The shortest time between two rounds of questions for hashes. A request for a hash that no server has
    /// causes one, so requests with invented hashes wait for the next round together.
    private static var pause: Duration { .milliseconds(500) }

    private let service: ClusterService
    private let talk: PeerTalk
    private let time: ClusterTime
    private let decode: @Sendable ([UInt8]) -> Page?
    private let state = Lock(State())
    private let searches: Lock<SharedAnswers<String, Page>?>

    /// Creates it. `decode` reads what a peer has sent.
    package init(
        _ service: ClusterService, talk: PeerTalk, in time: ClusterTime,
        decode: @escaping @Sendable ([UInt8]) -> Page?
    ) {
        self.service = service
        self.talk = talk
        self.time = time
        self.decode = decode
        searches = Lock(nil)
    }

    /// Returns the page with this hash if it is kept, and a server that has it is still there.
    package func kept(_ hash: String) -> Page? {
        state.withLock { state in
            guard let page = state.pages[hash] else { return nil }
            let isServed = state.hashes.contains { $1 == hash && service.peers.find($0) != nil }
            if !isServed { state.pages[hash] = nil }
            return isServed ? page : nil
        }
    }

    /// Returns the page with this hash, and asks the peers for it if it is not kept; nil if none has it.
    package func find(_ hash: String) async -> Page? {
        if let page = kept(hash) { return page }
        let searches = searches.withLock { searches in
            if let searches { return searches }
            let new = SharedAnswers<String, Page>(on: time.executor) { [weak self] hashes in
                await self?.search(hashes) ?? [:]
            }
            searches = new
            return new
        }
        return try? await searches.ask(hash)
    }

    private func search(_ hashes: [String]) async -> [String: Page] {
        forgetGone()
        var found: [String: Page] = [:]
        var isLookedFor = true
        for hash in hashes {
            if let page = kept(hash) {
                found[hash] = page
                continue
            }
            if isLookedFor, holders(of: hash).isEmpty {
                await askForHashes()
                isLookedFor = false
            }
            if let page = await fetch(hash) { found[hash] = page }
        }
        return found
    }

    /// Forgets peers that are gone, and the pages that no peer has.
    private func forgetGone() {
        let incarnations = Set(service.peers.all.map(\.incarnation))
        state.withLock { state in
            state.hashes = state.hashes.filter { incarnations.contains($0.key) }
            let served = Set(state.hashes.values)
            state.pages = state.pages.filter { served.contains($0.key) }
        }
    }

    private func holders(of hash: String) -> [(incarnation: Identifier, entry: ServerEntry)] {
        let hashes = state.withLock { $0.hashes }
        return service.peers.all.filter { hashes[$0.incarnation] == hash }
    }

    /// Reads the list of peers, and asks those that are new for the hashes of their pages.
    private func askForHashes() async {
        if let last = state.withLock({ $0.askedAt }) {
            let left = Self.pause - .nanoseconds(Int64(time.monotonic() - last))
            if left > .zero { try? await time.sleep(left) }
        }
        // Without the database the list is that of the last renewal.
        try? await service.readPeers()
        let peers = service.peers.all
        let known = state.withLock { $0.hashes }
        let unknown = peers.filter { known[$0.incarnation] == nil }.prefix(Self.maximumPeers)
        await withTaskGroup(of: (Identifier, String?).self) { group in
            for peer in unknown {
                guard let address = peer.entry.address else { continue }
                group.addTask { [talk] in
                    (peer.incarnation, await talk.pageHash(of: peer.incarnation, at: address))
                }
            }
            for await (peer, hash) in group {
                guard let hash else { continue }
                state.withLock { $0.hashes[peer] = hash }
            }
        }
        state.withLock { $0.askedAt = time.monotonic() }
    }

    private func fetch(_ hash: String) async -> Page? {
        guard state.withLock({ $0.pages.count }) < Self.maximumPages else { return nil }
        for peer in holders(of: hash).prefix(Self.maximumAttempts) {
            guard let address = peer.entry.address,
                let bytes = await talk.page(hash, of: peer.incarnation, at: address),
                let page = decode(bytes)
            else { continue }
            state.withLock { $0.pages[hash] = page }
            return page
        }
        return nil
    }
}
