extension Catalogue {
    /// The refusals of calls about registrations, routines, rooms and people.
    static let sessions = #"""
        The room of this slot has opened, and here nobody can cancel after that: somebody counts on you.
        de: Der Raum für diese Zeit ist offen, und danach kann hier niemand absagen: jemand rechnet mit \#
        dir.
        ja: この時間の部屋はすでに開きました。ここでは開いた後の取り消しはできません。あなたを待っている人がいます。

        This slot is over, so there is nothing to cancel.
        de: Diese Zeit ist vorbei, es gibt also nichts abzusagen.
        ja: この時間は終了したので、取り消すものはありません。

        This slot can no longer be had, so nobody can be invited.
        de: Diese Zeit ist nicht mehr zu haben, deshalb kann niemand eingeladen werden.
        ja: この時間にはもう登録できないため、招待もできません。

        There is no such invite. It may have been taken back, or replaced by another one.
        de: Diese Einladung gibt es nicht. Vielleicht wurde sie zurückgenommen oder durch eine andere \#
        ersetzt.
        ja: その招待はありません。取り消されたか、別の招待に置き換えられたかもしれません。

        This invite can no longer be used. Ask for another, or register by yourself.
        de: Diese Einladung gilt nicht mehr. Bitte um eine andere, oder trage dich selbst ein.
        ja: この招待はもう使えません。別の招待をもらうか、自分で登録してください。

        It can no longer be used.
        de: Sie gilt nicht mehr.
        ja: もう使えません。

        This is your own invite: hand it on to somebody else.
        de: Das ist deine eigene Einladung: gib sie jemand anderem.
        ja: これはあなた自身の招待です。ほかの人に渡してください。

        It is your own.
        de: Es ist deine eigene.
        ja: あなた自身のものです。

        You are registered for this slot already; change or cancel that one.
        de: Du bist für diese Zeit schon eingetragen; ändere diese Eintragung, oder sage sie ab.
        ja: この時間はすでに登録済みです。その登録を変更するか取り消してください。

        You are registered for this slot already.
        de: Du bist für diese Zeit schon eingetragen.
        ja: この時間はすでに登録済みです。

        No slot starts then: they start every {1} seconds from 00:00 UTC.
        de: Dann beginnt keine Zeit: sie beginnen ab 00:00 UTC alle {1} Sekunden.
        ja: その時刻には始まりません。時間は00:00 UTCから{1}秒ごとに始まります。

        A slot can be had at most 1 day ahead.
        de: Eine Zeit ist höchstens 1 Tag im Voraus zu haben.
        ja: 登録できるのは1日先までです。

        A slot can be had at most {1} days ahead.
        de: Eine Zeit ist höchstens {1} Tage im Voraus zu haben.
        ja: 登録できるのは{1}日先までです。

        This slot is in the list twice.
        de: Diese Zeit steht zweimal in der Liste.
        ja: この時間がリストに二度入っています。

        This slot overlaps that of {1}.
        de: Diese Zeit überschneidet sich mit der von {1}.
        ja: この時間は{1}の時間と重なっています。

        Sessions of yours would overlap: choose another start or length, or cancel the other.
        de: Sitzungen von dir würden sich überschneiden: wähle einen anderen Beginn oder eine andere \#
        Länge, oder sage die andere ab.
        ja: セッションが重なってしまいます。開始時刻や長さを変えるか、もう一方を取り消してください。

        You have a session from {1} to {2}.
        de: Du hast eine Sitzung von {1} bis {2}.
        ja: {1}から{2}までのセッションがあります。

        minutes has to be {1}.
        de: minutes muss {1} sein.
        ja: minutesは{1}でなければなりません。

        This slot can no longer be had; choose a later one.
        de: Diese Zeit ist nicht mehr zu haben; wähle eine spätere.
        ja: この時間にはもう登録できません。後の時間を選んでください。

        It is too late for this slot.
        de: Für diese Zeit ist es zu spät.
        ja: この時間にはもう間に合いません。

        This registration is cancelled. Make a new one.
        de: Diese Eintragung ist abgesagt. Mache eine neue.
        ja: この登録は取り消されています。新しく登録してください。

        The room opens or is open: it stays as it is now.
        de: Der Raum öffnet gerade oder ist offen: es bleibt, wie es ist.
        ja: 部屋が開くところか、すでに開いています。もう変更できません。

        This slot is over: it stays as it was.
        de: Diese Zeit ist vorbei: es bleibt, wie es war.
        ja: この時間は終了しました。変更できません。

        It opens at {1}.
        de: Er öffnet um {1}.
        ja: 部屋は{1}に開きます。

        It is about to open: try again in a moment.
        de: Er öffnet gleich: versuche es in einem Augenblick noch einmal.
        ja: まもなく開きます。少し待ってからお試しください。

