"""Closed sign-ups: the page asks for a code, takes an invite, or says that sign-ups are closed; the desk makes codes and
people."""

import os
import subprocess

import look
import tour
from desk import PASSWORD, Listener, free_port
from service import Person, Service
from visitor import PHONE, Visitor

SUBJECT = "Sign-ups"
LOCALES = {
    "en-GB": ("Sign-up code", "create the accounts", "You need an invite"),
    "de-DE": ("Code für ein Konto", "legt die Konten an", "Ein Konto gibt es hier nur mit einer Einladung"),
    "ja-JP": ("アカウント用のコード", "運営者が作成します", "招待が必要です"),
}


def check(suite, playwright, report):
    browser = playwright.chromium.launch(executable_path=suite.chromium)
    listener = Listener(free_port())
    service = Service(suite.program, suite.place("signups"), suite.clock, suite.settings | {
        "SIGNUPS": "open", "ADMIN_PORT": listener.url.rsplit(":", 1)[1]})
    visitors = []

    def visitor(to=service, **options):
        visitors.append(Visitor(browser, to, PHONE, **options))
        return visitors[-1]

    try:
        invite = friend(service)
        restart(service, "code,invite")
        ada = operator(suite, service, visitor(listener))
        code = make_code(ada, report)
        by_code(service, visitor, code, report)
        by_invite(service, visitor, invite, report)
        added(service, visitor, ada, report)
        for ways, index in ("code", 0), ("closed", 1), ("invite", 2):
            leave(visitors, report)
            restart(service, ways)
            in_tongues(visitor, ways, index, report)
        leave(visitors, report)
    except Exception:
        tour.show_failure(service, visitors)
        raise
    finally:
        browser.close()
        service.stop()


def leave(visitors, report):
    """Closes the browsers, whose consoles would tell of a server that is away."""
    for number, one in enumerate(visitors):
        one.check_quiet(report, SUBJECT, f"visitor {number + 1}")
        one.close()
    visitors.clear()


def restart(service, ways):
    service.end()
    service.environment["SIGNUPS"] = ways
    service.start()


def accounts(service):
    return int(service.database.run("SELECT count(*) FROM accounts"))


def friend(service):
    """The code of an invite of a person who is here already."""
    ann = Person(service)
    registration = ann.enter_match()
    return ann.call("POST", f"/v1/registrations/{registration['id']}/invite")["code"]


def operator(suite, service, ada):
    path = os.path.join(service.folder, "password")
    with open(path, "w") as file:
        file.write(PASSWORD + "\n")
    os.chmod(path, 0o600)
    own = {key: value for key, value in service.environment.items() if key != "LD_PRELOAD"}
    subprocess.run([suite.program, "operator", "add", "ada", "--role", "admin", "--password-file", path], env=own,
                   check=True, capture_output=True, timeout=60)
    ada.secrets.add(PASSWORD)
    ada.go("/desk/codes")
    ada.page.get_by_label("Name").fill("ada")
    ada.page.get_by_label("Password").fill(PASSWORD)
    ada.page.get_by_role("button", name="Sign in").click()
    ada.heading("Codes for sign-ups")
    return ada


def shown_once(ada):
    """The secret in the dialog, which is put away."""
    kept = ada.page.get_by_role("button", name="I have saved it")
    kept.wait_for()
    secret = ada.page.get_by_role("dialog").locator("input, textarea").first.input_value()
    ada.secrets.add(secret)
    kept.click()
    ada.page.get_by_role("dialog").wait_for(state="detached")
    return secret


def make_code(ada, report):
    look.Looker(report, large=())("desk codes without codes", ada, SUBJECT)
    ada.page.get_by_role("button", name="Make a code").click()
    dialog = ada.page.get_by_role("dialog")
    dialog.get_by_label("Accounts").fill("0")
    with tour.expected(ada):
        dialog.get_by_role("button", name="Make a code").click()
        dialog.get_by_role("alert").wait_for()
    report.check(SUBJECT, "the desk says what is wrong with a code for no account",
                 "1 to 10000" in dialog.get_by_role("alert").inner_text())
    dialog.get_by_label("Accounts").fill("1")
    dialog.get_by_role("button", name="Make a code").click()
    code = shown_once(ada)
    row = ada.page.get_by_role("row").filter(has_text="Code 1")
    row.wait_for()
    report.check(SUBJECT, "the desk lists the code without its text",
                 "0 of 1" in row.inner_text() and code not in ada.page.content(), row.inner_text())
    return code


