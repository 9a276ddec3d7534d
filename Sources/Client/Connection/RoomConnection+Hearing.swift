import Contract

extension RoomConnection {
    func receive(_ bytes: [UInt8], _ transport: Transport) {
        counted.bytesIn += bytes.count
        if !bytes.isEmpty { heartbeat?.heard(at: clock.now()) }
        for event in link.receive(bytes) {
            guard case .connected = phase else { return }
            switch event {
            case .message(let message): hear(message, transport)
            case .pong(let number):
                guard let time = heartbeat?.answered(number, at: clock.now()) else { continue }
                roundTrips.add(time)
                checkWatches()
            case .closed(let code, let reason):
                write(to: transport)
                return lost(transport, code: code, reason: reason, kind: "close:\(code)")
            }
        }
        send(to: transport)
    }

    private func hear(_ bytes: [UInt8], _ transport: Transport) {
        guard let message = ServerMessage.read(bytes.span.bytes) else {
            counted.unreadableMessages += 1
            return
        }
        if progress.isInRoom { policy.heard() }
        switch message {
        case .handshake(let handshake?):
            // A connection enters the room once.
            guard !progress.isInRoom else {
                counted.duplicates += 1
                return
            }
            entered(handshake, transport)
        case .aleResponse(let ale?):
            // The position moves before any reader gets the ale, so that no ale is told twice.
            guard progress.isNew(seq: ale.seq) else {
                counted.duplicates += 1
                return
            }
            eventBroadcast.publish(.ale(ale))
        case .ack(let messageId, let seq):
            // A repeated ack has an old number.
            _ = progress.isNew(seq: seq)
            acknowledged(messageId, seq)
        case .presence(let member, let present):
            eventBroadcast.publish(.presence(member: member, present: present))
        case .members(let members):
            eventBroadcast.publish(.members(members))
        case .moved(let id, let url):
            destination = address.moved(to: id, url: url)
            eventBroadcast.publish(.moved(id))
        case .error(let code, let detail, let messageId):
            refused(code, detail, messageId)
        case .unknown:
            counted.unknownMessages += 1
        case .handshake(nil), .aleResponse(nil), .roomClosed:
            break  // The close code says that the room closed.
        }
        messageBroadcast.publish(message)
    }

    private func entered(_ handshake: ServerMessage.Handshake, _ transport: Transport) {
        let now = clock.now()
        if progress.hasBeenInRoom { counted.reconnects += 1 }
        let isResumed = progress.entered(handshake, at: now)
        policy.connected(at: now)
        // The heartbeat bounds silence from here on.
        transport.assumeIsolated { $0.setDeadline(nil) }
        let interval = Duration.seconds(min(max(handshake.pingSeconds, 1), 3600))
        heartbeat = Heartbeat(interval: interval, now: now)
        beat()
        eventBroadcast.publish(.connected(handshake, resumed: isResumed))
        stateBroadcast.publish(.connected)
        let offset = handshake.now.since(clock.wall)
        let isClockRight = max(offset, .zero - offset) < Self.clockTolerance
        setHealth(isClockRight ? .healthy : .unhealthy(.checkClock))
        checkWatches()
    }

    // The heartbeat.

    /// Sends a ping when one is due, and gives the link up after too long a silence.
    func beat() {
        guard let step = heartbeat?.tick(at: clock.now()) else { return }
        perform(step)
        armForHeartbeat()
    }

    func perform(_ step: Heartbeat.Step) {
        guard case .connected(let transport) = phase else { return }
        switch step {
        case .nothing: break
        case .ping(let number):
            link.ping(number)
            write(to: transport)
        case .giveUp:
            lost(transport, code: 1006, reason: "nothing was heard of the server", kind: "halfOpen")
        }
    }

    func armForHeartbeat() {
        if let due = heartbeat?.due { arm(at: due) }
    }
}
