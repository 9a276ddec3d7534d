import API
import Cluster
import Contract
import Database
import HTTP1
import HTTPServer
import Logging
import Outbox
import Push
import Reactor
import Rooms

/// The page `/metrics`, in the text format of Prometheus.
struct Metrics: Sendable {
    let requests: RequestMetrics
    let limits: RequestLimits
    let refusals: SocketErrorMemory
    let schedule: ScheduleMetrics
    let rooms: @Sendable () async -> RoomStatistics
    let clock: ReferenceClock
    let connections: @Sendable () async -> ConnectionMetrics
    let streams: @Sendable () async -> Int
    let endpoints: EndpointMetrics
    let deliveryWorker: @Sendable () async -> DeliveryWorkerStatistics
    /// Returns the figures of deliveries; nil if the database does not answer.
    let deliveries: @Sendable () async -> EndpointFigures?
    let retention: RetentionMetrics
    let cluster: ClusterMetrics
    /// Returns the time since the lease of this server was renewed; nil before the first time.
    let leaseAge: @Sendable () async -> Duration?

    func add(to router: inout Router) {
        router.on(
            .get, "/metrics",
            .task { _ in
                HTTPResponse(
                    status: 200, headers: ["Content-Type": "text/plain; version=0.0.4; charset=utf-8"],
                    body: Array(await text().utf8))
            })
    }

    private func text() async -> String {
        var page = MetricsPage()
        let connections = await connections()
        connections.add(to: &page)
        addLimits(connections, to: &page)
        page.gauge(
            "clock_offset_seconds", "How far this machine's clock is ahead of the database's.",
            clock.machineAheadSeconds)
        page.gauge("event_streams", "Open streams of events.", Double(await streams()))
        add(await rooms(), to: &page)
        add(refusals.counts, to: &page)
        add(cluster.current, leaseAge: await leaseAge(), to: &page)
        add(schedule.current, to: &page)
        add(endpoints.current, to: &page)
        add(await deliveryWorker(), await deliveries(), to: &page)
        add(retention.current, to: &page)
        add(requests.current, to: &page)
        page.counter(
            "log_lines_repeated_total", "Log lines that were counted and told together.",
            Double(Log.repeatedCount))
        page.counter(
            "log_lines_lost_total", "Log lines that were lost, since nobody read standard error.",
            Double(Log.lostCount))
        return page.text
    }

    private func addLimits(_ connections: ConnectionMetrics, to page: inout MetricsPage) {
        let name = "requests_limited_total"
        page.head(name, "Requests that were refused since somebody had too much, by which limit.", "counter")
        page.sample(name, "{limit=\"address\"}", connections.addressRefusals)
        let counts = limits.counts
        for kind in RequestLimits.Kind.allCases {
            page.sample(name, "{limit=\"\(kind.rawValue)\"}", Double(counts[kind] ?? 0))
        }
    }

    private func add(_ refusals: SocketErrorMemory.Counts, to page: inout MetricsPage) {
        page.counter(
            "socket_refusals_held_total", "Refusals of sockets that were held for about a second.",
            Double(refusals.held))
        page.counter(
            "socket_refusals_remembered_total", "Refusals of sockets for which nothing was looked up.",
            Double(refusals.remembered))
    }

    private func add(_ rooms: RoomStatistics, to page: inout MetricsPage) {
        page.gauge("rooms", "Rooms that are open.", Double(rooms.rooms))
        page.gauge("room_devices", "Sockets in rooms.", Double(rooms.devices))
        page.counter("ales_total", "Ales that were relayed.", Double(rooms.ales))
        page.counter("ale_deliveries_total", "Devices that an ale was sent to.", Double(rooms.deliveries))
        page.counter("ales_repeated_total", "Ales whose messageId had been seen.", Double(rooms.repeated))
        page.counters(
            "resumes_total", "Devices that came back with epoch and since, by what they got.",
            label: "recovered", ["true": Double(rooms.recovered), "false": Double(rooms.unrecovered)])
        page.counter(
            "returns_total", "Members who were away from their room and came back.", Double(rooms.returned))
        page.counter(
            "rooms_handed_over_total", "Rooms that this server has handed to others.",
            Double(rooms.handedOver))
        page.counters(
            "messages_dropped_total", "Messages of sockets that were dropped.", label: "reason",
            [
                "malformed": Double(rooms.malformed), "unknownType": Double(rooms.unknownType),
                "wrongRoom": Double(rooms.wrongRoom), "rateLimited": Double(rooms.rateLimited),
            ])
    }

