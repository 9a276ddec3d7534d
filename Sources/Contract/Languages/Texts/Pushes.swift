extension Catalogue {
    /// The texts of pushes.
    static let pushes = #"""
        It works
        de: Es klappt
        ja: 届きました

        Notifications of Let's Switch reach this device.
        de: Benachrichtigungen von Let's Switch erreichen dieses Gerät.
        ja: Let's Switchの通知はこの端末に届きます。

        Notifications end here
        de: Hier enden die Benachrichtigungen
        ja: この端末への通知は終わります

        Your session in this browser has ended. Sign in again to be notified.
        de: Deine Sitzung in diesem Browser ist beendet. Melde dich wieder an, um benachrichtigt zu werden.
        ja: このブラウザのセッションは終了しました。通知を受け取るには、もう一度サインインしてください。

        Your room is open
        de: Dein Raum ist offen
        ja: 部屋が開きました

        Your room has changed
        de: Dein Raum hat sich geändert
        ja: 部屋が変わりました

        You missed a session
        de: Du hast eine Sitzung verpasst
        ja: セッションに参加しませんでした

        The next one is yours to take.
        de: Die nächste gehört dir.
        ja: 次の機会をお待ちしています。

        A session did not take place
        de: Eine Sitzung fand nicht statt
        ja: セッションは行われませんでした

        The service was down. It was not your fault, and does not count.
        de: Der Dienst war ausgefallen. Es lag nicht an dir und zählt nicht.
        ja: サービスが停止していました。あなたのせいではなく、記録にも残りません。

        Well done
        de: Gut gemacht
        ja: お疲れさまでした

        You sent one ale and received one ale.
        de: Du hast ein Ale gesendet und eines bekommen.
        ja: エールを1回送り、1回受け取りました。

        You sent one ale and received {1} ales.
        de: Du hast ein Ale gesendet und {1} bekommen.
        ja: エールを1回送り、{1}回受け取りました。

        You sent {1} ales and received one ale.
        de: Du hast {1} Ales gesendet und eines bekommen.
        ja: エールを{1}回送り、1回受け取りました。

        You sent {1} ales and received {2} ales.
        de: Du hast {1} Ales gesendet und {2} bekommen.
        ja: エールを{1}回送り、{2}回受け取りました。

        There is a notification for you.
        de: Es gibt eine Benachrichtigung für dich.
        ja: 通知が届いています。

        It has begun.
        de: Es hat begonnen.
        ja: 始まっています。

        It begins in a minute.
        de: Es beginnt in einer Minute.
        ja: 1分後に始まります。

        It begins in {1} minutes.
        de: Es beginnt in {1} Minuten.
        ja: {1}分後に始まります。

        {1} Nobody else is here so far, and somebody may still come.
        de: {1} Noch ist sonst niemand da, es kann aber noch jemand kommen.
        ja: {1}まだほかに誰もいませんが、これから来るかもしれません。

        {1} {2} and one other are with you.
        de: {1} {2} und noch jemand sind bei dir.
        ja: {1}{2}さんともう1人が一緒です。

        {1} {2} and {3} others are with you.
        de: {1} {2} und {3} andere sind bei dir.
        ja: {1}{2}さんとほかの{3}人が一緒です。

        {1} {2} is with you.
        de: {1} {2} ist bei dir.
        ja: {1}{2}さんが一緒です。

        {1} {2} is with you: {3}
        de: {1} {2} ist bei dir: {3}
        ja: {1}{2}さんが一緒です：{3}

        You are not alone
        de: Du bist nicht allein
        ja: 一緒の人がいます

        Somebody else works then too. {1}
        de: Dann arbeitet noch jemand. {1}
        ja: その時間にほかの人も参加します。{1}

        You are alone for now
        de: Du bist vorerst allein
        ja: 今のところひとりです

        Nobody else is registered any more, and somebody may still come. {1}
        de: Sonst ist niemand mehr eingetragen, es kann aber noch jemand kommen. {1}
        ja: 登録しているほかの人がいなくなりましたが、これから来るかもしれません。{1}

        It begins in {1} hours.
        de: Es beginnt in {1} Stunden.
        ja: {1}時間後に始まります。

        It begins in {1} days.
        de: Es beginnt in {1} Tagen.
        ja: {1}日後に始まります。
        """#
}
