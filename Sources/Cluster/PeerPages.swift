import Contract
package import Database
import Reactor

/// The pages of other builds, which the servers of these builds hand over when a browser asks this one for
/// them. During an update, a browser may get the HTML from a server of one build, and ask one of another
/// build for its files. A page is kept as long as a server that has it is in the list of peers.
package final class PeerPages<Page: Sendable>: Sendable {
    private struct State {
        /// The hashes of the peers' pages. That of an incarnation never changes.
        var hashes: [Identifier: String] = [:]
        /// The peers of an older release, which know no call for their pages.
        var older: Set<Identifier> = []
        var pages: [String: Page] = [:]
        /// The hashes that no peer had, and the instants until which none is asked again, in nanoseconds.
        var refused: [String: UInt64] = [:]
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

    /// The time for which a hash that no peer has is refused without asking.
    private static var refusal: Duration { .seconds(3) }
    /// The most hashes that are refused without asking.
    private static var maximumRefused: Int { 1_000 }

    /// The answer to the question for a page. There is none for a hash that no peer has.
    private enum Answer: Sendable {
        case page(Page)
        /// A peer that may have it could not be asked.
        case unsure
    }

    /// A peer that may have the page does not answer, or the list of peers could not be read.
    package struct NoAnswer: Error {}

    private let peers: PeerList
    private let talk: PeerTalk
    private let time: ClusterTime
    private let read: @Sendable () async throws -> [ServerEntry]
    private let decode: @Sendable ([UInt8]) -> Page?
    private let state = Lock(State())
    private let searches: Lock<SharedAnswers<String, Answer>?>

    /// Creates it. `read` reads the other servers from the database, and changes nothing there; `decode`
    /// reads what a peer has sent.
    package init(
        _ peers: PeerList, talk: PeerTalk, in time: ClusterTime,
        read: @escaping @Sendable () async throws -> [ServerEntry],
        decode: @escaping @Sendable ([UInt8]) -> Page?
    ) {
        self.peers = peers
        self.talk = talk
        self.time = time
        self.read = read
        self.decode = decode
        searches = Lock(nil)
    }

    /// Returns the page with this hash if it is kept, and a server that has it is still there.
    package func kept(_ hash: String) -> Page? {
        state.withLock { state in
            guard let page = state.pages[hash] else { return nil }
            let isServed = state.hashes.contains { $1 == hash && peers.find($0) != nil }
            if !isServed { state.pages[hash] = nil }
            return isServed ? page : nil
        }
    }

    /// Whether the peers were asked for this hash a moment ago, and none had it.
    package func isRefused(_ hash: String) -> Bool {
        let now = time.monotonic()
        return state.withLock { $0.refused[hash].map { now < $0 } ?? false }
    }

    /// Returns the page with this hash, and asks the peers for it if it is not kept; nil if none has it.
    /// Throws `NoAnswer` if one that may have it could not be asked.
    package func find(_ hash: String) async throws -> Page? {
        if let page = kept(hash) { return page }
        let searches = searches.withLock { searches in
            if let searches { return searches }
            let new = SharedAnswers<String, Answer>(on: time.executor) { [weak self] hashes in
                await self?.search(hashes) ?? [:]
            }
            searches = new
            return new
        }
        let answer = try await searches.ask(hash)
        return switch answer {
        case .page(let page): page
        case .unsure: throw NoAnswer()
        case nil: nil
        }
    }

    private func search(_ hashes: [String]) async -> [String: Answer] {
        forgetGone()
        var found: [String: Answer] = [:]
        // Nil as long as the peers were not asked.
        var isComplete: Bool?
        for hash in hashes {
            if let page = kept(hash) {
                found[hash] = .page(page)
                continue
            }
            // It was asked for again before the answer was known.
            if isRefused(hash) { continue }
            if isComplete == nil, holders(of: hash).isEmpty { isComplete = await askForHashes() }
            if !holders(of: hash).isEmpty {
                found[hash] = await fetch(hash)
            } else if isComplete == false {
                found[hash] = .unsure
            }
            if found[hash] == nil { refuse(hash) }
        }
        return found
    }

    private func refuse(_ hash: String) {
        let now = time.monotonic()
        state.withLock { state in
            if state.refused.count >= Self.maximumRefused {
                state.refused = state.refused.filter { now < $0.value }
            }
            guard state.refused.count < Self.maximumRefused else { return }
            state.refused[hash] = now + Self.refusal.clampedNanoseconds
        }
    }

    /// Forgets peers that are gone, and the pages that no peer has.
    private func forgetGone() {
        let incarnations = Set(peers.all.map(\.incarnation))
        state.withLock { state in
            state.hashes = state.hashes.filter { incarnations.contains($0.key) }
            state.older.formIntersection(incarnations)
            let served = Set(state.hashes.values)
            state.pages = state.pages.filter { served.contains($0.key) }
        }
    }

    private func holders(of hash: String) -> [(incarnation: Identifier, entry: ServerEntry)] {
        let hashes = state.withLock { $0.hashes }
        return peers.all.filter { hashes[$0.incarnation] == hash }
    }

    /// Reads the list of peers, and asks those that are new for the hashes of their pages. Returns false if
    /// the list could not be read, or the page of a peer that may run remains unknown.
    private func askForHashes() async -> Bool {
        if let last = state.withLock({ $0.askedAt }) {
            let left = Self.pause - .nanoseconds(Int64(time.monotonic() - last))
            if left > .zero { try? await time.sleep(left) }
        }
        var isComplete = true
        do {
            peers.set(try await read())
        } catch {
            // Without the database the list is that of the last renewal.
            isComplete = false
        }
        let (known, older) = state.withLock { ($0.hashes, $0.older) }
        let unknown = peers.all.filter {
            known[$0.incarnation] == nil && !older.contains($0.incarnation) && $0.entry.address != nil
        }
        if unknown.count > Self.maximumPeers { isComplete = false }
        let failed = await withTaskGroup(of: Bool.self) { group in
            for peer in unknown.prefix(Self.maximumPeers) {
                guard let address = peer.entry.address else { continue }
                group.addTask {
                    let isAnswered = await self.askForHash(of: peer.incarnation, at: address)
                    return !isAnswered && Self.mayRun(peer.entry)
                }
            }
            var hasFailed = false
            for await isMissing in group where isMissing { hasFailed = true }
            return hasFailed
        }
        state.withLock { $0.askedAt = time.monotonic() }
        return isComplete && !failed && !mayBeOfOlder
    }

    /// Whether a peer of an older release may run. It may have any page, and a balancer that gets 503 here
    /// asks it next.
    private var mayBeOfOlder: Bool {
        let older = state.withLock { $0.older }
        return peers.all.contains { older.contains($0.incarnation) && Self.mayRun($0.entry) }
    }

    /// Whether a peer that does not answer may run by its row. The row of one that has ended stays for a
    /// while; an idle server renews its lease once a minute.
    private static func mayRun(_ entry: ServerEntry) -> Bool {
        guard let left = entry.leaseLeft else { return false }
        return left > (entry.state == .draining ? .zero : .seconds(-70))
    }

    /// Asks a peer for the hash of its page. Returns false if there was no answer.
    private func askForHash(of peer: Identifier, at address: String) async -> Bool {
        do {
            let answer = try await talk.pageHash(of: peer, at: address)
            state.withLock { state in
                switch answer {
                case .hash(let hash):
                    state.hashes[peer] = hash
                    state.refused[hash] = nil
                case .unknownCall: state.older.insert(peer)
                case .refused: break
                }
            }
            return true
        } catch {
            return false
        }
    }

    /// Gets a page from one of its holders; nil if it cannot be kept here, or what they send is none.
    private func fetch(_ hash: String) async -> Answer? {
        guard state.withLock({ $0.pages.count }) < Self.maximumPages else { return nil }
        var isSilent = false
        for peer in holders(of: hash).prefix(Self.maximumAttempts) {
            guard let address = peer.entry.address,
                let bytes = await talk.page(hash, of: peer.incarnation, at: address)
            else {
                if Self.mayRun(peer.entry) { isSilent = true }
                continue
            }
            guard let page = decode(bytes) else { continue }
            state.withLock { $0.pages[hash] = page }
            return .page(page)
        }
        return isSilent ? .unsure : nil
    }
}
