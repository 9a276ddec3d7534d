import Rooms

/// A storage whose process is killed after so many stores: what it has left then can be opened anew.
final class DoomedStorage: RoomStorage {
    private let inner: MemoryRoomStorage
    private var storesLeft: Int
    /// What the process left; nil: it lives.
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

    /// The end of the process after all that it did, where none came before.
    func kill() -> MemoryRoomStorage { remains ?? MemoryRoomStorage(copying: inner) }
}
