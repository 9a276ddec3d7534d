/// A storage in which rooms outlive their process: blocks of 64 words. It belongs to one loop.
///
/// After the process was killed, the storage holds the effect of all stores up to some point, and of none
/// after it.
package protocol RoomStorage: AnyObject {
    /// The number of blocks, used or not; they are numbered from 0.
    var blockCount: Int { get }
    func load(_ word: Int, of block: Int) -> UInt64
    func store(_ value: UInt64, at word: Int, of block: Int)
    /// Returns an unused block, with any previous content; nil if there is none.
    func takeBlock() -> Int?
    func giveBack(_ block: Int)
}
