"""Every screen in German and Japanese, by address: nothing is asked for by its English name."""

import look
import tour


SUBJECT = "Tongues"


def check(suite, playwright, report):
    for locale, zone in ("de-DE", "Europe/Berlin"), ("ja-JP", "Asia/Tokyo"):
        with suite.stage(playwright, "tongues", tour.PLAIN, 2, locale=locale, timezone_id=zone) as stage:
            screens(stage, report, locale[:2])
            stage.check_quiet(report)


def screens(stage, report, language):
    looker = look.Looker(report)
    newcomer = stage.visitor()
    words = None

    def see(who, address, key, name):
        """The heading is the table's in that language, and so is everything that is not of the people."""
        nonlocal words
        who.go(address)
        page = who.page
        words = words or page.evaluate("""async (language) => {
          const folder = document.querySelector('script[type=module]').src.replace(/[^/]*$/, '');
          const { default: words } = await import(`${folder}strings-${language}.js`);
          return JSON.parse(JSON.stringify(words));
        }""", language)
        tour.unfold(page)
        page.wait_for_timeout(300)
        heading = page.locator("h1").inner_text()
        lang = page.evaluate("document.documentElement.lang")
        if key:
            is_so = (heading, lang) == (words[key], language)
            report.check(SUBJECT, f"{language}: {name}", is_so, f"{heading} ({lang})")
        looker(f"{language} {name}", who, SUBJECT)

    see(newcomer, "/", "welcome", "welcome")
    stage.past()
    ann = stage.visitor(stage.ann)
    mine = stage.register(stage.ann, 16)[0]
    now, later = stage.register(stage.ann, 10)[0], stage.register(stage.ann, 10.5)[0]
    see(ann, "/day", None, "day")
    see(ann, f"/registration/{mine}", "youAreIn", "registered")
    see(ann, f"/room/{stage.room(stage.ann, later)}", "lobby", "lobby")
    room = stage.room(stage.ann, now)
    stage.join(room, 10)
    see(ann, f"/room/{room}", "session", "room")
    see(ann, f"/room/{stage.met_room}", "end-attended", "end")
    see(ann, "/me", None, "me")
    with tour.expected(ann):
        see(ann, "/room/00000000-0000-4000-8000-000000000000", "lost", "nothing here")
