extension Catalogue {
    /// The faults of a request's body.
    static let bodies = #"""
        The body is not JSON: {1} (at byte {2}).
        de: Der Inhalt ist kein JSON: {1} (bei Byte {2}).
        ja: 本文がJSONではありません：{1}（{2}バイト目）。

        JSON starts without a byte order mark
        de: JSON beginnt ohne Byte-Order-Mark
        ja: JSONの先頭にバイトオーダーマークは置けません

        This is not UTF-8
        de: Das ist kein UTF-8
        ja: UTF-8ではありません

        Nothing may follow the value
        de: Nach dem Wert darf nichts mehr kommen
        ja: 値の後には何も続けられません

        A value is missing at the end
        de: Am Ende fehlt ein Wert
        ja: 最後に値がありません

        A value cannot start like this
        de: So kann kein Wert beginnen
        ja: 値をこのように始めることはできません

        This is nested more than {1} deep
        de: Das ist tiefer als {1} verschachtelt
        ja: 入れ子が{1}段を超えています

        A member starts with its name in quotes
        de: Ein Eintrag beginnt mit seinem Namen in Anführungszeichen
        ja: 項目は引用符付きの名前で始めます

        A member comes twice
        de: Ein Eintrag kommt zweimal vor
        ja: 同じ項目が二度あります

        A colon belongs after the name of a member
        de: Hinter den Namen eines Eintrags gehört ein Doppelpunkt
        ja: 項目名の後にはコロンが必要です

        A comma or } belongs after a member
        de: Hinter einen Eintrag gehört ein Komma oder }
        ja: 項目の後にはカンマか } が必要です

        A comma or ] belongs after an element
        de: Hinter ein Element gehört ein Komma oder ]
        ja: 要素の後にはカンマか ] が必要です

        A number has no leading zero
        de: Eine Zahl hat keine führende Null
        ja: 数値の先頭に0は置けません

        A digit is missing in a number
        de: In einer Zahl fehlt eine Ziffer
        ja: 数値の桁が足りません

        A control character in a string has to be escaped
        de: Ein Steuerzeichen in einem Text muss maskiert sein
        ja: 文字列中の制御文字はエスケープが必要です

        A string is not closed
        de: Ein Text ist nicht abgeschlossen
        ja: 文字列が閉じられていません

        There is no such escape in a string
        de: Diese Maskierung gibt es in Texten nicht
        ja: 文字列にそのようなエスケープはありません

        A surrogate stands alone in a string
        de: In einem Text steht ein Surrogat allein
        ja: 文字列に単独のサロゲートがあります

        The body has {1} faults; each is listed in errors.
        de: Der Inhalt hat {1} Fehler; alle stehen in errors.
        ja: 本文に誤りが{1}個あります。それぞれerrorsに書かれています。

        The body has to be an object, not {1}.
        de: Der Inhalt muss ein Objekt sein, nicht {1}.
        ja: 本文は{1}ではなく、オブジェクトでなければなりません。

        null
        de: null
        ja: null

        true or false
        de: true oder false
        ja: true/false

        a number
        de: eine Zahl
        ja: 数値

        a text
        de: ein Text
        ja: 文字列

        a list
        de: eine Liste
        ja: リスト

        an object
        de: ein Objekt
        ja: オブジェクト

        {1} is missing.
        de: {1} fehlt.
        ja: {1}がありません。

        {1} has to be one of {2}, or null to take it back.
        de: {1} muss eines sein von {2}, oder null, um es zurückzunehmen.
        ja: {1}は{2}のいずれか、または取り消す場合はnullでなければなりません。

        {1} has to be an id, like 0198c0de-0000-7000-8000-000000000001.
        de: {1} muss eine Id sein, wie 0198c0de-0000-7000-8000-000000000001.
        ja: {1}は 0198c0de-0000-7000-8000-000000000001 のようなIDでなければなりません。

        {1} has to be a time with an offset as in RFC 3339, like 2027-03-28T09:30:00Z.
        de: {1} muss eine Zeit mit Verschiebung nach RFC 3339 sein, wie 2027-03-28T09:30:00Z.
        ja: {1}は 2027-03-28T09:30:00Z のような、オフセット付きのRFC 3339形式の時刻でなければなりません。

        {1} has to be a text, not {2}.
        de: {1} muss ein Text sein, nicht {2}.
        ja: {1}は{2}ではなく、文字列でなければなりません。

        {1} has to be true or false, not {2}.
        de: {1} muss true oder false sein, nicht {2}.
        ja: {1}は{2}ではなく、trueかfalseでなければなりません。

        {1} has to be a whole number.
        de: {1} muss eine ganze Zahl sein.
        ja: {1}は整数でなければなりません。

        {1} has to be a list, not {2}.
        de: {1} muss eine Liste sein, nicht {2}.
        ja: {1}は{2}ではなく、リストでなければなりません。

        {1} has {2} to {3} entries, not {4}.
        de: {1} hat {2} bis {3} Einträge, nicht {4}.
        ja: {1}の要素数は{2}～{3}です（今は{4}）。

        This is in the list twice.
        de: Das steht zweimal in der Liste.
        ja: リストに二度入っています。

        There is no member {1} here; this call takes none.
        de: Hier gibt es keinen Eintrag {1}; dieser Aufruf nimmt keine.
        ja: ここに{1}という項目はありません。この呼び出しには項目がありません。

        There is no member {1} here; there is {2}.
        de: Hier gibt es keinen Eintrag {1}; es gibt {2}.
        ja: ここに{1}という項目はありません。あるのは{2}です。
        """#
}
