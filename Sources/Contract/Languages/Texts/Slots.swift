extension Catalogue {
    /// The messages of slots, and the reasons why people meet.
    static let slots = #"""
        Nobody is here yet. Be the first!
        de: Noch ist niemand hier. Mach den Anfang!
        ja: まだ誰もいません。一番乗りしましょう！

        1 person is waiting for a partner.
        de: 1 Person wartet auf jemanden.
        ja: 1人がパートナーを待っています。

        {1} people will be here. Join them!
        de: {1} Leute werden hier sein. Mach mit!
        ja: {1}人が参加します。一緒にどうぞ！

        You are in. A partner may still come.
        de: Du bist dabei. Es kann noch jemand dazukommen.
        ja: 参加登録済みです。パートナーはこれから来るかもしれません。

        You are in, and so is 1 other.
        de: Du bist dabei, und 1 andere Person auch.
        ja: あなたのほかに1人が参加します。

        You are in, and so are {1} others.
        de: Du bist dabei, und {1} andere auch.
        ja: あなたのほかに{1}人が参加します。

        Your room is open.
        de: Dein Raum ist offen.
        ja: 部屋が開いています。

        Your room is open. Come in!
        de: Dein Raum ist offen. Komm herein!
        ja: 部屋が開いています。お入りください！

        Done. Well worked!
        de: Geschafft. Gut gearbeitet!
        ja: 終わりました。お疲れさまでした！

        You did not make it this time. There is always a next one.
        de: Diesmal hat es nicht geklappt. Es gibt immer ein nächstes Mal.
        ja: 今回は参加できませんでした。また次の機会があります。

        We were down for this one. It does not count against you.
        de: Der Dienst war zu dieser Zeit ausgefallen. Das zählt nicht gegen dich.
        ja: この時間はサービスが停止していました。あなたの記録には影響しません。

        An operator closed your room.
        de: Ein Betreiber hat deinen Raum geschlossen.
        ja: 運営者が部屋を閉じました。

        This one is over.
        de: Das ist vorbei.
        ja: この時間は終了しました。

        This one went ahead with 1 person.
        de: Das hat mit 1 Person stattgefunden.
        ja: この時間は1人で行われました。

        This one went ahead with {1} people.
        de: Das hat mit {1} Leuten stattgefunden.
        ja: この時間は{1}人で行われました。

        You are alone here so far, since you asked to meet favourites only. One of them may still come.
        de: Du bist hier bisher allein, da du nur Lieblingsleute treffen willst. Von ihnen kann noch \#
        jemand kommen.
        ja: お気に入りの人とだけ会う設定なので、今のところひとりです。これから来るかもしれません。

        You are alone here so far. Whoever comes late may join you.
        de: Du bist hier bisher allein. Wer später kommt, kann noch zu dir stoßen.
        ja: 今のところひとりです。遅れて来た人が加わるかもしれません。

        You meet {1} here.
        de: Du triffst hier {1}.
        ja: ここで会うのは{1}さんです。

        You meet {1} and {2} here.
        de: Du triffst hier {1} und {2}.
        ja: ここで会うのは{1}、{2}のみなさんです。

        You invited {1}.
        de: Du hast {1} eingeladen.
        ja: あなたが{1}さんを招待しました。

        {1} invited you.
        de: {1} hat dich eingeladen.
        ja: {1}さんがあなたを招待しました。

        {1} is one of your favourites.
        de: {1} gehört zu deinen Lieblingsleuten.
        ja: {1}さんはあなたのお気に入りです。

        You asked to meet favourites only.
        de: Du willst nur Lieblingsleute treffen.
        ja: あなたはお気に入りの人とだけ会う設定です。

        Both of you chose the tag “{1}”.
        de: Ihr habt beide das Stichwort „{1}“ gewählt.
        ja: 二人とも「{1}」というタグを選びました。

        You have met before, last on {1}.
        de: Ihr habt euch schon getroffen, zuletzt am {1}.
        ja: 以前にも会っています。最後に会ったのは{1}です。

        This is your first meeting.
        de: Ihr trefft euch zum ersten Mal.
        ja: 会うのは今回が初めてです。

        You registered late, and there was a place with {1}.
        de: Du hast dich spät eingetragen, und bei {1} war noch Platz.
        ja: あなたの登録が遅く、{1}さんのところに空きがありました。

        {1} registered late, and there was a place with you.
        de: {1} hat sich spät eingetragen, und bei dir war noch Platz.
        ja: {1}さんの登録が遅く、あなたのところに空きがありました。

        Somebody had left, and so you two were put together.
        de: Jemand war gegangen, deshalb seid ihr zusammengekommen.
        ja: ほかの人が抜けたため、二人が組み合わされました。

        There was nobody else in this slot to choose from.
        de: Zu dieser Zeit war sonst niemand mehr frei.
        ja: この時間には、ほかに組み合わせられる人がいませんでした。
        """#
}
