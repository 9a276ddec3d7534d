import Glibc

// The functions that libFuzzer calls. The first argument of the program names the target; all others are
// libFuzzer's.

/// Sound: it is written once, by `LLVMFuzzerInitialize`, before any test and on the only thread.
private nonisolated(unsafe) var chosen: FuzzTarget?

@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
    guard count.pointee > 1, let name = arguments.pointee[1],
        let target = FuzzTarget(rawValue: String(cString: name))
    else {
        for target in FuzzTarget.allCases { print(target.rawValue) }
        exit(count.pointee > 1 ? 2 : 0)
    }
    chosen = target
    // Sound: libFuzzer's array has `count` entries and a null pointer behind them.
    for index in 1..<Int(count.pointee) { arguments.pointee[index] = arguments.pointee[index + 1] }
    count.pointee -= 1
    return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // Sound: libFuzzer owns `count` bytes at `data` until this returns; the array is a copy.
    chosen?.test(Array(UnsafeBufferPointer(start: data, count: count)))
    return 0
}

/// Stops with a finding unless the condition holds.
func expect(_ condition: Bool, _ finding: @autoclosure () -> String) {
    if !condition { fatalError(finding()) }
}
