import Rooms

/// A storage whose process is killed after so many stores; its remains can then be opened again.
final class DoomedStorage: RoomStorage {
    private let inner: MemoryRoomStorage
    private var storesLeft: Int
    /// The storage as the killed process left it; nil while the process lives.
    private(set) var remains: MemoryRoomStorage?

    init(_ inner: MemoryRoomStorage, stores: Int) {
        self.inner = inner
        storesLeft = stores
    }

    var blockCount: Int { inner.blockCount }
    func load(_ word: Int, of block: Int) -> UInt64 { inner.load(word, of: block) }
    func takeBlock() -> Int? { inner.takeBlock() }
    func giveBack(_ block: Int) { inner.giveBack(block) }

    func store(_ value: UInt64, at word: Int, of block: Int) {
        if storesLeft == 0 && remains == nil { remains = MemoryRoomStorage(copying: inner) }
        storesLeft -= 1
        inner.store(value, at: word, of: block)
    }

    /// Kills the process unless it was killed before, and returns the storage as it was left.
    func kill() -> MemoryRoomStorage { remains ?? MemoryRoomStorage(copying: inner) }
}
