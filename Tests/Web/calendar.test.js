import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { calendar, fold } from '../../Sources/Web/Page/calendar.js';

const octets = (line) => Buffer.byteLength(line);
const mine = (task) => ({
  id: '0197a2c1-0000-7000-8000-000000000001', task,
  slot: { startsAt: '2027-03-28T15:00:00Z', endsAt: '2027-03-28T15:25:00Z' },
});
const NOW = Date.parse('2027-03-28T09:00:00Z');

describe('a file for a calendar', () => {
  for (const task of ['Write', '報'.repeat(120), '🧑‍💻'.repeat(40), 'a'.repeat(74), 'ß'.repeat(90)]) {
    test(`has no line of more than 75 octets: ${task.slice(0, 8)}…, ${task.length} units`, () => {
      const text = calendar(mine(task), NOW, 'https://service.test');
      for (const line of text.split('\r\n')) assert.ok(octets(line) <= 75, `${octets(line)}: ${line}`);
      assert.ok(text.replaceAll('\r\n ', '').includes(`\r\nSUMMARY:${task}\r\n`));
    });
  }

  test('keeps a line of 75 octets whole', () => {
    assert.equal(fold('a'.repeat(75)), 'a'.repeat(75));
    assert.equal(fold('a'.repeat(76)), `${'a'.repeat(75)}\r\n a`);
  });

  test('escapes what has a meaning there', () => {
    assert.ok(calendar(mine('a,b;c\\d'), NOW, '').includes('SUMMARY:a\\,b\\;c\\\\d\r\n'));
  });
});
