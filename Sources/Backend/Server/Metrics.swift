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
    /// When this process began to serve, in seconds since 1970.
    let startedAt = WallClock.seconds()
    let requests: RequestMetrics
    let limits: RequestLimits
    let refusals: SocketErrorMemory
    let schedule: ScheduleMetrics
    /// Returns for how long the match of the first slot that is due has been waited for; zero if none is due.
    let overdue: @Sendable () async -> Duration
    let rooms: @Sendable () async -> RoomStatistics
    let clock: ReferenceClock
    let loops: LoopLags
    let pools: DatabasePools
    /// The sender of traces; nil if nothing is traced.
    let traces: TraceExporter?
    /// Returns the figures of the queues of change events, by their names.
    let changes: @Sendable () -> [(name: String, figures: ChangeQueue.Figures)]
    let connections: @Sendable () async -> ConnectionMetrics
    let streams: @Sendable () async -> Int
    let endpoints: EndpointMetrics
    let deliveryWorker: @Sendable () async -> DeliveryWorkerStatistics
    /// Returns the figures of deliveries; nil if the database does not answer soon.
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
        page.head("build_info", "Always 1; the labels say what this program is.", "gauge")
        page.sample("build_info", "{api=\"\(Version.api)\",version=\"\(Version.product)\"}", 1)
        page.gauge("start_timestamp_seconds", "When this process began to serve.", Double(startedAt))
        let connections = await connections()
        connections.add(to: &page)
        addLimits(connections, to: &page)
        page.gauge(
            "clock_offset_seconds", "How far this machine's clock is ahead of the database's.",
            clock.machineAheadSeconds)
        page.gauge("event_streams", "Open streams of events.", Double(await streams()))
        page.counter(
            "event_streams_replaced_total", "Streams of events that gave their places to newer ones.",
            Double(limits.replacedStreams))
        add(await rooms(), to: &page)
        add(refusals.counts, to: &page)
        add(cluster.current, leaseAge: await leaseAge(), to: &page)
        add(schedule.current, overdue: await overdue(), to: &page)
        add(endpoints.current, to: &page)
        add(await deliveryWorker(), await deliveries(), to: &page)
        add(retention.current, to: &page)
        await pools.add(to: &page)
        add(changes(), to: &page)
        loops.add(to: &page)
        TraceExporter.add(
            traces?.counts ?? TraceExporter.Counts(), dropped: traces?.droppedCount ?? 0, to: &page)
        requests.current.add(to: &page)
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
        page.head("lease_age_seconds", "The time since the lease of this server was renewed.", "gauge")
        if let leaseAge { page.sample("lease_age_seconds", "", leaseAge.inSeconds) }
    }

    private func add(
        _ schedule: ScheduleMetrics.Values, overdue: Duration, to page: inout MetricsPage
    ) {
        page.counter("matches_total", "Matches that were made.", Double(schedule.matches))
        page.counter("matched_people_total", "People that were matched.", Double(schedule.people))
        page.counter(
            "rematched_people_total", "People who were alone and went to another room.",
            Double(schedule.rematched))
        page.histogram("match_duration_seconds", "How long matches took.", schedule.matchSeconds)
        page.histogram(
            "slot_opening_duration_seconds",
            "From the commit of a slot's first match to its rooms being open here.", schedule.openingSeconds)
        page.histogram(
            "slot_closing_duration_seconds", "How long it took to close slots in the database.",
            schedule.closingSeconds)
        page.histogram("slot_people", "How many were matched at the opening of a slot.", schedule.slotSizes)
        page.histogram(
            "notice_lateness_seconds",
            "From the instant that a room.opened was due to its going out on an event stream.",
            schedule.noticeLateness)
        page.gauge(
            "match_lateness_seconds", "From the instant that the latest match was due to its commit.",
            schedule.lastLatenessSeconds)
        page.gauge(
            "match_overdue_seconds",
            "For how long the match of the first slot that is due has been waited for; 0 if none is due.",
            overdue.inSeconds)
        page.gauge(
            "match_lateness_seconds_maximum",
            "From the instant that a match was due to its commit, the worst since the start.",
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
            "deliveries_oldest_seconds", "How long the oldest delivery that is not settled has been due.",
            figures.oldestSeconds)
        page.gauge("endpoints_disabled", "Endpoints that are disabled.", Double(figures.disabled))
        page.gauge(
            "account_erasures_waiting", "Deleted accounts whose rows are not all removed.",
            Double(figures.erasures))
        page.gauge(
            "account_erasure_oldest_seconds", "The time since the oldest of their deletions.",
            figures.oldestErasureSeconds)
    }

    private func add(
        _ queues: [(name: String, figures: ChangeQueue.Figures)], to page: inout MetricsPage
    ) {
        page.head(
            "change_events_total", "Change events that came, by the queue that they wait in.", "counter")
        for (queue, figures) in queues {
            page.sample("change_events_total", "{queue=\"\(queue)\"}", Double(figures.received))
        }
        page.head("change_events_waiting", "Change events that wait; what came twice waits once.", "gauge")
        for (queue, figures) in queues {
            page.sample("change_events_waiting", "{queue=\"\(queue)\"}", Double(figures.waiting))
        }
        let oldest = "change_event_oldest_seconds"
        page.head(oldest, "How long ago the oldest change event came that is not handled yet.", "gauge")
        for (queue, figures) in queues {
            page.sample(oldest, "{queue=\"\(queue)\"}", figures.oldestSeconds)
        }
        let name = "change_event_delay_seconds"
        page.head(name, "From the coming of a change event to the end of its handling.", "histogram")
        for (queue, figures) in queues { page.samples(name, label: "queue=\"\(queue)\"", of: figures.delays) }
    }

    private func add(_ retention: RetentionMetrics.Values, to page: inout MetricsPage) {
        page.counter(
            "retention_slots_removed_total", "Slots that were removed because they were old.",
            Double(retention.removed.slots))
        page.counter(
            "retention_registrations_removed_total",
            "Registrations that were removed with their slots, or after they were cancelled.",
            Double(retention.removed.registrations))
        page.counter(
            "retention_partitions_dropped_total", "Partitions of deliveries and attempts that were dropped.",
            Double(retention.partitions))
        page.counter(
            "retention_work_seconds_total", "The time that the removal of old slots took.",
            retention.workSeconds)
        page.counter(
            "retention_failures_total", "Times that the removal of old slots failed and was put off.",
            Double(retention.failures))
        let name = "retention_last_run_timestamp_seconds"
        page.head(name, "When this server last looked for old slots; until then when it started.", "gauge")
        if let last = retention.lastRun { page.sample(name, "", Double(last.seconds)) }
    }
}
