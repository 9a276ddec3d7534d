/// Where rooms are kept so that they outlive their process: blocks of 64 words. One loop's only.
///
/// What is read after the process was killed is what a number of first stores have left, and nothing of the
/// stores after them.
package protocol RoomStorage: AnyObject {
    /// Blocks that there are, used or not; numbered from 0.
    var blockCount: Int { get }
    func load(_ word: Int, of block: Int) -> UInt64
    func store(_ value: UInt64, at word: Int, of block: Int)
    /// A block that is in nobody's use, with whatever was left in it; nil: there is none any more.
    func takeBlock() -> Int?
    func giveBack(_ block: Int)
}
