extension Catalogue {
    /// The outcomes of deliveries, some of which are in the database in English.
    static let deliveries = #"""
        delivered
        de: zugestellt
        ja: 配信済み

        retried
        de: wiederholt
        ja: 再試行

        exhausted
        de: aufgegeben
        ja: 断念

        refused
        de: abgelehnt
        ja: 拒否

        expired
        de: verfallen
        ja: 期限切れ

        gone
        de: erloschen
        ja: 消滅

        403: the server's VAPID_SUBJECT is not set
        de: 403: VAPID_SUBJECT ist auf dem Server nicht gesetzt
        ja: 403：サーバーにVAPID_SUBJECTが設定されていません

        its session has ended
        de: seine Sitzung ist beendet
        ja: セッションが終了しました

        it has failed for five days: {1}
        de: seit fünf Tagen schlägt es fehl: {1}
        ja: 5日間失敗が続いています：{1}

        given up for other tests: the answer took long
        de: für andere Tests aufgegeben: die Antwort dauerte lange
        ja: 応答が遅いため、ほかのテストを優先して中止しました

        the message is too long for Apple's push service
        de: die Nachricht ist zu lang für Apples Pushdienst
        ja: メッセージがAppleのプッシュサービスには長すぎます

        the service does not take the token
        de: der Dienst nimmt das Token nicht an
        ja: サービスがトークンを受け付けません

        its push service has not accepted a push yet
        de: der Push-Dienst hat noch keine Meldung angenommen
        ja: プッシュサービスがまだ通知を受け付けていません

        the push was accepted, and that could not be stored
        de: die Meldung wurde angenommen, das ließ sich aber nicht speichern
        ja: 通知は受け付けられましたが、それを保存できませんでした

        {1}: a push service answers 201
        de: {1}: ein Push-Dienst antwortet mit 201
        ja: {1}: プッシュサービスは201で応答します

        it came too late to be of use
        de: es kam zu spät, um noch zu nützen
        ja: 遅すぎて役に立たなくなりました

        no URL
        de: keine URL
        ja: URLがありません

        the host's name has no address: {1}
        de: der Name des Rechners hat keine Adresse: {1}
        ja: ホスト名にアドレスがありません：{1}

        the host has no address of the public Internet
        de: der Rechner hat keine Adresse im öffentlichen Internet
        ja: ホストに公開インターネットのアドレスがありません

        none was found
        de: es wurde keine gefunden
        ja: 見つかりませんでした

        nobody waits for it any more
        de: niemand wartet mehr darauf
        ja: もう待っているものがありません

        this server sends nothing to Apple's push service
        de: dieser Server sendet nichts an Apples Pushdienst
        ja: このサーバーはAppleのプッシュサービスに送信しません

        the endpoint has no URL
        de: der Endpunkt hat keine URL
        ja: エンドポイントにURLがありません

        {1}: the browser is gone
        de: {1}: den Browser gibt es nicht mehr
        ja: {1}：ブラウザの登録がなくなっています

        413: the message is too long for the push service
        de: 413: die Nachricht ist zu lang für den Pushdienst
        ja: 413：メッセージがプッシュサービスには長すぎます

        the message cannot be written
        de: die Nachricht lässt sich nicht schreiben
        ja: メッセージを作成できません

        {1}: redirects are not followed
        de: {1}: Weiterleitungen wird nicht gefolgt
        ja: {1}：リダイレクトには従いません

        410: the receiver is gone
        de: 410: den Empfänger gibt es nicht mehr
        ja: 410：受信側がなくなっています

        the challenge cannot be written
        de: die Prüfung lässt sich nicht schreiben
        ja: 確認用メッセージを作成できません

        {1}: the challenge was not echoed
        de: {1}: die Prüfung wurde nicht beantwortet
        ja: {1}：確認用の値が返されませんでした

        the challenge was echoed, and that could not be stored
        de: die Prüfung wurde beantwortet, was sich nicht speichern ließ
        ja: 確認用の値は返されましたが、保存できませんでした

        its endpoint takes nothing at the moment
        de: sein Endpunkt nimmt gerade nichts an
        ja: エンドポイントは今、受け付けていません

        the certificate has expired
        de: das Zertifikat ist abgelaufen
        ja: 証明書の期限が切れています

        the certificate is not valid yet
        de: das Zertifikat gilt noch nicht
        ja: 証明書はまだ有効ではありません

        the certificate is for another name
        de: das Zertifikat ist für einen anderen Namen
        ja: 証明書が別の名前のものです

        the certificate is signed by itself
        de: das Zertifikat ist von sich selbst signiert
        ja: 証明書は自己署名です

        the certificate is signed by an authority that is not trusted
        de: das Zertifikat ist von einer Stelle signiert, der nicht vertraut wird
        ja: 証明書に署名した認証局は信頼されていません

        not reached: {1}
        de: nicht erreicht: {1}
        ja: 到達できません：{1}

        no answer in time
        de: keine rechtzeitige Antwort
        ja: 時間内に応答がありません

        TLS: {1}
        de: TLS: {1}
        ja: TLS：{1}

        the answer is too large
        de: die Antwort ist zu groß
        ja: 応答が大きすぎます

        not sent: {1}
        de: nicht gesendet: {1}
        ja: 未送信：{1}

        libcurl refuses the request
        de: libcurl lehnt die Anfrage ab
        ja: libcurlがリクエストを拒否しました

        given up
        de: aufgegeben
        ja: 中断しました

        An operator has disabled this endpoint: {1}.
        de: Ein Betreiber hat diesen Endpunkt abgeschaltet: {1}.
        ja: 運営者がこのエンドポイントを無効にしました：{1}

        This endpoint is disabled ({1}). Register the device or browser again first.
        de: Dieser Endpunkt ist abgeschaltet ({1}). Melde das Gerät oder den Browser zuerst wieder an.
        ja: このエンドポイントは無効になっています（{1}）。先に端末またはブラウザをもう一度登録してください。

        Notifications to one of your devices have stopped: {1}. Open the app there to resume.
        de: Die Benachrichtigungen an eines deiner Geräte haben aufgehört: {1}. Öffne dort die App, damit \#
        sie wieder kommen.
        ja: あなたの端末の一つへの通知が止まりました：{1}。再開するには、その端末でアプリを開いてください。

        Notifications to one of your browsers have stopped: {1}. Turn them on there to resume.
        de: Die Benachrichtigungen an einen deiner Browser haben aufgehört: {1}. Schalte sie dort wieder ein.
        ja: あなたのブラウザの一つへの通知が止まりました：{1}。再開するには、そのブラウザで通知をもう一度オンにしてください。

        Notifications to your webhook at {1} have stopped: {2}. Resume it once it works.
        de: Die Benachrichtigungen an deinen Webhook bei {1} haben aufgehört: {2}. Setze ihn fort, sobald \#
        er wieder geht.
        ja: {1}のWebhookへの通知が止まりました：{2}。直ったら再開してください。
        """#
}
