extension Catalogue {
    /// The words of the overview, and the options of every command.
    static let helpOverview = #"""
        Print what happens to the connection to standard error, as JSON
        de: Auf der Standardfehlerausgabe ausgeben, was mit der Verbindung geschieht, als JSON
        ja: 接続の様子をJSONで標準エラー出力に出す

        The room. Default: the room of yours that is open
        de: Der Raum. Sonst: dein offener Raum
        ja: 部屋。既定：開いている自分の部屋

        Where the service is, http:// or https://. Default: LETSSWITCH_URL, else {1}
        de: Wo der Dienst ist, http:// oder https://. Sonst: LETSSWITCH_URL, sonst {1}
        ja: サービスの場所。http://かhttps://。既定：LETSSWITCH_URL、なければ{1}

        For https: trust the authorities in this PEM file only. Default: LETSSWITCH_CACERT, else the \#
        system's
        de: Für https: nur den Stellen in dieser PEM-Datei trauen. Sonst: LETSSWITCH_CACERT, sonst denen \#
        des Systems
        ja: httpsで：このPEMファイルの認証局だけを信頼する。既定：LETSSWITCH_CACERT、なければシステムのもの

        For https: the server has this key, or another one given: sha256//BASE64. doctor shows it
        de: Für https: der Server hat diesen Schlüssel, oder einen anderen genannten: sha256//BASE64. \#
        doctor zeigt ihn
        ja: httpsで：サーバーの鍵はこれ、または指定した別のもの：sha256//BASE64。doctorで分かる

        Print JSON for programs: one object on a line
        de: JSON für Programme ausgeben: ein Objekt je Zeile
        ja: プログラム用にJSONを出力する：1行に一つのオブジェクト

        Give up after that long, such as 30, 0.5, 5m or 2h, with exit code 8
        de: Nach dieser Zeit aufgeben, wie 30, 0.5, 5m oder 2h, mit Exit-Code 8
        ja: 30、0.5、5m、2hのような時間であきらめる（終了コード8）

        Print results and errors only
        de: Nur Ergebnisse und Fehler ausgeben
        ja: 結果とエラーだけを出力する

        Print this help
        de: Diese Hilfe ausgeben
        ja: このヘルプを表示する

        Print which version of letsswitch this is
        de: Ausgeben, welche Version von letsswitch das ist
        ja: letsswitchのバージョンを表示する

        How long, where the service has slots of several lengths: "slots" lists them
        de: Wie lang, wo der Dienst Zeiten mehrerer Längen hat: "slots" zeigt sie
        ja: 長さ。選べるサービスでは"slots"に一覧がある

        Sessions
        de: Sitzungen
        ja: セッション

        Routines
        de: Routinen
        ja: くり返し

        Rooms
        de: Räume
        ja: 部屋

        People
        de: Leute
        ja: 人

        Your account
        de: Dein Konto
        ja: アカウント

        Other programs
        de: Andere Programme
        ja: ほかのプログラム

        This program
        de: Dieses Programm
        ja: このプログラム

        Look after the tokens of your account
        de: Die Token deines Kontos verwalten
        ja: アカウントのトークンを管理する

        Check what a webhook has received
        de: Prüfen, was ein Webhook bekommen hat
        ja: Webhookが受け取ったものを確かめる

        Let's Switch: register a task, meet a partner, and cheer each other on.
        de: Let's Switch: eine Aufgabe eintragen, jemanden treffen, und einander anfeuern.
        ja: Let's Switch：タスクを登録し、パートナーと会い、励まし合いましょう。

        Usage:
        de: Aufruf:
        ja: 使い方：

        Options of every command:
        de: Optionen aller Befehle:
        ja: すべてのコマンドのオプション：

        Examples:
        de: Beispiele:
        ja: 例：

        Exit codes:
        de: Exit-Codes:
        ja: 終了コード：

        0 success · 2 usage · 3 sign-in · 4 not found · 5 conflict · 6 rate limited · 7 network
        de: 0 geschafft · 2 falscher Aufruf · 3 Anmeldung · 4 nicht gefunden · 5 Konflikt · 6 zu viel · 7 \#
        Netz
        ja: 0 成功 · 2 使い方 · 3 サインイン · 4 見つからない · 5 競合 · 6 回数制限 · 7 ネットワーク

        8 a --timeout ran out · 130 Ctrl-C · 1 anything else
        de: 8 --timeout ist abgelaufen · 130 Strg-C · 1 alles andere
        ja: 8 --timeoutが過ぎた · 130 Ctrl-C · 1 その他

        "letsswitch COMMAND --help" tells more about a command. NO_COLOR turns colours off.
        de: "letsswitch COMMAND --help" sagt mehr zu einem Befehl. NO_COLOR schaltet Farben aus.
        ja: 詳しくは"letsswitch COMMAND --help"へ。NO_COLORで色が消えます。

        Arguments:
        de: Argumente:
        ja: 引数：

        Options:
        de: Optionen:
        ja: オプション：

        The same:
        de: Dasselbe:
        ja: 同じコマンド：

        Commands:
        de: Befehle:
        ja: コマンド：

        "letsswitch {1} COMMAND --help" tells more about one.
        de: "letsswitch {1} COMMAND --help" sagt mehr zu einem.
        ja: 詳しくは"letsswitch {1} COMMAND --help"へ。
        """#
}
