extension Catalogue {
    /// The messages of checks, invites and outcomes.
    static let commandChecks = #"""
        {1} is {2}.
        de: {1} ist {2}.
        ja: {1}は{2}です。

        The port cannot be reached
        de: Der Port ist nicht erreichbar
        ja: ポートに接続できません

        {1} Is the server running, is this the right port, and does no firewall keep it closed?
        de: {1} Läuft der Server, ist das der richtige Port, und sperrt ihn keine Firewall?
        ja: {1}サーバーは動いていますか。ポート番号は正しいですか。ファイアウォールに塞がれていませんか。

        {1} takes connections at port {2}.
        de: {1} nimmt Verbindungen an Port {2} an.
        ja: {1}はポート{2}で接続を受け付けています。

        {1} does not work
        de: {1} funktioniert nicht
        ja: {1}が使えません

        {1} takes connections at port {2} by {3} alone. {4} Programs that try {5} first wait for it. \#
        Have the way to that address repaired, or the address removed from the name.
        de: {1} nimmt Verbindungen an Port {2} nur über {3} an. {4} Programme, die zuerst {5} versuchen, \#
        warten darauf. Lass den Weg zu dieser Adresse reparieren oder die Adresse vom Namen entfernen.
        ja: {1}はポート{2}で{3}の接続だけを受け付けています。{4}先に{5}を試すプログラムは待たされます。\#
        そのアドレスへの経路を直してもらうか、名前からそのアドレスを外してもらってください。

        {1} is set. letsswitch ignores it, and needs a direct way to the server.
        de: {1} ist gesetzt. letsswitch beachtet es nicht und braucht einen direkten Weg zum Server.
        ja: {1}が設定されていますが、letsswitchはそれを使いません。サーバーへ直接つながる必要があります。

        Not used: the URL begins with http:, so whoever is on the way can read along.
        de: Nicht benutzt: Die URL beginnt mit http:, wer dazwischen ist, kann also mitlesen.
        ja: 使われていません。URLがhttp:で始まるため、通信を途中で読まれる可能性があります。

        {1}. The certificate is signed by {2} and good for {3} more days. Have it renewed soon. Its key \#
        is {4}.
        de: {1}. Das Zertifikat ist von {2} und gilt noch {3} Tage. Lass es bald erneuern. Sein \#
        Schlüssel ist {4}.
        ja: {1}。証明書の発行者は{2}で、あと{3}日有効です。早めに更新してもらってください。鍵は{4}です。

        {1}. The certificate is signed by {2} and good for {3} more days. Its key is {4}.
        de: {1}. Das Zertifikat ist von {2} und gilt noch {3} Tage. Sein Schlüssel ist {4}.
        ja: {1}。証明書の発行者は{2}で、あと{3}日有効です。鍵は{4}です。

        {1} is up and ready.
        de: {1} läuft und ist bereit.
        ja: {1}は稼働中で、利用できます。

        {1} is up and ready. Server {2} has answered.
        de: {1} läuft und ist bereit. Server {2} hat geantwortet.
        ja: {1}は稼働中で、利用できます。サーバー{2}が応答しました。

        The server tells no time.
        de: Der Server nennt keine Zeit.
        ja: サーバーが時刻を返しません。

        The clock is wrong
        de: Die Uhr geht falsch
        ja: 時計がずれています

        Your clock is {1} s ahead of the server's. Set it, or countdowns are wrong.
        de: Deine Uhr geht gegenüber der des Servers {1} s vor. Stelle sie, sonst stimmen die \#
        Countdowns nicht.
        ja: この時計はサーバーより{1}秒進んでいます。合わせないとカウントダウンがずれます。

        Your clock is {1} s behind the server's. Set it, or countdowns are wrong.
        de: Deine Uhr geht gegenüber der des Servers {1} s nach. Stelle sie, sonst stimmen die \#
        Countdowns nicht.
        ja: この時計はサーバーより{1}秒遅れています。合わせないとカウントダウンがずれます。

        Your clock and the server's agree.
        de: Deine Uhr und die des Servers stimmen überein.
        ja: 時計はサーバーと合っています。

        The version cannot be seen
        de: Die Version ist nicht zu sehen
        ja: バージョンを確認できません

        The server does not describe itself at {1}. It is older than this program, or something in \#
        front of it hides that path.
        de: Der Server beschreibt sich nicht unter {1}. Er ist älter als dieses Programm, oder etwas \#
        davor verbirgt diesen Pfad.
        ja: サーバーの説明が{1}にありません。このプログラムより古いか、手前の何かがそのパスを隠しています。

        The versions do not fit
        de: Die Versionen passen nicht zusammen
        ja: バージョンが合いません

