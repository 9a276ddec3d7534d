import HTTPServer
import Reactor

/// The figures of a server's connections for `/metrics`.
struct ConnectionMetrics {
    var open = 0
    var maximum = 0
    var limits: [LimitEvent: Int] = [:]
    var tunnelled = 0
    var traffic = SocketTraffic()
    /// The bytes that connections hold and may hold, and the connections that were cut.
    var memory = (held: 0, maximum: 0, cuts: 0)
    /// The descriptors that each part of the server holds.
    var descriptors: [DescriptorBudget.Holder: Int] = [:]

    init() {}

    init(_ server: HTTPServer) async {
        traffic = await server.traffic()
        open = server.connectionCount
        maximum = server.maximumConnections
        limits = server.limitCounts
        tunnelled = server.relayCount
        memory = (server.memory.held, server.memory.maximum, server.memory.cuts)
        descriptors = DescriptorBudget.process.held
    }

    func add(to page: inout MetricsPage) {
        page.gauge("connections", "Open connections of both kinds.", Double(open))
        page.gauge("connections_maximum", "How many connections there may be.", Double(maximum))
        page.gauge(
            "sockets_tunnelled", "Sockets that are passed on to the servers of their rooms.",
            Double(tunnelled))
        page.head("descriptors", "File descriptors in the budget, by the part that holds them.", "gauge")
        for holder in DescriptorBudget.Holder.allCases {
            page.sample(
                "descriptors", "{holder=\"\(holder.rawValue)\"}", Double(descriptors[holder] ?? 0))
        }
        page.counters(
            "traffic_bytes_total", "Bytes of connections, by direction.", label: "direction",
            ["in": Double(traffic.bytes.received), "out": Double(traffic.bytes.sent)])
        page.gauge(
            "queued_bytes", "Bytes that wait for slow readers.", Double(traffic.queuedBytes))
        page.gauge(
            "memory_held_bytes", "Bytes of requests and output that connections hold.", Double(memory.held))
        page.gauge("memory_budget_bytes", "How many bytes connections may hold.", Double(memory.maximum))
        page.counter(
            "connections_cut_total", "Connections that ended because too many bytes were held.",
            Double(memory.cuts))
        page.histogram(
            "ping_seconds", "From a ping on a socket to its pong, as the loop notices it.",
            traffic.roundTrips)
        page.counters(
            "connections_refused_total", "Connections that were not served, by which limit.", label: "limit",
            ["server": count(.full), "address": count(.addressFull)])
        page.counter(
            "accept_pauses_total", "Pauses of a loop in accepting, for want of descriptors or memory.",
            count(.exhausted))
        page.counters(
            "requests_timed_out_total", "Requests that did not arrive whole in time.", label: "part",
            ["header": count(.headTimeout), "body": count(.bodyTimeout)])
        page.counters(
            "requests_cancelled_total", "Requests that were cancelled before they were answered.",
            label: "reason", ["hungUp": count(.hungUp), "overdue": count(.handlerTimeout)])
        page.counters(
            "sockets_dropped_total", "Sockets that were closed for what their client did not do.",
            label: "reason", ["slowReader": count(.slowConsumer), "silent": count(.silent)])
    }

    /// The number of requests that were refused because of the rate of their address.
    var addressRefusals: Double { count(.addressRate) }

    private func count(_ event: LimitEvent) -> Double { Double(limits[event] ?? 0) }
}
