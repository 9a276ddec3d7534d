extension Catalogue {
    /// The messages about times and routines, and the words for states.
    static let commandTimes = #"""
        This machine does not know the time zone {1} of your account: times are on its own clock.
        de: Dieser Rechner kennt die Zeitzone {1} deines Kontos nicht: Zeiten sind die seiner eigenen Uhr.
        ja: このマシンはアカウントのタイムゾーン{1}を知りません。時刻はこのマシンのものです。

        Say --every, like --every weekday, or --rrule.
        de: Gib --every an, wie --every weekday, oder --rrule.
        ja: --every weekday のような--everyか、--rruleを指定してください。

        Leave a day out: letsswitch routine skip {1} DATE
        de: Einen Tag auslassen: letsswitch routine skip {1} DATUM
        ja: 一日休むには：letsswitch routine skip {1} DATE

        There are none. letsswitch routine add "What you will do" --every weekday --at 09:00
        de: Es gibt keine. letsswitch routine add "Was du tun wirst" --every weekday --at 09:00
        ja: ありません。letsswitch routine add "やること" --every weekday --at 09:00

        By the number: letsswitch routine show N, skip N DATE, pause N, end N
        de: Nach der Nummer: letsswitch routine show N, skip N DATUM, pause N, end N
        ja: 番号で：letsswitch routine show N、skip N DATE、pause N、end N

        {1}, {2} not registered
        de: {1}, {2} nicht eingetragen
        ja: {1}、未登録{2}件

        Not registered:
        de: Nicht eingetragen:
        ja: 未登録：

        --tag and --no-tag exclude each other.
        de: --tag und --no-tag schließen sich aus.
        ja: --tagと--no-tagは同時に使えません。

        Say what to change: --task, --at, --every, …
        de: Sage, was sich ändern soll: --task, --at, --every, …
        ja: 変更する項目を指定してください：--task、--at、--everyなど

        What it has registered stays.
        de: Was sie eingetragen hat, bleibt.
        ja: 登録済みのものは残ります。

        What it had registered ahead is cancelled.
        de: Was sie im Voraus eingetragen hatte, ist abgesagt.
        ja: 先の登録は取り消しました。

        Ended{1}. {2}
        de: Beendet{1}. {2}
        ja: 終了しました{1}。{2}

        day, weekday, weekend, monday, "mon,thu" or week
        de: day, weekday, weekend, monday, "mon,thu" oder week
        ja: day、weekday、weekend、monday、"mon,thu"、week

        --interval takes a number from {1} to {2}.
        de: --interval nimmt eine Zahl von {1} bis {2}.
        ja: --intervalには{1}～{2}の数を指定してください。

        "{1}" is no answer to --every. It takes {2}.
        de: "{1}" passt nicht zu --every. Es nimmt {2}.
        ja: "{1}"は--everyに使えません。使えるのは{2}です。

        --every takes {1}.
        de: --every nimmt {1}.
        ja: --everyに使えるのは{1}です。

        --count takes a number from {1} to {2}, and not "{3}".
        de: --count nimmt eine Zahl von {1} bis {2}, nicht "{3}".
        ja: --countには{1}～{2}の数を指定してください（"{3}"は使えません）。

        --count and --until exclude each other.
        de: --count und --until schließen sich aus.
        ja: --countと--untilは同時に使えません。

        {1} takes a day like 2027-03-28, and not "{2}".
        de: {1} nimmt einen Tag wie 2027-03-28, nicht "{2}".
        ja: {1}には2027-03-28のような日付を指定してください（"{2}"は使えません）。

        --at takes a time of day like 09:00, and not "{1}".
        de: --at nimmt eine Uhrzeit wie 09:00, nicht "{1}".
        ja: --atには09:00のような時刻を指定してください（"{1}"は使えません）。

        --rrule says everything: leave --every, --interval, --count and --until out.
        de: --rrule sagt alles: lass --every, --interval, --count und --until weg.
        ja: --rruleにすべて含まれます。--every、--interval、--count、--untilを省いてください。

        Say --every too: {1}.
        de: Gib auch --every an: {1}.
        ja: --everyも指定してください：{1}。

        {1} at {2} ({3})
        de: {1} um {2} ({3})
        ja: {1} {2}（{3}）

        {1}, once
        de: {1}, einmal
        ja: {1}、1回

        {1}, {2} times
        de: {1}, {2}-mal
        ja: {1}、{2}回

        {1}, until {2}
        de: {1}, bis {2}
        ja: {1}、{2}まで

        every day
        de: jeden Tag
        ja: 毎日

        every {1} days
        de: alle {1} Tage
        ja: {1}日ごと

        every {1}
        de: jeden {1}
        ja: 毎週{1}

        every {1} days on {2}
        de: alle {1} Tage, wenn es {2} ist
        ja: {1}日ごと（{2}のみ）

        every {1} weeks on {2}
        de: alle {1} Wochen am {2}
        ja: {1}週ごとの{2}

        There is no such slot
        de: Diese Zeit gibt es nicht
        ja: その時間はありません

        No slot is running now. Try --at next.
        de: Gerade läuft keine Zeit. Versuche --at next.
        ja: 今進行中の時間はありません。--at next をお試しください。

        There is no such time.
        de: Diese Uhrzeit gibt es nicht.
        ja: そのような時刻はありません。

        It is {1} today, and {2} can still be had.
        de: Heute ist {1}, und {2} ist noch zu haben.
        ja: 今日は{1}で、{2}はまだ登録できます。

        It is {1} today, and {2} is over: {3} is meant.
        de: Heute ist {1}, und {2} ist vorbei: gemeint ist {3}.
        ja: 今日は{1}で、{2}は過ぎています。{3}として扱います。

        No slot begins then.
        de: Dann beginnt keine Zeit.
        ja: その時刻には始まりません。

        {1} is not the beginning of a slot. The nearest one begins at {2}, {3}.
        de: Um {1} beginnt keine Zeit. Am nächsten liegt die um {2}, {3}.
        ja: {1}には始まりません。最も近い時間は{2}（{3}）です。

        You have every slot of today and tomorrow already.
        de: Du hast schon alle Zeiten von heute und morgen.
        ja: 今日と明日の時間はすべて登録済みです。

        No slot begins at {1} in {2}.
        de: In {2} beginnt um {1} keine Zeit.
        ja: {2}の{1}に始まる時間はありません。

        "{1}" is no length. --for takes minutes, like 25.
        de: "{1}" ist keine Länge. --for nimmt Minuten, wie 25.
        ja: "{1}"は長さではありません。--forには25のような分数を指定してください。

        All slots of this service have one length; leave out --for.
        de: Alle Zeiten dieses Dienstes haben eine Länge; lass --for weg.
        ja: このサービスの時間はすべて同じ長さです。--forを省いてください。

        say noon, or 00:00 with its day
        de: sage noon, oder 00:00 mit dem Tag
        ja: noon、または日付付きで00:00と書いてください

        say the time too, like "{1} 09:00"
        de: sage auch die Uhrzeit, wie "{1} 09:00"
        ja: "{1} 09:00"のように時刻も書いてください

        say "{1} 09:00" for the first one to come, or the date
        de: sage "{1} 09:00" für den nächsten, oder das Datum
        ja: 次に来る日なら"{1} 09:00"、または日付を書いてください

        say minutes or hours, like "in 10 minutes"
        de: sage Minuten oder Stunden, wie "in 10 minutes"
        ja: "in 10 minutes"のように分か時間を書いてください

        say 00:00, with its day
        de: sage 00:00, mit dem Tag
        ja: 日付付きで00:00と書いてください

        say {1}:00, {2}am or {3}pm
        de: sage {1}:00, {2}am oder {3}pm
        ja: {1}:00、{2}am、{3}pmのいずれかで書いてください

        9am, 09:00, "tomorrow 9:30pm", "monday 09:00", "in 10 minutes", 2027-03-28T09:00, T09:00+01:00, \#
        2027-03-28T09:00:00+01:00, next or now
        de: 9am, 09:00, "tomorrow 9:30pm", "monday 09:00", "in 10 minutes", 2027-03-28T09:00, \#
        T09:00+01:00, 2027-03-28T09:00:00+01:00, next oder now
        ja: 9am、09:00、"tomorrow 9:30pm"、"monday 09:00"、"in 10 \#
        minutes"、2027-03-28T09:00、T09:00+01:00、2027-03-28T09:00:00+01:00、next、now

        {1} is no time. --at takes {2}.
        de: {1} ist keine Zeit. --at nimmt {2}.
        ja: {1}は時刻ではありません。--atに使えるのは{2}です。

        {1} may mean more than one time: {2}.
        de: {1} kann mehr als eine Zeit bedeuten: {2}.
        ja: {1}は複数の意味に取れます：{2}。

        empty
        de: leer
        ja: 空き

        waiting
        de: wartet
        ja: 待機中

        registered
        de: eingetragen
        ja: 登録済み

        partnered
        de: nicht allein
        ja: 相手あり

        open
        de: offen
        ja: 開室中

        attended
        de: teilgenommen
        ja: 参加

        missed
        de: verpasst
        ja: 欠席

        lapsed
        de: ausgefallen
        ja: 中止

        closed
        de: vorbei
        ja: 終了

        matched
        de: Raum offen
        ja: 組み合わせ済み

        cancelled
        de: abgesagt
        ja: 取り消し

        Mon
        de: Mo
        ja: 月

        Tue
        de: Di
        ja: 火

        Wed
        de: Mi
        ja: 水

        Thu
        de: Do
        ja: 木

        Fri
        de: Fr
        ja: 金

        Sat
        de: Sa
        ja: 土

        Sun
        de: So
        ja: 日

        now
        de: jetzt
        ja: 今

        in {1}
        de: in {1}
        ja: {1}後

        {1} d {2} h
        de: {1} d {2} h
        ja: {1}日{2}時間

        {1} d
        de: {1} d
        ja: {1}日

        {1} h {2} min
        de: {1} h {2} min
        ja: {1}時間{2}分

        {1} h
        de: {1} h
        ja: {1}時間

        {1} min
        de: {1} min
        ja: {1}分

        {1} s
        de: {1} s
        ja: {1}秒

        monday
        de: Montag
        ja: 月曜日

        tuesday
        de: Dienstag
        ja: 火曜日

        wednesday
        de: Mittwoch
        ja: 水曜日

        thursday
        de: Donnerstag
        ja: 木曜日

        friday
        de: Freitag
        ja: 金曜日

        saturday
        de: Samstag
        ja: 土曜日

        sunday
        de: Sonntag
        ja: 日曜日

        active
        de: aktiv
        ja: 有効

        unverified
        de: ungeprüft
        ja: 未確認

        failing
        de: scheitert
        ja: 失敗中

        disabled
        de: abgeschaltet
        ja: 無効

        paused
        de: pausiert
        ja: 休止中

        ended
        de: beendet
        ja: 終了

        planned
        de: geplant
        ja: 予定

        skipped
        de: ausgelassen
        ja: 休み

        conflict
        de: belegt
        ja: 重複

        limit
        de: Höchstzahl erreicht
        ja: 上限

        attendance
        de: zu selten da
        ja: 参加不足

        off-grid
        de: keine Zeit
        ja: 対象外

        late
        de: zu spät
        ja: 時間切れ
        """#
}
