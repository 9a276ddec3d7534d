/// A day in a zone where it may be shorter or longer than others, or missing.
struct TimeZoneDay: Sendable {
    let zone: String
    let date: String
    /// The number of half hours that begin on it.
    let slots: Int
    /// The half hours among the 48 of a wall clock that it never shows (gaps), and that it shows twice
    /// (overlaps).
    let gaps: Int
    let overlaps: Int

    private init(_ zone: String, _ date: String, slots: Int, gaps: Int = 0, overlaps: Int = 0) {
        (self.zone, self.date, self.slots) = (zone, date, slots)
        (self.gaps, self.overlaps) = (gaps, overlaps)
    }

    /// The days, counted with another implementation of the time zone database, Python's `zoneinfo`.
    static let table: [TimeZoneDay] = [
        TimeZoneDay("Europe/Berlin", "2026-03-29", slots: 46, gaps: 2),
        TimeZoneDay("Europe/Berlin", "2026-10-25", slots: 50, overlaps: 2),
        TimeZoneDay("Europe/Berlin", "2027-03-28", slots: 46, gaps: 2),
        TimeZoneDay("Europe/Berlin", "2027-10-31", slots: 50, overlaps: 2),
        TimeZoneDay("Europe/Berlin", "1945-05-24", slots: 46, gaps: 2),
        TimeZoneDay("Europe/London", "2026-03-29", slots: 46, gaps: 2),
        TimeZoneDay("Europe/London", "2026-10-25", slots: 50, overlaps: 2),
        TimeZoneDay("Europe/Dublin", "2026-10-25", slots: 50, overlaps: 2),
        TimeZoneDay("Europe/Istanbul", "2016-09-07", slots: 48),
        TimeZoneDay("Europe/Moscow", "2014-10-26", slots: 50, overlaps: 2),
        TimeZoneDay("Europe/Volgograd", "2020-12-27", slots: 50, overlaps: 2),
        TimeZoneDay("Atlantic/Azores", "2026-03-29", slots: 46, gaps: 2),
        TimeZoneDay("Atlantic/Azores", "2026-10-25", slots: 50, overlaps: 2),
        TimeZoneDay("America/New_York", "2026-03-08", slots: 46, gaps: 2),
        TimeZoneDay("America/New_York", "2026-11-01", slots: 50, overlaps: 2),
        TimeZoneDay("America/New_York", "2027-03-14", slots: 46, gaps: 2),
        TimeZoneDay("America/New_York", "2027-11-07", slots: 50, overlaps: 2),
        TimeZoneDay("America/St_Johns", "2026-03-08", slots: 46, gaps: 2),
        TimeZoneDay("America/St_Johns", "2026-11-01", slots: 50, overlaps: 2),
        TimeZoneDay("America/St_Johns", "2011-03-13", slots: 46, gaps: 2),
        TimeZoneDay("America/Havana", "2026-03-08", slots: 46, gaps: 2),
        TimeZoneDay("America/Havana", "2026-11-01", slots: 50, overlaps: 2),
        TimeZoneDay("America/Sao_Paulo", "2018-11-04", slots: 46, gaps: 2),
        TimeZoneDay("America/Sao_Paulo", "2018-02-17", slots: 50, overlaps: 2),
        TimeZoneDay("America/Sao_Paulo", "2018-02-18", slots: 48),
        TimeZoneDay("America/Caracas", "2016-05-01", slots: 47, gaps: 1),
        TimeZoneDay("America/Santiago", "2019-09-08", slots: 46, gaps: 2),
        TimeZoneDay("America/Santiago", "2020-04-04", slots: 50, overlaps: 2),
        TimeZoneDay("America/Nuuk", "2023-03-25", slots: 46, gaps: 2),
        TimeZoneDay("America/Nuuk", "2024-10-26", slots: 50, overlaps: 2),
        TimeZoneDay("Asia/Kathmandu", "2026-06-01", slots: 48),
        TimeZoneDay("Asia/Kolkata", "2026-06-01", slots: 48),
        TimeZoneDay("Asia/Tehran", "2021-03-22", slots: 46, gaps: 2),
        TimeZoneDay("Asia/Tehran", "2021-09-21", slots: 50, overlaps: 2),
        TimeZoneDay("Asia/Pyongyang", "2015-08-14", slots: 49, overlaps: 1),
        TimeZoneDay("Asia/Pyongyang", "2015-08-15", slots: 48),
        TimeZoneDay("Asia/Pyongyang", "2018-05-04", slots: 47, gaps: 1),
        TimeZoneDay("Asia/Gaza", "2019-03-29", slots: 46, gaps: 2),
        TimeZoneDay("Africa/Casablanca", "2024-03-10", slots: 50, overlaps: 2),
        TimeZoneDay("Africa/Casablanca", "2024-04-14", slots: 46, gaps: 2),
        TimeZoneDay("Africa/Cairo", "2024-04-26", slots: 46, gaps: 2),
        TimeZoneDay("Africa/Cairo", "2024-10-31", slots: 50, overlaps: 2),
        TimeZoneDay("Antarctica/Troll", "2026-03-29", slots: 44, gaps: 4),
        TimeZoneDay("Antarctica/Troll", "2026-10-25", slots: 52, overlaps: 4),
        TimeZoneDay("Australia/Lord_Howe", "2026-04-05", slots: 49, overlaps: 1),
        TimeZoneDay("Australia/Lord_Howe", "2026-10-04", slots: 47, gaps: 1),
        TimeZoneDay("Australia/Adelaide", "2026-04-05", slots: 50, overlaps: 2),
        TimeZoneDay("Australia/Eucla", "2026-06-01", slots: 48),
        TimeZoneDay("Pacific/Chatham", "2026-04-05", slots: 50, overlaps: 2),
        TimeZoneDay("Pacific/Chatham", "2026-09-27", slots: 46, gaps: 2),
        TimeZoneDay("Pacific/Apia", "2011-12-29", slots: 48),
        TimeZoneDay("Pacific/Apia", "2011-12-30", slots: 0, gaps: 48),
        TimeZoneDay("Pacific/Apia", "2011-12-31", slots: 48),
        TimeZoneDay("Pacific/Norfolk", "2015-10-04", slots: 49, overlaps: 1),
        TimeZoneDay("Pacific/Marquesas", "2026-06-01", slots: 48),
        TimeZoneDay("Pacific/Kiritimati", "2026-06-01", slots: 48),
        TimeZoneDay("Etc/UTC", "2026-06-30", slots: 48),
    ]
}