        The server speaks version {1}, and this program version {2}. Update the older one.
        de: Der Server spricht Version {1}, und dieses Programm Version {2}. Aktualisiere das ältere.
        ja: サーバーはバージョン{1}、このプログラムはバージョン{2}です。古い方を更新してください。

        The server speaks version {1}, as this program does.
        de: Der Server spricht Version {1}, wie dieses Programm.
        ja: サーバーもこのプログラムもバージョン{1}です。

        The room's socket cannot be reached
        de: Der Socket des Raums ist nicht erreichbar
        ja: 部屋のソケットに接続できません

        Something between here and the server does not let WebSockets through. A proxy in front of it \#
        has to pass on Upgrade and Connection for {1}.
        de: Etwas zwischen hier und dem Server lässt WebSockets nicht durch. Ein Proxy davor muss \#
        Upgrade und Connection für {1} weitergeben.
        ja: サーバーまでの途中でWebSocketが遮られています。手前のプロキシが{1}のUpgradeとConnectionを通す必要があります。

        WebSockets get through to {1}.
        de: WebSockets kommen bis {1} durch.
        ja: WebSocketは{1}まで通ります。

        The server has no rules for your time zone {1}. Choose another one: \#
        letsswitch account --time-zone NAME
        de: Der Server hat keine Regeln für deine Zeitzone {1}. Wähle eine andere: \#
        letsswitch account --time-zone NAME
        ja: サーバーにはあなたのタイムゾーン {1} の規則がありません。別のものを選んでください：letsswitch account --time-zone NAME

        You are signed in as {1}, in {2}.
        de: Du bist angemeldet als {1}, Zeitzone {2}.
        ja: {1}さんとしてサインインしています（タイムゾーン：{2}）。

        Meet somebody again: letsswitch favourite N. Not again: letsswitch block N
        de: Jemanden wiedersehen: letsswitch favourite N. Nicht wieder: letsswitch block N
        ja: また会いたいときは：letsswitch favourite N。会いたくないときは：letsswitch block N

        There is no room to explain
        de: Kein Raum, der sich erklären lässt
        ja: 説明する部屋がありません

        You have met nobody yet. Register first: letsswitch register "What you will do" --at next
        de: Du hast noch niemanden getroffen. Trage dich zuerst ein: letsswitch register "Was du tun \#
        wirst" --at next
        ja: まだ誰とも会っていません。まず登録してください：letsswitch register "やること" --at next

        No longer a favourite{1}.
        de: Kein Lieblingsmensch mehr{1}.
        ja: お気に入りから外しました{1}。

        There are none. letsswitch favourite ID
        de: Es gibt keine. letsswitch favourite ID
        ja: ありません。letsswitch favourite ID

        Take one back by its number: letsswitch favourite N --remove
        de: Jemanden herausnehmen, nach der Nummer: letsswitch favourite N --remove
        ja: 番号で外すには：letsswitch favourite N --remove

        No session is over yet. letsswitch register "What you will do" --at next
        de: Noch ist keine Sitzung vorbei. letsswitch register "Was du tun wirst" --at next
        ja: 終わったセッションはまだありません。letsswitch register "やること" --at next

        Why you met: letsswitch explain N. How it went: letsswitch outcome done N
        de: Warum ihr euch traft: letsswitch explain N. Wie es lief: letsswitch outcome done N
        ja: 会った理由：letsswitch explain N。結果を伝える：letsswitch outcome done N

        --last takes how many, {1} to {2}, and not "{3}".
        de: --last nimmt eine Zahl von {1} bis {2}, nicht "{3}".
        ja: --lastには{1}～{2}の件数を指定してください（"{3}"は使えません）。

        {1} sent, {2} received
        de: {1} gesendet, {2} bekommen
        ja: 送信{1}、受信{2}

        {1} of {2} attended, {3} in all; ales: {4} sent, {5} received.
        de: An {1} von {2} teilgenommen, zusammen {3}; Ales: {4} gesendet, {5} bekommen.
        ja: {2}回中{1}回参加、合計{3}。エール：送信{4}、受信{5}。

        alone
        de: allein
        ja: ひとり

        Taken back. The link leads nowhere any more.
        de: Zurückgenommen. Der Link führt nirgendwohin mehr.
        ja: 取り消しました。リンクは使えなくなりました。

        Give this link to one person:\n
        de: Gib diesen Link einer Person:\n
        ja: このリンクを一人に渡してください：\n

        \nIt works once, until {1}, and is shown this once.\nWith this program: letsswitch register \#
        "What you will do" --invite {2}\nTake it back: letsswitch invite {3} --revoke
        de: \nEr gilt einmal, bis {1}, und wird nur dieses Mal gezeigt.\nMit diesem Programm: \#
        letsswitch register "Was du tun wirst" --invite {2}\nZurücknehmen: letsswitch invite {3} \#
        --revoke
        ja: \n{1}まで一度だけ使えます。表示されるのは今回だけです。\nこのプログラムで使うには：letsswitch register "やること" --invite \#
        {2}\n取り消すには：letsswitch invite {3} --revoke

