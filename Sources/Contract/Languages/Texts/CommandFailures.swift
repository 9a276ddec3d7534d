extension Catalogue {
    /// The messages of failures, and about lists and rooms.
    static let commandFailures = #"""
        That is not how it is used
        de: So wird es nicht benutzt
        ja: 使い方が違います

        Standard output cannot be written
        de: Die Standardausgabe ist nicht beschreibbar
        ja: 標準出力に書き込めません

        Standard output cannot be written: {1}.
        de: Die Standardausgabe ist nicht beschreibbar: {1}.
        ja: 標準出力に書き込めません：{1}

        The recovery code is kept. Show it: letsswitch account recovery
        de: Der Wiederherstellungscode ist aufgehoben. Ihn zeigen: letsswitch account recovery
        ja: 復旧コードは残っています。表示するには：letsswitch account recovery

        The secret is kept. Show it: letsswitch token show
        de: Das Geheimnis ist aufgehoben. Es zeigen: letsswitch token show
        ja: 秘密は残っています。表示するには：letsswitch token show

        A secret has not been shown yet, and a new sign-in would remove it.
        de: Ein Geheimnis wurde noch nicht gezeigt, und eine neue Anmeldung würde es löschen.
        ja: まだ表示していない秘密があります。新しくサインインすると、それが消えます。

        Show it first: letsswitch token show
        de: Zeig es zuerst: letsswitch token show
        ja: 先に表示してください：letsswitch token show

        Something went wrong
        de: Etwas ist schiefgegangen
        ja: 問題が起きました

        The address cannot be used
        de: Die Adresse ist nicht brauchbar
        ja: アドレスを使えません

        The server cannot be reached
        de: Der Server ist nicht erreichbar
        ja: サーバーに接続できません

        The server cannot be trusted
        de: Dem Server ist nicht zu trauen
        ja: サーバーを信頼できません

        The server does not answer
        de: Der Server antwortet nicht
        ja: サーバーが応答しません

        The answer cannot be used
        de: Die Antwort ist nicht brauchbar
        ja: 応答を使えません

        Cancelled
        de: Abgebrochen
        ja: 中止しました

        The queue is full
        de: Die Warteschlange ist voll
        ja: キューがいっぱいです

        The message cannot be sent
        de: Die Nachricht kann nicht gesendet werden
        ja: メッセージを送れません

        A file cannot be used
        de: Eine Datei ist nicht brauchbar
        ja: ファイルを使えません

        --cacert and --pin are for https, and {1} is not encrypted.
        de: --cacert und --pin sind für https, und {1} ist nicht verschlüsselt.
        ja: --cacertと--pinはhttps用ですが、{1}は暗号化されていません。

        --timeout takes seconds, like 10 or 0.5, or a number with a unit, like 5m or 2h, and not "{1}".
        de: --timeout nimmt Sekunden wie 10 oder 0.5, oder eine Zahl mit Einheit wie 5m oder 2h, nicht \#
        "{1}".
        ja: --timeoutには10や0.5のような秒数か、5mや2hのような単位付きの数を指定してください（"{1}"は使えません）。

        {1} is on or off, and not "{2}".
        de: {1} ist on oder off, nicht "{2}".
        ja: {1}はonかoffです（"{2}"は使えません）。

        You are not in this room any more: the registration was cancelled, or the token changed.
        de: Du bist nicht mehr in diesem Raum: die Eintragung wurde abgesagt, oder das Token hat sich \#
        geändert.
        ja: もうこの部屋にはいません。登録が取り消されたか、トークンが変わりました。

        The room is over for you
        de: Der Raum ist für dich vorbei
        ja: この部屋は終わりました

        No room of yours is open now. "letsswitch registrations" shows when the next one does.
        de: Gerade ist kein Raum von dir offen. "letsswitch registrations" zeigt, wann der nächste \#
        öffnet.
        ja: 今開いている部屋はありません。次の予定は"letsswitch registrations"で分かります。

        There is no room to enter
        de: Kein Raum, der sich betreten lässt
        ja: 入れる部屋がありません

        No room of yours is open, and you are registered for none. Register first: letsswitch register \#
        "What you will do" --at next
        de: Kein Raum von dir ist offen, und du bist für keinen eingetragen. Trage dich zuerst ein: \#
        letsswitch register "Was du tun wirst" --at next
        ja: 開いている部屋も登録もありません。まず登録してください：letsswitch register "やること" --at next

        "{1}" is no id. "letsswitch {2}" shows them. A number of its list will do, or the first four \#
        digits of an id or more.
        de: "{1}" ist keine Id. "letsswitch {2}" zeigt sie. Es genügt eine Nummer aus der Liste, oder \#
        mindestens die ersten vier Stellen einer Id.
        ja: "{1}"はIDではありません。"letsswitch {2}"で確認できます。一覧の番号か、IDの先頭4桁以上でも指定できます。

        {1} is a number in a list, and none was printed. "{2}" prints one.
        de: {1} ist eine Nummer in einer Liste, und keine wurde ausgegeben. "{2}" gibt eine aus.
        ja: {1}は一覧の番号ですが、一覧がまだ表示されていません。"{2}"で表示できます。

        The list that was printed last is of {1}, so that {2} names none of the {3}. "{4}" prints them.
        de: Die letzte Liste zeigt {1}, nicht {3}: {2} meint darin etwas anderes. "{4}" gibt die \#
        richtige aus.
        ja: 最後に表示した一覧は{1}のものなので、{2}は{3}を指しません。"{4}"で表示できます。

        There is no such number
        de: Diese Nummer gibt es nicht
        ja: その番号はありません

        The list that was printed last ends with {1}.
        de: Die letzte Liste endet mit {1}.
        ja: 最後に表示した一覧は{1}番までです。

        There is no room
        de: Es gibt keinen Raum
        ja: 部屋がありません

        There is no room for {1}.
        de: Es gibt keinen Raum für {1}.
        ja: {1}の部屋はありません。

        Nothing has that id
        de: Nichts hat diese Id
        ja: そのIDのものはありません

        None of your {1} has an id that begins so. "letsswitch {2}" shows them.
        de: Keiner deiner Einträge ({1}) hat eine Id, die so beginnt. "letsswitch {2}" zeigt alle.
        ja: {1}に、そのように始まるIDはありません。"letsswitch {2}"で確認できます。

        {1} of your {2} have ids that begin so:
        de: {1} deiner Einträge ({2}) haben eine Id, die so beginnt:
        ja: {2}のうち{1}件のIDがそのように始まります：

        token
        de: Token
        ja: トークン

        recovery code
        de: Wiederherstellungscode
        ja: 復旧コード

        secret
        de: Geheimnis
        ja: シークレット

        registrations
        de: Eintragungen
        ja: 登録

        routines
        de: Routinen
        ja: くり返し

        rooms
        de: Räume
        ja: 部屋

        endpoints
        de: Endpunkte
        ja: エンドポイント

        calendars
        de: Kalender
        ja: カレンダー

        tokens
        de: Tokens
        ja: トークン

        people
        de: Leute
        ja: 人

        No event loop
        de: Keine Ereignisschleife
        ja: イベントループがありません

        Signals cannot be watched: {1}.
        de: Signale lassen sich nicht beobachten: {1}.
        ja: シグナルを監視できません：{1}。

        The time has run out
        de: Die Zeit ist abgelaufen
        ja: 時間切れです

        --timeout ran out before the command was done.
        de: --timeout lief ab, bevor der Befehl fertig war.
        ja: コマンドが終わる前に--timeoutの時間が過ぎました。
        """#
}
