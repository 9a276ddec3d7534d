extension Catalogue {
    /// The help of the commands about slots and registrations.
    static let helpSlots = #"""
        Show the slots of a day
        de: Die Zeiten eines Tages zeigen
        ja: ある日の時間を表示する

        Slots that are over are left out. With --json all slots of the day are there.
        de: Vergangene Zeiten fehlen. Mit --json sind alle Zeiten des Tages da.
        ja: 終わった時間は省かれます。--jsonではその日のすべての時間が出ます。

        Show also the slots that are over
        de: Auch die vergangenen Zeiten zeigen
        ja: 終わった時間も表示する

        A day like 2027-03-28, today, tomorrow or monday. Default: today
        de: Ein Tag wie 2027-03-28, today, tomorrow oder monday. Sonst: heute
        ja: 2027-03-28、today、tomorrow、mondayのような日。既定：今日

        Today, in your account's time zone
        de: Heute, in der Zeitzone deines Kontos
        ja: 今日。アカウントのタイムゾーンで

        Tomorrow
        de: Morgen
        ja: 明日

        Those of fifty minutes
        de: Die von fünfzig Minuten
        ja: 50分のもの

        Declare a task for one slot or more, all or none
        de: Eine Aufgabe für eine oder mehrere Zeiten eintragen, alle oder keine
        ja: タスクを一つ以上の時間に登録する（全部か、なしか）

        A time without an offset is one on the clocks of your account's time zone. A time of day, with \#
        or\nwithout a day of the week, is the next one that can still be had. Nothing is rounded in \#
        silence:\nwhere no slot begins "in 10 minutes", the nearest one is taken, and named. A time of day \#
        at which\nno slot begins is refused.
        de: Eine Zeit ohne Abstand zu UTC ist eine auf den Uhren der Zeitzone deines Kontos. Eine \#
        Tageszeit, mit\noder ohne Wochentag, ist die nächste, die noch zu haben ist. Nichts wird \#
        stillschweigend gerundet: wo\n"in 10 minutes" keine Zeit beginnt, wird die nächstgelegene genommen \#
        und genannt. Eine Tageszeit, zu\nder keine Zeit beginnt, wird abgelehnt.
        ja: UTCとの差がない時刻は、アカウントのタイムゾーンの時計のものです。時刻だけ、または曜日と時刻なら、\nまだ登録できる次のものです。黙って丸めることはありません："in 10 \#
        minutes"に始まる時間がなければ、\n最も近いものを選び、それを表示します。始まる時間のない時刻は拒否されます。

        When: {1}
        de: Wann: {1}
        ja: いつ：{1}

        favourites: meet nobody else, and be alone if none is there. Default: anyone
        de: favourites: nur Lieblingsleute treffen, und allein sein, wenn niemand da ist. Sonst: anyone
        ja: favourites：お気に入りの人とだけ会い、いなければひとり。既定：anyone

        Be sent no ales; your partners see it
        de: Keine Ales bekommen; deine Partner sehen es
        ja: エールを受け取らない。パートナーに見える

        In place of --at: meet whoever gave you this code or link
        de: Statt --at: die Person treffen, von der dieser Code oder Link ist
        ja: --atの代わりに：このコードやリンクをくれた人と会う

        At nine; tomorrow, where it is past nine
        de: Um neun; morgen, wenn es nach neun ist
        ja: 9時に。9時を過ぎていれば明日

        The first Monday to come, or today where it is Monday before nine
        de: Am nächsten Montag, oder heute, wenn Montag vor neun ist
        ja: 次の月曜。月曜の9時前なら今日

        An hour, as two slots
        de: Eine Stunde, als zwei Zeiten
        ja: 1時間を二つの時間で

        The next slot that begins
        de: Die nächste Zeit, die beginnt
        ja: 次に始まる時間

        Fifty minutes, where there are several lengths
        de: Fünfzig Minuten, wo es mehrere Längen gibt
        ja: 長さが選べるところで50分

        With a favourite or nobody, and quietly
        de: Mit Lieblingsleuten oder niemandem, und still
        ja: お気に入りの人とか、ひとりで。静かに

        In the slot of whoever gave you the link, and with them
        de: In der Zeit der Person, von der du den Link hast, und mit ihr
        ja: リンクをくれた人の時間に、その人と

        Make a link with which a friend works with you
        de: Einen Link machen, mit dem jemand mit dir arbeitet
        ja: 友だちと一緒に作業するためのリンクを作る

        Whoever uses the link registers for your slot and is paired with you. It works once, until \#
        the\nslot can no longer be had, and is shown this once; with -q, nothing else is. Another one \#
        replaces\nit.
        de: Wer den Link nutzt, trägt sich für deine Zeit ein und wird mit dir gepaart. Er gilt einmal, \#
        bis die\nZeit nicht mehr zu haben ist, und wird nur dieses Mal gezeigt; mit -q nichts anderes. Ein \#
        neuer ersetzt\nihn.
        ja: リンクを使った人は同じ時間に登録され、あなたと組になります。使えるのは一度、その時間が登録できる\n間だけです。表示は今回だけで、-qならそれだけを出します。新しく作ると置き換わります。

        By its id or its number in "registrations". Default: the next one
        de: Nach ihrer Id oder ihrer Nummer in "registrations". Sonst: die nächste
        ja: IDか"registrations"での番号。既定：次のもの

        Take the link back, if nobody has used it
        de: Den Link zurücknehmen, wenn ihn niemand genutzt hat
        ja: まだ使われていないリンクを取り消す

        To your next slot
        de: Zu deiner nächsten Zeit
        ja: 次の時間に

        The link leads nowhere any more
        de: Der Link führt nirgendwohin mehr
        ja: リンクは使えなくなる

        Show what you are registered for
        de: Zeigen, wofür du eingetragen bist
        ja: 登録を表示する

        Also those that are over or cancelled
        de: Auch die, die vorbei oder abgesagt sind
        ja: 終わったものや取り消したものも

        All there ever were, as JSON
        de: Alle, die es je gab, als JSON
        ja: これまでのすべてをJSONで

        Show your sessions so far, and what they come to
        de: Deine bisherigen Sitzungen zeigen, und was sie ergeben
        ja: これまでのセッションとまとめを表示する

        The oldest of them comes first. Sums of everything are in "stats".
        de: Die älteste davon kommt zuerst. Summen von allem stehen in "stats".
        ja: 古い順です。全体の合計は"stats"にあります。

        Only the newest N. Default: 20
        de: Nur die neuesten N. Sonst: 20
        ja: 新しいN件だけ。既定：20

        The newest twenty, with partners and ales
        de: Die neuesten zwanzig, mit Partnern und Ales
        ja: 新しい20件。パートナーとエールと共に

        The newest hundred, as JSON
        de: Die neuesten hundert, als JSON
        ja: 新しい100件をJSONで

        Cancel a registration
        de: Eine Eintragung absagen
        ja: 登録を取り消す

        The second one of the last list
        de: Die zweite der letzten Liste
        ja: 最後の一覧の2番目

        Cancelling twice is no error
        de: Zweimal absagen ist kein Fehler
        ja: 二度取り消してもエラーではない

        Show what has happened, oldest first
        de: Zeigen, was geschehen ist, das Älteste zuerst
        ja: これまでの出来事を古い順に表示する

        Only those after that number
        de: Nur die nach dieser Nummer
        ja: その番号より後だけ

        Only the newest N
        de: Nur die neuesten N
        ja: 新しいN件だけ

        All of them
        de: Alle
        ja: すべて

        The newest ten
        de: Die neuesten zehn
        ja: 新しい10件

        The newer ones, as JSON
        de: Die neueren, als JSON
        ja: より新しいものをJSONで
        """#
}
