import PostgresFaults

extension PlantedMistake {
    var settings: [String: String] { ["LETSSWITCH_MISTAKE": rawValue] }

    /// The number of kills at random instants: a mistake at the start of a server needs some starts.
    var kills: Int { self == .forgetsCatchUp ? 4 : 0 }

    /// The texts, one of which a violation that the mistake causes contains.
    var signs: [String] {
        switch self {
        case .losesEntries, .missesWhoCame: ["was in the room at"]
        case .forgetsCatchUp: ["was not closed", "lapsed, and a server was up", "breaks has-room"]
        case .expiresDeliveries: ["is expired"]
        case .keepsAccounts: ["was deleted, and is in"]
        case .skipsSlots: ["lapsed, and a server was up", "breaks has-room", "matched afterwards"]
        case .skipsNotifications: ["was to be told"]
        case .ignoresBlocks: ["with a block between them"]
        case .losesRegistrations: ["was lost"]
        case .losesCancellings: ["the cancelling was lost"]
        case .losesWords: ["which is not stored"]
        case .forgetsDeliveries: ["was not settled"]
        case .forgetsToClose: ["was not closed"]
        case .keepsSeats: ["breaks gone-is-gone"]
        case .lapsesWhatRan: ["lapsed, and a server was up"]
        case .hidesChanges: ["breaks latest-company"]
        case .forgetsKeys: ["came again"]
        // Under cuts, as in `PlantedCutMistake`.
        case .forgetsTerms, .restoresLostRooms, .neverTakesOver: []
        }
    }
}