        You are registered for nothing
        de: Du bist für nichts eingetragen
        ja: 登録がありません

        Nothing is ahead. letsswitch register "What you will do" --at next
        de: Es steht nichts an. letsswitch register "Was du tun wirst" --at next
        ja: 予定はありません。letsswitch register "やること" --at next

        --invite takes the code or the link that you were given.
        de: --invite nimmt den Code oder den Link, den du bekommen hast.
        ja: --inviteには、もらったコードかリンクを指定してください。

        You are signed in as {1}.
        de: Du bist angemeldet als {1}.
        ja: {1}さんとしてサインインしました。

        --{1} takes {2}, and not "{3}".
        de: --{1} nimmt {2}, nicht "{3}".
        ja: --{1}には{2}を指定してください（"{3}"は使えません）。

        the number of a notification
        de: die Nummer einer Benachrichtigung
        ja: 通知の番号

        how many
        de: eine Anzahl
        ja: 件数

        taken back
        de: zurückgenommen
        ja: 取り消し

        A note goes with an outcome, and {1} takes both back.
        de: Eine Notiz gehört zu einem Ergebnis, und {1} nimmt beides zurück.
        ja: メモは結果に付けるもので、{1}は両方を取り消します。

        "{1}" is no outcome: say {2}, or {3}.
        de: "{1}" ist kein Ergebnis: sage {2} oder {3}.
        ja: "{1}"は結果ではありません。{2}か{3}を指定してください。

        There is no session to speak of
        de: Es gibt keine Sitzung
        ja: 対象のセッションがありません

        No session of yours runs, or ended within a day. "letsswitch registrations --all" shows all \#
        that there were.
        de: Keine Sitzung von dir läuft oder endete innerhalb eines Tages. "letsswitch registrations \#
        --all" zeigt alle.
        ja: 進行中または1日以内に終わったセッションはありません。すべては"letsswitch registrations --all"で見られます。

        Give either the text, or --remove.
        de: Gib entweder den Text an oder --remove.
        ja: 文か--removeのどちらかを指定してください。

        No room of yours is open
        de: Kein Raum von dir ist offen
        ja: 開いている部屋がありません

        You have left that room.
        de: Du hast diesen Raum verlassen.
        ja: その部屋からは退出しました。

        Taken back.
        de: Zurückgenommen.
        ja: 取り消しました。

        Everybody in your room sees it.
        de: Alle in deinem Raum sehen es.
        ja: 部屋の全員に表示されます。

        No answer
        de: Keine Antwort
        ja: 応答なし

        The server did not answer once.
        de: Der Server hat kein einziges Mal geantwortet.
        ja: サーバーは一度も応答しませんでした。

        --count takes a number from 1, and not "{1}".
        de: --count nimmt eine Zahl ab 1, nicht "{1}".
        ja: --countには1以上の数を指定してください（"{1}"は使えません）。

        --interval takes seconds from 0.01, and not "{1}".
        de: --interval nimmt Sekunden ab 0.01, nicht "{1}".
        ja: --intervalには0.01以上の秒数を指定してください（"{1}"は使えません）。

        You are signed in already
        de: Du bist schon angemeldet
        ja: すでにサインインしています

        You are signed in already, by {1}. If that token is of no use, use --force: the new one takes \#
        its place.
        de: Du bist schon angemeldet, mit dem Token in {1}. Taugt dieses Token nichts mehr, \#
        nimm --force: das neue tritt an seine Stelle.
        ja: {1}ですでにサインインしています。そのトークンが使えない場合は--forceを付けると、新しいものに置き換わります。

        You are back. Every token that the account had has ended; the new one is in {1}.
        de: Du bist zurück. Alle bisherigen Tokens des Kontos sind beendet; das neue ist in {1}.
        ja: アカウントに戻りました。以前のトークンはすべて無効になり、新しいものは{1}にあります。

        Your recovery code, which brings you back if the token is lost:\n
        de: Dein Wiederherstellungscode, der dich zurückbringt, wenn das Token verloren ist:\n
        ja: トークンをなくしたときに戻るための復旧コードです：\n

        \nIt is shown this once. Write it down, and keep it where this machine's loss does not\ntake it \#
        along. A code before it is of no use any more.
        de: \nEr wird nur dieses Mal gezeigt. Schreibe ihn auf, und bewahre ihn dort auf, wo er nicht \#
        mit\ndiesem Rechner verloren geht. Ein früherer Code gilt nicht mehr.
        ja: \n表示されるのは今回だけです。書き留めて、このマシンをなくしても失われない場所に\n保管してください。以前のコードはもう使えません。
        """#
}
