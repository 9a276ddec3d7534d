extension Catalogue {
    /// The pages of problems.
    static let problemPages = #"""
        The request is not what its format says: not HTTP, not JSON, or a query parameter that makes no \#
        sense. The detail names the place. Correct it; the same request will fail again.
        de: Die Anfrage ist nicht, was sie sein soll: kein HTTP, kein JSON, oder ein Parameter ohne \#
        Sinn. Die Einzelheiten nennen die Stelle. Berichtige sie; dieselbe Anfrage scheitert wieder.
        ja: リクエストが形式どおりではありません。HTTPやJSONになっていないか、クエリーパラメーターに意味がありません。詳細に場所が書かれています。そこを直してください。同じリクエストはまた\#
        失敗します。

        The body is JSON, but a member is missing, unknown, of the wrong type or out of bounds. The \#
        list errors has a JSON pointer and a sentence for each. Correct them and send it again.
        de: Der Inhalt ist JSON, aber ein Eintrag fehlt, ist unbekannt, hat den falschen Typ oder liegt \#
        außerhalb der Grenzen. Die Liste errors hat für jeden einen JSON-Pointer und einen Satz. \#
        Berichtige sie und sende die Anfrage noch einmal.
        ja: 本文はJSONですが、項目が足りないか、未知の項目があるか、型や範囲が正しくありません。errorsにそれぞれのJSON Pointerと説明があります。直してもう一度送ってください。

        If-Match names a state that is no longer the current one. Read it again, and send the change \#
        with the ETag of that answer.
        de: If-Match nennt einen Stand, der nicht mehr aktuell ist. Lies neu und sende die Änderung mit \#
        dem ETag dieser Antwort.
        ja: If-Matchが示す状態はもう最新ではありません。もう一度読み込み、その応答のETagを付けて変更を送ってください。

        The body has more bytes than the server takes. Send less at once.
        de: Der Inhalt hat mehr Bytes, als der Server annimmt. Sende weniger auf einmal.
        ja: 本文がサーバーの受け取れる大きさを超えています。一度に送る量を減らしてください。

        The first line of the request is longer than the server takes. Shorten the query.
        de: Die erste Zeile der Anfrage ist länger, als der Server annimmt. Kürze die Parameter.
        ja: リクエストの最初の行が長すぎます。クエリーを短くしてください。

        The header has more fields or bytes than the server takes. Send fewer.
        de: Der Kopf hat mehr Felder oder Bytes, als der Server annimmt. Sende weniger.
        ja: ヘッダーのフィールド数または大きさが上限を超えています。減らしてください。

        Send the body as JSON in UTF-8, with Content-Type: application/json.
        de: Sende den Inhalt als JSON in UTF-8, mit Content-Type: application/json.
        ja: 本文はUTF-8のJSONで、Content-Type: application/jsonを付けて送ってください。

        The only expectation that the server knows is 100-continue. Leave it out.
        de: Die einzige Erwartung, die der Server kennt, ist 100-continue. Lass sie weg.
        ja: サーバーが対応するExpectは100-continueだけです。取り除いてください。

        The request needs a transfer coding or a method that the server does not have.
        de: Die Anfrage braucht eine Übertragungskodierung oder Methode, die der Server nicht hat.
        ja: サーバーが対応していない転送符号化またはメソッドが必要なリクエストです。

        The server speaks HTTP/1.1 and HTTP/1.0. Put a proxy in front for others.
        de: Der Server spricht HTTP/1.1 und HTTP/1.0. Stelle für andere einen Proxy davor.
        ja: サーバーはHTTP/1.1とHTTP/1.0に対応しています。ほかのバージョンには手前にプロキシを置いてください。

        The header field Allow lists the methods that work at this address.
        de: Das Feld Allow nennt die Methoden, die an dieser Adresse gehen.
        ja: このアドレスで使えるメソッドはAllowヘッダーに書かれています。

        The request did not arrive in time. Send it again, on a new connection.
        de: Die Anfrage kam nicht rechtzeitig an. Sende sie noch einmal über eine neue Verbindung.
        ja: リクエストが時間内に届きませんでした。新しい接続でもう一度送ってください。

        Send Authorization: Bearer followed by your token. A token is shown once, at sign-up; a new one \#
        ends the old one and its tickets.
        de: Sende Authorization: Bearer und dahinter dein Token. Ein Token wird einmal gezeigt, beim \#
        Anlegen des Kontos; ein neues beendet das alte und seine Tickets.
        ja: Authorization: Bearerに続けてトークンを送ってください。トークンはアカウント作成時に一度だけ表示されます。新しいトークンを作ると、古いトークンとそのチケットは無効に\#
        なります。

        A cookie counts for requests of pages that come from this service: the browser has to send \#
        Sec-Fetch-Site: same-origin, or an Origin that is this service's. Other pages send \#
        Authorization: Bearer and a token.
        de: Ein Cookie zählt für Anfragen von Seiten dieses Dienstes: Der Browser muss Sec-Fetch-Site: \#
        same-origin senden oder einen Origin, der dieser Dienst ist. Andere Seiten senden \#
        Authorization: Bearer und ein Token.
        ja: Cookieは、このサービスのページからのリクエストにだけ有効です。ブラウザはSec-Fetch-Site: \#
        same-originか、このサービスのOriginを送る必要があります。ほかのページはAuthorization: Bearerとトークンを送ってください。

        There is no such address, or nothing of yours with that id. Check both.
        de: Diese Adresse gibt es nicht, oder nichts von dir hat diese Id. Prüfe beides.
        ja: そのアドレスがないか、そのIDのものがあなたにはありません。両方を確認してください。

        It has happened already or is over: what is open or past cannot be changed any more.
        de: Es ist schon geschehen oder vorbei: Was läuft oder vergangen ist, lässt sich nicht mehr \#
        ändern.
        ja: すでに行われたか、終わっています。進行中や過去のものは変更できません。

        You have one live registration for a slot at most. Change it or cancel it first.
        de: Für eine Zeit kannst du nur einmal eingetragen sein. Ändere diese Eintragung oder sage sie \#
        zuerst ab.
        ja: 一つの時間に登録できるのは一件だけです。まずそれを変更するか取り消してください。

        Your sessions may follow each other, but not overlap: errors says which do. Choose another \#
        start or length, or cancel the other session first.
        de: Deine Sitzungen dürfen aufeinander folgen, sich aber nicht überschneiden: errors nennt, \#
        welche es tun. Wähle einen anderen Beginn oder eine andere Länge, oder sage zuerst die andere \#
        Sitzung ab.
        ja: セッションは続けて入れられますが、重ねることはできません。どれが重なるかはerrorsにあります。開始時刻や長さを変えるか、先にもう一方を取り消してください。

        A slot can be had until a few minutes after its start. Choose a later one.
        de: Eine Zeit ist bis ein paar Minuten nach ihrem Beginn zu haben. Wähle eine spätere.
        ja: 登録できるのは開始の数分後までです。後の時間を選んでください。

        An invite is for one person and one slot, and ends when whoever made it cancels or takes it \#
        back. Ask for another one, or register for the slot by yourself.
        de: Eine Einladung gilt für eine Person und eine Zeit und endet, wenn sie zurückgenommen wird \#
        oder die einladende Person absagt. Bitte um eine neue, oder trage dich selbst für die Zeit ein.
        ja: 招待は一人・一つの時間用で、招待した人が取り消すか参加をやめると無効になります。新しい招待をもらうか、自分でその時間に登録してください。

        Whoever misses sessions, or cancels once the room is open, leaves somebody alone. Below the \#
        attendance that this server asks for, a few registrations at once are possible: attend those \#
        first.
        de: Wer Sitzungen verpasst oder absagt, wenn der Raum schon offen ist, lässt jemanden allein. \#
        Wer seltener kommt, als dieser Server verlangt, kann nur wenige Eintragungen auf einmal haben: \#
        Nimm zuerst an diesen teil.
        ja: 欠席したり、部屋が開いてから取り消したりすると、相手がひとりになってしまいます。参加率がこのサーバーの基準を下回ると、一度に持てる登録は少なくなります。まずそれらに参加してください。

        The database server has no rules for the time zone of the account or the routine, as names of zones \#
        change. Set timeZone to another one, of the list at GET /v1/time-zones.
        de: Der Datenbankserver hat keine Regeln für die Zeitzone des Kontos oder der Routine, denn Namen \#
        von Zonen ändern sich. Setze timeZone auf eine andere, aus der Liste bei GET /v1/time-zones.
        ja: アカウントまたはくり返しのタイムゾーンの規則がデータベースサーバーにありません。タイムゾーンの名前は変わることがあります。\#
        GET /v1/time-zones の一覧から選び、timeZone を変更してください。

        A list has a limit, and this one is full. Take something off it first.
        de: Eine Liste hat eine Grenze, und diese ist voll. Nimm zuerst etwas herunter.
        ja: リストには上限があり、これはいっぱいです。先に何かを外してください。

        Another request with the same Idempotency-Key has not been answered yet. Send yours again after \#
        Retry-After: it gets the same answer.
        de: Eine andere Anfrage mit demselben Idempotency-Key ist noch nicht beantwortet. Sende deine \#
        nach Retry-After noch einmal: Sie bekommt dieselbe Antwort.
        ja: 同じIdempotency-Keyの別のリクエストにまだ応答していません。Retry-Afterの後にもう一度送ると、同じ応答が返ります。

        A request with the same Idempotency-Key has had its effect, once. Its answer showed a secret \#
        that was used since, or its server ended before the answer was known. Look at what there is \#
        now, and take a new key for a new request.
        de: Eine Anfrage mit demselben Idempotency-Key hat schon gewirkt, einmal. Ihre Antwort zeigte \#
        ein Geheimnis, das seither benutzt wurde, oder ihr Server endete, bevor die Antwort bekannt \#
        war. Sieh nach, was es jetzt gibt, und nimm für eine neue Anfrage einen neuen Schlüssel.
        ja: 同じIdempotency-Keyのリクエストはすでに一度実行されました。応答に含まれていた秘密情報がその後使われたか、応答が確定する前にサーバーが終了しました。現在の状態を確認し、新しい\#
        リクエストには新しいキーを使ってください。

        An Idempotency-Key belongs to one request: the same method, path and body. Make a new key for \#
        another request, or send the first one again as it was.
        de: Ein Idempotency-Key gehört zu einer Anfrage: gleiche Methode, gleicher Pfad, gleicher \#
        Inhalt. Mache für eine andere Anfrage einen neuen Schlüssel, oder sende die erste unverändert \#
        noch einmal.
        ja: Idempotency-Keyは、メソッド・パス・本文が同じ一つのリクエストのものです。別のリクエストには新しいキーを作るか、最初のリクエストをそのまま送り直してください。

        The room met and closed. Register for another slot.
        de: Das Treffen in diesem Raum ist vorbei. Trage dich für eine andere Zeit ein.
        ja: この部屋は終了しました。別の時間に登録してください。

        Open this address as a WebSocket, version 13 (RFC 6455).
        de: Öffne diese Adresse als WebSocket, Version 13 (RFC 6455).
        ja: このアドレスはWebSocketバージョン13（RFC 6455）で開いてください。

        More requests came than a limit allows; violated-policies names it. Wait as long as Retry-After \#
        says, then go on more slowly: the fields RateLimit-Policy and RateLimit of every answer to a \#
        signed-in call say how many requests are left.
        de: Es kamen mehr Anfragen, als eine Grenze erlaubt; violated-policies nennt sie. Warte so \#
        lange, wie Retry-After sagt, und mache dann langsamer weiter: Die Felder RateLimit-Policy und \#
        RateLimit jeder Antwort auf einen angemeldeten Aufruf sagen, wie viele Anfragen übrig sind.
        ja: 制限を超えるリクエストがありました。どの制限かはviolated-policiesにあります。Retry-Afterの時間だけ待ってから、間隔を空けて続けてください。残りの回数は、サイ\#
        ンイン済みの呼び出しへの応答のRateLimit-PolicyとRateLimitに書かれています。

        Wait as long as Retry-After says, then go on more slowly.
        de: Warte so lange, wie Retry-After sagt, und mache dann langsamer weiter.
        ja: Retry-Afterの時間だけ待ってから、間隔を空けて続けてください。

        You have the room open on as many devices as are allowed. Close one of them.
        de: Du hast den Raum auf so vielen Geräten offen, wie erlaubt sind. Schließe ihn auf einem.
        ja: 許される台数の端末ですでにこの部屋を開いています。どれか一つを閉じてください。

        An address may have only so many connections at once. Close one, or send the next request on it.
        de: Eine Adresse darf nur eine bestimmte Zahl von Verbindungen haben. Schließe eine, oder sende \#
        die nächste Anfrage darüber.
        ja: 一つのアドレスが同時に持てる接続数には上限があります。一つ閉じるか、既存の接続で次のリクエストを送ってください。

        One account may hold only so many registrations that are neither over nor cancelled. Cancel \#
        some, or wait: Retry-After says when the first of them is over. The same request will fail \#
        until then, and always where it asks for more at once than may ever be held.
        de: Ein Konto darf nur eine bestimmte Zahl von Eintragungen haben, die weder vorbei noch \#
        abgesagt sind. Sage einige ab, oder warte: Retry-After sagt, wann die erste vorbei ist. Bis \#
        dahin scheitert dieselbe Anfrage, und immer, wenn sie mehr auf einmal verlangt, als je erlaubt \#
        ist.
        ja: 終了も取り消しもされていない登録の数には上限があります。いくつか取り消すか、お待ちください。最初の一つが終わる時刻はRetry-Afterにあります。それまで同じリクエストは失敗します\#
        。上限を超える数を一度に求める場合は常に失敗します。

        One account may have only so many event streams open. Close one, and open the next a little \#
        later.
        de: Ein Konto darf nur eine bestimmte Zahl von Ereignisströmen offen haben. Schließe einen, und \#
        öffne den nächsten etwas später.
        ja: 一つのアカウントが開けるイベントストリームの数には上限があります。一つ閉じてから、少し後に次を開いてください。

        One account may have one export at a time, and a server has only so many. Read the one that is \#
        under way to its end, or close it, and begin the next one after Retry-After.
        de: Ein Konto darf einen Export auf einmal haben, und ein Server nur eine bestimmte Zahl. Lies \#
        den laufenden bis zu Ende, oder schließe ihn, und beginne den nächsten nach Retry-After.
        ja: エクスポートは一つのアカウントにつき一度に一つで、サーバー全体の数にも上限があります。実行中のものを最後まで読むか閉じて、Retry-Afterの後に次を始めてください。

        The database cannot be reached, or the server is busy. Try again after Retry-After.
        de: Die Datenbank ist nicht erreichbar, oder der Server hat zu viel zu tun. Versuche es nach \#
        Retry-After noch einmal.
        ja: データベースに接続できないか、サーバーが混み合っています。Retry-Afterの後にもう一度お試しください。

        The server takes no new connections while it stops. Connect again after Retry-After.
        de: Der Server nimmt beim Beenden keine neuen Verbindungen an. Verbinde dich nach Retry-After \#
        noch einmal.
        ja: サーバーは終了処理中のため新しい接続を受け付けません。Retry-Afterの後に接続し直してください。

        The fault is ours, and it is in our log under the id in instance. Try again later.
        de: Der Fehler liegt bei uns und steht unter der Id aus instance in unserem Protokoll. Versuche \#
        es später noch einmal.
        ja: こちらの不具合です。instanceのIDでログに記録されています。後でもう一度お試しください。

        Whoever runs this service has suspended the account: reason says why, and until says how long, \#
        where that is known. Nothing can be done with the account until then. Ask whoever runs the \#
        service.
        de: Wer diesen Dienst betreibt, hat das Konto gesperrt: reason sagt, warum, und until, wie lange, \#
        wo das bekannt ist. Bis dahin geht mit dem Konto nichts. Frage, wer den Dienst betreibt.
        ja: このサービスの運営者がアカウントを停止しました。理由はreasonに、期限が決まっていればuntilにあります。それまでアカウントは使えません。運営者にお問い合わせください。

        The host of the request is none of those that the operators' listener answers for. Use one of \#
        its names, or add the host to ADMIN_HOSTS.
        de: Der Port für Betreiber antwortet nicht für den Host der Anfrage. Nutze einen seiner Namen oder \#
        trage den Host in ADMIN_HOSTS ein.
        ja: 運営者用のポートは、リクエストのホストには応答しません。登録済みの名前を使うか、ホストをADMIN_HOSTSに追加してください。

        The account came back by a recovery code that an operator made. For three days it can neither be \#
        exported nor deleted, and its endpoints of before stay as they are, so that its owner hears of it \#
        and can object: until says when they are over.
        de: Das Konto wurde mit einem Code wiederhergestellt, den ein Betreiber erstellt hat. Drei Tage \#
        lang lässt es sich weder exportieren noch löschen, und seine Endpunkte von vorher bleiben, wie sie \#
        sind, damit du davon erfährst und widersprechen kannst: until sagt, wann sie vorbei sind.
        ja: アカウントは、運営者が作った復旧コードで復旧されました。本人が知って異議を申し立てられるよう、3日間はエクスポートも削除も、以前のエンドポイントの変更もできません。期限はuntilにあります。

        An operator's role, or that of a token, does not allow this call. The detail says which role does.
        de: Die Rolle eines Betreibers oder die eines Tokens erlaubt diesen Aufruf nicht. detail sagt, \#
        welche Rolle ihn erlaubt.
        ja: 運営者またはトークンの役割では、この呼び出しは許可されていません。必要な役割はdetailにあります。
        """#
}
