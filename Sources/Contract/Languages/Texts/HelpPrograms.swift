extension Catalogue {
    /// The help of the commands about calendars, endpoints and webhooks.
    static let helpPrograms = #"""
        Show the calendars that can read your sessions
        de: Die Kalender zeigen, die deine Sitzungen lesen können
        ja: セッションを読めるカレンダーを表示する

        When each was made and last read
        de: Wann jeder angelegt und zuletzt gelesen wurde
        ja: それぞれの作成日時と最後に読まれた日時

        See your sessions in a calendar program
        de: Deine Sitzungen in einem Kalenderprogramm sehen
        ja: セッションをカレンダーアプリで見る

        Prints an address to subscribe to. It is shown this once; with -q, nothing else is. The \#
        program\nreminds you one minute before each session.
        de: Gibt eine Adresse zum Abonnieren aus. Sie wird nur dieses Mal gezeigt; mit -q nichts anderes. \#
        Das\nProgramm erinnert dich eine Minute vor jeder Sitzung.
        ja: 購読するアドレスを表示します。表示は今回だけで、-qならそれだけを出します。アプリが各セッションの\n1分前に知らせます。

        An address for one program
        de: Eine Adresse für ein Programm
        ja: 一つのアプリのためのアドレス

        Take a calendar's address back
        de: Die Adresse eines Kalenders zurücknehmen
        ja: カレンダーのアドレスを取り消す

        The calendar, by its id or its number in "calendars"
        de: Der Kalender, nach seiner Id oder seiner Nummer in "calendars"
        ja: カレンダー。IDか"calendars"での番号

        From now on nobody can read it
        de: Von nun an kann ihn niemand lesen
        ja: 以後、誰も読めない

        The endpoint, by its id or its number in "endpoints"
        de: Der Endpunkt, nach seiner Id oder seiner Nummer in "endpoints"
        ja: エンドポイント。IDか"endpoints"での番号

        Show where your notifications are sent, and how that goes
        de: Zeigen, wohin deine Nachrichten gesendet werden, und wie das läuft
        ja: 通知の送り先とその様子を表示する

        Besides the list and the stream of notifications: to programs, devices and browsers.
        de: Neben der Liste und dem Strom der Nachrichten: an Programme, Geräte und Browser.
        ja: 一覧とストリームのほかに、プログラム、端末、ブラウザへ送られます。

        All of them, each with its latest attempt
        de: Alle, jeder mit seinem letzten Versuch
        ja: すべて。それぞれ最後の試みと共に

        Show an endpoint and its latest attempts
        de: Einen Endpunkt und seine letzten Versuche zeigen
        ja: エンドポイントと最近の試みを表示する

        The last ten
        de: Die letzten zehn
        ja: 最近の10件

        Have notifications sent to a program of yours
        de: Nachrichten an ein Programm von dir senden lassen
        ja: 通知を自分のプログラムに送らせる

        The program gets a POST for each, as Standard Webhooks has it, and answers with 2xx.\nWhat is \#
        printed is the secret that signs them. It is shown this once; with -q, nothing else is.
        de: Das Programm bekommt für jede einen POST, wie es Standard Webhooks vorsieht, und antwortet mit \#
        2xx.\nAusgegeben wird das Geheimnis, das sie signiert. Es wird nur dieses Mal gezeigt; mit -q \#
        nichts anderes.
        ja: プログラムは通知ごとにStandard Webhooks形式のPOSTを受け取り、2xxで答えます。\n表示されるのは署名の秘密鍵です。表示は今回だけで、-qならそれだけを出します。

        Where the program listens, https:// or http://
        de: Wo das Programm lauscht, https:// oder http://
        ja: プログラムが待ち受けるURL。https://かhttp://

        Only these notifications: {1}
        de: Nur diese Nachrichten: {1}
        ja: この通知だけ：{1}

        All notifications
        de: Alle Nachrichten
        ja: すべての通知

        Only when a room opens
        de: Nur, wenn ein Raum öffnet
        ja: 部屋が開いたときだけ

        The secret into a file that only you can read
        de: Das Geheimnis in eine Datei, die nur du lesen kannst
        ja: 秘密鍵を本人だけが読めるファイルへ

        Send nothing to an endpoint any more
        de: Nichts mehr an einen Endpunkt senden
        ja: エンドポイントへの送信をやめる

        From now on
        de: Von nun an
        ja: これから

        Send a test to an endpoint, and see what comes of it
        de: Einen Test an einen Endpunkt senden, und sehen, was daraus wird
        ja: エンドポイントにテストを送り、結果を見る

        Where it is not delivered, the exit code is 1.
        de: Kommt er nicht an, ist der Exit-Code 1.
        ja: 届かなければ終了コードは1です。

        At most five in a minute
        de: Höchstens fünf in einer Minute
        ja: 1分に5回まで

        Replace the secret of a webhook
        de: Das Geheimnis eines Webhooks ersetzen
        ja: Webhookの秘密鍵を取り替える

        What is printed is the new secret. It is shown this once; with -q, nothing else is.\nFor 24 hours \#
        deliveries are signed with both, so that your program can change to it meanwhile.
        de: Ausgegeben wird das neue Geheimnis. Es wird nur dieses Mal gezeigt; mit -q nichts anderes.\n24 \#
        Stunden lang sind Zustellungen mit beiden signiert, damit dein Programm solange umstellen kann.
        ja: 表示されるのは新しい秘密鍵です。表示は今回だけで、-qならそれだけを出します。\n24時間は両方で署名されるので、その間にプログラムを切り替えられます。

        The old one is valid for a day
        de: Das alte gilt noch einen Tag
        ja: 古いものはあと1日有効

        Check the signature of a webhook's delivery
        de: Die Signatur einer Webhook-Zustellung prüfen
        ja: Webhookの配信の署名を確かめる

        Standard input is the request as it came, header and body; or, with --id, --timestamp \#
        and\n--signature, the body alone. It needs neither a server nor an account.\nThe exit code is 0 \#
        where the signature is right and not older than five minutes, else 1.
        de: Die Standardeingabe ist die Anfrage, wie sie kam, Kopf und Inhalt; oder, mit --id, --timestamp \#
        und\n--signature, nur der Inhalt. Es braucht weder Server noch Konto.\nDer Exit-Code ist 0, wenn \#
        die Signatur stimmt und höchstens fünf Minuten alt ist, sonst 1.
        ja: 標準入力は届いたままの要求（ヘッダーと本文）です。--id、--timestamp、--signatureを付ければ本文だけです。\nサーバーもアカウントも要りません。\n終了コードは、署\#
        名が正しく5分以内のものなら0、そうでなければ1です。

        The file that holds the secret, for you alone. Default: {1}
        de: Die Datei mit dem Geheimnis, nur für dich. Sonst: {1}
        ja: 本人だけが読める、秘密鍵のファイル。既定：{1}

        What webhook-id said
        de: Was webhook-id sagte
        ja: webhook-idの値

        What webhook-timestamp said
        de: Was webhook-timestamp sagte
        ja: webhook-timestampの値

        What webhook-signature said
        de: Was webhook-signature sagte
        ja: webhook-signatureの値

        Take a delivery of any time
        de: Eine Zustellung von irgendwann annehmen
        ja: いつの配信でも受け付ける

        A request that was saved whole
        de: Eine ganze gespeicherte Anfrage
        ja: 丸ごと保存した要求

        Its body alone, some time later
        de: Nur ihr Inhalt, einige Zeit später
        ja: 本文だけ、しばらく後に
        """#
}
