extension Catalogue {
    /// The help of the commands about accounts.
    static let helpAccounts = #"""
        Make an account and sign in
        de: Ein Konto anlegen und anmelden
        ja: アカウントを作ってサインインする

        The token is stored in $XDG_CONFIG_HOME/letsswitch/token (default: ~/.config), for you alone, \#
        with\nthe server that it is for. No other server gets it.
        de: Das Token wird in $XDG_CONFIG_HOME/letsswitch/token (sonst: ~/.config) gespeichert, nur für \#
        dich,\nzusammen mit dem Server, für den es gilt. Kein anderer Server bekommt es.
        ja: トークンは$XDG_CONFIG_HOME/letsswitch/token（既定は~/.config）に、対象のサーバーと共に保存されます。\n読めるのは本人だけです。ほかのサーバーには\#
        送られません。

        What others see you as
        de: Als wer dich die anderen sehen
        ja: ほかの人に見える名前

        An IANA name like Asia/Tokyo. Default: this machine's
        de: Ein IANA-Name wie Asia/Tokyo. Sonst: die Zone dieses Rechners
        ja: Asia/TokyoのようなIANA名。既定：このマシンのもの

        Replace the account that you are signed in with
        de: Das Konto ersetzen, mit dem du angemeldet bist
        ja: サインイン中のアカウントを置き換える

        An account named Alice, with this machine's times
        de: Ein Konto namens Alice, mit den Zeiten dieses Rechners
        ja: Aliceというアカウント。時刻はこのマシンに合わせる

        Times are those of clocks in Berlin
        de: Zeiten sind die der Uhren in Berlin
        ja: 時刻はベルリンの時計のもの

        Sign in with a token
        de: Mit einem Token anmelden
        ja: トークンでサインインする

        The token is tried before it is stored. A file that others can read is refused, and so is a \#
        file\nof another server: its first line is the token, and its second the server. A token alone is \#
        taken\nfor one of the server that the command goes to.
        de: Das Token wird versucht, bevor es gespeichert wird. Eine Datei, die andere lesen können, wird \#
        abgelehnt,\nauch eine Datei für einen anderen Server: ihre erste Zeile ist das Token, ihre zweite \#
        der Server. Ein\nToken allein gilt als eines des Servers, an den der Befehl geht.
        ja: トークンは保存の前に試されます。ほかの人が読めるファイルや、別のサーバーのファイルは拒否されます。\nファイルの1行目がトークン、2行目がサーバーです。トークンだけなら、コマンドの宛先サー\#
        バーのものと見なします。

        The file that holds the token; - is standard input
        de: Die Datei mit dem Token; - ist die Standardeingabe
        ja: トークンのファイル。-は標準入力

        Read the token from a file
        de: Das Token aus einer Datei lesen
        ja: トークンをファイルから読む

        Read it from a program
        de: Aus einem Programm lesen
        ja: プログラムから読む

        Show your account, or change its name, time zone or language
        de: Dein Konto zeigen, oder Name, Zeitzone oder Sprache ändern
        ja: アカウントを表示する、または名前、タイムゾーン、言語を変える

        A new time zone leaves what you are registered for where it is.
        de: Eine neue Zeitzone lässt deine Eintragungen, wo sie sind.
        ja: タイムゾーンを変えても、登録済みの時間は動きません。

        What others see you as from now on
        de: Als wer dich die anderen von nun an sehen
        ja: これからほかの人に見える名前

        An IANA name like Asia/Tokyo
        de: Ein IANA-Name wie Asia/Tokyo
        ja: Asia/TokyoのようなIANA名

        The language of pushes: {1}, or none
        de: Die Sprache der Push-Nachrichten: {1}, oder none
        ja: プッシュ通知の言語：{1}、またはnone

        Name, time zone, id, server, and where the token is
        de: Name, Zeitzone, Id, Server, und wo das Token liegt
        ja: 名前、タイムゾーン、ID、サーバー、トークンの場所

        Another name
        de: Ein anderer Name
        ja: 別の名前

        You have moved
        de: Du bist umgezogen
        ja: 引っ越したとき

        Pushes in German
        de: Push-Nachrichten auf Deutsch
        ja: プッシュ通知をドイツ語で

        End this machine's token, and keep the account
        de: Das Token dieses Rechners beenden, und das Konto behalten
        ja: このマシンのトークンを終わらせ、アカウントは残す

        The token ends on the server, with the tokens that it made and everything that is signed in \#
        with\nthem, and is removed from this machine. All tokens end with the main one: you are asked \#
        before,\nand the server refuses it if there is no recovery code to come back by.
        de: Das Token endet auf dem Server, mit den Tokens, die es erzeugt hat, und allem, was damit \#
        angemeldet\nist, und wird von diesem Rechner entfernt. Mit dem Haupttoken enden alle Tokens: vorher \#
        wirst du gefragt,\nund ohne Wiederherstellungscode lehnt der Server es ab.
        ja: トークンはサーバー上で終わり、それで作ったトークンと、サインインしているものもすべて終わります。\nこのマシンからも消えます。メインのトークンとともに、すべてのトークンが終わります。\n\#
        その前には確認があり、復旧コードがなければサーバーは拒否します。

        Only remove the token from this machine; it stays valid
        de: Das Token nur von diesem Rechner entfernen; es bleibt gültig
        ja: このマシンから消すだけにする。トークンは有効なまま

        Do not ask
        de: Nicht fragen
        ja: 確認しない

        Come back with another token or the recovery code
        de: Mit einem anderen Token oder dem Wiederherstellungscode zurückkommen
        ja: 別のトークンか復旧コードで戻る

