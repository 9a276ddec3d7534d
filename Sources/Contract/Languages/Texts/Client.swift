extension Catalogue {
    /// The suggestions of the client library.
    static let client = #"""
        Sign in again: the server does not take your token any more.
        de: Melde dich neu an: Der Server nimmt dein Token nicht mehr an.
        ja: サインインし直してください。トークンが受け付けられません。

        The server is restarting: nothing to do, you will be back in a moment.
        de: Der Server startet neu: nichts zu tun, gleich bist du wieder da.
        ja: サーバーが再起動中です。そのままお待ちください。すぐに戻ります。

        The server has too much to do: nothing to do, it is tried again.
        de: Der Server hat zu viel zu tun: nichts zu tun, es wird neu versucht.
        ja: サーバーが混み合っています。そのままお待ちください。自動で再試行します。

        The server has a fault: nothing to do, it is tried again.
        de: Der Server hat einen Fehler: nichts zu tun, es wird neu versucht.
        ja: サーバーに不具合があります。そのままお待ちください。自動で再試行します。

        The server cannot be reached: check the network.
        de: Der Server ist nicht erreichbar: prüfe das Netz.
        ja: サーバーに接続できません。ネットワークを確認してください。

        The connection is too slow or comes and goes: check the network.
        de: Die Verbindung ist zu langsam oder kommt und geht: prüfe das Netz.
        ja: 接続が遅いか不安定です。ネットワークを確認してください。

        Your clock differs from the server's: check the clock of this machine.
        de: Deine Uhr weicht von der des Servers ab: prüfe die Uhr dieses Rechners.
        ja: 時計がサーバーとずれています。このマシンの時計を確認してください。

        The server cannot prove who it is: check its address, and the clock of this machine.
        de: Der Server kann sich nicht ausweisen: prüfe seine Adresse und die Uhr dieses Rechners.
        ja: サーバーの身元を確認できません。アドレスとこのマシンの時計を確認してください。

        What answers is not this service: check the address, or sign in to the network.
        de: Was antwortet, ist nicht dieser Dienst: prüfe die Adresse, oder melde dich beim Netz an.
        ja: 応答しているのはこのサービスではありません。アドレスを確認するか、ネットワークにログインしてください。

        Too many of your devices are in this room: leave it on one of them.
        de: Zu viele deiner Geräte sind in diesem Raum: verlasse ihn mit einem.
        ja: この部屋に入っている端末が多すぎます。どれか一つで退出してください。

        The room is over: register for another slot.
        de: Der Raum ist vorbei: trage dich für eine andere Zeit ein.
        ja: この部屋は終わりました。別の時間に登録してください。

        You are not in this room any more: look at your registrations.
        de: Du bist nicht mehr in diesem Raum: sieh deine Eintragungen an.
        ja: もうこの部屋にはいません。登録を確認してください。

        Client and server do not understand each other: update this program.
        de: Programm und Server verstehen sich nicht: aktualisiere dieses Programm.
        ja: プログラムとサーバーの互換性がありません。このプログラムを更新してください。

        The server did not answer in time.
        de: Der Server hat nicht rechtzeitig geantwortet.
        ja: サーバーが時間内に応答しませんでした。

        It was cancelled.
        de: Es wurde abgebrochen.
        ja: 中止されました。

        {1} messages wait to be sent already. Wait until some have left, or cancel them.
        de: Schon {1} Nachrichten warten darauf, gesendet zu werden. Warte, bis einige weg sind, oder \#
        brich sie ab.
        ja: すでに{1}件のメッセージが送信待ちです。いくつか送られるまで待つか、取り消してください。

        The room has closed.
        de: Der Raum ist geschlossen.
        ja: 部屋が閉じました。

        There is no connection to the room now.
        de: Gerade gibt es keine Verbindung zum Raum.
        ja: 今は部屋に接続していません。

        Send a JSON object with a type; a messageId has 1 to 64 characters, and a status is getting-ready, \#
        ready or null.
        de: Sende ein JSON-Objekt mit einem type; eine messageId hat 1 bis 64 Zeichen, und ein status ist \#
        getting-ready, ready oder null.
        ja: typeを持つJSONオブジェクトを送ってください。messageIdは1～64文字、statusはgetting-ready、ready、nullのいずれかです。

        This room takes messages of the types ale, status and ping.
        de: Dieser Raum nimmt Nachrichten der Typen ale, status und ping.
        ja: この部屋が受け付けるメッセージのtypeはale、status、pingです。

        This ale names another room. Leave out id, or send it there.
        de: Dieses Ale nennt einen anderen Raum. Lass id weg, oder sende es dorthin.
        ja: このエールは別の部屋を指しています。idを省くか、その部屋に送ってください。

        This message was dropped. Send them more slowly.
        de: Diese Nachricht wurde verworfen. Sende sie langsamer.
        ja: このメッセージは破棄されました。間隔を空けて送ってください。
        """#
}
