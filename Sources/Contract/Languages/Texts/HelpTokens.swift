extension Catalogue {
    /// The help of the commands about tokens, people and shells.
    static let helpTokens = #"""
        A registration of theirs, by its id or its number in "explain"
        de: Eine Eintragung der Person, nach ihrer Id oder ihrer Nummer in "explain"
        ja: その人の登録。IDか"explain"での番号

        Show why you meet whom you meet in a room
        de: Zeigen, warum du in einem Raum triffst, wen du triffst
        ja: 部屋でその人と会う理由を表示する

        It shows also the ids by which to name people to "favourite" and "block".
        de: Zeigt auch die Ids, mit denen man Leute für "favourite" und "block" nennt.
        ja: "favourite"や"block"で人を示すIDも表示します。

        The room, by its id or its number in "history". Default: the latest
        de: Der Raum, nach seiner Id oder seiner Nummer in "history". Sonst: der letzte
        ja: 部屋。IDか"history"での番号。既定：最新のもの

        The room that is open, or was last
        de: Der Raum, der offen ist oder es zuletzt war
        ja: 開いている、または最後に開いていた部屋

        Meet somebody again where that can be had
        de: Jemanden wiedersehen, wo es sich machen lässt
        ja: できるだけまた同じ人に会う

        They are not told.
        de: Die Person erfährt es nicht.
        ja: 相手には知らされません。

        Take it back
        de: Zurücknehmen
        ja: 取り消す

        From the next match on
        de: Vom nächsten Paaren an
        ja: 次の組み合わせから

        No longer
        de: Nicht mehr
        ja: やめる

        Show your favourites
        de: Deine Lieblingsleute zeigen
        ja: お気に入りを表示する

        The newest first
        de: Die neuesten zuerst
        ja: 新しい順

        Do not meet somebody again
        de: Jemanden nicht wiedersehen
        ja: その人にもう会わない

        It counts from the next match on. They are not told, and stay in a room that is open.
        de: Es gilt vom nächsten Paaren an. Die Person erfährt es nicht, und bleibt in einem offenen Raum.
        ja: 次の組み合わせから有効です。相手には知らされず、開いている部屋には残ります。

        What the operators of the service should know
        de: Was der Betrieb des Dienstes wissen soll
        ja: サービスの運営者に伝えること

        And tell the operators why
        de: Und dem Betrieb sagen, warum
        ja: 理由を運営者に伝える

        Show whom you do not meet again
        de: Zeigen, wen du nicht wiedersiehst
        ja: もう会わない人を表示する

        Show how your sessions went
        de: Zeigen, wie deine Sitzungen liefen
        ja: セッションの記録を表示する

        What an outage of the service spoiled does not count.
        de: Was ein Ausfall des Dienstes verdorben hat, zählt nicht.
        ja: サービスの停止で損なわれたものは数えません。

        Attendance, punctuality, streaks, ales and partners
        de: Teilnahme, Pünktlichkeit, Serien, Ales und Partner
        ja: 出席、時間の正確さ、連続、エール、パートナー

        Print what teaches your shell the commands and options
        de: Ausgeben, was deiner Shell Befehle und Optionen beibringt
        ja: シェルにコマンドとオプションを補完させるものを出力する

        The shell then also completes what is yours now: registrations, rooms, people, \#
        endpoints,\ncalendars and tokens. It asks the server for that, and waits for no longer than a \#
        second.
        de: Die Shell vervollständigt dann auch, was jetzt deins ist: Eintragungen, Räume, Leute, \#
        Endpunkte,\nKalender und Token. Sie fragt den Server danach, und wartet höchstens eine Sekunde.
        ja: 今ある登録、部屋、人、エンドポイント、カレンダー、トークンも補完されます。サーバーに尋ね、\n待つのは1秒までです。

        bash, zsh or fish
        de: bash, zsh oder fish
        ja: bash、zsh、fish

        In this bash, from now on
        de: In dieser bash, von nun an
        ja: このbashで、これから

        In every zsh whose fpath has ~/.zfunc
        de: In jeder zsh, deren fpath ~/.zfunc hat
        ja: fpathに~/.zfuncがあるすべてのzshで

        In every fish
        de: In jeder fish
        ja: すべてのfishで

        Print what may stand in a place of the command line
        de: Ausgeben, was an einer Stelle der Befehlszeile stehen kann
        ja: コマンド行のその場所に置けるものを出力する

        What it has to be
        de: Was es sein muss
        ja: その種類

        The names of time zones
        de: Die Namen der Zeitzonen
        ja: タイムゾーンの名前

        Print the manual page
        de: Die Handbuchseite ausgeben
        ja: マニュアルページを出力する

        Read it
        de: Sie lesen
        ja: 読む

        From then on it is: man letsswitch
        de: Von da an geht: man letsswitch
        ja: 以後は man letsswitch

        Show the tokens of your account
        de: Die Token deines Kontos zeigen
        ja: アカウントのトークンを表示する

        The main one is that of the sign-up, or the one that has taken its place.
        de: Das Haupttoken ist das vom Anlegen, oder das, das an seine Stelle gekommen ist.
        ja: 主なトークンは、サインアップのときのもの、またはそれに替わったものです。

        Make another token, for a program or a device of yours
        de: Noch ein Token machen, für ein Programm oder ein Gerät von dir
        ja: 自分のプログラムや端末のためにトークンをもう一つ作る

        It may do everything that the one of this machine may, but for "token renew". You can have\n{1} at \#
        once.
        de: Es darf alles, was das dieses Rechners darf, außer "token renew". Du kannst\n{1} zugleich haben.
        ja: "token renew"のほかは、このマシンのトークンと同じことができます。同時に持てるのは\n{1}個です。

        A name by which you will know it
        de: Ein Name, an dem du es erkennst
        ja: あとで分かる名前

        End it after so many days. Default: never
        de: Nach so vielen Tagen enden. Sonst: nie
        ja: この日数で終わる。既定：終わらない

        A token that does not expire
        de: Ein Token, das nicht abläuft
        ja: 期限のないトークン

        Print the token alone; it ends after 90 days
        de: Nur das Token ausgeben; es endet nach 90 Tagen
        ja: トークンだけを出力する。90日で終わる

        End a token, the tokens that it made, and what is signed in with them
        de: Ein Token beenden, die Tokens, die es erzeugt hat, und was damit angemeldet ist
        ja: トークンと、それで作ったトークン、サインインしているものを終わらせる

        The token, by its id or its number in "token list"
        de: Das Token, nach seiner Id oder seiner Nummer in "token list"
        ja: トークン。IDか"token list"での番号

        From now on it is not valid
        de: Von nun an gilt es nicht mehr
        ja: 以後は使えない

        Come back into your account by its recovery code
        de: Mit dem Wiederherstellungscode in dein Konto zurückkommen
        ja: 復旧コードでアカウントに戻る

        Every token that the account had ends. You get a new one, which is stored for you alone, and \#
        the\nnext recovery code. Without --code-file the code is read from standard input.
        de: Jedes Token, das das Konto hatte, endet. Du bekommst ein neues, das nur für dich gespeichert \#
        wird, und\nden nächsten Wiederherstellungscode. Ohne --code-file wird der Code von der \#
        Standardeingabe gelesen.
        ja: アカウントのトークンはすべて終わります。新しいトークンが本人だけに読めるよう保存され、次の復旧コードが\n渡されます。--code-fileがなければ、コードは標準入力から読まれます。

        The file that holds the code; - is standard input
        de: Die Datei mit dem Code; - ist die Standardeingabe
        ja: コードのファイル。-は標準入力

        Replace the token that is stored on this machine
        de: Das Token ersetzen, das auf diesem Rechner gespeichert ist
        ja: このマシンに保存されたトークンを置き換える

        Read the code from a file
        de: Den Code aus einer Datei lesen
        ja: コードをファイルから読む

        Make a recovery code, in place of the one that you have
        de: Einen Wiederherstellungscode machen, anstelle deines bisherigen
        ja: 今のものに替えて復旧コードを作る

        A code that could not be shown when it was made is shown first.
        de: Ein Code, der nicht gezeigt werden konnte, als er gemacht wurde, wird zuerst gezeigt.
        ja: 作ったときに表示できなかったコードがあれば、先にそれを表示します。

        Show the secrets that could not be shown when they were made
        de: Die Geheimnisse zeigen, die nicht gezeigt werden konnten, als sie gemacht wurden
        ja: 作ったときに表示できなかった秘密を表示する

        Recovery codes, tokens, secrets of webhooks, addresses of calendars and invites are shown once. \#
        If\none cannot be written, it is kept beside the token, for you alone, until it has been shown.
        de: Wiederherstellungscodes, Token, Geheimnisse von Webhooks, Adressen von Kalendern und \#
        Einladungen\nwerden einmal gezeigt. Kann etwas davon nicht ausgegeben werden, liegt es neben dem \#
        Token, nur für dich,\nbis es gezeigt wurde.
        ja: 復旧コード、トークン、Webhookの秘密、カレンダーのアドレス、招待が表示されるのは一度だけです。\#
        \n出力できなかったときは、表示されるまで、自分だけが読めるファイルとしてトークンの横に残ります。

        Show them, and keep them no longer
        de: Sie zeigen und nicht länger aufheben
        ja: 表示して、もう残さない

        Show the code, this once
        de: Den Code zeigen, nur dieses Mal
        ja: コードを今回だけ表示する

        Print the code alone
        de: Nur den Code ausgeben
        ja: コードだけを出力する
        """#
}
