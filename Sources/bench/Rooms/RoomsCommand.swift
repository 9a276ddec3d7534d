enum RoomsCommand {
    static func run(_ words: ArraySlice<String>) throws(BenchError) -> CInt { 0 }
}