    private func add(
        _ cluster: ClusterMetrics.Values, leaseAge: Duration?, to page: inout MetricsPage
    ) {
        let name = "tunnels_total"
        page.head(name, "Sockets that were brought to the server of their room, by the outcome.", "counter")
        for tunnel in ClusterMetrics.Tunnel.allCases {
            page.sample(name, "{outcome=\"\(tunnel.rawValue)\"}", Double(cluster.tunnels[tunnel] ?? 0))
        }
        page.counter(
            "rooms_taken_over_total", "Rooms that were taken over from servers that are gone.",
            Double(cluster.roomsTaken))
        page.histogram(
            "take_over_seconds", "From the first knock at a room whose server is gone to its being here.",
            cluster.takeOverSeconds)
        guard let leaseAge else { return }
        page.gauge(
            "lease_age_seconds", "The time since the lease of this server was renewed.", leaseAge.inSeconds)
    }

    private func add(_ schedule: ScheduleMetrics.Values, to page: inout MetricsPage) {
        page.counter("matches_total", "Matches that were made.", Double(schedule.matches))
        page.counter("matched_people_total", "People that were matched.", Double(schedule.people))
        page.counter(
            "rematched_people_total", "People who were alone and went to another room.",
            Double(schedule.rematched))
        page.histogram("match_duration_seconds", "How long matches took.", schedule.matchSeconds)
        page.histogram("slot_people", "How many were matched at the opening of a slot.", schedule.slotSizes)
        page.histogram(
            "notice_lateness_seconds",
            "From the instant that a room.opened was due to its going out on an event stream.",
            schedule.noticeLateness)
        page.gauge(
            "match_lateness_seconds", "From the instant that the latest match was due to its commit.",
            schedule.lastLatenessSeconds)
        page.gauge(
            "match_lateness_seconds_maximum", "The same, the worst since the start.",
            schedule.maximumLatenessSeconds)
    }

    private func add(_ endpoints: EndpointMetrics.Values, to page: inout MetricsPage) {
        page.head("delivery_attempts_total", "Attempts to deliver, by what came of them.", "counter")
        for kind in EndpointKind.allCases {
            for (outcome, count) in (endpoints.attempts[kind] ?? [:]).sorted(by: { $0.key < $1.key }) {
                page.sample(
                    "delivery_attempts_total", "{channel=\"\(kind.rawValue)\",outcome=\"\(outcome)\"}",
                    Double(count))
            }
        }
        let name = "delivery_lateness_seconds"
        page.head(name, "From the writing of a notification to its delivery.", "histogram")
        for kind in EndpointKind.allCases {
            guard let histogram = endpoints.lateness[kind] else { continue }
            page.samples(name, label: "channel=\"\(kind.rawValue)\"", of: histogram)
        }
    }

    private func add(
        _ deliveryWorker: DeliveryWorkerStatistics, _ figures: EndpointFigures?, to page: inout MetricsPage
    ) {
        page.gauge("deliveries_in_flight", "Attempts under way.", Double(deliveryWorker.inFlight))
        page.gauge(
            "delivery_circuits_open", "Hosts that are left alone for a while.",
            Double(deliveryWorker.openCircuits))
        guard let figures else { return }
        page.gauge("deliveries_waiting", "Deliveries that are not settled.", Double(figures.waiting))
        page.gauge(
            "deliveries_oldest_seconds", "How long the oldest of them has been due.", figures.oldestSeconds)
        page.gauge("endpoints_disabled", "Endpoints that are disabled.", Double(figures.disabled))
    }

    private func add(_ retention: RetentionMetrics.Values, to page: inout MetricsPage) {
        page.counter(
            "retention_slots_removed_total", "Slots that were removed because they were old.",
            Double(retention.removed.slots))
        page.counter(
            "retention_registrations_removed_total", "Registrations that were removed with their slots.",
            Double(retention.removed.registrations))
        page.counter(
            "retention_partitions_dropped_total", "Partitions of deliveries and attempts that were dropped.",
            Double(retention.partitions))
        guard let last = retention.lastRun else { return }
        page.gauge(
            "retention_last_run_timestamp_seconds", "When this server last looked for old slots.",
            Double(last.seconds))
    }

    private func add(_ requests: RequestMetrics.Values, to page: inout MetricsPage) {
        page.head("http_requests_total", "Requests that were answered, also without a handler.", "counter")
        let counts = requests.counts.sorted { ($0.method, $0.status) < ($1.method, $1.status) }
        for count in counts {
            page.sample(
                "http_requests_total", "{method=\"\(count.method)\",status=\"\(count.status)\"}",
                Double(count.number))
        }
        page.histogram("http_request_duration_seconds", "How long answers took.", requests.seconds)
    }
}
