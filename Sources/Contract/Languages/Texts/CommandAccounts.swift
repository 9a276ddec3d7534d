extension Catalogue {
    /// The messages of commands about the account and its files.
    static let commandAccounts = #"""
        Change it: letsswitch account --name NAME --time-zone Z --language L
        de: Ändern: letsswitch account --name NAME --time-zone Z --language L
        ja: 変更するには：letsswitch account --name NAME --time-zone Z --language L

        --language takes {1} or {2}, and not "{3}".
        de: --language nimmt {1} oder {2}, nicht "{3}".
        ja: --languageには{1}か{2}を指定してください（"{3}"は使えません）。

        Name
        de: Name
        ja: 名前

        Time zone
        de: Zeitzone
        ja: タイムゾーン

        Language
        de: Sprache
        ja: 言語

        Id
        de: Id
        ja: ID

        Since
        de: Seit
        ja: 作成日時

        Server
        de: Server
        ja: サーバー

        Recovery code
        de: Wiederherstellungscode
        ja: 復旧コード

        Webhook secret
        de: Geheimnis eines Webhooks
        ja: Webhookの秘密

        Calendar
        de: Kalender
        ja: カレンダー

        Invite
        de: Einladung
        ja: 招待

        Every secret has been shown.
        de: Alle Geheimnisse wurden gezeigt.
        ja: 表示されていない秘密はありません。

        They are not kept any more. Store them now.
        de: Sie werden nicht länger aufgehoben. Bewahre sie jetzt auf.
        ja: もう残っていません。今、保存してください。

        It was made {1}, and could not be shown then. If you have made another one elsewhere since, that \#
        one is valid. A new one: letsswitch account recovery
        de: Er wurde am {1} gemacht und konnte da nicht gezeigt werden. Hast du seitdem anderswo einen \#
        anderen gemacht, gilt jener. Ein neuer: letsswitch account recovery
        ja: {1}に作られ、そのときは表示できませんでした。その後ほかの場所で作ったものがあれば、そちらが有効です。\#
        新しく作るには：letsswitch account recovery

        Token
        de: Token
        ja: トークン

        Kind
        de: Art
        ja: 種類

        Address
        de: Adresse
        ja: アドレス

        For
        de: Für
        ja: 対象

        State
        de: Zustand
        ja: 状態

        Changed:
        de: Geändert:
        ja: 変更しました：

        The token is removed from this machine. It is valid still, wherever else it is kept.
        de: Das Token ist von diesem Rechner entfernt. Es gilt weiter, wo immer es sonst liegt.
        ja: このマシンからトークンを削除しました。ほかの場所に保存されていれば、まだ有効です。

        You are logged out: the token of this machine has ended, and so has what was signed in with it. \#
        Your account stays. Come back with another token (letsswitch login) or with your recovery code \#
        (letsswitch recover).
        de: Du bist abgemeldet: Das Token dieses Rechners ist beendet, und alles, was damit angemeldet \#
        war. Dein Konto bleibt. Zurück kommst du mit einem anderen Token (letsswitch login) oder deinem \#
        Wiederherstellungscode (letsswitch recover).
        ja: ログアウトしました。このマシンのトークンと、それでサインインしていたものは無効になりました。アカウントは残っています。別のトークン（letsswitch \#
        login）か復旧コード（letsswitch recover）で戻れます。

        This ends all tokens of your account: from then on only the recovery code brings you back.
        de: Das beendet alle Tokens deines Kontos: danach bringt dich nur noch der \#
        Wiederherstellungscode zurück.
        ja: アカウントのすべてのトークンが終わります。以後は復旧コードでしか戻れません。

        You are still logged in.
        de: Du bist noch angemeldet.
        ja: まだサインインしています。

        A recovery code is made by: letsswitch account recovery
        de: Wiederherstellungscode erstellen: letsswitch account recovery
        ja: 復旧コードを作るには：letsswitch account recovery

        The account is deleted by: letsswitch account delete
        de: Konto löschen: letsswitch account delete
        ja: アカウントを削除するには：letsswitch account delete

        The server is older. Without it: letsswitch account log-out --local
        de: Der Server ist älter. Ohne ihn: letsswitch account log-out --local
        ja: サーバーが古いバージョンです。サーバーなしで行うには：letsswitch account log-out --local

        This deletes the account of {1} at {2} for good, with its registrations, its history and \#
        everything else that names it.
        de: Das löscht das Konto von {1} bei {2} endgültig, mit Eintragungen, Verlauf und allem, was es \#
        nennt.
        ja: {2}の{1}さんのアカウントを、登録・履歴など関係するものすべてとともに完全に削除します。

        Nothing was deleted.
        de: Nichts wurde gelöscht.
        ja: 何も削除していません。

        The account is deleted, and its token is removed from this machine.
        de: Das Konto ist gelöscht, und sein Token von diesem Rechner entfernt.
        ja: アカウントを削除し、このマシンからトークンを消しました。

        Nobody can be asked, as this is no terminal. Say --yes if you are sure. {1}
        de: Niemand kann gefragt werden, da das kein Terminal ist. Gib --yes an, wenn du sicher bist. \#
        {1}
        ja: ターミナルではないため確認できません。間違いなければ--yesを付けてください。{1}

        {1}\nType {2} to go on:
        de: {1}\nTippe {2}, um fortzufahren:
        ja: {1}\n続けるには {2} と入力してください：

        It was not confirmed
        de: Nicht bestätigt
        ja: 確認されませんでした

        That is not "{1}". {2}
        de: Das ist nicht "{1}". {2}
        ja: "{1}"ではありません。{2}

        Written to {1}, {2} bytes. Only you can read it.
        de: Nach {1} geschrieben, {2} Bytes. Nur du kannst es lesen.
        ja: {1}に{2}バイト書き込みました。読めるのはあなただけです。

        The export cannot be written
        de: Der Export kann nicht geschrieben werden
        ja: エクスポートを書き込めません

        {1} cannot be written: {2}.
        de: {1} kann nicht geschrieben werden: {2}.
        ja: {1}に書き込めません：{2}。

        Others can read the {1}
        de: Andere können es lesen: {1}
        ja: ほかの人が読めます：{1}

        Others can read {1}. Keep it to yourself: chmod 600 {2}
        de: Andere können {1} lesen. Behalte es für dich: chmod 600 {2}
        ja: {1}はほかの人も読めます。自分だけにしてください：chmod 600 {2}

        There is no {1}
        de: Das fehlt: {1}
        ja: {1}がありません

        {1} does not hold one {2} and nothing else.
        de: {1} enthält nicht genau das, ein einziges Mal: {2}.
        ja: {1}の内容が{2}一つだけではありません。

        The {1} cannot be read
        de: Nicht lesbar: {1}
        ja: {1}を読み取れません

        {1} cannot be read: {2}.
        de: {1} kann nicht gelesen werden: {2}.
        ja: {1}を読み取れません：{2}。

        It is not known which server the token is for
        de: Es ist nicht bekannt, für welchen Server das Token ist
        ja: どのサーバーのトークンか分かりません

        The token in {1} names no server, and does not go to one that only --server names. If it is for \#
        {2}, say so once: letsswitch login --token-file {3} --server {4}
        de: Das Token in {1} nennt keinen Server und geht an keinen, den nur --server nennt. Ist es \#
        für {2}, sage das einmal: letsswitch login --token-file {3} --server {4}
        ja: {1}のトークンにはサーバーの指定がないため、--serverだけで指定されたサーバーには送りません。{2}用であれば、一度次を実行してください：letsswitch login \#
        --token-file {3} --server {4}

        The token is for another server
        de: Das Token ist für einen anderen Server
        ja: 別のサーバーのトークンです

        The token in {1} is for {2}, and does not go to {3}. Use --server {4}, or keep the other \#
        account in a folder of its own, with XDG_CONFIG_HOME=DIR before "letsswitch signup" or \#
        "letsswitch login".
        de: Das Token in {1} ist für {2} und geht nicht an {3}. Nimm --server {4}, oder halte das \#
        andere Konto in einem eigenen Ordner, mit XDG_CONFIG_HOME=DIR vor "letsswitch signup" oder \#
        "letsswitch login".
        ja: {1}のトークンは{2}用で、{3}には送りません。--server {4} を使うか、"letsswitch signup"や"letsswitch \#
        login"の前にXDG_CONFIG_HOME=DIRを付けて、もう一方のアカウントを別のフォルダーに置いてください。

        The old token and the new one are both in {1}. The next command finds out which of them is \#
        valid, and keeps that one.
        de: Das alte und das neue Token sind beide in {1}. Der nächste Befehl findet heraus, welches \#
        gilt, und behält es.
        ja: 古いトークンと新しいトークンの両方が{1}にあります。次のコマンドが有効な方を調べて残します。

        There is no home
        de: Es gibt kein Home-Verzeichnis
        ja: ホームディレクトリがありません

        Set HOME or XDG_CONFIG_HOME, so that the token has a place.
        de: Setze HOME oder XDG_CONFIG_HOME, damit das Token einen Platz hat.
        ja: トークンの保存場所として、HOMEかXDG_CONFIG_HOMEを設定してください。

        You are not signed in
        de: Du bist nicht angemeldet
        ja: サインインしていません

        You are not signed in. Make an account with "letsswitch signup NAME", or sign in with \#
        "letsswitch login --token-file F".
        de: Du bist nicht angemeldet. Lege mit "letsswitch signup NAME" ein Konto an, oder melde dich \#
        mit "letsswitch login --token-file F" an.
        ja: サインインしていません。"letsswitch signup NAME"でアカウントを作るか、"letsswitch login --token-file \#
        F"でサインインしてください。

        The token is being replaced
        de: Das Token wird gerade ersetzt
        ja: トークンを置き換えています

        Another letsswitch is replacing the token in {1}. Try again once it has ended.
        de: Ein anderes letsswitch ersetzt gerade das Token in {1}. Versuche es noch einmal, wenn es \#
        fertig ist.
        ja: 別のletsswitchが{1}のトークンを置き換えています。終わってからもう一度お試しください。

        The token cannot be stored
        de: Das Token kann nicht gespeichert werden
        ja: トークンを保存できません
        """#
}