        The token is in use elsewhere, or the server cannot be reached
        de: Das Token wird anderswo gebraucht, oder der Server ist nicht erreichbar
        ja: トークンを別の場所で使っている、またはサーバーにつながらないとき

        Delete your account for good
        de: Dein Konto für immer löschen
        ja: アカウントを完全に削除する

        Everything that names it goes. What others keep, such as rooms, then names a former user, \#
        without\ntask and tag. On a terminal you are asked for the account's name first.
        de: Alles, was es nennt, verschwindet. Was andere behalten, etwa Räume, nennt danach jemanden, der \#
        nicht mehr\nda ist, ohne Aufgabe und Stichwort. In einem Terminal wirst du zuerst nach dem Namen \#
        des Kontos gefragt.
        ja: アカウントに関わるものはすべて消えます。部屋などほかの人に残るものには、タスクもタグもない\n「以前の利用者」とだけ残ります。端末では、先にアカウントの名前を尋ねます。

        Asks, and then deletes
        de: Fragt, und löscht dann
        ja: 確認してから削除する

        For scripts
        de: Für Skripte
        ja: スクリプト用

        Show the account that you are signed in with
        de: Das Konto zeigen, mit dem du angemeldet bist
        ja: サインイン中のアカウントを表示する

        Name, time zone and id
        de: Name, Zeitzone und Id
        ja: 名前、タイムゾーン、ID

        The same as JSON
        de: Dasselbe als JSON
        ja: 同じものをJSONで

        Get everything that the service holds about you
        de: Alles holen, was der Dienst über dich hat
        ja: サービスが持つ自分のデータをすべて取り出す

        One JSON document: your account, registrations, rooms, notifications, endpoints and what \#
        else\nthere is, without anything about others and without secrets. A file is made for you alone, \#
        and\nonly once all of it has come: it is whole, or it is not there.
        de: Ein JSON-Dokument: dein Konto, Eintragungen, Räume, Nachrichten, Endpunkte und was es sonst \#
        noch gibt,\nohne etwas über andere und ohne Geheimnisse. Eine Datei wird nur für dich angelegt, \#
        und erst, wenn alles\nangekommen ist: sie ist vollständig, oder es gibt sie nicht.
        ja: 一つのJSON文書です：アカウント、登録、部屋、通知、エンドポイントなど。ほかの人のことや秘密は\n含みません。ファイルは本人だけが読め、すべて届いてから作られます：完全なものがあるか、何\#
        もないかです。

        Where to write it. Default: standard output
        de: Wohin geschrieben wird. Sonst: Standardausgabe
        ja: 書き出す先。既定：標準出力

        Keep it in a file
        de: In einer Datei aufheben
        ja: ファイルに残す

        Count your registrations
        de: Deine Eintragungen zählen
        ja: 登録の数を数える

        Replace your token, and keep the account
        de: Dein Token ersetzen, und das Konto behalten
        ja: トークンを取り替え、アカウントは残す

        Use it where others may have got hold of your token. The new one takes its place in the \#
        file;\nwhatever is signed in with the old one ends, and copies that you keep elsewhere are of no \#
        use.\nThe account is lost at no point: the old token is valid until the new one is stored and \#
        used.\nWhere the command does not come to its end, the next one goes on with the token that is \#
        valid.
        de: Für den Fall, dass andere dein Token haben könnten. Das neue kommt an seine Stelle in der \#
        Datei; was mit\ndem alten angemeldet ist, endet, und Kopien anderswo nützen nichts mehr. Das Konto \#
        geht dabei nie\nverloren: das alte Token gilt, bis das neue gespeichert und benutzt ist. Kommt der \#
        Befehl nicht ans\nEnde, macht der nächste mit dem gültigen Token weiter.
        ja: トークンが人の手に渡ったかもしれないときに使います。ファイルの中身が新しいものに替わり、古いもので\nサインインしているものは終わり、ほかに取っておいた写しは使えなくなります。アカウントを\#
        失うことは\nありません：新しいものが保存され使われるまで、古いトークンは有効です。コマンドが途中で終わっても、\n次のコマンドが有効なトークンで続けます。

        From now on the old one is not valid
        de: Von nun an gilt das alte nicht mehr
        ja: 以後、古いものは使えない

        Show the new one, for a program of yours
        de: Das neue zeigen, für ein Programm von dir
        ja: 自分のプログラムのために新しいものを表示する

        Find out why something does not work
        de: Herausfinden, warum etwas nicht geht
        ja: うまく動かない原因を調べる

        Looks at the server's name, port, certificate, health and version, at your clock and your \#
        token,\nand at the way of WebSockets, and says what to do.\nThe exit code is that of the first \#
        thing that is wrong.
        de: Prüft Name, Port, Zertifikat, Zustand und Version des Servers, deine Uhr und dein Token und \#
        den Weg der\nWebSockets, und sagt, was zu tun ist.\nDer Exit-Code ist der des ersten Fehlers.
        ja: サーバーの名前、ポート、証明書、状態、バージョン、手元の時計とトークン、WebSocketの経路を調べ、\nすべきことを示します。\n終了コードは最初に見つかった問題のものです。

        Check everything
        de: Alles prüfen
        ja: すべて調べる

        Check another server
        de: Einen anderen Server prüfen
        ja: 別のサーバーを調べる

        Check a server over TLS whose authority the system does not know
        de: Einen Server mit TLS prüfen, dessen Zertifizierungsstelle das System nicht kennt
        ja: システムが知らない認証局のTLSサーバーを調べる
        """#
}
