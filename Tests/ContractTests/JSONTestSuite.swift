import Testing

/// The cases of the JSONTestSuite (its folder `test_parsing`), class by class.
///
/// One case is a line: its name, a space, its bytes. `%0A` and the like are bytes; `<name*1000>` repeats the
/// bytes of `name`.
enum JSONTestSuite {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]

        var testDescription: String { name }
    }

    /// The cases `y_`: JSON.
    static let accepted = cases(
        #"""
        array_arraysWithSpaces [[]   ]
        array_empty-string [""]
        array_empty []
        array_ending_with_newline ["a"]%0A
        array_false [false]
        array_heterogeneous [null, 1, "1", {}]
        array_null [null]
        array_with_1_and_newline [1%0A]
        array_with_leading_space %20[1]
        array_with_several_null [1,null,null,null,2]
        array_with_trailing_space [2]%20
        number [123e65]
        number_0e+1 [0e+1]
        number_0e1 [0e1]
        number_after_space [ 4]
        number_double_close_to_zero [-0.<0*77>1]
        number_int_with_exp [20e1]
        number_minus_zero [-0]
        number_negative_int [-123]
        number_negative_one [-1]
        number_negative_zero [-0]
        number_real_capital_e [1E22]
        number_real_capital_e_neg_exp [1E-2]
        number_real_capital_e_pos_exp [1E+2]
        number_real_exponent [123e45]
        number_real_fraction_exponent [123.456e78]
        number_real_neg_exp [1e-2]
        number_real_pos_exponent [1e+2]
        number_simple_int [123]
        number_simple_real [123.456789]
        object {"asd":"sdf", "dfg":"fgh"}
        object_basic {"asd":"sdf"}
        object_empty {}
        object_empty_key {"":0}
        object_escaped_null_in_key {"foo\u0000bar": 42}
        object_extreme_numbers { "min": -1.0e+28, "max": 1.0e+28 }
        object_long_strings {"x":[{"id": "<x*40>"}], "id": "<x*40>"}
        object_simple {"a":[]}
        object_string_unicode {"title":"\u041f\u043e\u043b\u0442\u043e\u0440\u0430" }
        object_with_newlines {%0A"a": "b"%0A}
        string_1_2_3_bytes_UTF-8_sequences ["\u0060\u012a\u12AB"]
        string_accepted_surrogate_pair ["\uD801\udc37"]
        string_accepted_surrogate_pairs ["\ud83d\ude39\ud83d\udc8d"]
        string_allowed_escapes ["\"\\\/\b\f\n\r\t"]
        string_backslash_and_u_escaped_zero ["\\u0000"]
        string_backslash_doublequotes ["\""]
        string_comments ["a/*b*/c/*d//e"]
        string_double_escape_a ["\\a"]
        string_double_escape_n ["\\n"]
        string_escaped_control_character ["\u0012"]
        string_escaped_noncharacter ["\uFFFF"]
        string_in_array ["asd"]
        string_in_array_with_leading_space [ "asd"]
        string_last_surrogates_1_and_2 ["\uDBFF\uDFFF"]
        string_nbsp_uescaped ["new\u00A0line"]
        string_nonCharacterInUTF-8_U+10FFFF ["%F4%8F%BF%BF"]
        string_nonCharacterInUTF-8_U+FFFF ["%EF%BF%BF"]
        string_null_escape ["\u0000"]
        string_one-byte-utf-8 ["\u002c"]
        string_pi ["%CF%80"]
        string_reservedCharacterInUTF-8_U+1BFFF ["%F0%9B%BF%BF"]
        string_simple_ascii ["asd "]
        string_space " "
        string_surrogates_U+1D11E_MUSICAL_SYMBOL_G_CLEF ["\uD834\uDd1e"]
        string_three-byte-utf-8 ["\u0821"]
        string_two-byte-utf-8 ["\u0123"]
        string_u+2028_line_sep ["%E2%80%A8"]
        string_u+2029_par_sep ["%E2%80%A9"]
        string_uEscape ["\u0061\u30af\u30EA\u30b9"]
        string_uescaped_newline ["new\u000Aline"]
        string_unescaped_char_delete ["%7F"]
        string_unicode ["\uA66D"]
        string_unicodeEscapedBackslash ["\u005C"]
        string_unicode_2 ["%E2%8D%82%E3%88%B4%E2%8D%82"]
        string_unicode_U+10FFFE_nonchar ["\uDBFF\uDFFE"]
        string_unicode_U+1FFFE_nonchar ["\uD83F\uDFFE"]
        string_unicode_U+200B_ZERO_WIDTH_SPACE ["\u200B"]
        string_unicode_U+2064_invisible_plus ["\u2064"]
        string_unicode_U+FDD0_nonchar ["\uFDD0"]
        string_unicode_U+FFFE_nonchar ["\uFFFE"]
        string_unicode_escaped_double_quote ["\u0022"]
        string_utf8 ["%E2%82%AC%F0%9D%84%9E"]
        string_with_del_character ["a%7Fa"]
        structure_lonely_false false
        structure_lonely_int 42
        structure_lonely_negative_real -0.1
        structure_lonely_null null
        structure_lonely_string "asd"
        structure_lonely_true true
        structure_string_empty ""
        structure_trailing_newline ["a"]%0A
        structure_true_in_array [true]
        structure_whitespace_array %20[]%20
        """#)

    /// Cases `y_` that are refused: RFC 8259 §4 lets a reader choose, and a request that names a member twice
    /// is a mistake.
    static let duplicates = cases(
        #"""
        object_duplicated_key {"a":"b","a":"c"}
        object_duplicated_key_and_value {"a":"b","a":"b"}
        """#)

    /// Cases `i_`, where a reader may choose. Numbers are kept as their text, so none is too large or too
    /// small.
    static let chosenToAccept = cases(
        #"""
        number_double_huge_neg_exp [123.456e-789]
        number_huge_exp [0.4e00669999999999999999999999999999999999999999999999999999999969999999006]
        number_neg_int_huge_exp [-1e+9999]
        number_pos_double_huge_exp [1.5e+9999]
        number_real_neg_overflow [-123123e100000]
        number_real_pos_overflow [123123e100000]
        number_real_underflow [123e-10000000]
        number_too_big_neg_int [-123123123123123123123123123123]
        number_too_big_pos_int [100000000000000000000]
        number_very_big_negative_int [-237462374673276894279832749832423479823246327846]
        """#)

    /// Cases `i_`: texts that are not Unicode, a byte order mark, and depth beyond the limit.
    static let chosenToRefuse = cases(
        #"""
        object_key_lone_2nd_surrogate {"\uDFAA":0}
        string_1st_surrogate_but_2nd_missing ["\uDADA"]
        string_1st_valid_surrogate_2nd_invalid ["\uD888\u1234"]
        string_UTF-16LE_with_BOM %FF%FE[%00"%00%E9%00"%00]%00
        string_UTF-8_invalid_sequence ["%E6%97%A5%D1%88%FA"]
        string_UTF8_surrogate_U+D800 ["%ED%A0%80"]
        string_incomplete_surrogate_and_escape_valid ["\uD800\n"]
        string_incomplete_surrogate_pair ["\uDd1ea"]
        string_incomplete_surrogates_escape_valid ["\uD800\uD800\n"]
        string_invalid_lonely_surrogate ["\ud800"]
        string_invalid_surrogate ["\ud800abc"]
        string_invalid_utf-8 ["%FF"]
        string_inverted_surrogates_U+1D11E ["\uDd1e\uD834"]
        string_iso_latin_1 ["%E9"]
        string_lone_second_surrogate ["\uDFAA"]
        string_lone_utf8_continuation_byte ["%81"]
        string_not_in_unicode_range ["%F4%BF%BF%BF"]
        string_overlong_sequence_2_bytes ["%C0%AF"]
        string_overlong_sequence_6_bytes ["%FC%83%BF%BF%BF%BF"]
        string_overlong_sequence_6_bytes_null ["%FC%80%80%80%80%80"]
        string_truncated-utf-8 ["%E0%FF"]
        string_utf16BE_no_BOM %00[%00"%00%E9%00"%00]
        string_utf16LE_no_BOM [%00"%00%E9%00"%00]%00
        structure_500_nested_arrays <[*500><]*500>
        structure_UTF-8_BOM_empty_object %EF%BB%BF{}
        """#)

    static func cases(_ table: String) -> [Case] {
        table.split(separator: "\n").map { line in
            let name = line.prefix { $0 != " " }
            return Case(name: String(name), bytes: bytes(line[name.endIndex...].dropFirst()))
        }
    }

    private static func bytes(_ text: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"),
                let code = UInt8(Swift.String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else if byte == UInt8(ascii: "<"), let (part, count, length) = repetition(rest) {
                for _ in 0..<count { bytes += part }
                rest = rest.dropFirst(length)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// Parses `part*count>`; returns the part, the count, and the number of bytes that the repetition takes.
    private static func repetition(_ text: ArraySlice<UInt8>) -> ([UInt8], Int, Int)? {
        let inner = text.prefix { $0 != UInt8(ascii: ">") }
        guard let star = inner.firstIndex(of: UInt8(ascii: "*")),
            let count = Int(Swift.String(decoding: inner[(star + 1)...], as: UTF8.self))
        else { return nil }
        return (Array(inner[..<star]), count, inner.count + 1)
    }
}