        You can check in once you have a room, and say how it went. {1}
        de: Einchecken und sagen, wie es lief, kannst du, sobald du einen Raum hast. {1}
        ja: チェックインや結果の報告は、部屋ができてから行えます。{1}

        This registration is cancelled, so there is no session to speak of.
        de: Diese Eintragung ist abgesagt, es gibt also keine Sitzung.
        ja: この登録は取り消されているので、セッションはありません。

        The service was down for this slot, so there was no session.
        de: Der Dienst war zu dieser Zeit ausgefallen, deshalb gab es keine Sitzung.
        ja: この時間はサービスが停止していたので、セッションはありませんでした。

        This session is over: a check-in is for its time. Say how it went by outcome.
        de: Diese Sitzung ist vorbei: Einchecken geht nur währenddessen. Sage mit outcome, wie es lief.
        ja: このセッションは終了しました。チェックインはセッション中のものです。結果はoutcomeで伝えてください。

        This session begins at {1}. Say how it went from then on.
        de: Diese Sitzung beginnt um {1}. Wie es lief, kannst du von da an sagen.
        ja: このセッションは{1}に始まります。結果はその後に伝えられます。

        How this session went could be said until {1}: it stays as it is.
        de: Wie diese Sitzung lief, ließ sich bis {1} sagen: es bleibt, wie es ist.
        ja: このセッションの結果を伝えられるのは{1}まででした。もう変更できません。

        A note is about an outcome: send outcome along with it.
        de: Eine Notiz gehört zu einem Ergebnis: sende outcome mit.
        ja: メモは結果に付けるものです。outcomeも一緒に送ってください。

        A day can be left out at most 366 days ahead.
        de: Ein Tag lässt sich höchstens 366 Tage im Voraus auslassen.
        ja: 休みにできるのは366日先までです。

        The routine has no such day that is still to come.
        de: Die Routine hat keinen solchen Tag mehr vor sich.
        ja: このくり返しに、これから来るそのような日はありません。

        The room of this day opens or is open. Cancel the registration instead: DELETE {1}.
        de: Der Raum dieses Tages öffnet gerade oder ist offen. Sage stattdessen die Eintragung ab: \#
        DELETE {1}.
        ja: この日の部屋は開くところか、すでに開いています。代わりに登録を取り消してください：DELETE {1}

        The server has no rules for the time zone {1}. Choose another one, from GET {2}.
        de: Der Server hat keine Regeln für die Zeitzone {1}. Wähle eine andere, aus GET {2}.
        ja: サーバーにはタイムゾーン {1} の規則がありません。GET {2} から別のものを選んでください。

        The rules of the time zone {1} have changed. Your routine at {2} keeps that time there, so sessions \#
        of it have moved: {3} of {4}.
        de: Die Regeln der Zeitzone {1} haben sich geändert. Deine Routine um {2} behält dort ihre Zeit, \#
        darum haben sich Sitzungen verschoben: {3} von {4}.
        ja: タイムゾーン {1} の規則が変わりました。{2} のくり返しは現地のその時刻のままにするため、{4} 件のうち {3} 件のセッションが移動しました。

        As many days as may be are left out. Change the rule instead.
        de: Mehr Tage dürfen nicht ausgelassen werden. Ändere stattdessen die Regel.
        ja: 休みの日数が上限です。代わりに規則を変更してください。

        This day is not left out.
        de: Dieser Tag ist nicht ausgelassen.
        ja: この日は休みになっていません。

        You have {1} routines, which is as many as you may have. Delete one first.
        de: Du hast {1} Routinen, mehr dürfen es nicht sein. Lösche zuerst eine.
        ja: くり返しは{1}個で上限です。先に一つ削除してください。

        The first day is at most 366 days past or ahead.
        de: Der erste Tag liegt höchstens 366 Tage zurück oder voraus.
        ja: 最初の日は前後366日以内でなければなりません。

        The server that has this room does not answer. Try again in a moment.
        de: Der Server mit diesem Raum antwortet nicht. Versuche es gleich noch einmal.
        ja: この部屋のサーバーが応答しません。少し待ってからお試しください。

        The server that may have this file does not answer. Try again in a moment.
        de: Der Server, der diese Datei haben kann, antwortet nicht. Versuche es gleich noch einmal.
        ja: このファイルがある可能性のあるサーバーが応答しません。少し待ってからお試しください。

        This token, or the one that the ticket was made under, has been replaced.
        de: Dieses Token, oder das, unter dem das Ticket gemacht wurde, ist ersetzt worden.
        ja: このトークン、またはチケットを作ったトークンは置き換えられました。

