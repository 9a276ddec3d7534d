import Contract

/// The statuses of members.
extension RoomHost {
    /// Takes the status of a member: keeps it, and fans it out to all devices of version 2, the member's own
    /// included, so that they agree. One that is not new is only confirmed to the device that sent it.
    func declare(_ status: MemberStatus?, _ messageId: String?, _ peer: RoomPeer) {
        if isOverRate(peer, configuration.now()) {
            return drop(\.rateLimited, .rateLimited, messageId, peer)
        }
        let (room, member) = (peer.room, peer.member)
        let isNew = room.setStatus(status, of: member)
        send(.status(member: member.details.id, status: status), to: isNew ? room.peers : [peer])
    }
}
