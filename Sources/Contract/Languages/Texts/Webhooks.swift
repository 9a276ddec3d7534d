extension Catalogue {
    /// The messages of webhook verify.
    static let webhooks = #"""
        no empty line, after which the body begins
        de: keine leere Zeile, nach der der Inhalt beginnt
        ja: 本文の前の空行がありません

        more than one {1}
        de: mehr als ein {1}
        ja: {1}が二つ以上あります

        no {1}
        de: kein {1}
        ja: {1}がありません

        The request on standard input has {1}. Give it whole, header and body, or the body alone with \#
        --id, --timestamp and --signature.
        de: Die Anfrage auf der Standardeingabe hat {1}. Gib sie ganz, Kopf und Inhalt, oder nur den \#
        Inhalt mit --id, --timestamp und --signature.
        ja: 標準入力の要求が使えません（{1}）。ヘッダーと本文を丸ごと渡すか、--id、--timestamp、--signatureを付けて本文だけを渡してください。

        The signature is right: {1}, sent {2}.
        de: Die Signatur stimmt: {1}, gesendet {2}.
        ja: 署名は正しいです：{1}、送信 {2}。

        The signature is wrong
        de: Die Signatur ist falsch
        ja: 署名が正しくありません

        The time is wrong
        de: Die Zeit ist falsch
        ja: 時刻が正しくありません

        webhook-timestamp is no number of seconds.
        de: webhook-timestamp ist keine Anzahl von Sekunden.
        ja: webhook-timestampが秒数ではありません。

        It is too old
        de: Es ist zu alt
        ja: 古すぎます

        The signature is right, but it was sent {1}, more than five minutes ago: somebody may have kept it \#
        to send it again. --any-age looks at the signature alone.
        de: Die Signatur stimmt, aber es wurde {1} gesendet, vor mehr als fünf Minuten: jemand kann es \#
        aufgehoben haben, um es noch einmal zu senden. --any-age sieht nur die Signatur an.
        ja: 署名は正しいですが、送信は{1}で5分以上前です。誰かが取っておいて送り直したのかもしれません。--any-ageなら署名だけを見ます。

        It is from the future
        de: Es ist aus der Zukunft
        ja: 未来のものです

        The signature is right, but it was sent {1}, which is more than five minutes ahead of this \#
        machine's clock. --any-age looks at the signature alone.
        de: Die Signatur stimmt, aber es wurde {1} gesendet, das ist mehr als fünf Minuten vor der Uhr \#
        dieses Rechners. --any-age sieht nur die Signatur an.
        ja: 署名は正しいですが、送信は{1}で、このマシンの時計より5分以上先です。--any-ageなら署名だけを見ます。

        The signature is wrong, and right without the line break at the end: something has added that to \#
        the body.
        de: Die Signatur ist falsch, und ohne den Zeilenumbruch am Ende richtig: etwas hat ihn an den \#
        Inhalt gehängt.
        ja: 署名が正しくありませんが、末尾の改行を除くと正しくなります。何かが本文に改行を加えています。

        The signature is wrong. Either the body, the id or the time is not what was sent, to the byte, or \#
        the secret is another one.
        de: Die Signatur ist falsch. Entweder sind Inhalt, Id oder Zeit nicht auf das Byte genau, was \#
        gesendet wurde, oder das Geheimnis ist ein anderes.
        ja: 署名が正しくありません。本文、ID、時刻のどれかが送られたものと違うか、秘密鍵が別のものです。

        --{1} is missing: --id, --timestamp and --signature go together.
        de: --{1} fehlt: --id, --timestamp und --signature gehören zusammen.
        ja: --{1}がありません。--id、--timestamp、--signatureは一緒に使います。

        There is more than 1 MiB on standard input, which no delivery is.
        de: Auf der Standardeingabe ist mehr als 1 MiB; so groß ist keine Zustellung.
        ja: 標準入力が1 MiBを超えています。そのような配信はありません。

        The secret is missing: --secret-file F, or {1} in the environment.
        de: Das Geheimnis fehlt: --secret-file F, oder {1} in der Umgebung.
        ja: 秘密鍵がありません：--secret-file F、または環境変数{1}

        The secret cannot be used: {1}. It begins with whsec_.
        de: Das Geheimnis ist nicht zu gebrauchen: {1}. Es beginnt mit whsec_.
        ja: 秘密鍵が使えません：{1}。whsec_で始まるものです。

        You replayed failed deliveries often lately. Wait {1} s before the next time.
        de: Du hast fehlgeschlagene Zustellungen zuletzt oft wiederholt. Warte {1} s bis zum nächsten Mal.
        ja: 失敗した配信の再送が続いています。次まで{1}秒待ってください。
        """#
}
