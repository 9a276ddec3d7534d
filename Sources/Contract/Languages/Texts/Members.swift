extension Catalogue {
    /// The faults of a member of a body.
    static let members = #"""
        {1} or {2}
        de: {1} oder {2}
        ja: {1}または{2}

        A task
        de: Eine Aufgabe
        ja: タスク

        A tag
        de: Ein Stichwort
        ja: タグ

        A check-in
        de: Ein Check-in
        ja: チェックイン

        A note
        de: Eine Notiz
        ja: メモ

        A name
        de: Ein Name
        ja: 名前

        A URL
        de: Eine URL
        ja: URL

        A device token
        de: Ein Gerätetoken
        ja: デバイストークン

        A key in base64url
        de: Ein Schlüssel in base64url
        ja: base64urlのキー

        A report
        de: Eine Meldung
        ja: 報告

        A recovery code
        de: Ein Wiederherstellungscode
        ja: 復旧コード

        The code of an invite
        de: Der Code einer Einladung
        ja: 招待コード

        A time zone
        de: Eine Zeitzone
        ja: タイムゾーン

        A kind
        de: Eine Art
        ja: 種類

        An environment
        de: Eine Umgebung
        ja: 環境

        {1} may not be empty.
        de: {1} darf nicht leer sein.
        ja: {1}は空にできません。

        {1} has {2} to {3} characters, not {4}.
        de: {1} hat {2} bis {3} Zeichen, nicht {4}.
        ja: {1}の文字数は{2}～{3}です（今は{4}）。

        {1} may not contain control characters but line feeds.
        de: {1} darf außer Zeilenumbrüchen keine Steuerzeichen enthalten.
        ja: {1}には改行以外の制御文字を使えません。

        {1} may not contain control characters or line breaks.
        de: {1} darf keine Steuerzeichen und Zeilenumbrüche enthalten.
        ja: {1}には制御文字や改行を使えません。

        {1} needs a character that can be seen.
        de: {1} braucht ein sichtbares Zeichen.
        ja: {1}には目に見える文字が必要です。

        The URL has characters that a URL cannot have; they are written as %XX.
        de: Die URL hat Zeichen, die eine URL nicht haben kann; man schreibt sie als %XX.
        ja: URLに使えない文字があります。%XXの形で書いてください。

        The URL has to begin with https:// or http://.
        de: Die URL muss mit https:// oder http:// beginnen.
        ja: URLはhttps://かhttp://で始まる必要があります。

        The URL may have no fragment (#…).
        de: Die URL darf kein Fragment (#…) haben.
        ja: URLにフラグメント（#…）は付けられません。

        The URL may have no query (?…).
        de: Die URL darf keine Parameter (?…) haben.
        ja: URLにクエリー（?…）は付けられません。

        The URL may hold no user and no password.
        de: Die URL darf weder Benutzer noch Passwort enthalten.
        ja: URLにユーザー名やパスワードは入れられません。

        The address in the URL has no closing bracket.
        de: Der Adresse in der URL fehlt die schließende Klammer.
        ja: URL中のアドレスに閉じかっこがありません。

        What stands in the brackets is no IPv6 address.
        de: Was in den Klammern steht, ist keine IPv6-Adresse.
        ja: かっこの中がIPv6アドレスではありません。

        The URL has no host.
        de: Die URL hat keinen Host.
        ja: URLにホストがありません。

        {1} is no name of a host; one in other letters is written as xn--….
        de: {1} ist kein Name eines Hosts; einen mit anderen Buchstaben schreibt man als xn--….
        ja: {1}はホスト名ではありません。ほかの文字を含む名前は xn--… と書きます。

        The name of a host has at most {1} characters.
        de: Der Name eines Hosts hat höchstens {1} Zeichen.
        ja: ホスト名は{1}文字までです。

        Between the dots of a host there are at most {1} characters.
        de: Zwischen den Punkten eines Hosts stehen höchstens {1} Zeichen.
        ja: ホスト名のドットの間は{1}文字までです。

        Between the dots of {1} something is missing, or begins or ends with a hyphen.
        de: Zwischen den Punkten von {1} fehlt etwas, oder etwas beginnt oder endet mit einem \#
        Bindestrich.
        ja: {1}のドットの間に何もないか、ハイフンで始まる・終わる部分があります。

        {1} is no IPv4 address of four decimal numbers.
        de: {1} ist keine IPv4-Adresse aus vier Dezimalzahlen.
        ja: {1}は四つの十進数からなるIPv4アドレスではありません。

        The port in the URL has to be a number from 1 to 65535.
        de: Der Port in der URL muss eine Zahl von 1 bis 65535 sein.
        ja: URLのポートは1～65535の数値でなければなりません。

        with is favourites or anyone.
        de: with ist favourites oder anyone.
        ja: withはfavouritesかanyoneです。

        A device token is written in pairs of hexadecimal digits.
        de: Ein Gerätetoken besteht aus Paaren hexadezimaler Ziffern.
        ja: デバイストークンは十六進数2桁ずつで書きます。

        environment is production or sandbox.
        de: environment ist production oder sandbox.
        ja: environmentはproductionかsandboxです。

        The URL of a browser's subscription begins with https://.
        de: Die URL des Abonnements eines Browsers beginnt mit https://.
        ja: ブラウザの購読URLはhttps://で始まります。

        kind is webhook, apns or webpush.
        de: kind ist webhook, apns oder webpush.
        ja: kindはwebhook、apns、webpushのいずれかです。

        There is no such notification; there is {1}.
        de: Diese Benachrichtigung gibt es nicht; es gibt {1}.
        ja: そのような通知はありません。あるのは{1}です。

        invite has a slot already: leave {1} out.
        de: invite hat schon eine Zeit: lass {1} weg.
        ja: inviteには時間が決まっています。{1}を省いてください。

        timeZone goes with localSlots; slots are instants.
        de: timeZone gehört zu localSlots; slots sind Zeitpunkte.
        ja: timeZoneはlocalSlotsと使います。slotsは絶対時刻です。

        Give either slots or localSlots, not both.
        de: Gib entweder slots oder localSlots an, nicht beides.
        ja: slotsとlocalSlotsは、どちらか一方だけにしてください。

        slots is missing: give slots, localSlots or invite.
        de: slots fehlt: gib slots, localSlots oder invite an.
        ja: slotsがありません。slots、localSlots、inviteのいずれかを指定してください。

        This has to be a time with an offset as in RFC 3339, like 2027-03-28T09:30:00Z.
        de: Das muss eine Zeit mit Verschiebung nach RFC 3339 sein, wie 2027-03-28T09:30:00Z.
        ja: 2027-03-28T09:30:00Z のような、オフセット付きのRFC 3339形式の時刻でなければなりません。

        This has to be a local time without an offset, like 2027-03-28T09:30.
        de: Das muss eine Ortszeit ohne Verschiebung sein, wie 2027-03-28T09:30.
        ja: 2027-03-28T09:30 のような、オフセットなしの現地時刻でなければなりません。

        This has to be a time of day like 09:00.
        de: Das muss eine Uhrzeit wie 09:00 sein.
        ja: 09:00 のような時刻でなければなりません。

        This has to be a day like 2027-03-28, not {1}.
        de: Das muss ein Tag wie 2027-03-28 sein, nicht {1}.
        ja: {1}ではなく、2027-03-28 のような日付でなければなりません。

        This has to be a day like 2027-03-28.
        de: Das muss ein Tag wie 2027-03-28 sein.
        ja: 2027-03-28 のような日付でなければなりません。

        task, tag, with and quiet change until the room opens, and checkIn, outcome and note after \#
        that: send one or the other.
        de: task, tag, with und quiet lassen sich ändern, bis der Raum öffnet, checkIn, outcome und \#
        note danach: sende das eine oder das andere.
        ja: task・tag・with・quietは部屋が開くまで、checkIn・outcome・noteはその後に変更できます。どちらか一方を送ってください。

        A note is about an outcome: give one, or leave the note out.
        de: Eine Notiz gehört zu einem Ergebnis: gib eines an, oder lass die Notiz weg.
        ja: メモは結果に付けるものです。結果を指定するか、メモを省いてください。

        a rule has FREQ, INTERVAL, BYDAY, WKST, and COUNT or UNTIL
        de: eine Regel hat FREQ, INTERVAL, BYDAY, WKST und COUNT oder UNTIL
        ja: 規則に使えるのはFREQ、INTERVAL、BYDAY、WKSTと、COUNTかUNTILです

        A rule has at most {1} characters, none of them a space: like FREQ=WEEKLY;BYDAY=MO,FR.
        de: Eine Regel hat höchstens {1} Zeichen, darunter kein Leerzeichen: wie \#
        FREQ=WEEKLY;BYDAY=MO,FR.
        ja: 規則は空白なしで{1}文字までです。例：FREQ=WEEKLY;BYDAY=MO,FR

        FREQ is missing: a rule begins with FREQ=DAILY or FREQ=WEEKLY.
        de: FREQ fehlt: eine Regel beginnt mit FREQ=DAILY oder FREQ=WEEKLY.
        ja: FREQがありません。規則はFREQ=DAILYかFREQ=WEEKLYで始めます。

        COUNT and UNTIL exclude each other: leave one out.
        de: COUNT und UNTIL schließen sich aus: lass eines weg.
        ja: COUNTとUNTILは同時に使えません。一方を省いてください。

        The rule is out of bounds.
        de: Die Regel liegt außerhalb der Grenzen.
        ja: 規則が範囲外です。

        A rule has parts like FREQ=DAILY, separated by semicolons.
        de: Eine Regel hat Teile wie FREQ=DAILY, durch Strichpunkte getrennt.
        ja: 規則は FREQ=DAILY のような部分をセミコロンで区切ります。

        {1} is there twice.
        de: {1} steht zweimal da.
        ja: {1}が二度あります。

        WKST is one of MO, TU, WE, TH, FR, SA and SU.
        de: WKST ist eines von MO, TU, WE, TH, FR, SA und SU.
        ja: WKSTはMO、TU、WE、TH、FR、SA、SUのいずれかです。

        {1} is no part of a rule. Days that are left out stand in exdates, and the first one in \#
        startDate.
        de: {1} ist kein Teil einer Regel. Ausgelassene Tage stehen in exdates, der erste in startDate.
        ja: {1}は規則の一部ではありません。除く日はexdatesに、最初の日はstartDateに書きます。

        {1} is not supported: {2}.
        de: {1} geht hier nicht: {2}.
        ja: {1}には対応していません：{2}。

        There is no part {1}: {2}.
        de: Einen Teil {1} gibt es nicht: {2}.
        ja: {1}という部分はありません：{2}。

        FREQ is DAILY or WEEKLY.
        de: FREQ ist DAILY oder WEEKLY.
        ja: FREQはDAILYかWEEKLYです。

        FREQ={1} is not supported: FREQ is DAILY or WEEKLY.
        de: FREQ={1} geht hier nicht: FREQ ist DAILY oder WEEKLY.
        ja: FREQ={1}には対応していません。FREQはDAILYかWEEKLYです。

        {1} is a number from {2} to {3}.
        de: {1} ist eine Zahl von {2} bis {3}.
        ja: {1}は{2}～{3}の数値です。

        UNTIL is the last day, without a time, like UNTIL=20270331: it is a local day.
        de: UNTIL ist der letzte Tag, ohne Uhrzeit, wie UNTIL=20270331: es ist ein Tag am Ort.
        ja: UNTILは UNTIL=20270331 のような、時刻なしの最後の日（現地の日付）です。

        BYDAY={1} is not supported: numbers before a day are for months.
        de: BYDAY={1} geht hier nicht: Zahlen vor einem Tag sind für Monate.
        ja: BYDAY={1}には対応していません。曜日の前の数字は月単位の規則用です。

        BYDAY has days of the week, separated by commas: MO, TU, WE, TH, FR, SA or SU.
        de: BYDAY hat Wochentage, durch Kommas getrennt: MO, TU, WE, TH, FR, SA oder SU.
        ja: BYDAYは曜日をカンマで区切ります：MO、TU、WE、TH、FR、SA、SU

        BYDAY has {1} twice.
        de: BYDAY hat {1} zweimal.
        ja: BYDAYに{1}が二度あります。
        """#
}