        You are in this room on as many devices as may be. Leave it on one of them.
        de: Du bist mit so vielen Geräten in diesem Raum, wie erlaubt sind. Verlasse ihn mit einem.
        ja: 許される台数の端末でこの部屋に入っています。どれか一つで退出してください。

        The server is about to stop. Try again in a moment.
        de: Der Server wird gleich beendet. Versuche es in einem Augenblick noch einmal.
        ja: サーバーはまもなく停止します。少し待ってからお試しください。

        There is no such room, or you are not a member of it.
        de: Diesen Raum gibt es nicht, oder du gehörst nicht dazu.
        ja: その部屋がないか、あなたはメンバーではありません。

        Another server has this room. Try again in a moment.
        de: Ein anderer Server hat diesen Raum. Versuche es gleich noch einmal.
        ja: この部屋は別のサーバーにあります。少し待ってからお試しください。

        This room has closed.
        de: Dieser Raum ist geschlossen.
        ja: この部屋は閉じました。

        Send Authorization: Bearer and your token, or a ticket as token=.
        de: Sende Authorization: Bearer und dein Token, oder ein Ticket als token=.
        ja: Authorization: Bearerとトークン、またはtoken=でチケットを送ってください。

        This ticket was not made here. Take the socketUrl of GET /v1/rooms/{id}.
        de: Dieses Ticket stammt nicht von hier. Nimm die socketUrl von GET /v1/rooms/{id}.
        ja: このチケットはここで作られたものではありません。GET /v1/rooms/{id} のsocketUrlを使ってください。

        This token is not valid, or no longer.
        de: Dieses Token ist nicht gültig, oder nicht mehr.
        ja: このトークンは無効か、無効になりました。

        The query parameter since has to be the seq of the last ale that was seen.
        de: Der Parameter since muss die seq des letzten gesehenen Ales sein.
        ja: クエリーパラメーターsinceは、最後に受け取ったエールのseqでなければなりません。

        This account was deleted.
        de: Dieses Konto wurde gelöscht.
        ja: このアカウントは削除されました。

        Nothing of yours has that id.
        de: Nichts von dir hat diese Id.
        ja: そのIDに該当するものはありません。

        You have {1} calendars, which is as many as you may have. Remove one first.
        de: Du hast {1} Kalender, mehr dürfen es nicht sein. Entferne zuerst einen.
        ja: カレンダーは{1}個で上限です。先に一つ削除してください。

        You have {1} endpoints, which is as many as you may have. Remove one first.
        de: Du hast {1} Endpunkte, mehr dürfen es nicht sein. Entferne zuerst einen.
        ja: エンドポイントは{1}個で上限です。先に一つ削除してください。

        You have this endpoint already. Remove it first to add it again.
        de: Diesen Endpunkt hast du schon. Entferne ihn zuerst, um ihn neu hinzuzufügen.
        ja: このエンドポイントはすでにあります。追加し直すには先に削除してください。

        At most {1} new secrets of an endpoint in a day.
        de: Höchstens {1} neue Geheimnisse eines Endpunkts an einem Tag.
        ja: 一つのエンドポイントのシークレットを新しくできるのは1日に{1}回までです。

        You came to {1} of {2} sessions ({3} %), and {4} % are asked for. Until then you may be \#
        registered for 1 slot at once, and you are for {5}. Attend that, and more will be possible.
        de: Du kamst zu {1} von {2} Sitzungen ({3} %), verlangt sind {4} %. Bis dahin darfst du für 1 \#
        Zeit auf einmal eingetragen sein, und du bist es für {5}. Nimm daran teil, dann geht wieder mehr.
        ja: {2}回のセッションのうち参加は{1}回（{3} %）で、{4} %が必要です。それまで同時に登録できるのは1件で、今は{5}件です。参加すれば、また増やせます。

        You came to {1} of {2} sessions ({3} %), and {4} % are asked for. Until then you may be \#
        registered for {5} slots at once, and you are for {6}. Attend those, and more will be possible.
        de: Du kamst zu {1} von {2} Sitzungen ({3} %), verlangt sind {4} %. Bis dahin darfst du für {5} \#
        Zeiten auf einmal eingetragen sein, und du bist es für {6}. Nimm daran teil, dann geht wieder \#
        mehr.
        ja: {2}回のセッションのうち参加は{1}回（{3} %）で、{4} %が必要です。それまで同時に登録できるのは{5}件で、今は{6}件です。参加すれば、また増やせます。

        You have met nobody with this registration. Take the id of a member of one of your rooms.
        de: Du hast niemanden mit dieser Eintragung getroffen. Nimm die Id eines Mitglieds aus einem \#
        deiner Räume.
        ja: この登録の人とは会っていません。あなたの部屋のメンバーのIDを使ってください。

