"""The first paint and the bytes over the wire, on a slow network that the DevTools protocol emulates.

"Slow 4G" are 1.6 Mbit/s down, 750 kbit/s up and 150 ms there and back. The protocol delays each request rather than
each packet; the tools of Chromium allow for that by 562.5 ms and 90 % of the rates. Both are measured: the first one is
the network, the second one the preset of that name.
"""

import statistics
import time

import tour

SUBJECT = "Speed"
KBIT = 1000 / 8
NETWORKS = {
    "150 ms, 1.6 Mbit/s": {"latency": 150, "downloadThroughput": 1600 * KBIT, "uploadThroughput": 750 * KBIT},
    "DevTools' Slow 4G": {"latency": 562.5, "downloadThroughput": 1440 * KBIT, "uploadThroughput": 675 * KBIT},
}
ROUNDS = 3
MOST_MS, MOST_BYTES = 1000, 60 * 1024

PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def check(suite, playwright, report):
    with suite.stage(playwright, "speed", tour.PLAIN, 2) as stage:
        stage.jump(10 + 10 / 60)
        for address, shown, person in ("/", ".live:not(:empty)", None), ("/day", "li.slot", stage.ann):
            for network, conditions in NETWORKS.items():
                times, counts = zip(*(visit(stage, address, shown, person, conditions) for _ in range(ROUNDS)))
                paint, whole = (statistics.median(one) for one in zip(*times))
                size = statistics.median(counts)
                name = {"/": "Welcome", "/day": "Day"}[address]
                is_first = conditions["latency"] == 150
                report.check(SUBJECT, f"{name}, {network}", not is_first or paint <= MOST_MS,
                             f"first paint {paint:.0f} ms, all of it {whole:.0f} ms")
                if is_first:
                    report.check(SUBJECT, f"{name}, over the wire", size <= MOST_BYTES, f"{size / 1024:.1f} KiB")


def visit(stage, address, shown, person, conditions):
    """A first visit, with nothing in any cache. Returns the ms, and the bytes until all of it is there."""
    visitor = stage.visitor(person, service_workers="block")
    devtools = visitor.context.new_cdp_session(visitor.page)
    sizes = []
    devtools.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", {"offline": False} | conditions)
    begun = time.monotonic()
    visitor.page.goto(address, wait_until="commit")
    visitor.page.locator(shown).first.wait_for(state="attached")
    whole = (time.monotonic() - begun) * 1000
    # What is fetched ahead for later is not waited for.
    count = sum(sizes)
    visitor.page.wait_for_function(f"{PAINT} > 0")
    paint = visitor.page.evaluate(PAINT)
    stage.leave(visitor)
    return (paint, whole), count
