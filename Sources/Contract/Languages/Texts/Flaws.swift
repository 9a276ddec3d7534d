extension Catalogue {
    /// The flaws of messages that the HTTP parser names.
    static let flaws = #"""
        it has both a Content-Length and a Transfer-Encoding
        de: sie hat sowohl Content-Length als auch Transfer-Encoding
        ja: Content-LengthとTransfer-Encodingの両方があります

        HTTP/1.0 has no Transfer-Encoding
        de: HTTP/1.0 hat kein Transfer-Encoding
        ja: HTTP/1.0にTransfer-Encodingはありません

        it has more than one Content-Length
        de: sie hat mehr als ein Content-Length
        ja: Content-Lengthが複数あります

        chunked is not the last transfer coding
        de: chunked ist nicht die letzte Übertragungskodierung
        ja: chunkedが最後の転送符号化ではありません

        its Transfer-Encoding is malformed
        de: ihr Transfer-Encoding ist fehlerhaft
        ja: Transfer-Encodingの形式が正しくありません

        its Content-Length is empty
        de: ihr Content-Length ist leer
        ja: Content-Lengthが空です

        its Content-Length has more than {1} digits
        de: ihr Content-Length hat mehr als {1} Ziffern
        ja: Content-Lengthが{1}桁を超えています

        its Content-Length is not a number
        de: ihr Content-Length ist keine Zahl
        ja: Content-Lengthが数値ではありません

        its Content-Length is too large for a number
        de: ihr Content-Length ist zu groß für eine Zahl
        ja: Content-Lengthの値が大きすぎます

        a chunk-size line is longer than {1} bytes
        de: eine Zeile mit der Größe eines Stücks ist länger als {1} Bytes
        ja: チャンクサイズの行が{1}バイトを超えています

        a chunk is longer than its size
        de: ein Stück ist länger als seine Größe
        ja: チャンクがそのサイズより長くなっています

        a chunk size is too large for a number
        de: die Größe eines Stücks ist zu groß für eine Zahl
        ja: チャンクサイズの値が大きすぎます

        a chunk size is not a number
        de: die Größe eines Stücks ist keine Zahl
        ja: チャンクサイズが数値ではありません

        a chunk size has more than {1} digits
        de: die Größe eines Stücks hat mehr als {1} Ziffern
        ja: チャンクサイズが{1}桁を超えています

        its chunk extensions are longer than {1} bytes
        de: ihre Erweiterungen der Stücke sind länger als {1} Bytes
        ja: チャンク拡張が{1}バイトを超えています

        a chunk extension is malformed
        de: eine Erweiterung eines Stücks ist fehlerhaft
        ja: チャンク拡張の形式が正しくありません

        a header line starts with white space
        de: eine Kopfzeile beginnt mit Leerraum
        ja: ヘッダー行が空白で始まっています

        a header line has no colon
        de: eine Kopfzeile hat keinen Doppelpunkt
        ja: ヘッダー行にコロンがありません

        a header name is not a token
        de: der Name eines Kopffelds ist kein Token
        ja: ヘッダー名がトークンではありません

        a line ends without a carriage return
        de: eine Zeile endet ohne Wagenrücklauf
        ja: 行末にCRがありません

        a carriage return stands alone
        de: ein Wagenrücklauf steht allein
        ja: CRが単独で現れています

        it has a control character
        de: sie hat ein Steuerzeichen
        ja: 制御文字が含まれています

        it has more than one Host
        de: sie hat mehr als ein Host
        ja: Hostが複数あります

        it has no Host
        de: sie hat kein Host
        ja: Hostがありません

        its Host is not valid
        de: ihr Host ist ungültig
        ja: Hostが正しくありません

        the request line does not have three parts
        de: die Anfragezeile hat nicht drei Teile
        ja: リクエスト行が3つの部分からなっていません

        the method is not a token
        de: die Methode ist kein Token
        ja: メソッドがトークンではありません

        the version is not HTTP/1.1
        de: die Version ist nicht HTTP/1.1
        ja: バージョンがHTTP/1.1ではありません

        it starts with empty lines
        de: sie beginnt mit leeren Zeilen
        ja: 空行で始まっています

        CONNECT needs a host and a port
        de: CONNECT braucht einen Rechner und einen Port
        ja: CONNECTにはホストとポートが必要です

        the host of the target is not valid
        de: der Rechner im Ziel ist ungültig
        ja: ターゲットのホストが正しくありません

        the target is neither a path nor an http URL
        de: das Ziel ist weder ein Pfad noch eine http-URL
        ja: ターゲットがパスでもhttpのURLでもありません

        the target has a bad percent escape
        de: das Ziel hat ein fehlerhaftes Prozentzeichen
        ja: ターゲットのパーセントエンコードが正しくありません

        the target has an escaped NUL
        de: das Ziel hat ein kodiertes NUL
        ja: ターゲットにエンコードされたNULがあります

        the path escapes a letter, a digit, or one of - . _ ~ / %
        de: der Pfad kodiert einen Buchstaben, eine Ziffer oder eines der Zeichen - . _ ~ / %
        ja: パスの中で、文字、数字、または - . _ ~ / % がエンコードされています

        the target has a character that must be escaped
        de: das Ziel hat ein Zeichen, das kodiert sein muss
        ja: ターゲットにエンコードが必要な文字があります

        a response came without a request
        de: eine Antwort kam ohne Anfrage
        ja: リクエストのない応答が届きました

        there are too many interim responses
        de: es sind zu viele Zwischenantworten
        ja: 中間応答が多すぎます

        the status line does not have its parts
        de: der Statuszeile fehlen Teile
        ja: ステータス行に必要な部分がありません

        the status is not a number
        de: der Status ist keine Zahl
        ja: ステータスが数値ではありません
        """#
}