        This registration is your own.
        de: Diese Eintragung ist deine eigene.
        ja: これはあなた自身の登録です。

        You have {1} blocks; take one back before you add another.
        de: Du hast {1} Leute blockiert; nimm eine Blockierung zurück, bevor du jemanden hinzufügst.
        ja: ブロックは{1}件で上限です。追加する前に一つ解除してください。

        You have {1} favourites; take one back before you add another.
        de: Du hast {1} Lieblingsleute; nimm jemanden heraus, bevor du jemanden hinzufügst.
        ja: お気に入りは{1}件で上限です。追加する前に一つ外してください。

        Their account was deleted, so you will not meet them again.
        de: Das Konto wurde gelöscht, du triffst diese Person also nicht wieder.
        ja: その人のアカウントは削除されたので、もう会うことはありません。

        You are {1} already, by invites; a room here is for {2} people.
        de: Durch Einladungen seid ihr schon {1}; ein Raum ist hier für {2} Leute.
        ja: 招待ですでに{1}人になっています。ここの部屋は{2}人用です。

        {1} invites you to work at the same time, from {2} to {3}.
        de: {1} lädt dich ein, zur selben Zeit zu arbeiten, von {2} bis {3}.
        ja: {1}さんから、{2}から{3}まで同じ時間に取り組む招待です。

        With the command line client, where you are signed up:
        de: Mit dem Programm für die Kommandozeile, wenn du dort angemeldet bist:
        ja: サインイン済みのコマンドラインクライアントでは：

        Without it, with your token in TOKEN:
        de: Ohne es, mit deinem Token in TOKEN:
        ja: クライアントなしでは、トークンをTOKENに入れて：

        What you will do
        de: Was du tun wirst
        ja: これからすること

        It is for one person, and can be used until {1}.
        de: Die Einladung ist für eine Person und gilt bis {1}.
        ja: この招待は一人用で、{1}まで使えます。

        The invite of {1}, for {2}, can no longer be used.
        de: Die Einladung von {1} für {2} kann nicht mehr benutzt werden.
        ja: {1}さんからの{2}の招待はもう使えません。

        Your sessions of Let's Switch
        de: Deine Zeiten bei Let's Switch
        ja: Let's Switchの予定

        Somebody else begins then, too. Join with: letsswitch join\nOr at {1}
        de: Dann beginnt auch jemand anders. Beitreten mit: letsswitch join\nOder auf {1}
        ja: ほかの誰かも同じ時間に始めます。参加するには: letsswitch join\nまたは {1}

        This day is past.
        de: Dieser Tag ist vergangen.
        ja: この日は過ぎています。

        Changes can begin on {1} at the latest: no later day is registered yet.
        de: Änderungen können spätestens am {1} beginnen: ein späterer Tag ist noch nicht eingetragen.
        ja: 変更は遅くとも{1}から始められます。それより後の日はまだ登録されていません。

        The rule has no day that is still to come.
        de: Die Regel hat keinen Tag mehr vor sich.
        ja: この規則には、これから来る日がありません。

        No slot starts at {1} in {2} on {3}, which is {4}: slots start every {5} seconds from 00:00 UTC.
        de: Am {3} beginnt um {1} in {2} keine Zeit, das ist {4}: sie beginnen ab 00:00 UTC alle {5} \#
        Sekunden.
        ja: {2}では{3} {1}（{4}）には始まりません。時間は00:00 UTCから{5}秒ごとに始まります。

        You have another registration for this slot. Once it is free, the routine takes it.
        de: Du hast für diese Zeit eine andere Eintragung. Sobald die Zeit frei ist, nimmt die Routine \#
        sie.
        ja: この時間には別の登録があります。空けば、くり返しが登録します。

        You hold, or made today, as many registrations as you may. This one follows once there are fewer, \#
        or on the next day.
        de: Du hast so viele Eintragungen, oder heute so viele gemacht, wie du darfst. Diese folgt, sobald \#
        es weniger sind, oder am nächsten Tag.
        ja: 登録数、または今日の登録回数が上限です。減るか翌日になれば、これも登録されます。

        You came too seldom to hold more registrations at once. Once you may, this follows.
        de: Du kamst zu selten, um mehr Eintragungen auf einmal zu haben. Sobald du darfst, folgt diese.
        ja: 参加率が低いため、これ以上同時に登録できません。できるようになれば、これも登録されます。

        No slot starts at that time on this day.
        de: An diesem Tag beginnt dann keine Zeit.
        ja: この日のその時刻には始まりません。

        The slot had begun before it could be registered.
        de: Die Zeit hatte begonnen, bevor du eingetragen werden konntest.
        ja: 登録する前に始まってしまいました。
        """#
}
