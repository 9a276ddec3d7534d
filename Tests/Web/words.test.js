import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { initial } from '../../Sources/Web/Page/words.js';

describe('the face of a person', () => {
  for (const [name, face, what] of [
    ['ann', 'A', 'the first letter, as a capital'],
    ['\u200b\u2060\ufeff\u00adbea', 'B', 'the first letter after what cannot be seen'],
    ['\u3164\u2800\u180e cleo', 'C', 'the first letter after letters and patterns that are blank'],
    ['\u202e\u2068dora', 'D', 'the first letter after marks of direction'],
    ['\ufff9hal', 'H', 'the first letter after an anchor of annotations'],
    ['\u{e0041}\u{e0042}eve', 'E', 'the first letter after tag characters'],
    ['\u0301\u0301fay', 'F', 'the first letter after marks that stand alone'],
    ['a\u0301da', 'A\u0301', 'a letter with its mark'],
    ['👩‍👩‍👧 three', '👩‍👩‍👧', 'an emoji of several'],
    ['🇯🇵 Aiko', '🇯🇵', 'a flag'],
    ['👍🏽', '👍🏽', 'an emoji with its skin'],
    ['愛子', '愛', 'a Han character'],
    ['\u1112\u1161\u11ab', '\u1112\u1161\u11ab', 'a syllable of three letters'],
    ['ßen', 'ß', 'a letter whose capital is two'],
    ['\u{1d4d0}lice', '\u{1d4d0}', 'a letter beyond the first plane'],
    [' \u200b', '', 'empty if nothing can be seen'],
    ['', '', 'empty without a name'],
  ]) test(`is ${what}`, () => assert.equal(initial(name), face));

  test('is the first scalar that can be seen in a browser without segments', () => {
    const { Segmenter } = Intl;
    try {
      delete Intl.Segmenter;
      assert.equal(initial('\u200bgus'), 'G');
    } finally {
      Intl.Segmenter = Segmenter;
    }
  });
});
