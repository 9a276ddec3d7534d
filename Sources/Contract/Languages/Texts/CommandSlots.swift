extension Catalogue {
    /// The messages of commands about slots, tokens and endpoints.
    static let commandSlots = #"""
        --at can be given {1} times at most.
        de: --at kann höchstens {1}-mal angegeben werden.
        ja: --atは{1}回まで指定できます。

        Say when: --at TIME, or --invite CODE for the slot of somebody else.
        de: Sage, wann: --at ZEIT, oder --invite CODE für die Zeit von jemand anderem.
        ja: 時間を指定してください：--at TIME、または招待された時間なら--invite CODE

        An invite has a length already: leave --for out.
        de: Eine Einladung hat schon eine Länge: lass --for weg.
        ja: 招待には長さが決まっています。--forを省いてください。

        All slots of the day are over. Show them: letsswitch slots{1} --all
        de: Alle Zeiten des Tages sind vorbei. Sie zeigen: letsswitch slots{1} --all
        ja: この日の時間はすべて終わりました。表示するには：letsswitch slots{1} --all

        Those that are over: letsswitch slots{1} --all
        de: Die vergangenen: letsswitch slots{1} --all
        ja: 終わった時間：letsswitch slots{1} --all

        It begins {1}. Then: letsswitch join
        de: Beginn {1}. Dann: letsswitch join
        ja: 開始は{1}です。その時は：letsswitch join

        --with takes favourites or anyone, and not "{1}".
        de: --with nimmt favourites oder anyone, nicht "{1}".
        ja: --withにはfavouritesかanyoneを指定してください（"{1}"は使えません）。

        registration {1}
        de: Eintragung {1}
        ja: 登録 {1}

        \n  That time does not exist on that day, as clocks go forward over it: it was moved on by as \#
        much.
        de: \n  Diese Zeit gibt es an diesem Tag nicht, da die Uhren sie überspringen: sie wurde um so \#
        viel verschoben.
        ja: \n  その日は時計が進むため、その時刻は存在しません。その分だけ後ろにずらしました。

        \n  That time comes twice on that day, as clocks go back over it: this is the first of the two.
        de: \n  Diese Zeit gibt es an diesem Tag zweimal, da die Uhren zurückgestellt werden: das ist \#
        die erste.
        ja: \n  その日は時計が戻るため、その時刻は二度あります。これは一度目です。

        {1} in {2}, which is {3} here
        de: {1} in {2}, das ist hier {3}
        ja: {2}の{1}（ここでは{3}）

        Registered: {1}: {2} ({3}){4}
        de: Eingetragen: {1}: {2} ({3}){4}
        ja: 登録しました：{1}：{2}（{3}）{4}

        Cancel one by its number: letsswitch cancel N
        de: Eine absagen, nach ihrer Nummer: letsswitch cancel N
        ja: 番号で取り消すには：letsswitch cancel N

        favourites only
        de: nur Lieblingsleute
        ja: お気に入りの人のみ

        no ales
        de: keine Ales
        ja: エールなし

        (routine)
        de: (Routine)
        ja: （くり返し）

        You have a new token, in {1}. The old one is not valid any more.
        de: Du hast ein neues Token, in {1}. Das alte gilt nicht mehr.
        ja: 新しいトークンは{1}にあります。古いものは無効になりました。

        You are signed in already, by {1}. Without that token and a recovery code its account is lost: \#
        keep a copy, then use --force.
        de: Du bist schon angemeldet, mit dem Token in {1}. Ohne dieses Token und einen \#
        Wiederherstellungscode ist das Konto verloren: behalte eine Kopie, und nimm dann --force.
        ja: {1}ですでにサインインしています。そのトークンも復旧コードもないと、アカウントは失われます。控えを取ってから--forceを付けてください。

        Welcome, {1}! You are signed in.
        de: Willkommen, {1}! Du bist angemeldet.
        ja: ようこそ、{1}さん！サインインしました。

        Your time zone is {1}. The token is in {2}.
        de: Deine Zeitzone ist {1}. Das Token ist in {2}.
        ja: タイムゾーンは{1}です。トークンは{2}にあります。

        Your time zone is {1}, as on this machine. The token is in {2}.
        de: Deine Zeitzone ist {1}, wie auf diesem Rechner. Das Token ist in {2}.
        ja: タイムゾーンはこのマシンと同じ{1}です。トークンは{2}にあります。

        Your time zone is {1}, as this machine's is not known. The token is in {2}.
        de: Deine Zeitzone ist {1}, da die dieses Rechners unbekannt ist. Das Token ist in {2}.
        ja: このマシンのタイムゾーンが分からないため、{1}にしました。トークンは{2}にあります。

        Next: letsswitch register "What you will do" --at next
        de: Weiter: letsswitch register "Was du tun wirst" --at next
        ja: 次は：letsswitch register "やること" --at next

        "{1}" is no day. Give one like 2027-03-28, tomorrow or monday.
        de: "{1}" ist kein Tag. Gib einen an wie 2027-03-28, tomorrow oder monday.
        ja: "{1}"は日付ではありません。2027-03-28、tomorrow、mondayのように指定してください。

        Take one: letsswitch register "What you will do" --at "{1} {2}"{3}
        de: Eintragen: letsswitch register "Was du tun wirst" --at "{1} {2}"{3}
        ja: 登録するには：letsswitch register "やること" --at "{1} {2}"{3}

        {1} in {2}
        de: {1} in {2}
        ja: {1}（{2}）

        {1}, {2} minutes each
        de: {1}, je {2} Minuten
        ja: {1}、各{2}分

        {1}, {2} minutes each; others with {3}
        de: {1}, je {2} Minuten; andere mit {3}
        ja: {1}、各{2}分。ほかは{3}

        Attended
        de: Teilgenommen
        ja: 参加

        {1} of {2}
        de: {1} von {2}
        ja: {2}回中{1}回

        {1} of {2} ({3} %)
        de: {1} von {2} ({3} %)
        ja: {2}回中{1}回（{3} %）

        Missed
        de: Verpasst
        ja: 欠席

        Cancelled late
        de: Spät abgesagt
        ja: 直前の取り消し

        Streak
        de: Serie
        ja: 連続

        {1}, the longest {2}
        de: {1}, die längste {2}
        ja: {1}（最長{2}）

        Ales
        de: Ales
        ja: エール

        Partners
        de: Getroffen
        ja: 会った人

        Outcomes
        de: Ergebnisse
        ja: 結果

        {1} done ({2} %), {3} partly, {4} not
        de: {1} geschafft ({2} %), {3} zum Teil, {4} nicht
        ja: できた{1}（{2} %）、途中まで{3}、できなかった{4}

        Punctuality
        de: Pünktlichkeit
        ja: 入室

        entered {1} s after the room opened (median), {2} s on average
        de: {1} s nach dem Öffnen eingetreten (Median), im Mittel {2} s
        ja: 部屋が開いてから{1}秒（中央値）、平均{2}秒

        (main)
        de: (Haupttoken)
        ja: （メイン）

        this one
        de: dieses
        ja: これ

        used {1}
        de: benutzt {1}
        ja: 使用 {1}

        not used
        de: nicht benutzt
        ja: 未使用

        expires {1}
        de: gilt bis {1}
        ja: 期限 {1}

        End one by its number: letsswitch token revoke N
        de: Eines beenden, nach seiner Nummer: letsswitch token revoke N
        ja: 番号で無効にするには：letsswitch token revoke N

        A token named {1}, valid until {2}:\n
        de: Ein Token namens {1}, gültig bis {2}:\n
        ja: トークン「{1}」（{2}まで有効）：\n

        A token named {1}:\n
        de: Ein Token namens {1}:\n
        ja: トークン「{1}」：\n

        \nIt is shown this once. To end it: letsswitch token revoke {1}
        de: \nEs wird nur dieses Mal gezeigt. Beenden: letsswitch token revoke {1}
        ja: \n表示されるのは今回だけです。無効にするには：letsswitch token revoke {1}

        --days takes a number from {1} to {2}, and not "{3}".
        de: --days nimmt eine Zahl von {1} bis {2}, nicht "{3}".
        ja: --daysには{1}～{2}の数を指定してください（"{3}"は使えません）。

        Revoked: {1}.
        de: Widerrufen: {1}.
        ja: 無効にしました：{1}。

        Revoked.
        de: Widerrufen.
        ja: 無効にしました。

        {1} Whatever is signed in with it ends.
        de: {1} Was damit angemeldet ist, endet.
        ja: {1}それでサインインしているものは終了します。

        Watching. Ctrl-C ends.
        de: Es wird beobachtet. Strg-C beendet.
        ja: 見守っています。Ctrl-Cで終了します。

        {1} Again {2}.
        de: {1} Noch einmal {2}.
        ja: {1}再試行：{2}。

        Only a webhook can be added from here, and not "{1}". The app adds its device by itself, and so \#
        does a browser.
        de: Von hier lässt sich nur ein Webhook hinzufügen, nicht "{1}". Die App fügt ihr Gerät \#
        selbst hinzu, ein Browser auch.
        ja: ここから追加できるのはwebhookだけで、"{1}"は追加できません。アプリやブラウザは自分で端末を追加します。

        Added as {1}, for {2}. Its secret:\n
        de: Hinzugefügt als {1}, für {2}. Sein Geheimnis:\n
        ja: {1}として追加しました（対象：{2}）。シークレット：\n

        \nIt is shown this once. With it your program checks that a delivery comes from\nhere, by any \#
        library for Standard Webhooks. By hand: letsswitch webhook verify\nTry it: letsswitch endpoints \#
        test {1}
        de: \nEs wird nur dieses Mal gezeigt. Damit prüft dein Programm, dass eine Zustellung von \#
        hier\nkommt, mit jeder Bibliothek für Standard Webhooks. Von Hand: letsswitch webhook \#
        verify\nAusprobieren: letsswitch endpoints test {1}
        ja: \n表示されるのは今回だけです。これを使い、Standard Webhooksのライブラリーで配信元を確認できます。\n手作業なら：letsswitch webhook \#
        verify\n試すには：letsswitch endpoints test {1}

        There is no notification "{1}". There is {2}.
        de: Eine Benachrichtigung "{1}" gibt es nicht. Es gibt {2}.
        ja: "{1}"という通知はありません。あるのは{2}です。

        device {1}{2}
        de: Gerät {1}{2}
        ja: 端末 {1}{2}

        for {1}
        de: für {1}
        ja: 対象：{1}

        all notifications
        de: alle Benachrichtigungen
        ja: すべての通知

        Its receiver has not echoed the challenge yet, so nothing else goes there. letsswitch endpoints \#
        test {1} sends another one.
        de: Sein Empfänger hat die Prüfung noch nicht beantwortet, deshalb geht sonst nichts dorthin. \#
        letsswitch endpoints test {1} sendet eine neue.
        ja: 受信側がまだチャレンジに応えていないため、ほかには何も送りません。letsswitch endpoints test {1} でもう一度送れます。

        Every attempt has failed since {1}.
        de: Seit {1} ist jeder Versuch gescheitert.
        ja: {1}以降、すべて失敗しています。

        Every attempt has failed.
        de: Jeder Versuch ist gescheitert.
        ja: すべて失敗しています。

        Disabled: {1}. Replay it if it is a webhook; else add it again.
        de: Abgeschaltet: {1}. Ist er ein Webhook, wiederhole ihn; sonst füge ihn neu hinzu.
        ja: 無効：{1}。Webhookなら再送し、それ以外は追加し直してください。

        Disabled: for no reason that is known. Replay it if it is a webhook; else add it again.
        de: Abgeschaltet, aus unbekanntem Grund. Ist er ein Webhook, wiederhole ihn; sonst füge ihn neu hinzu.
        ja: 理由は不明ですが無効です。Webhookなら再送し、それ以外は追加し直してください。

        , in {1} ms
        de: , in {1} ms
        ja: （{1} ms）

        There are none. letsswitch endpoints add webhook URL
        de: Es gibt keine. letsswitch endpoints add webhook URL
        ja: ありません。letsswitch endpoints add webhook URL

        By the number: letsswitch endpoints show N, test N, rotate N, remove N
        de: Nach der Nummer: letsswitch endpoints show N, test N, rotate N, remove N
        ja: 番号で：letsswitch endpoints show N、test N、rotate N、remove N

        {1} Nothing is sent there any more.
        de: {1} Dorthin wird nichts mehr gesendet.
        ja: {1}もう何も送りません。

        The new secret for {1}:\n
        de: Das neue Geheimnis für {1}:\n
        ja: {1}の新しいシークレット：\n

        The new secret:\n
        de: Das neue Geheimnis:\n
        ja: 新しいシークレット：\n

        \nIt is shown this once. For 24 hours deliveries are signed with the old one too,\nuntil {1}. \#
        Give your program the new one by then.
        de: \nEs wird nur dieses Mal gezeigt. 24 Stunden lang wird auch mit dem alten \#
        unterschrieben,\nbis {1}. Gib deinem Programm bis dahin das neue.
        ja: \n表示されるのは今回だけです。24時間（{1}まで）は古いシークレットでも署名します。\nそれまでに新しいものに切り替えてください。

        \nNothing has been sent there yet. letsswitch endpoints test {1}
        de: \nDorthin wurde noch nichts gesendet. letsswitch endpoints test {1}
        ja: \nまだ何も送っていません。letsswitch endpoints test {1}

        \nThe latest attempts:
        de: \nDie letzten Versuche:
        ja: \n最近の送信：

        To {1}:
        de: An {1}:
        ja: 宛先 {1}：

        The test was not delivered
        de: Der Test kam nicht an
        ja: テストは届きませんでした

        The test was not delivered: {1}.
        de: Der Test kam nicht an: {1}.
        ja: テストは届きませんでした：{1}。

        The test was {1}.
        de: Der Test: {1}.
        ja: テスト：{1}。
        """#
}
