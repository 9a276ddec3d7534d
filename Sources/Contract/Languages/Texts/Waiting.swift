extension Catalogue {
    /// The keys of join, words about sessions, and the messages of wait.
    static let waiting = #"""
        ? hides this
        de: ? verbirgt das
        ja: ? 隠す

        ? shows keys
        de: ? zeigt Tasten
        ja: ? キー一覧

        q leaves · {1}
        de: q geht · {1}
        ja: q 退出 · {1}

        space: ale · q leaves · {1}
        de: Leer: Ale · q geht · {1}
        ja: スペース: エール · q 退出 · {1}

        space or Enter sends an ale · q leaves · {1}
        de: Leertaste oder Enter sendet ein Ale · q geht · {1}
        ja: スペースか Enter でエール · q 退出 · {1}

        space, Enter
        de: Leer, Enter
        ja: スペース、Enter

        send an ale
        de: ein Ale senden
        ja: エールを送る

        say that you are ready, or not
        de: sagen, dass du bereit bist, oder nicht
        ja: 準備完了を伝える・取り消す

        say that you are getting ready, or not
        de: sagen, dass du dich bereit machst, oder nicht
        ja: 準備中を伝える・取り消す

        leave
        de: gehen
        ja: 退出する

        hide this again
        de: das wieder verbergen
        ja: これを隠す

        suspend; fg goes on
        de: anhalten; fg macht weiter
        ja: 一時停止（fgで再開）

        end at once
        de: sofort beenden
        ja: すぐに終了する

        any key
        de: jede Taste
        ja: 任意のキー

        retry a lost connection
        de: verlorene Verbindung neu versuchen
        ja: 切れた接続を再試行する

        no sound: --no-bell, {1}=off
        de: kein Ton: --no-bell, {1}=off
        ja: 音なし：--no-bell、{1}=off

        done
        de: geschafft
        ja: できた

        partly done
        de: zum Teil geschafft
        ja: 途中まで

        not done
        de: nicht geschafft
        ja: できなかった

        getting ready
        de: in Vorbereitung
        ja: 準備中

        ready
        de: bereit
        ja: 準備完了

        checked in: {1}
        de: eingecheckt: {1}
        ja: チェックイン：{1}

        The registration was cancelled.
        de: Die Eintragung wurde abgesagt.
        ja: 登録は取り消されました。

        The session is over.
        de: Die Sitzung ist vorbei.
        ja: セッションは終わりました。

        The room was closed.
        de: Der Raum wurde geschlossen.
        ja: 部屋は閉じられました。

        The service was down for the whole slot.
        de: Der Dienst war die ganze Zeit ausgefallen.
        ja: この時間中ずっとサービスが停止していました。

        The room is open.
        de: Der Raum ist offen.
        ja: 部屋が開いています。

        The room is open, with {1}.
        de: Der Raum ist offen, mit {1}.
        ja: 部屋が開いています（{1}）。

        You are with {1}.
        de: Du bist mit {1} zusammen.
        ja: {1}さんと一緒です。

        In the room: {1}.
        de: Im Raum: {1}.
        ja: 部屋にいる人：{1}。

        you are alone so far
        de: du bist bisher allein
        ja: 今のところひとりです

        waiting for {1}: the room is open, {2}
        de: Warten auf {1}: der Raum ist offen, {2}
        ja: 待っています（{1}）：部屋は開いています、{2}

        You have a partner for {1}.
        de: Für {1} ist noch jemand da.
        ja: {1}にはパートナーがいます。

        a partner
        de: jemanden
        ja: パートナー

        the room to open
        de: das Öffnen des Raums
        ja: 開室

        a partner to enter the room
        de: jemanden im Raum
        ja: パートナーの入室

        --until takes one of {1}.
        de: --until nimmt eines von {1}.
        ja: --untilには{1}のいずれかを指定してください。

        --until takes one of {1}, and not "{2}".
        de: --until nimmt eines von {1}, nicht "{2}".
        ja: --untilには{1}のいずれかを指定してください（"{2}"は使えません）。

        It cannot happen any more
        de: Das kann nicht mehr geschehen
        ja: もうその状態にはなりません

        There is nothing to wait for
        de: Es gibt nichts, worauf zu warten wäre
        ja: 待つものがありません

        You are registered for nothing. Register first: letsswitch register "What you will do" --at next
        de: Du bist für nichts eingetragen. Trage dich zuerst ein: letsswitch register "Was du tun \#
        wirst" --at next
        ja: 登録がありません。まず登録してください：letsswitch register "やること" --at next
        """#
}