def begin(guest, code=None):
    """Signs up by the first screen; returns what the page says is wrong, or None when the account is there."""
    page = guest.page
    page.get_by_label("Your name").fill("Cora")
    if code is not None:
        page.get_by_label("Sign-up code").fill(code)
    with tour.expected(guest):
        page.get_by_role("button", name="Begin").click()
        page.locator("form [role=alert], dialog, main.day").first.wait_for()
    alert = page.locator("form [role=alert]")
    return alert.inner_text() if alert.count() else None


def by_code(service, visitor, code, report):
    guest, before = visitor(), accounts(service)
    guest.go("/")
    guest.page.get_by_label("Sign-up code").wait_for()
    look.Looker(report, large=())("welcome with a code", guest, SUBJECT)
    for wrong, says in ("", "may not be empty"), ("12", "16 digits"), ("0000-0000-0000-0000", "unknown, used up"):
        told = begin(guest, wrong)
        report.check(SUBJECT, f"the page says what is wrong with the code {wrong or 'nothing'}",
                     says in (told or ""), told)
    report.check(SUBJECT, "no account is made by it", accounts(service) == before)
    told = begin(guest, code.lower().replace("-", " "))
    report.check(SUBJECT, "the code makes an account", told is None and accounts(service) == before + 1, told)
    other = visitor()
    other.go("/")
    other.page.get_by_label("Sign-up code").wait_for()
    told = begin(other, code)
    report.check(SUBJECT, "and no second one", "used up" in (told or "") and accounts(service) == before + 1, told)


def by_invite(service, visitor, invite, report):
    guest, before = visitor(), accounts(service)
    guest.go(f"/invites/{invite}")
    page = guest.page
    report.check(SUBJECT, "an invite asks for no code", page.get_by_label("Sign-up code").count() == 0)
    page.get_by_label("Your name").fill("Dan")
    page.get_by_label("What will you do?").fill("Read")
    page.get_by_role("button", name="I will be there").click()
    page.wait_for_url("**/registration/*")
    report.check(SUBJECT, "and makes an account that is registered", accounts(service) == before + 1)


def added(service, visitor, ada, report):
    ada.go("/desk/people")
    ada.page.get_by_role("button", name="Add a person").click()
    dialog = ada.page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Eve")
    dialog.get_by_label("Time zone").fill("Europe/Berlin")
    dialog.get_by_role("button", name="Add a person").click()
    code = shown_once(ada)
    ada.heading("Eve")
    facts = ada.page.locator(".facts").inner_text()
    report.check(SUBJECT, "the desk shows until when the sign-in code of a person is good", "good until" in facts, facts)
    guest = visitor()
    guest.go("/")
    guest.page.get_by_text("I have a token or a code").click()
    field = guest.page.get_by_label("Token, sign-in code or recovery code")
    field.fill(code)
    guest.page.get_by_role("button", name="Sign in").click()
    guest.page.locator("dialog, main.day").first.wait_for()
    ada.go(ada.page.url)
    facts = ada.page.locator(".facts").inner_text()
    report.check(SUBJECT, "the code signs the person in, and has ended", "good until" not in facts, facts)


def in_tongues(visitor, ways, index, report):
    """What the first screen says in each language."""
    for locale, words in LOCALES.items():
        guest = visitor(locale=locale)
        guest.go("/")
        guest.page.get_by_text(words[index]).wait_for()
        has_form = guest.page.locator("input[name=name]").count() == 1
        report.check(SUBJECT, f"{ways} in {locale}: the page says so", has_form == (ways == "code"))
        look.Looker(report, large=())(f"welcome {ways} {locale}", guest, SUBJECT)
