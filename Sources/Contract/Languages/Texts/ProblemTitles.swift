extension Catalogue {
    /// The titles of problems, and the words of their pages.
    static let problemTitles = #"""
        The request cannot be read
        de: Die Anfrage ist nicht lesbar
        ja: リクエストを読み取れません

        A valid token is needed
        de: Ein gültiges Token ist nötig
        ja: 有効なトークンが必要です

        The cookie is for pages of this service
        de: Das Cookie gilt für Seiten dieses Dienstes
        ja: このCookieはこのサービスのページ用です

        The server does not answer for this host
        de: Der Server antwortet nicht für diesen Host
        ja: このサーバーはこのホストには応答しません

        This account was recovered lately
        de: Dieses Konto wurde vor Kurzem wiederhergestellt
        ja: このアカウントは最近復旧されました

        There is nothing here
        de: Hier ist nichts
        ja: ここには何もありません

        This method does not work here
        de: Diese Methode geht hier nicht
        ja: このメソッドはここでは使えません

        The request took too long to arrive
        de: Die Anfrage kam zu langsam an
        ja: リクエストの到着に時間がかかりすぎました

        This is no longer possible
        de: Das geht nicht mehr
        ja: これはもうできません

        You are registered for this slot already
        de: Du bist für diese Zeit schon eingetragen
        ja: この時間はすでに登録済みです

        You have another session at that time
        de: Du hast zu dieser Zeit eine andere Sitzung
        ja: その時間には別のセッションがあります

        It is too late for this slot
        de: Für diese Zeit ist es zu spät
        ja: この時間にはもう間に合いません

        This invite can no longer be used
        de: Diese Einladung gilt nicht mehr
        ja: この招待はもう使えません

        You may not register for more at the moment
        de: Du kannst dich im Moment nicht für mehr eintragen
        ja: 今はこれ以上登録できません

        The time zone is not known
        de: Diese Zeitzone ist nicht bekannt
        ja: このタイムゾーンは不明です

        There are as many as there may be
        de: Mehr dürfen es nicht sein
        ja: すでに上限に達しています

        The request with this key is under way
        de: Die Anfrage mit diesem Schlüssel läuft gerade
        ja: このキーのリクエストは処理中です

        The answer cannot be given again
        de: Die Antwort kann nicht noch einmal gegeben werden
        ja: 同じ応答をもう一度返すことはできません

        The key belongs to another request
        de: Der Schlüssel gehört zu einer anderen Anfrage
        ja: このキーは別のリクエストのものです

        The room is closed
        de: Der Raum ist geschlossen
        ja: 部屋は閉じています

        It has changed meanwhile
        de: Es hat sich inzwischen geändert
        ja: その間に変更されました

        The body is too large
        de: Der Inhalt ist zu groß
        ja: 本文が大きすぎます

        The address is too long
        de: Die Adresse ist zu lang
        ja: アドレスが長すぎます

        The body has to be JSON
        de: Der Inhalt muss JSON sein
        ja: 本文はJSONでなければなりません

        This expectation cannot be met
        de: Diese Erwartung ist nicht erfüllbar
        ja: この要求条件には応じられません

        The request can be read, but it is wrong
        de: Die Anfrage ist lesbar, aber falsch
        ja: リクエストは読めますが、内容に誤りがあります

        This address speaks WebSocket
        de: Diese Adresse spricht WebSocket
        ja: このアドレスはWebSocket用です

        Too many requests in a short time
        de: Zu viele Anfragen in kurzer Zeit
        ja: 短時間のリクエストが多すぎます

        Too many requests
        de: Zu viele Anfragen
        ja: リクエストが多すぎます

        Too many devices in the room
        de: Zu viele Geräte im Raum
        ja: 部屋に入っている端末が多すぎます

        Too many connections from one address
        de: Zu viele Verbindungen von einer Adresse
        ja: 一つのアドレスからの接続が多すぎます

        You hold as many registrations as you may
        de: Du hast so viele Eintragungen, wie du haben darfst
        ja: 登録数が上限に達しています

        Too many event streams
        de: Zu viele Ereignisströme
        ja: イベントストリームが多すぎます

        An export is under way
        de: Ein Export läuft gerade
        ja: エクスポートの実行中です

        The header is too large
        de: Der Kopf der Anfrage ist zu groß
        ja: ヘッダーが大きすぎます

        Something went wrong here
        de: Hier ist etwas schiefgegangen
        ja: こちらで問題が起きました

        This part of HTTP is not spoken here
        de: Dieser Teil von HTTP wird hier nicht gesprochen
        ja: HTTPのこの機能には対応していません

        The service is not available for the moment
        de: Der Dienst ist gerade nicht verfügbar
        ja: サービスは一時的に利用できません

        The server is going away
        de: Der Server wird gerade beendet
        ja: サーバーは終了するところです

        This version of HTTP is not spoken here
        de: Diese Version von HTTP wird hier nicht gesprochen
        ja: このバージョンのHTTPには対応していません

        Problems
        de: Fehler
        ja: エラー一覧

        Every error of this service is one of these.
        de: Jeder Fehler dieses Dienstes ist einer von diesen.
        ja: このサービスのエラーは、すべて次のいずれかです。

        All problems
        de: Alle Fehler
        ja: すべてのエラー

        Status {1}, type
        de: Status {1}, Typ
        ja: ステータス {1}、種類

        This account is suspended
        de: Dieses Konto ist gesperrt
        ja: このアカウントは停止されています

        Your role does not allow this
        de: Deine Rolle erlaubt das nicht
        ja: あなたの役割では許可されていません
        """#
}
