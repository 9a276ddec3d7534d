extension Catalogue {
    /// The errors of the client library, of TLS and of the HTTP parser.
    static let transport = #"""
        The request cannot be written as JSON.
        de: Die Anfrage lässt sich nicht als JSON schreiben.
        ja: 要求をJSONにできません。

        The connection to the room was lost ({1} {2}).
        de: Die Verbindung zum Raum ging verloren ({1} {2}).
        ja: 部屋との接続が切れました（{1} {2}）。

        The network cannot be used: {1}.
        de: Das Netz ist nicht zu gebrauchen: {1}.
        ja: ネットワークが使えません：{1}。

        A message has at most {1} bytes.
        de: Eine Nachricht hat höchstens {1} Bytes.
        ja: メッセージは{1}バイトまでです。

        The server closed the connection.
        de: Der Server hat die Verbindung geschlossen.
        ja: サーバーが接続を閉じました。

        The server ended the connection for good ({1} {2}).
        de: Der Server hat die Verbindung endgültig beendet ({1} {2}).
        ja: サーバーが接続を終了しました（{1} {2}）。

        The server's WebSocket answer cannot be used: {1}.
        de: Die WebSocket-Antwort des Servers ist nicht zu gebrauchen: {1}.
        ja: サーバーのWebSocketの応答が使えません：{1}。

        There is no thread for the queue's file: {1}.
        de: Es gibt keinen Thread für die Datei der Warteschlange: {1}.
        ja: キューのファイルのためのスレッドを作れません：{1}。

        The queue's file cannot be waited for: {1}.
        de: Auf die Datei der Warteschlange lässt sich nicht warten: {1}.
        ja: キューのファイルを待てません：{1}。

        The queue {1} is in use by another process. Give each its own.
        de: Ein anderer Prozess benutzt die Warteschlange {1}. Gib jedem eine eigene.
        ja: キュー{1}は別のプロセスが使っています。それぞれに別のキューを指定してください。

        {1} is no queue of this program. Give another path; it was left as it is.
        de: {1} ist keine Warteschlange dieses Programms. Gib einen anderen Pfad an; die Datei blieb, wie \#
        sie ist.
        ja: {1}はこのプログラムのキューではありません。別のパスを指定してください。ファイルはそのままです。

        The queue {1} is damaged at byte {2}, and was put aside as {3}. The next try begins with an empty \#
        queue; what the damaged one held was not sent.
        de: Die Warteschlange {1} ist bei Byte {2} beschädigt, und wurde als {3} beiseitegelegt. Der \#
        nächste Versuch beginnt mit einer leeren; was in der beschädigten war, wurde nicht gesendet.
        ja: キュー{1}は{2}バイト目で壊れていたため、{3}に移しました。次は空のキューから始まります。壊れたキューの中身は送られていません。

        The queue {1} cannot be {2}: {3}.
        de: Mit der Warteschlange {1} ging etwas nicht ({2}): {3}.
        ja: キュー{1}を扱えません（{2}）：{3}。

        The queue {1} cannot be written: {2}. What it took before is kept.
        de: Die Warteschlange {1} lässt sich nicht schreiben: {2}. Was sie vorher annahm, bleibt.
        ja: キュー{1}に書けません：{2}。それまでに入れたものは残っています。

        A messageId has 1 to {1} characters.
        de: Eine messageId hat 1 bis {1} Zeichen.
        ja: messageIdは1～{1}文字です。

        The type of a message has at most 64 bytes.
        de: Der type einer Nachricht hat höchstens 64 Bytes.
        ja: メッセージのtypeは64バイトまでです。

        The server takes messages of at most {1} bytes; this one has {2}.
        de: Der Server nimmt Nachrichten bis {1} Bytes; diese hat {2}.
        ja: サーバーが受け取るメッセージは{1}バイトまでです。これは{2}バイトです。

        The server sends on to {1}. That is not followed: if it is right, give that URL.
        de: Der Server schickt weiter zu {1}. Dem wird nicht gefolgt: wenn es richtig ist, gib diese URL an.
        ja: サーバーは{1}に転送しようとしています。自動では従いません。正しければそのURLを指定してください。

        The server answered {1} {2}, and not in this service's form.
        de: Der Server antwortete {1} {2}, und nicht in der Form dieses Dienstes.
        ja: サーバーの応答は{1} {2}で、このサービスの形式ではありません。

        The server's answer cannot be read. Is this the right address, and the same version?
        de: Die Antwort des Servers ist nicht lesbar. Ist es die richtige Adresse, und dieselbe Version?
        ja: サーバーの応答が読めません。アドレスは正しく、バージョンは同じですか？

        The server's answer is not HTTP that can be read. {1}
        de: Die Antwort des Servers ist kein lesbares HTTP. {1}
        ja: サーバーの応答がHTTPとして読めません。{1}

        The server ended the stream.
        de: Der Server hat den Strom beendet.
        ja: サーバーがストリームを終わらせました。

        The server's stream of events cannot be read.
        de: Der Ereignisstrom des Servers ist nicht lesbar.
        ja: サーバーのイベントストリームが読めません。

        The server closed the connection without an answer.
        de: Der Server hat die Verbindung ohne Antwort geschlossen.
        ja: サーバーは応答せずに接続を閉じました。

        The server closed the connection in the middle of an answer.
        de: Der Server hat die Verbindung mitten in einer Antwort geschlossen.
        ja: サーバーは応答の途中で接続を閉じました。

        The server points to a room at ws:, which is not encrypted, and this session was. It is not \#
        entered. PUBLIC_URL of the server should begin with https:.
        de: Der Server nennt einen Raum unter ws:, also unverschlüsselt, und diese Sitzung war \#
        verschlüsselt. Er wird nicht betreten. PUBLIC_URL des Servers sollte mit https: beginnen.
        ja: サーバーが示した部屋は暗号化されないws:ですが、このセッションは暗号化されていました。入室しません。サーバーのPUBLIC_URLはhttps:で始まるべきです。

        "{1}" is no URL of a room.
        de: "{1}" ist keine URL eines Raums.
        ja: "{1}"は部屋のURLではありません。

        "{1}" is no URL of a server. {2} Give one like http://127.0.0.1:8080.
        de: "{1}" ist keine URL eines Servers. {2} Gib eine wie http://127.0.0.1:8080 an.
        ja: "{1}"はサーバーのURLではありません。{2}http://127.0.0.1:8080のように指定してください。

        The URL of a server has no query: leave out everything from the ? on.
        de: Die URL eines Servers hat keine Abfrage: lass alles ab dem ? weg.
        ja: サーバーのURLにクエリは付けられません。?以降を省いてください。

        {1}: is not spoken here. Give a URL that begins with {2}:// or {3}://.
        de: {1}: wird hier nicht gesprochen. Gib eine URL an, die mit {2}:// oder {3}:// beginnt.
        ja: {1}:は使えません。{2}://か{3}://で始まるURLを指定してください。

        There is no token: {1}.
        de: Es gibt kein Token: {1}.
        ja: トークンがありません：{1}。

        {1} has no address.
        de: {1} hat keine Adresse.
        ja: {1}にはアドレスがありません。

        {1} cannot be found: {2}.
        de: {1} ist nicht zu finden: {2}.
        ja: {1}が見つかりません：{2}。

        {1} cannot be found: {2}. Is the name right?
        de: {1} ist nicht zu finden: {2}. Ist der Name richtig?
        ja: {1}が見つかりません：{2}。名前は正しいですか？

        {1} cannot be reached: {2}.
        de: {1} ist nicht erreichbar: {2}.
        ja: {1}に接続できません：{2}。

        The connection broke: {1}.
        de: Die Verbindung brach ab: {1}.
        ja: 接続が切れました：{1}。

        The connection ended without a word, so what came may have been cut off.
        de: Die Verbindung endete ohne ein Wort, was kam, kann also abgeschnitten sein.
        ja: 接続が予告なく終わったため、届いたものは途中までかもしれません。

        "{1}" is no pin. A pin is sha256// and the Base64 of 32 bytes: 44 characters.
        de: "{1}" ist kein Pin. Ein Pin ist sha256// und das Base64 von 32 Bytes: 44 Zeichen.
        ja: "{1}"はピンではありません。ピンはsha256//と32バイトのBase64（44文字）です。

        The certificate of {1} expired on {2}. Whoever runs it has to renew it, unless the clock here is \#
        wrong.
        de: Das Zertifikat von {1} ist am {2} abgelaufen. Der Betreiber muss es erneuern, es sei denn, die \#
        Uhr hier geht falsch.
        ja: {1}の証明書は{2}に期限が切れました。ここの時計が正しければ、運営者が更新する必要があります。

        The certificate of {1} is not valid before {2}. Check the clock here.
        de: Das Zertifikat von {1} gilt erst ab {2}. Prüfe die Uhr hier.
        ja: {1}の証明書が有効になるのは{2}からです。ここの時計を確認してください。

        The certificate is not for {1}: {2}. Is the name right?
        de: Das Zertifikat ist nicht für {1}: {2}. Ist der Name richtig?
        ja: 証明書は{1}のものではありません：{2}。名前は正しいですか？

        it names no host at all
        de: es nennt gar keinen Host
        ja: ホスト名がありません

        it is for {1}
        de: es ist für {1}
        ja: {1}のものです

        it is for {1} and {2} more
        de: es ist für {1} und {2} weitere
        ja: {1}とほか{2}件のものです

        The certificate of {1} is signed by itself. If it is yours, give it with --cacert.
        de: Das Zertifikat von {1} ist von sich selbst unterschrieben. Wenn es deines ist, gib es mit \#
        --cacert an.
        ja: {1}の証明書は自己署名です。自分のものなら--cacertで指定してください。

        The certificate of {1} is signed by {2}, which is not trusted here. If that is right, give the \#
        authority's certificate with --cacert.
        de: Das Zertifikat von {1} ist von {2} unterschrieben, dem hier nicht getraut wird. Wenn das \#
        richtig ist, gib das Zertifikat dieser Stelle mit --cacert an.
        ja: {1}の証明書の署名者{2}は信頼されていません。正しければ、その認証局の証明書を--cacertで指定してください。

        The certificate of {1} cannot be trusted: {2}.
        de: Dem Zertifikat von {1} ist nicht zu trauen: {2}.
        ja: {1}の証明書は信頼できません：{2}。

        The key of {1} is not a pinned one: it is {2}. If the server has a new key, pin that; if not, \#
        somebody is in between.
        de: Der Schlüssel von {1} ist keiner der genannten Pins: er ist {2}. Hat der Server einen neuen \#
        Schlüssel, nimm diesen; wenn nicht, ist jemand dazwischen.
        ja: {1}の鍵はピンと違います：{2}。サーバーの鍵が新しくなったのなら、それをピンにしてください。そうでなければ、誰かが間に入っています。

        No trusted authorities are installed: there are none in {1}. Install the package ca-certificates, \#
        or give a file with --cacert.
        de: Es sind keine vertrauten Stellen installiert: in {1} gibt es keine. Installiere das Paket \#
        ca-certificates, oder gib eine Datei mit --cacert an.
        ja: 信頼できる認証局がありません（{1}）。ca-certificatesパッケージを入れるか、--cacertでファイルを指定してください。

        The authorities in {1} cannot be used: {2}.
        de: Die Stellen in {1} sind nicht zu gebrauchen: {2}.
        ja: {1}の認証局が使えません：{2}。

        The server's certificate or key cannot be used: {1}.
        de: Zertifikat oder Schlüssel des Servers sind nicht zu gebrauchen: {1}.
        ja: サーバーの証明書か鍵が使えません：{1}。

        TLS cannot be used: {1}.
        de: TLS ist nicht zu gebrauchen: {1}.
        ja: TLSが使えません：{1}。

        The server does not speak TLS at this port. Did you mean http:// instead of https://?
        de: Der Server spricht an diesem Port kein TLS. Meintest du http:// statt https://?
        ja: サーバーはこのポートでTLSを使っていません。https://ではなくhttp://のことですか？

        The server does not speak TLS 1.2 or 1.3, and older versions are not safe.
        de: Der Server spricht weder TLS 1.2 noch 1.3, und ältere Versionen sind nicht sicher.
        ja: サーバーはTLS 1.2も1.3も使えません。より古い版は安全ではありません。

        The connection ended in the middle of the TLS handshake. Is this a port for https?
        de: Die Verbindung endete mitten im TLS-Handshake. Ist das ein Port für https?
        ja: TLSハンドシェイクの途中で接続が終わりました。これはhttpsのポートですか？

        TLS could not be agreed on: {1}.
        de: Über TLS ließ sich nicht einig werden: {1}.
        ja: TLSで合意できませんでした：{1}。

        The TLS connection broke: {1}.
        de: Die TLS-Verbindung brach ab: {1}.
        ja: TLS接続が切れました：{1}。

        The message is malformed: {1}.
        de: Die Nachricht ist fehlerhaft: {1}.
        ja: メッセージの形式が正しくありません：{1}。

        The first line is longer than {1} bytes.
        de: Die erste Zeile ist länger als {1} Bytes.
        ja: 最初の行が{1}バイトを超えています。

        The header fields are longer than {1} bytes.
        de: Die Kopffelder sind länger als {1} Bytes.
        ja: ヘッダーフィールドが{1}バイトを超えています。

        There are more than {1} header fields.
        de: Es sind mehr als {1} Kopffelder.
        ja: ヘッダーフィールドが{1}個を超えています。

        The body is longer than {1} bytes.
        de: Der Inhalt ist länger als {1} Bytes.
        ja: 本文が{1}バイトを超えています。

        The only expectation that can be met is 100-continue.
        de: Erfüllt werden kann nur die Erwartung 100-continue.
        ja: 対応できるExpectは100-continueだけです。

        The only transfer coding that is understood is chunked.
        de: Verstanden wird nur die Übertragungskodierung chunked.
        ja: 対応している転送符号化はchunkedだけです。

        Only HTTP/1.1 and HTTP/1.0 are spoken here.
        de: Hier werden nur HTTP/1.1 und HTTP/1.0 gesprochen.
        ja: 対応しているのはHTTP/1.1とHTTP/1.0だけです。

        The connection ended in the middle of a message.
        de: Die Verbindung endete mitten in einer Nachricht.
        ja: メッセージの途中で接続が終わりました。
        """#
}
