import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { isOurs, limits, makeKeys } from '../../Sources/Console/Page/keys.js';

/** Presses keys, each so many ms after the one before; returns what they have asked for. */
function press(...keys) {
  let time = 0;
  const read = makeKeys({ s: 'slots', g: 'gardens', r: 'reports' }, { r: 'refresh', '?': 'help' }, () => time);
  return keys.map(([key, later = 100]) => {
    time += later;
    return read(key);
  }).filter(Boolean);
}

describe('keys', () => {
  test('lead to a place by g and its letter', () => assert.deepEqual(press(['g'], ['s']), [{ place: 'slots' }]));
  test('do something by themselves', () => assert.deepEqual(press(['r'], ['?']), [{ act: 'refresh' }, { act: 'help' }]));
  test('are a place after g, even where they do something alone', () => assert.deepEqual(press(['g'], ['r']), [{ place: 'reports' }]));
  test('lead nowhere alone, or after another letter', () => assert.deepEqual(press(['s'], ['g'], ['x'], ['s']), []));
  test('are forgotten after a while', () => {
    assert.deepEqual(press(['g'], ['r', limits.between - 1]), [{ place: 'reports' }]);
    assert.deepEqual(press(['g'], ['r', limits.between]), [{ act: 'refresh' }]);
  });
  test('begin anew after a place', () => assert.deepEqual(press(['g'], ['s'], ['s']), [{ place: 'slots' }]));
  test('with names that objects have by themselves are none', () => assert.deepEqual(press(['toString'], ['g'], ['constructor']), []));
});

describe('a key', () => {
  const page = { closest: () => null };
  const plain = { ctrlKey: false, metaKey: false, altKey: false, repeat: false, isComposing: false, target: page };
  test('is ours on the page', () => assert.equal(isOurs(plain), true));
  for (const name of ['ctrlKey', 'metaKey', 'altKey', 'repeat', 'isComposing']) {
    test(`with ${name} is not`, () => assert.equal(isOurs({ ...plain, [name]: true }), false));
  }
  test('in a field or a dialog is not', () => assert.equal(isOurs({ ...plain, target: { closest: () => ({}) } }), false));
  test('of the document itself is ours', () => assert.equal(isOurs({ ...plain, target: {} }), true));
});
