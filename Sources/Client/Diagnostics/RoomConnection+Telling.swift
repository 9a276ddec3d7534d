import Contract

extension RoomConnection {
    func tell(_ event: Diagnostic.Event) {
        diagnosticBroadcast.publish(Diagnostic(at: clock.wall, event))
    }

    func setHealth(_ health: Health) {
        guard health != currentHealth else { return }
        currentHealth = health
        healthBroadcast.publish(health)
        tell(.healthChanged(health))
    }
}
