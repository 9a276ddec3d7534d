import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, test } from 'node:test';

import { languages } from '../../Sources/Web/Page/words.js';

const page = new URL('../../Sources/Web/Page/', import.meta.url);
const tables = {};
for (const language of Object.keys(languages)) {
  tables[language] = (await import(new URL(`strings-${language}.js`, page))).default;
}

/** The names in the source of a table, with those that stand twice. */
const namesIn = (language) => [...readFileSync(new URL(`strings-${language}.js`, page), 'utf8')
  .matchAll(/(?:^ {2}|(?<=', ))'?([\w-]+)'?: /gm)].map(([, name]) => name);

describe('the texts of the page', () => {
  test('are more than a few', () => assert.ok(Object.keys(tables.en).length > 150));

  for (const language of Object.keys(languages)) {
    test(`in ${language} are all there, with the same values in them`, () => {
      assert.deepEqual(Object.keys(tables[language]).sort(), Object.keys(tables.en).sort());
      for (const [name, text] of Object.entries(tables.en)) {
        const other = tables[language][name];
        assert.equal(typeof other, typeof text, name);
        if (typeof text === 'function') assert.equal(other.length, text.length, name);
        else assert.ok(other.length > 0, name);
      }
    });

    test(`in ${language} have each name once`, () => {
      const names = namesIn(language);
      assert.equal(names.length, Object.keys(tables[language]).length);
      assert.deepEqual(names.filter((name, index) => names.indexOf(name) !== index), []);
    });

    test(`in ${language} put in what they are given`, () => {
      for (const [name, text] of Object.entries(tables[language])) {
        if (typeof text !== 'function') continue;
        const said = text(...Array.from({ length: text.length }, (_, index) => 71 + index));
        for (let index = 0; index < text.length; index += 1) assert.match(said, new RegExp(71 + index), name);
        assert.doesNotMatch(said, /undefined|NaN/, name);
      }
    });
  }

  test('that a screen names are in the table', () => {
    const files = readdirSync(page).filter((name) => name.endsWith('.js') && !name.startsWith('strings-'));
    const named = files.flatMap((name) =>
      [...readFileSync(new URL(name, page), 'utf8').matchAll(/\bt\('([\w-]+)'/g)].map(([, text]) => text));
    assert.ok(named.length > 100);
    for (const name of named) assert.ok(Object.hasOwn(tables.en, name), name);
  });
});
