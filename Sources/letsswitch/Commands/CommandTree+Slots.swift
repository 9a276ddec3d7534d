import Contract

extension CommandTree {
    static let slots = Command(
        name: "slots", summary: "Show the slots of a day",
        details: "Slots that are over are left out. With --json all slots of the day are there.",
        arguments: [
            .init(
                name: "DATE", meaning: "A day like 2027-03-28, today, tomorrow or monday. Default: today",
                isOptional: true,
                completion: .words(["today", "tomorrow"] + Weekday.allCases.map(\.name)))
        ],
        options: [.init(name: "all", meaning: "Show also the slots that are over"), SlotLength.option],
        examples: [
            "letsswitch slots": "Today, in your account's time zone",
            "letsswitch slots tomorrow": "Tomorrow",
            "letsswitch slots --for 50": "Those of fifty minutes",
        ], run: SlotsCommand.run)

    static let register = Command(
        name: "register", summary: "Register a task for one slot or more, all or none",
        details: """
            A time without an offset is one on the clocks of your account's time zone. A time of day, with or
            without a day of the week, is the next one that can still be had. Nothing is rounded in silence:
            where no slot begins "in 10 minutes", the nearest one is taken, and named. A time of day at which
            no slot begins is refused.
            """,
        arguments: [.init(name: "TASK", meaning: "What you will do; your partners see it")],
        options: [
            .init(
                name: "at", value: "TIME", isRepeatable: true,
                completion: .words(["next", "now"]), meaning: "When: \(TimeSpec.forms)"),
            SlotLength.option,
            .init(name: "tag", value: "T", meaning: "A word that groups tasks"),
            .init(
                name: "with", value: "WHOM", completion: .words(Company.allCases.map(\.rawValue)),
                meaning: "favourites: match me with favourites only, or with no one. Default: anyone"),
            .init(name: "no-ales", meaning: "Receive no ales; your partners see it"),
            .init(
                name: "invite", value: "CODE",
                meaning: "Instead of --at: meet the person who gave you this code or link"),
        ],
        examples: [
            "letsswitch register \"Write the report\" --at 9am": "At nine; tomorrow if it is past nine",
            "letsswitch register \"Plan the week\" --at \"monday 09:00\"":
                "The next Monday, or today if it is Monday before nine",
            "letsswitch register Reading --at \"tomorrow 09:00\" --at \"tomorrow 09:30\" --tag books":
                "An hour, as two slots",
            "letsswitch register Tidying --at next": "The next slot that begins",
            "letsswitch register \"Write the report\" --at 09:00 --for 50":
                "Fifty minutes, if there are several lengths",
            "letsswitch register Reading --at next --with favourites --no-ales":
                "With a favourite or alone, and quietly",
            "letsswitch register Reading --invite https://switch.example.org/invites/CODE":
                "In the slot of the person who gave you the link, and with them",
        ], run: RegisterCommand.run)

    static let invite = Command(
        name: "invite", summary: "Make a link with which a friend works with you",
        details: """
            The guest registers for your slot by the link and is paired with you. It works once, until the
            slot can no longer be had, and is shown this once; with -q, nothing else is. Another one replaces
            it.
            """,
        arguments: [
            .init(
                name: "REGISTRATION",
                meaning: "By its id or its number in \"registrations\". Default: the next one",
                isOptional: true, completion: .entries(.registration))
        ],
        options: [.init(name: "revoke", meaning: "Revoke the link, if it is unused")],
        examples: [
            "letsswitch invite": "To your next slot",
            "letsswitch invite --revoke": "The link leads nowhere any more",
        ], run: InviteCommand.run)

    static let registrations = Command(
        name: "registrations", summary: "Show what you are registered for",
        options: [.init(name: "all", meaning: "Also those that are over or cancelled")],
        examples: [
            "letsswitch registrations": "From now on",
            "letsswitch registrations --all --json": "All of them, as JSON",
        ], run: RegistrationsCommand.list)

    static let history = Command(
        name: "history", summary: "Show your past sessions and their totals",
        details: "The oldest of them comes first. Sums of everything are in \"stats\".",
        options: [.init(name: "last", value: "N", meaning: "Only the newest N. Default: 20")],
        examples: [
            "letsswitch history": "The newest twenty, with partners and ales",
            "letsswitch history --last 100 --json": "The newest hundred, as JSON",
        ], run: HistoryCommand.run)

    static let cancel = Command(
        name: "cancel", summary: "Cancel a registration",
        arguments: [
            .init(
                name: "ID", meaning: "The registration, by its id or its number in \"registrations\"",
                completion: .entries(.registration))
        ],
        examples: [
            "letsswitch cancel 2": "The second one of the last list",
            "letsswitch cancel 0198c0de-0000-7000-8000-000000000001": "Cancelling twice is no error",
        ], run: RegistrationsCommand.cancel)

    static let notifications = Command(
        name: "notifications", summary: "Show your notifications, oldest first",
        options: [
            .init(name: "after", value: "N", meaning: "Only those after that number"),
            .init(name: "last", value: "N", meaning: "Only the newest N"),
        ],
        examples: [
            "letsswitch notifications": "All of them",
            "letsswitch notifications --last 10": "The newest ten",
            "letsswitch notifications --after 42 --json": "The newer ones, as JSON",
        ], run: NotificationsCommand.run)
}
