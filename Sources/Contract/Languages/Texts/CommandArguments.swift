extension Catalogue {
    /// The messages about arguments, calendars and people.
    static let commandArguments = #"""
        Which command? "letsswitch --help" lists them.
        de: Welcher Befehl? "letsswitch --help" zeigt alle.
        ja: コマンドを指定してください。一覧は"letsswitch --help"にあります。

        "{1}" goes on: {2}.
        de: "{1}" geht weiter: {2}.
        ja: "{1}"には続きがあります：{2}。

        There is no command "{1}". Did you mean "{2}"?
        de: Einen Befehl "{1}" gibt es nicht. Meintest du "{2}"?
        ja: "{1}"というコマンドはありません。"{2}"のことですか？

        There is no command "{1}". "letsswitch --help" lists them.
        de: Einen Befehl "{1}" gibt es nicht. "letsswitch --help" zeigt alle.
        ja: "{1}"というコマンドはありません。一覧は"letsswitch --help"にあります。

        There is no option --{1} here. --help lists them.
        de: Eine Option --{1} gibt es hier nicht. --help zeigt alle.
        ja: ここに--{1}というオプションはありません。一覧は--helpにあります。

        There is no option {1} here. Did you mean --{2}?
        de: Eine Option {1} gibt es hier nicht. Meintest du --{2}?
        ja: ここに{1}というオプションはありません。--{2}のことですか？

        There is no option {1} here. --help lists them.
        de: Eine Option {1} gibt es hier nicht. --help zeigt alle.
        ja: ここに{1}というオプションはありません。一覧は--helpにあります。

        {1} is missing: {2}. See letsswitch {3} --help.
        de: {1} fehlt: {2}. Siehe letsswitch {3} --help.
        ja: {1}がありません：{2}。letsswitch {3} --help をご覧ください。

        --{1} is missing: {2}. It is: {3}.
        de: --{1} fehlt: {2}. Das ist: {3}.
        ja: --{1}がありません：{2}。意味：{3}。

        "{1}" is too much: {2}. Words with spaces go in quotes.
        de: "{1}" ist zu viel: {2}. Wörter mit Leerzeichen kommen in Anführungszeichen.
        ja: "{1}"が余分です：{2}。空白を含む言葉は引用符で囲んでください。

        --{1} takes no value.
        de: --{1} nimmt keinen Wert.
        ja: --{1}に値は付けられません。

        --{1} needs a value: --{2} {3}.
        de: --{1} braucht einen Wert: --{2} {3}.
        ja: --{1}には値が必要です：--{2} {3}。

        --{1} can be given once only.
        de: --{1} kann nur einmal angegeben werden.
        ja: --{1}は一度しか指定できません。

        There are none. letsswitch calendars add
        de: Es gibt keine. letsswitch calendars add
        ja: ありません。letsswitch calendars add

        made {1}
        de: angelegt {1}
        ja: 作成 {1}

        last read {1}
        de: zuletzt gelesen {1}
        ja: 最終読み取り {1}

        never read
        de: nie gelesen
        ja: 未読み取り

        Take one back by its number: letsswitch calendars remove N
        de: Einen zurücknehmen, nach seiner Nummer: letsswitch calendars remove N
        ja: 番号で削除するには：letsswitch calendars remove N

        Give this address to your calendar program:\n
        de: Gib diese Adresse deinem Kalenderprogramm:\n
        ja: このアドレスをカレンダーアプリに登録してください：\n

        \nIt is shown this once. Whoever has it can read your tasks, and nothing else; keep it to \#
        yourself.\nWhere the program wants https:// or http://, write that in place of webcal://.\nTake \#
        it back: letsswitch calendars remove {1}
        de: \nSie wird nur dieses Mal gezeigt. Wer sie hat, kann deine Aufgaben lesen, sonst nichts; \#
        behalte sie für dich.\nWill das Programm https:// oder http://, schreibe das statt \#
        webcal://.\nZurücknehmen: letsswitch calendars remove {1}
        ja: \n表示されるのは今回だけです。これを知っている人はあなたのタスクだけを読めます。人に教えないでください。\nアプリがhttps://やhttp://を求める場合は、webcal://\#
        の代わりに書いてください。\n取り消すには：letsswitch calendars remove {1}

        Removed: {1}.
        de: Entfernt: {1}.
        ja: 削除しました：{1}。

        Removed.
        de: Entfernt.
        ja: 削除しました。

        {1} Its address leads nowhere any more.
        de: {1} Die Adresse führt nirgendwohin mehr.
        ja: {1}アドレスは使えなくなりました。

        The ale has arrived.
        de: Das Ale ist angekommen.
        ja: エールが届きました。

        --report goes with a block, and --remove takes it back.
        de: --report gehört zum Blockieren, und --remove nimmt es zurück.
        ja: --reportはブロックと使い、--removeはブロックを解除します。

        No longer blocked{1}.
        de: Nicht mehr blockiert{1}.
        ja: ブロックを解除しました{1}。

        You will not meet {1} again.
        de: Du triffst {1} nicht wieder.
        ja: {1}さんとはもう会いません。

        There are none.
        de: Es gibt keine.
        ja: ありません。

        Take one back by its number: letsswitch block N --remove
        de: Eine zurücknehmen, nach ihrer Nummer: letsswitch block N --remove
        ja: 番号で解除するには：letsswitch block N --remove

        Cancelled: {1}
        de: Abgesagt: {1}
        ja: 取り消しました：{1}

        Cancelled.
        de: Abgesagt.
        ja: 取り消しました。

        {1}. The line marked FAIL says more.
        de: {1}. Mehr sagt die Zeile mit FAIL.
        ja: {1}。詳しくはFAILの行をご覧ください。

        Everything is fine.
        de: Alles ist in Ordnung.
        ja: すべて正常です。

        {1}, made {2}
        de: {1}, angelegt {2}
        ja: {1}、作成 {2}

        {1}, met {2}
        de: {1}, getroffen {2}
        ja: {1}、会った日時 {2}

        {1}, a favourite
        de: {1}, Lieblingsmensch
        ja: {1}、お気に入り

        {1}, blocked
        de: {1}, blockiert
        ja: {1}、ブロック中

        "{1}" is none of {2}.
        de: "{1}" ist keines von {2}.
        ja: "{1}"は{2}のいずれでもありません。

        Room {1}: {2}
        de: Raum {1}: {2}
        ja: 部屋 {1}：{2}
        """#
}
