extension Catalogue {
    /// The help of the commands about rooms.
    static let helpRooms = #"""
        Show notifications as they come, until Ctrl-C
        de: Nachrichten zeigen, sowie sie kommen, bis Strg-C
        ja: 通知を届くたびに表示する（Ctrl-Cまで）

        It reconnects by itself, and misses nothing meanwhile.
        de: Verbindet sich von selbst neu, und verpasst dabei nichts.
        ja: 自動で再接続し、その間のものも逃しません。

        Enter rooms as they open, and show what happens there
        de: Räume betreten, sowie sie öffnen, und zeigen, was dort geschieht
        ja: 部屋が開いたら入り、中の出来事を表示する

        One line for each notification
        de: Eine Zeile für jede Nachricht
        ja: 通知ごとに1行

        Who comes to your slots, and goes, before they open
        de: Wer zu deinen Zeiten kommt und geht, bevor sie öffnen
        ja: 開く前に、自分の時間に誰が加わり、抜けたか

        Be present in your rooms, for programs
        de: In deinen Räumen sein, für Programme
        ja: 部屋に居続ける（プログラム用）

        Wait for a partner or the room, for scripts
        de: Auf jemanden oder auf den Raum warten, für Skripte
        ja: パートナーか部屋を待つ（スクリプト用）

        Without REGISTRATION it is the session that is running, or else the next one. matched: there \#
        is\nsomebody to meet. Until the room opens that is somebody else who is registered and may be \#
        matched\nwith you, and they may still cancel; from then on it is a partner in your room. open: \#
        your room is\nopen, with a partner or without. connected: a partner is present in your room. \#
        Waiting does not\nenter the room; "letsswitch join" does.\nIt goes on while the server restarts, \#
        and says on standard error what it waits for. Exit codes: 0\nit has happened, 8 --timeout ran out, \#
        4 you are registered for nothing, 5 it cannot happen any\nmore, since the session is over or \#
        cancelled.
        de: Ohne REGISTRATION ist es die Sitzung, die läuft, oder sonst die nächste. matched: es gibt \#
        jemanden zum\nTreffen. Bis der Raum öffnet, ist das jemand, der auch eingetragen ist, zu dir \#
        passen kann und noch\nabsagen darf; danach jemand in deinem Raum. open: dein Raum ist offen, mit \#
        jemandem oder ohne.\nconnected: jemand ist in deinem Raum da. Warten betritt den Raum nicht; das \#
        tut "letsswitch join".\nEs geht weiter, während der Server neu startet, und sagt auf der \#
        Standardfehlerausgabe, worauf es\nwartet. Exit-Codes: 0 es ist geschehen, 8 --timeout ist \#
        abgelaufen, 4 du bist für nichts eingetragen,\n5 es kann nicht mehr geschehen, da die Sitzung \#
        vorbei oder abgesagt ist.
        ja: REGISTRATIONがなければ、今のセッション、なければ次のセッションです。matched：会う相手がいます。部屋が\n開くまでは、組み合わされ得るほかの登録者のことで、まだ取り消すか\#
        もしれません。開いてからは部屋の\nパートナーです。open：パートナーの有無にかかわらず部屋が開いています。connected：パートナーが部屋に\nいます。待つだけで部屋には入りません。入るの\#
        は"letsswitch join"です。\nサーバーの再起動中も続き、何を待っているかを標準エラー出力に出します。終了コード：0 そうなった、\n8 --timeoutが過ぎた、4 \#
        登録がない、5 セッションが終わったか取り消されて、もうそうならない。

        The registration, by its id or its number in "registrations"
        de: Die Eintragung, nach ihrer Id oder ihrer Nummer in "registrations"
        ja: 登録。IDか"registrations"での番号

        What to wait for: matched, open or connected
        de: Worauf zu warten ist: matched, open oder connected
        ja: 待つもの：matched、open、connected

        Enter as soon as one can
        de: Eintreten, sobald man kann
        ja: 入れるようになったらすぐ入る

        Give up after ten minutes, with exit code 8
        de: Nach zehn Minuten aufgeben, mit Exit-Code 8
        ja: 10分であきらめる（終了コード8）

        For the second one of the last list; one JSON object, with the partners
        de: Für die zweite der letzten Liste; ein JSON-Objekt, mit den Partnern
        ja: 最後の一覧の2番目。パートナーを含むJSONオブジェクト一つ

        Enter your room; space or Enter sends an ale
        de: Deinen Raum betreten; Leertaste oder Enter sendet ein Ale
        ja: 部屋に入る。スペースかEnterでエールを送る

        Without ROOM it enters the room of yours that is open, or waits for the next one that you \#
        are\nregistered for. It ends when the room closes. On a terminal: space or Enter cheers, r says \#
        that\nyou are ready, q leaves, and ? shows all keys. The terminal sounds ten seconds before the \#
        start,\nat the start, and for an ale.\nWhere standard output or standard input is no terminal, it \#
        prints plain lines, and each line of\nstandard input sends an ale; after the end of the input it \#
        goes on listening.
        de: Ohne ROOM betritt es deinen offenen Raum, oder wartet auf den nächsten, für den du eingetragen \#
        bist. Es\nendet, wenn der Raum schließt. In einem Terminal: Leertaste oder Enter sendet ein Ale, r \#
        sagt, dass du\nbereit bist, q geht, und ? zeigt alle Tasten. Das Terminal klingt zehn Sekunden vor \#
        dem Beginn, beim\nBeginn, und bei einem Ale.\nWo Standardausgabe oder Standardeingabe kein \#
        Terminal ist, gibt es einfache Zeilen aus, und jede Zeile\nder Standardeingabe sendet ein Ale; \#
        nach dem Ende der Eingabe hört es weiter zu.
        ja: ROOMがなければ、開いている自分の部屋に入るか、登録した次の部屋を待ちます。部屋が閉じると終わります。\n端末では、スペースかEnterでエール、rで準備完了を伝え、qで退出、?でキー一\#
        覧です。開始の10秒前、\n開始時、エールが届いたときに端末が鳴ります。\n標準出力か標準入力が端末でなければ、ただの行を出し、標準入力の1行ごとにエールを送ります。\n入力が終わっても聞き続けます。

