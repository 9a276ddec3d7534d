/// The plan of a run of `bench deploy`.
struct DeployPlan {
    var servers: Int
    /// The rooms, of two people each.
    var rooms: Int
    /// The ales that all people together send in a second.
    var rate: Int
    /// The seconds of sending before the first restart, and after the last one.
    var quietSeconds: Int
    /// The seconds between a server that is ready again and the end of the next one.
    var pauseSeconds: Int
}
