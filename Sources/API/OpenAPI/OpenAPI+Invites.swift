import Contract

extension OpenAPI {
    /// The calls for invites.
    static var invitePaths: [String: [String: JSONNode]] {
        let id = path("id", "The registration's id.")
        let code: JSONNode = [
            "name": "code", "in": "path", "required": true, "description": "The code of the invite.",
            "schema": string,
        ]
        return [
            Routes.registrations + "/{id}/invite": [
                "post": operation(
                    "makeInvite",
                    "Make a link by which one other person registers for your slot and is paired with you. "
                        + "It is used once, and replaces one that was not used. While you are as many as a "
                        + "room is for, by invites, you can invite nobody.",
                    parameters: [id], answers: ["201": answer("It is shown this once.", "NewInvite")],
                    problems: [.notFound, .conflict, .tooLate]),
                "delete": operation(
                    "removeInvite", "Take the link back, if nobody has used it; again is fine.",
                    parameters: [id], answers: ["204": empty("It leads nowhere any more.")],
                    problems: [.notFound]),
            ],
            Routes.invites + "/{code}": [
                "get": operation(
                    "readInvite", "Who invites, and for which slot. The code is the only key that it needs.",
                    access: .everybody, parameters: [code],
                    answers: ["200": answer("The invite.", "Invite")], problems: [.notFound])
            ],
            Routes.invitePages + "/{code}": [
                "get": operation(
                    "showInvite", "The same for a person, with what to do next.", access: .everybody,
                    parameters: [code],
                    answers: ["200": answer("A text of a few lines.", mediaType: "text/plain")],
                    problems: [.notFound])
            ],
        ]
    }

    static var inviteSchemas: [String: JSONNode] {
        [
            "NewInvite": object(["url": string, "code": string, "expiresAt": time]),
            "Invite": object(
                ["name": string, "slot": reference("Slot"), "expiresAt": time, "usable": bool]
            ).adding([
                "description":
                    "`usable`: it was not used, its maker has not cancelled, and the slot can still be had."
            ]),
        ]
    }
}