        No sound of the terminal, as with {1}=off
        de: Kein Ton des Terminals, wie mit {1}=off
        ja: 端末を鳴らさない（{1}=offと同じ）

        Enter, or wait for the next room
        de: Eintreten, oder auf den nächsten Raum warten
        ja: 入る、または次の部屋を待つ

        Send one ale, then listen
        de: Ein Ale senden, dann zuhören
        ja: エールを一つ送り、あとは聞く

        Only listen; one JSON object a line: connected, ale, presence, status, acked, closed…
        de: Nur zuhören; ein JSON-Objekt je Zeile: connected, ale, presence, status, acked, closed…
        ja: 聞くだけ。1行に一つのJSONオブジェクト：connected、ale、presence、status、acked、closed…

        Send one ale, wait until it has arrived, and leave
        de: Ein Ale senden, warten, bis es angekommen ist, und gehen
        ja: エールを一つ送り、届くのを待って退出する

        To the room of yours that is open
        de: In deinen offenen Raum
        ja: 開いている自分の部屋へ

        Say nothing, give up after five seconds
        de: Nichts sagen, nach fünf Sekunden aufgeben
        ja: 何も表示せず、5秒であきらめる

        Say something to your room at the start
        de: Deinem Raum zu Beginn etwas sagen
        ja: はじめに部屋へひとこと言う

        It can be said while your room is open, and everybody in it sees it. A new text replaces it.
        de: Das geht, solange dein Raum offen ist, und alle darin sehen es. Ein neuer Text ersetzt ihn.
        ja: 部屋が開いている間に言え、部屋の全員に見えます。新しい文で置き換わります。

        What you begin with; at most 200 characters
        de: Womit du beginnst; höchstens 200 Zeichen
        ja: 何から始めるか。200文字まで

        To the room that is open
        de: In den offenen Raum
        ja: 開いている部屋へ

        Say nothing after all
        de: Doch nichts sagen
        ja: やはり何も言わない

        Say how a session went
        de: Sagen, wie eine Sitzung lief
        ja: セッションの結果を伝える

        From its start until a day after its end. Everybody who was in the room sees it, and stats \#
        counts\nit. Saying it again replaces it; without --note the note stays.
        de: Von ihrem Beginn bis einen Tag nach ihrem Ende. Alle, die im Raum waren, sehen es, und stats \#
        zählt es.\nEs noch einmal zu sagen ersetzt es; ohne --note bleibt die Notiz.
        ja: 開始から、終了の1日後まで伝えられます。部屋にいた全員に見え、statsで数えられます。\nもう一度伝えると置き換わり、--noteがなければメモは残ります。

        done, partly or not; none takes it back
        de: done, partly oder not; none nimmt es zurück
        ja: done、partly、not。noneで取り消す

        The session, by its id or its number in "history". Default: your last one
        de: Die Sitzung, nach ihrer Id oder ihrer Nummer in "history". Sonst: deine letzte
        ja: セッション。IDか"history"での番号。既定：最後のもの

        A few words on it; at most 200 characters
        de: Ein paar Worte dazu; höchstens 200 Zeichen
        ja: ひとことメモ。200文字まで

        Your last session, or the one that runs
        de: Deine letzte Sitzung, oder die laufende
        ja: 最後のセッション、または今のもの

        With a few words
        de: Mit ein paar Worten
        ja: ひとこと添えて

        The second one of the last list, of the last day
        de: Die zweite der letzten Liste, am letzten Tag
        ja: 最後の一覧の2番目（1日以内のもの）

        Measure how long the server takes to answer, until Ctrl-C
        de: Messen, wie lange der Server zum Antworten braucht, bis Strg-C
        ja: サーバーの応答時間を測る（Ctrl-Cまで）

        It asks by the socket of your room, which it enters as join does; where no room is open, by \#
        HTTP.\nIt ends with the shortest, the average and the longest time.
        de: Es fragt über den Socket deines Raums, den es wie join betritt; wo kein Raum offen ist, über \#
        HTTP.\nAm Ende stehen die kürzeste, die mittlere und die längste Zeit.
        ja: joinのように部屋に入り、そのソケットで尋ねます。開いている部屋がなければHTTPで尋ねます。\n最後に最短、平均、最長の時間を表示します。

        End after that many
        de: Nach so vielen enden
        ja: この回数で終わる

        The pause between two. Default: 1
        de: Die Pause zwischen zweien. Sonst: 1
        ja: 間隔。既定：1

        Five times
        de: Fünfmal
        ja: 5回

        One JSON object a line, the last one sums up
        de: Ein JSON-Objekt je Zeile, das letzte fasst zusammen
        ja: 1行に一つのJSONオブジェクト。最後はまとめ
        """#
}
