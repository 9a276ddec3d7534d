import Contract

extension OpenAPI {
    /// The calls for blocks, favourites, statistics and explanations.
    package static var people: [String: [String: JSONNode]] {
        list(of: "block", "Block", Routes.blocks, "Do not meet somebody again", body: "NewBlock").merging(
            list(
                of: "favourite", "Favourite", Routes.favourites, "Meet somebody again where that can be had",
                body: "NewFavourite")
        ) { one, _ in one }.merging([
            Routes.stats: [
                "get": operation(
                    "readStats",
                    "How your sessions went. What the service's own downtime caused never counts "
                        + "against you.",
                    answers: ["200": answer("The figures.", "Stats")])
            ],
            Routes.rooms + "/{id}/explanation": [
                "get": operation(
                    "explainRoom",
                    "Why you meet whom you meet, as things stood then: of the others only what they "
                        + "show you.",
                    parameters: [path("id", "The room's id."), acceptLanguage],
                    answers: [
                        "200": answer("Reasons for each of the others.", "Explanation", headers: spoken)
                    ],
                    problems: [.notFound])
            ],
        ]) { one, _ in one }
    }

    private static func list(
        of noun: String, _ schema: String, _ route: String, _ purpose: String, body: String
    ) -> [String: [String: JSONNode]] {
        let made = answer("The entry, which is new.", schema)
        let kept = answer("The entry that there was already; a report replaces the one before.", schema)
        return [
            route: [
                "post": operation(
                    "add\(schema)",
                    "\(purpose), named by a registration of theirs that you met in a room. It counts "
                        + "from the "
                        + "next match on, and they are not told.",
                    parameters: [prefer], body: body, answers: ["201": made, "200": kept, "204": minimal],
                    problems: [.notFound, .limitReached]),
                "get": operation(
                    "list\(schema)s", "Your \(noun)s, newest first.", parameters: [limit, cursor],
                    answers: ["200": page("\(schema)List")]),
            ],
            route + "/{registrationId}": [
                "delete": operation(
                    "remove\(schema)", "Take a \(noun) back; again is fine.",
                    parameters: [path("registrationId", "Any registration of theirs that you met.")],
                    answers: ["204": empty("There is none now.")], problems: [.notFound])
            ],
        ]
    }

    static var peopleSchemas: [String: JSONNode] {
        let favourite: [String: JSONNode] = ["registrationId": uuid, "name": string, "createdAt": time]
        let counts = [
            "attended", "missed", "lateCancellations", "currentStreak", "longestStreak", "alesSent",
            "alesReceived", "partnersMet",
        ]
        return [
            "NewBlock": request(["registrationId": uuid], optional: ["report": text(.report, orNull: true)]),
            "NewFavourite": request(["registrationId": uuid]),
            "Block": object(favourite, optional: ["report": string]),
            "BlockList": object(["blocks": list(reference("Block"))], optional: ["nextCursor": string]),
            "Favourite": object(favourite),
            "FavouriteList": object(
                ["favourites": list(reference("Favourite"))], optional: ["nextCursor": string]),
            "Stats": object(
                Dictionary(counts.map { ($0, count) }) { one, _ in one },
                optional: ["punctuality": reference("Punctuality"), "outcomes": reference("Outcomes")]
            ).adding([
                "description": .string(
                    "A slot counts once. A session counts as cancelled late if its room was open "
                        + "already, and "
                        + "like a missed one it ends a streak. Sessions that an outage of the service "
                        + "overlapped, "
                        + "and those that lapsed, count for nothing.")
            ]),
            "Punctuality": object(["medianSeconds": count, "meanSeconds": count]).adding([
                "description": "Seconds from the opening of the room to your entry."
            ]),
            "Outcomes": object(["done": count, "partly": count, "not": count, "donePercent": count]).adding([
                "description": "How your sessions went, as you said; left out before the first."
            ]),
            "Explanation": object([
                "roomId": uuid, "message": string, "members": list(reference("ExplainedMember")),
            ]),
            "ExplainedMember": object([
                "id": uuid, "name": string, "reasons": list(reference("MeetingReason")),
            ]),
            "MeetingReason": object(
                ["reason": open(MeetingReason.Kind.self), "text": string],
                optional: ["lastMetAt": time]),
        ]
    }
}
