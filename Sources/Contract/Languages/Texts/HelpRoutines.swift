extension Catalogue {
    /// The help of the commands about routines.
    static let helpRoutines = #"""
        The routine, by its id or its number in "routine list"
        de: Die Routine, nach ihrer Id oder ihrer Nummer in "routine list"
        ja: くり返し。IDか"routine list"での番号

        On which days: {1}
        de: An welchen Tagen: {1}
        ja: どの日に：{1}

        Only every N days or weeks
        de: Nur alle N Tage oder Wochen
        ja: N日またはN週ごと

        End after N days
        de: Nach N Tagen enden
        ja: N日で終わる

        End with that day
        de: Mit diesem Tag enden
        ja: その日で終わる

        A rule of RFC 5545, like FREQ=WEEKLY;BYDAY=MO,FR
        de: Eine Regel nach RFC 5545, wie FREQ=WEEKLY;BYDAY=MO,FR
        ja: FREQ=WEEKLY;BYDAY=MO,FRのようなRFC 5545の規則

        On whose clocks the time is. Default: your account's zone
        de: Auf wessen Uhren die Zeit ist. Sonst: die Zone deines Kontos
        ja: 時刻のタイムゾーン。既定：アカウントのもの

        The first day. Default: today
        de: Der erste Tag. Sonst: heute
        ja: 最初の日。既定：今日

        A word that groups tasks
        de: Ein Wort, das Aufgaben zusammenfasst
        ja: タスクをまとめる言葉

        A time of day, like 09:00
        de: Eine Tageszeit, wie 09:00
        ja: 09:00のような時刻

        Leave that day out
        de: Diesen Tag auslassen
        ja: その日を除く

        Take the tag away
        de: Das Stichwort wegnehmen
        ja: タグを外す

        Register a task again and again
        de: Eine Aufgabe immer wieder eintragen
        ja: タスクをくり返し登録する

        The days are registered as far ahead as one may register, and later ones as they come near \#
        enough.\nA day on which you have another registration, or no place left, is shown and tried again.
        de: Die Tage werden so weit im Voraus eingetragen, wie es erlaubt ist, spätere, sowie sie nah \#
        genug sind.\nEin Tag, für den du eine andere Eintragung oder keinen Platz mehr hast, wird gezeigt \#
        und neu versucht.
        ja: 登録できる先の日まで登録し、その先は近づいたら登録します。別の登録がある日や空きがない日は、\nそう表示され、また試されます。

        What you will do; your partners see it
        de: Was du tun wirst; deine Partner sehen es
        ja: やること。パートナーに見える

        Monday to Friday, until you end it
        de: Montag bis Freitag, bis du sie beendest
        ja: 月曜から金曜まで、終えるまで

        Ten times, every other week
        de: Zehnmal, jede zweite Woche
        ja: 1週おきに10回

        Each day until then, at eight
        de: Jeden Tag bis dahin, um acht
        ja: その日まで毎日8時に

        Show your routines
        de: Deine Routinen zeigen
        ja: くり返しを表示する

        The oldest first
        de: Die ältesten zuerst
        ja: 古い順

        Show a routine with its next days
        de: Eine Routine mit ihren nächsten Tagen zeigen
        ja: くり返しとこれからの日を表示する

        What comes, and what could not be had
        de: Was kommt, und was nicht zu haben war
        ja: これからの日と、登録できなかった日

        Register nothing for a routine until it goes on
        de: Für eine Routine nichts eintragen, bis sie weitergeht
        ja: 再開するまでくり返しの登録を休む

        What it has registered ahead is cancelled.
        de: Was sie im Voraus eingetragen hat, wird abgesagt.
        ja: 先に登録したものは取り消されます。

        For a holiday
        de: Für einen Urlaub
        ja: 休暇のために

        Let a routine go on
        de: Eine Routine weitergehen lassen
        ja: くり返しを再開する

        From today on
        de: Von heute an
        ja: 今日から

        Leave one day of a routine out
        de: Einen Tag einer Routine auslassen
        ja: くり返しを一日だけ休む

        The day, like 2027-03-28
        de: Der Tag, wie 2027-03-28
        ja: 2027-03-28のような日付

        Take it back: the day is registered again
        de: Zurücknehmen: der Tag wird wieder eingetragen
        ja: 取り消す：その日をまた登録する

        Cancel that day alone
        de: Nur diesen Tag absagen
        ja: その日だけ取り消す

        Register it again
        de: Ihn wieder eintragen
        ja: また登録する

        Change a routine from a day on
        de: Eine Routine von einem Tag an ändern
        ja: ある日からくり返しを変える

        What it has registered from that day on follows: what fits stays, with the new task; the rest \#
        is\ncancelled and made anew. With another rule, --count counts from that day; \#
        a rule with the same\ninterval keeps its weeks.
        de: Was sie von diesem Tag an eingetragen hat, folgt: was passt, bleibt, mit der neuen Aufgabe; \#
        der Rest\nwird abgesagt und neu gemacht. Mit einer anderen Regel zählt --count von diesem Tag an; \#
        eine mit\ndemselben Abstand behält ihre Wochen.
        ja: その日以降に登録したものも変わります：合うものは新しいタスクで残り、残りは取り消されて作り直されます。\n規則を変えると、--countはその日から数えます。間隔が同じなら、週はそのままです。

        An hour later from that day on
        de: Von diesem Tag an eine Stunde später
        ja: その日から1時間遅く

        Another task
        de: Eine andere Aufgabe
        ja: 別のタスク

        End a routine, and cancel what it has registered ahead
        de: Eine Routine beenden, und absagen, was sie im Voraus eingetragen hat
        ja: くり返しを終え、先に登録したものを取り消す

        Keep what it has registered
        de: Behalten, was sie eingetragen hat
        ja: 登録したものを残す

        Nothing of it is ahead any more
        de: Von ihr kommt nichts mehr
        ja: もうこの先の登録はない

        Register no more days
        de: Keine weiteren Tage eintragen
        ja: これ以上登録しない
        """#
}
