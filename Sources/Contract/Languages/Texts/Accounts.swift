extension Catalogue {
    /// The refusals of calls about accounts and endpoints, and of any request.
    static let accounts = #"""
        An escape \u has four hexadecimal digits
        de: Eine Maskierung \u hat vier hexadezimale Ziffern
        ja: \u の後には十六進数が4桁必要です

        A recovery code has 25 digits and letters, in groups of five as they were shown.
        de: Ein Wiederherstellungscode hat 25 Ziffern und Buchstaben, in Fünfergruppen, wie er gezeigt \#
        wurde.
        ja: 復旧コードは、表示されたとおり5文字ずつに区切った25文字の英数字です。

        No account has this recovery code, or no longer. A code works once; use the one that came last.
        de: Kein Konto hat diesen Wiederherstellungscode, oder nicht mehr. Ein Code gilt einmal; nimm \#
        den letzten, den du bekommen hast.
        ja: この復旧コードのアカウントはないか、コードが無効になりました。コードは一度だけ使えます。最後に受け取ったものを使ってください。

        A session is made by a token: send Authorization: Bearer and your token.
        de: Eine Browsersitzung beginnt mit einem Token: sende Authorization: Bearer und dein Token.
        ja: ブラウザのセッションはトークンで作ります。Authorization: Bearerとトークンを送ってください。

        This request has no session. Those of your account are at {1}.
        de: Diese Anfrage hat keine Browsersitzung. Die deines Kontos stehen unter {1}.
        ja: このリクエストにはブラウザのセッションがありません。アカウントのものは{1}にあります。

        Only the account's main token is replaced here. Make another one by POST {1}, then revoke this \#
        one.
        de: Hier wird nur das Haupttoken des Kontos ersetzt. Mache mit POST {1} ein anderes und \#
        widerrufe dann dieses.
        ja: ここで置き換えられるのはアカウントのメイントークンだけです。POST {1}で別のトークンを作ってから、これを取り消してください。

        The token was replaced at the same time. Sign in with that one.
        de: Das Token wurde gleichzeitig ersetzt. Melde dich mit dem neuen an.
        ja: 同時にトークンが置き換えられました。新しい方でサインインしてください。

        This is past. Give a time to come, or leave it out.
        de: Das ist vergangen. Gib eine künftige Zeit an, oder lass sie weg.
        ja: 過去の時刻です。これからの時刻を指定するか、省いてください。

        Your account has {1} tokens, which is as many as it may have. Revoke one first.
        de: Dein Konto hat {1} Tokens, mehr dürfen es nicht sein. Widerrufe zuerst eines.
        ja: トークンは{1}個で上限です。先に一つ取り消してください。

        All tokens of the account end with this one, and it has no recovery code. Make one first by \#
        POST {1}, or delete the account by DELETE {2}.
        de: Mit diesem Token enden alle Tokens des Kontos, und es hat keinen Wiederherstellungscode. \#
        Mache zuerst einen mit POST {1}, oder lösche das Konto mit DELETE {2}.
        ja: このトークンとともにアカウントのすべてのトークンが終わりますが、復旧コードがありません。先にPOST {1}でコードを作るか、DELETE {2}でアカウントを削除してください。

        There is no such account any more.
        de: Dieses Konto gibt es nicht mehr.
        ja: このアカウントはもうありません。

        There is no time zone of this name; give an IANA name like Europe/Berlin.
        de: Eine Zeitzone dieses Namens gibt es nicht; gib einen IANA-Namen wie Europe/Berlin an.
        ja: その名前のタイムゾーンはありません。Europe/Berlin のようなIANA名を指定してください。

        Your address made many accounts lately. Wait {1} s before the next.
        de: Deine Adresse hat zuletzt viele Konten angelegt. Warte {1} s vor dem nächsten.
        ja: このアドレスから最近多くのアカウントが作られました。次まで{1}秒待ってください。

        Your address tried many recovery codes lately. Wait {1} s before the next.
        de: Deine Adresse hat zuletzt viele Wiederherstellungscodes versucht. Warte {1} s vor dem \#
        nächsten.
        ja: このアドレスから最近多くの復旧コードが試されました。次まで{1}秒待ってください。

        Your account sends too many requests. Wait {1} s, then go on more slowly.
        de: Dein Konto sendet zu viele Anfragen. Warte {1} s, und mache dann langsamer weiter.
        ja: アカウントからのリクエストが多すぎます。{1}秒待ってから、間隔を空けて続けてください。

        You have {1} event streams open, which is as many as one may have. Close one of them.
        de: Du hast {1} Ereignisströme offen, mehr dürfen es nicht sein. Schließe einen davon.
        ja: イベントストリームは{1}個で上限です。どれか一つを閉じてください。

        Newer event streams of your account have taken the place of this one.
        de: Neuere Ereignisströme deines Kontos haben den Platz von diesem eingenommen.
        ja: アカウントの新しいイベントストリームが、このストリームの代わりに開かれました。

        An export of your account is under way. Read it to its end first.
        de: Ein Export deines Kontos läuft gerade. Lies ihn zuerst bis zu Ende.
        ja: アカウントのエクスポートを実行中です。まず最後まで読み取ってください。

        Many accounts are exported just now. Try again soon.
        de: Gerade werden viele Konten exportiert. Versuche es bald noch einmal.
        ja: 今は多くのアカウントがエクスポートされています。しばらくしてからお試しください。

        You asked for {1} slots at once, and may hold 1 registration that is not over. Ask for one.
        de: Du willst {1} Zeiten auf einmal und darfst 1 Eintragung haben, die nicht vorbei ist. Nimm eine.
        ja: 一度に{1}件の時間を求めましたが、終了していない登録は1件までです。1件にしてください。

        You asked for {1} slots at once, and may hold {2} registrations that are not over. Ask for \#
        fewer.
        de: Du willst {1} Zeiten auf einmal und darfst {2} Eintragungen haben, die nicht vorbei sind. \#
        Nimm weniger.
        ja: 一度に{1}件の時間を求めましたが、終了していない登録は{2}件までです。減らしてください。

        You have 1 registration that is not over, and may have {1}. Cancel it, or wait until it is over.
        de: Du hast 1 Eintragung, die nicht vorbei ist, und darfst {1} haben. Sage sie ab, oder warte, bis \#
        sie vorbei ist.
        ja: 終了していない登録が1件あります（上限{1}件）。取り消すか、終わるまでお待ちください。

        You have {1} registrations that are not over, and may have {2}. Cancel some, or wait until the \#
        first is over.
        de: Du hast {1} Eintragungen, die nicht vorbei sind, und darfst {2} haben. Sage einige ab, oder \#
        warte, bis die erste vorbei ist.
        ja: 終了していない登録が{1}件あります（上限{2}件）。いくつか取り消すか、最初の一つが終わるまでお待ちください。

        You have left this session twice since it opened. You can come back by an invite of a member.
        de: Du hast diese Sitzung seit ihrer Öffnung zweimal verlassen. Zurück kommst du mit der Einladung \#
        eines Mitglieds.
        ja: 開始後にこのセッションから二度抜けています。戻るにはメンバーの招待が必要です。

        You have left it twice.
        de: Du hast sie zweimal verlassen.
        ja: 二度抜けています。

        Your address made many registrations lately. Wait {1} s before the next.
        de: Von deiner Adresse kamen zuletzt viele Eintragungen. Warte {1} s bis zur nächsten.
        ja: このアドレスから多くの登録がありました。次の登録まで{1}秒お待ちください。

        You changed your routines often lately. Wait {1} s before the next change.
        de: Du hast deine Routinen zuletzt oft geändert. Warte {1} s bis zur nächsten Änderung.
        ja: ルーティンの変更が続いています。次の変更まで{1}秒お待ちください。

        You have made 1 registration today and may make {1} a day, cancelled ones included; you asked \#
        for {2} more. The count starts again at 00:00 UTC.
        de: Du hast heute 1 Eintragung gemacht und darfst am Tag {1} machen, auch abgesagte zählen; du \#
        wolltest {2} weitere. Um 00:00 UTC beginnt die Zählung von vorn.
        ja: 今日は1件登録しました。登録は、取り消したものも含めて1日{1}件までです（さらに{2}件の希望）。\#
        00:00 UTCに数え直します。

        You have made {1} registrations today and may make {2} a day, cancelled ones included; you asked \#
        for {3} more. The count starts again at 00:00 UTC.
        de: Du hast heute {1} Eintragungen gemacht und darfst am Tag {2} machen, auch abgesagte zählen; du \#
        wolltest {3} weitere. Um 00:00 UTC beginnt die Zählung von vorn.
        ja: 今日は{1}件登録しました。登録は、取り消したものも含めて1日{2}件までです（さらに{3}件の希望）。\#
        00:00 UTCに数え直します。

        Send Authorization: Bearer followed by your token.
        de: Sende Authorization: Bearer und dahinter dein Token.
        ja: Authorization: Bearerに続けてトークンを送ってください。

        The cookie counts for pages of this service alone. Send a token instead.
        de: Das Cookie zählt nur für Seiten dieses Dienstes. Sende stattdessen ein Token.
        ja: Cookieはこのサービスのページにだけ有効です。代わりにトークンを送ってください。

        This page came without https, so your browser cannot stay signed in. Open {1} instead.
        de: Diese Seite kam ohne https, darum kann dein Browser nicht angemeldet bleiben. Öffne \#
        stattdessen {1}.
        ja: このページはhttpsでないため、ブラウザはサインインを保てません。代わりに{1}を開いてください。

        This token is not valid, or no longer. Sign in with the latest one.
        de: Dieses Token ist nicht gültig, oder nicht mehr. Melde dich mit dem neuesten an.
        ja: このトークンは無効か、無効になりました。最新のトークンでサインインしてください。

        The fault is ours, and it is logged. Try again later.
        de: Der Fehler liegt bei uns und ist protokolliert. Versuche es später noch einmal.
        ja: こちらの不具合で、記録されています。後でもう一度お試しください。

        The address cannot be read: {1}.
        de: Die Adresse ist nicht lesbar: {1}.
        ja: アドレスを読み取れません：{1}。

        the path or the query has a bad percent escape, or is not valid UTF-8
        de: der Pfad oder die Parameter haben ein fehlerhaftes Prozentzeichen oder sind kein gültiges UTF-8
        ja: パスまたはクエリーのパーセントエンコードが正しくないか、UTF-8として正しくありません

        There is no such address; /openapi.json lists them.
        de: Diese Adresse gibt es nicht; alle stehen in /openapi.json.
        ja: そのアドレスはありません。一覧は/openapi.jsonにあります。

        This address takes {1}.
        de: Diese Adresse nimmt {1}.
        ja: このアドレスで使えるのは{1}です。

        The request did not arrive whole in time. Send it again.
        de: Die Anfrage kam nicht rechtzeitig ganz an. Sende sie noch einmal.
        ja: リクエスト全体が時間内に届きませんでした。もう一度送ってください。

        The server holds as many bytes of requests as it may. Try again in a moment.
        de: Der Server hält so viele Bytes von Anfragen, wie er darf. Versuche es gleich noch einmal.
        ja: サーバーが保持できるリクエストのバイト数の上限に達しました。しばらくしてからお試しください。

        There are too many connections. Try again soon.
        de: Es gibt zu viele Verbindungen. Versuche es bald noch einmal.
        ja: 接続が多すぎます。しばらくしてからお試しください。

        Your address has as many connections as it may have. Close one, or use it again.
        de: Deine Adresse hat so viele Verbindungen, wie sie haben darf. Schließe eine, oder benutze \#
        sie weiter.
        ja: このアドレスの接続数が上限です。一つ閉じるか、既存の接続を使ってください。

        Wait {1} s, then go on more slowly.
        de: Warte {1} s, und mache dann langsamer weiter.
        ja: {1}秒待ってから、間隔を空けて続けてください。

        The database cannot be reached or is busy. Try again in a moment.
        de: Die Datenbank ist nicht erreichbar oder hat zu viel zu tun. Versuche es gleich noch einmal.
        ja: データベースに接続できないか、混み合っています。少し待ってからお試しください。

        There is no such calendar, or no more. Make one in your account.
        de: Diesen Kalender gibt es nicht, oder nicht mehr. Lege in deinem Konto einen an.
        ja: そのカレンダーはないか、なくなりました。アカウントで作成してください。

        p256dh is no point of the curve P-256, in base64url.
        de: p256dh ist kein Punkt der Kurve P-256 in base64url.
        ja: p256dhが、base64urlで表したP-256曲線上の点ではありません。

        auth has to be {1} bytes in base64url.
        de: auth muss aus {1} Bytes in base64url bestehen.
        ja: authはbase64urlで{1}バイトでなければなりません。

        {1} is no address of the public Internet.
        de: {1} ist keine Adresse des öffentlichen Internets.
        ja: {1}は公開インターネットのアドレスではありません。

        This server sends nothing to Apple's push service.
        de: Dieser Server sendet nichts an den Push-Dienst von Apple.
        ja: このサーバーはAppleのプッシュサービスには送信しません。

        This server sends nothing to browsers.
        de: Dieser Server sendet nichts an Browser.
        ja: このサーバーはブラウザには送信しません。

        This endpoint is disabled ({1}). Replay it if it is a webhook; else add it again.
        de: Dieser Endpunkt ist abgeschaltet ({1}). Ist er ein Webhook, wiederhole ihn; sonst füge ihn \#
        neu hinzu.
        ja: このエンドポイントは無効になっています（{1}）。Webhookなら再送し、それ以外は追加し直してください。

        At most {1} tests of an endpoint in a minute.
        de: Höchstens {1} Tests eines Endpunkts in einer Minute.
        ja: 一つのエンドポイントのテストは1分に{1}回までです。

        No webhook of yours has that id.
        de: Kein Webhook von dir hat diese Id.
        ja: そのIDのWebhookは見つかりません。

        Many are testing just now. Try again soon.
        de: Gerade testen viele. Versuche es bald noch einmal.
        ja: 今は多くの人がテストしています。しばらくしてからお試しください。

        At most {1} tests in a minute.
        de: Höchstens {1} Tests in einer Minute.
        ja: テストは1分に{1}回までです。

        Many are testing endpoints at this host. Try again soon.
        de: Gerade testen viele die Endpunkte dieses Hosts. Versuche es bald noch einmal.
        ja: 今はこのホストのエンドポイントが多くテストされています。しばらくしてからお試しください。

        It is not as If-Match says. Read it again, and send the change with its ETag as If-Match.
        de: Es ist nicht so, wie If-Match sagt. Lies neu, und sende die Änderung mit dem neuen ETag als \#
        If-Match.
        ja: 現在の状態がIf-Matchと異なります。もう一度読み込み、そのETagをIf-Matchとして変更を送ってください。

        Last-Event-ID has to be the id of a notification.
        de: Last-Event-ID muss die Id einer Benachrichtigung sein.
        ja: Last-Event-IDは通知のIDでなければなりません。

        The body is empty; send a JSON object.
        de: Der Inhalt ist leer; sende ein JSON-Objekt.
        ja: 本文が空です。JSONオブジェクトを送ってください。

        Send the body as it is, without a Content-Encoding.
        de: Sende den Inhalt, wie er ist, ohne Content-Encoding.
        ja: 本文はContent-Encodingなしでそのまま送ってください。

        Send one {1}, and not {2}.
        de: Sende einen {1}, nicht {2}.
        ja: {1}は{2}個ではなく、一つだけ送ってください。

        {1} has to be {2} to {3} characters of ASCII: in quotation marks, or without spaces, commas, \#
        quotation marks and backslashes.
        de: {1} muss aus {2} bis {3} ASCII-Zeichen bestehen: in Anführungszeichen, oder ohne \#
        Leerzeichen, Kommas, Anführungszeichen und Rückstriche.
        ja: {1}は{2}～{3}文字のASCIIでなければなりません。引用符で囲むか、空白・カンマ・引用符・バックスラッシュを使わないでください。

        {1} has to have at least {2} characters here, since others may share your address. Make it at \#
        random.
        de: {1} muss hier mindestens {2} Zeichen haben, da andere deine Adresse teilen können. Erzeuge \#
        ihn zufällig.
        ja: 同じアドレスをほかの人も使うことがあるため、ここでは{1}は{2}文字以上必要です。ランダムに作ってください。

        The request with this key is under way. Send it again in a moment.
        de: Die Anfrage mit diesem Schlüssel läuft gerade. Sende sie gleich noch einmal.
        ja: このキーのリクエストは処理中です。少し待ってもう一度送ってください。

        This {1} was sent with another request. Make a new one for each.
        de: Dieser {1} kam mit einer anderen Anfrage. Mache für jede einen neuen.
        ja: この{1}は別のリクエストで送られたものです。リクエストごとに新しく作ってください。

        The request has had its effect, and its answer cannot be given again.
        de: Die Anfrage hat gewirkt, und ihre Antwort kann nicht noch einmal gegeben werden.
        ja: リクエストは実行済みですが、応答をもう一度返すことはできません。

        There is no such problem; {1} lists them.
        de: Diesen Fehler gibt es nicht; alle stehen unter {1}.
        ja: そのエラーはありません。一覧は{1}にあります。

        a number from {1} to {2}
        de: eine Zahl von {1} bis {2}
        ja: {1}～{2}の数値

        the id of a notification, or 0
        de: die Id einer Benachrichtigung oder 0
        ja: 通知のIDまたは0

        the id of a notification
        de: die Id einer Benachrichtigung
        ja: 通知のID

        the nextCursor of an earlier answer
        de: der nextCursor einer früheren Antwort
        ja: 以前の応答のnextCursor

        a time with an offset as in RFC 3339, like 2027-03-28T09:30:00Z
        de: eine Zeit mit Verschiebung nach RFC 3339, wie 2027-03-28T09:30:00Z
        ja: 2027-03-28T09:30:00Z のような、オフセット付きのRFC 3339形式の時刻

        a day like 2027-03-28
        de: ein Tag wie 2027-03-28
        ja: 2027-03-28 のような日付

        one of {1}
        de: eines von {1}
        ja: {1}のいずれか

        cancel or keep
        de: cancel oder keep
        ja: cancelかkeep

        an IANA name like Europe/Berlin
        de: ein IANA-Name wie Europe/Berlin
        ja: Europe/Berlin のようなIANA名

        The query parameter {1} has to be {2}, once.
        de: Der Parameter {1} muss {2} sein und darf nur einmal vorkommen.
        ja: クエリーパラメーター{1}は、{2}を一度だけ指定してください。

        The people cannot be counted just now. Try again in a moment.
        de: Die Leute lassen sich gerade nicht zählen. Versuche es gleich noch einmal.
        ja: 今は人数を数えられません。少し待ってからお試しください。

        names separated by commas, of {1}
        de: Namen aus {1}, durch Kommas getrennt
        ja: {1}から選んでカンマで区切った名前

        1, or 0
        de: 1 oder 0
        ja: 1か0

        a number of seconds from {1} to {2}
        de: eine Zahl von Sekunden, von {1} bis {2}
        ja: {1}～{2}の秒数

        A WebSocket is opened with GET.
        de: Ein WebSocket wird mit GET geöffnet.
        ja: WebSocketはGETで開きます。

        This is a WebSocket: ask for the upgrade, over HTTP/1.1.
        de: Das ist ein WebSocket: Bitte um das Upgrade, über HTTP/1.1.
        ja: これはWebSocketです。HTTP/1.1でアップグレードを要求してください。

        The only WebSocket version that is spoken here is 13.
        de: Hier wird nur Version 13 von WebSocket gesprochen.
        ja: 対応しているWebSocketのバージョンは13だけです。

        This account is suspended: {1}
        de: Dieses Konto ist gesperrt: {1}
        ja: このアカウントは停止されています：{1}

        This account is suspended until {1}: {2}
        de: Dieses Konto ist bis {1} gesperrt: {2}
        ja: このアカウントは{1}まで停止されています：{2}

        This token expires, and a recovery code does not. Use a token without an expiry.
        de: Dieses Token läuft ab, ein Wiederherstellungscode nicht. Nutze ein Token ohne Ablauf.
        ja: このトークンには期限がありますが、復旧コードには期限がありません。期限のないトークンを使ってください。

        This account was recovered by a code of an operator. It can be exported and deleted from {1} on.
        de: Dieses Konto wurde mit einem Code eines Betreibers wiederhergestellt. Exportieren und löschen \#
        kannst du es ab {1}.
        ja: このアカウントは運営者のコードで復旧されました。エクスポートと削除は{1}以降にできます。

        This endpoint is of an account that was recovered by a code of an operator. It can be removed and \#
        changed from {1} on.
        de: Dieser Endpunkt gehört zu einem Konto, das mit einem Code eines Betreibers wiederhergestellt \#
        wurde. Entfernen und ändern kannst du ihn ab {1}.
        ja: このエンドポイントのアカウントは運営者のコードで復旧されました。削除と変更は{1}以降にできます。

        An operator made a recovery code for your account. Reason: {1}\nThe code opens the \#
        account to anyone who has it. If you did not ask for it, make a recovery code yourself now: yours \#
        replaces it.
        de: Ein Betreiber hat einen Wiederherstellungscode für dein Konto erstellt. Grund: {1}\nDer Code \#
        öffnet das Konto für alle, die ihn haben. Wenn du nicht darum gebeten hast, erstelle jetzt selbst \#
        einen Code: Er ersetzt diesen.
        ja: 運営者があなたのアカウントの復旧コードを作りました。理由：{1}\nコードを持つ人はアカウントを使えます。依頼していない場合は、今すぐ自分で復旧コードを作ってください。このコードは無効になります。
        """#
}
