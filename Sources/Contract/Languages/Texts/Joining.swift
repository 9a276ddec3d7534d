extension Catalogue {
    /// The lines and the screen of join, and notifications.
    static let joining = #"""
        The room for {1} is open, with {2}. Room {3}
        de: Der Raum für {1} ist offen, mit: {2}. Raum {3}
        ja: {1}の部屋が開きました（{2}）。部屋 {3}

        The room for {1} changed: {2}. Room {3}
        de: Der Raum für {1} hat sich geändert: {2}. Raum {3}
        ja: {1}の部屋が変わりました（{2}）。部屋 {3}

        You missed {1}. There is always a next one.
        de: Du hast {1} verpasst. Es gibt immer ein nächstes Mal.
        ja: {1}に参加しませんでした。また次の機会があります。

        The service was down at {1}. It does not count against you.
        de: Der Dienst war um {1} ausgefallen. Das zählt nicht gegen dich.
        ja: {1}はサービスが停止していました。あなたの記録には影響しません。

        Somebody else works at {1} too.
        de: {1} arbeitet noch jemand mit.
        ja: {1}に、ほかの人も参加します。

        Nobody else is registered for {1} any more. Somebody may still come.
        de: Für {1} ist sonst niemand mehr eingetragen. Es kann noch jemand kommen.
        ja: {1}に登録しているほかの人がいなくなりました。これから来るかもしれません。

        Done at {1} with {2}: 1 ale sent, {3} received.
        de: Geschafft um {1}, mit: {2}. 1 Ale gesendet, {3} bekommen.
        ja: {1}のセッションが終わりました（{2}）。エール：送信1、受信{3}。

        Done at {1} with {2}: {3} ales sent, {4} received.
        de: Geschafft um {1}, mit: {2}. {3} Ales gesendet, {4} bekommen.
        ja: {1}のセッションが終わりました（{2}）。エール：送信{3}、受信{4}。

        nobody else yet
        de: noch niemand
        ja: まだ誰もいません

        {1}, with {2}
        de: {1}, mit {2}
        ja: {1}（{2}）

        waiting for {1}: {2}, {3}
        de: Warten auf {1}: {2}, {3}
        ja: {1}を待っています：{2}、{3}

        it could not be sent in time
        de: es konnte nicht rechtzeitig gesendet werden
        ja: 時間内に送れませんでした

        The room closed.
        de: Der Raum ist geschlossen.
        ja: 部屋が閉じました。

        You left.
        de: Du bist gegangen.
        ja: 退出しました。

        {1} Ales: {2} received, {3} sent.
        de: {1} Ales: {2} bekommen, {3} gesendet.
        ja: {1}エール：受信{2}、送信{3}。

        How did it go? letsswitch outcome done, or partly, or not
        de: Wie lief es? letsswitch outcome done, oder partly, oder not
        ja: どうでしたか？ letsswitch outcome done、または partly、not

        back in the room
        de: zurück im Raum
        ja: 部屋に戻りました

        in the room, {1}
        de: im Raum, {1}
        ja: 部屋に入りました、{1}

        alone so far
        de: bisher allein
        ja: 今のところひとりです

        , not here yet
        de: , noch nicht da
        ja: 、まだ来ていません

        , quiet
        de: , still
        ja: 、静かに作業

        with {1}
        de: mit {1}
        ja: 一緒の人：{1}

        somebody
        de: jemand
        ja: 誰か

        ale from {1}
        de: Ale von {1}
        ja: {1}さんからエール

        {1} ales from {2}
        de: {1} Ales von {2}
        ja: {2}さんからエール{1}回

        your ale has arrived
        de: dein Ale ist angekommen
        ja: エールが届きました

        not taken: {1}
        de: nicht angenommen: {1}
        ja: 受け付けられませんでした：{1}

        {1} joined
        de: {1} ist gekommen
        ja: {1}さんが入りました

        {1} left
        de: {1} ist gegangen
        ja: {1}さんが出ました

        you are {1}
        de: du: {1}
        ja: あなた：{1}

        {1} is {2}
        de: {1}: {2}
        ja: {1}さん：{2}

        you take the status back
        de: du nimmst den Status zurück
        ja: ステータスを取り消しました

        {1} takes the status back
        de: {1} nimmt den Status zurück
        ja: {1}さんがステータスを取り消しました

        you check in: {1}
        de: du checkst ein: {1}
        ja: チェックインしました：{1}

        {1} checks in: {2}
        de: {1} checkt ein: {2}
        ja: {1}さんがチェックイン：{2}

        you take the check-in back
        de: du nimmst den Check-in zurück
        ja: チェックインを取り消しました

        {1} takes the check-in back
        de: {1} nimmt den Check-in zurück
        ja: {1}さんがチェックインを取り消しました

        you take the outcome back
        de: du nimmst das Ergebnis zurück
        ja: 結果を取り消しました

        {1} takes the outcome back
        de: {1} nimmt das Ergebnis zurück
        ja: {1}さんが結果を取り消しました

        the match changed, {1}
        de: die Gruppe hat sich geändert, {1}
        ja: メンバーが変わりました、{1}

        your room goes on at another server
        de: dein Raum geht auf einem anderen Server weiter
        ja: 部屋は別のサーバーで続きます

        your match goes on in another room
        de: es geht in einem anderen Raum weiter
        ja: 別の部屋で続きます

        connection lost, again {1}
        de: Verbindung weg, noch einmal {1}
        ja: 接続が切れました、再接続：{1}

        1 event came too fast to be shown
        de: 1 Ereignis kam zu schnell, um gezeigt zu werden
        ja: 速すぎて1件を表示できませんでした

        {1} events came too fast to be shown
        de: {1} Ereignisse kamen zu schnell, um gezeigt zu werden
        ja: 速すぎて{1}件を表示できませんでした

        the room closed
        de: der Raum ist geschlossen
        ja: 部屋が閉じました

        the connection was ended
        de: die Verbindung wurde beendet
        ja: 接続が終了されました

        not let in: {1}
        de: nicht hereingelassen: {1}
        ja: 入れませんでした：{1}

          {1}  ale from {2}
        de:   {1}  Ale von {2}
        ja:   {1}  エール：{2}

        Looking for your room …
        de: Dein Raum wird gesucht …
        ja: 部屋を探しています…

        Waiting for your room to open …
        de: Warten, bis dein Raum öffnet …
        ja: 部屋が開くのを待っています…

        Ends in {1}
        de: Ende in {1}
        ja: 終了まで {1}

        Begins in {1}
        de: Beginn in {1}
        ja: 開始まで {1}

        Begins in
        de: Beginn in
        ja: 開始まで

        Start!
        de: Los!
        ja: スタート！

        You
        de: Du
        ja: あなた

        (not here)
        de: (nicht da)
        ja: （不在）

        (quiet)
        de: (still)
        ja: （静かに作業）

          and {1} more
        de:   und noch {1}
        ja:   ほか{1}人

        Nobody else yet. A partner may still come.
        de: Noch niemand sonst. Es kann noch jemand kommen.
        ja: まだほかに誰もいません。これから来るかもしれません。

        no task
        de: keine Aufgabe
        ja: タスクなし

        Ales: {1} received, {2} sent
        de: Ales: {1} bekommen, {2} gesendet
        ja: エール：受信{1}、送信{2}

        {1} ({2} on the way)
        de: {1} ({2} unterwegs)
        ja: {1}（送信中{2}）

        ○ Connection lost; again in {1} s, at once with any key
        de: ○ Verbindung weg; noch einmal in {1} s, sofort mit einer Taste
        ja: ○ 接続が切れました。{1}秒後に再接続（キーを押すとすぐ）

        ○ Connection lost; again now
        de: ○ Verbindung weg; jetzt noch einmal
        ja: ○ 接続が切れました。再接続しています

        ● In touch with the server
        de: ● Mit dem Server verbunden
        ja: ● サーバーと接続中

        ○ Reaching the server …
        de: ○ Der Server wird gesucht …
        ja: ○ サーバーに接続しています…

        ○ Entering the room …
        de: ○ Der Raum wird betreten …
        ja: ○ 部屋に入っています…

        ● Connected
        de: ● Verbunden
        ja: ● 接続中

        ● Connected, {1} ms
        de: ● Verbunden, {1} ms
        ja: ● 接続中、{1} ms

        announcement: {1}
        de: Mitteilung: {1}
        ja: お知らせ：{1}

        Announcement: {1}
        de: Mitteilung: {1}
        ja: お知らせ：{1}
        """#
}
