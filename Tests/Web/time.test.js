import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { addDays, countdown, dayOf, longTime, missingZone, rangeOf, shortTime, timeOf, useZone, wallTime, weekday, weekOf } from '../../Sources/Web/Page/time.js';

describe('days', () => {
  test('follow each other over months, years and changes of the clocks', () => {
    assert.equal(addDays('2027-02-28', 1), '2027-03-01');
    assert.equal(addDays('2028-02-28', 1), '2028-02-29');
    assert.equal(addDays('2027-01-01', -1), '2026-12-31');
    assert.equal(addDays('2027-03-27', 2), '2027-03-29');
  });

  test('are those of the account\'s zone', () => {
    useZone('Asia/Tokyo');
    assert.equal(dayOf('2027-03-28T15:00:00Z'), '2027-03-29');
    assert.equal(wallTime('2027-03-28T15:05:00Z'), '00:05');
    useZone('America/New_York');
    assert.equal(dayOf('2027-03-28T03:00:00Z'), '2027-03-27');
    assert.equal(wallTime('2027-03-28T03:00:00Z'), '23:00');
  });

  test('are those of the browser\'s zone, where the browser does not know the account\'s', () => {
    const own = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
    const other = ['Asia/Tokyo', 'Asia/Kathmandu'].find((name) => name !== own.resolvedOptions().timeZone);
    useZone(other);
    useZone('Mars/Olympus');
    assert.equal(wallTime('2027-03-28T15:05:00Z'), own.format(new Date('2027-03-28T15:05:00Z')));
    assert.equal(missingZone(), 'Mars/Olympus');
    useZone('Asia/Tokyo');
    assert.equal(missingZone(), null);
  });

  for (const [locale, first] of [['en-GB', 'MO'], ['en-US', 'SU'], ['de-DE', 'MO'], ['ja-JP', 'SU']]) {
    test(`are in one week of seven days, from the first one of ${locale}`, () => {
      Object.defineProperty(globalThis, 'navigator', { value: { languages: [locale] }, configurable: true });
      const week = weekOf('2027-03-28');
      assert.equal(weekday(week[0]), first);
      assert.equal(week.length, 7);
      assert.ok(week.includes('2027-03-28'));
      week.forEach((day, index) => assert.equal(day, addDays(week[0], index)));
      assert.deepEqual(weekOf(week[0]), week);
      assert.deepEqual(weekOf(week[6]), week);
    });
  }

  test('have the weekdays of calendars', () => assert.equal(weekday('2027-03-28'), 'SU'));
});

describe('a countdown', () => {
  for (const [milliseconds, text] of [
    [0, '00:00'], [-5, '00:00'], [1, '00:01'], [1000, '00:01'], [59_001, '01:00'], [1_447_000, '24:07'], [3_600_000, '1:00:00'],
  ]) test(`of ${milliseconds} ms is ${text}`, () => assert.equal(countdown(milliseconds), text));
});

describe('times', () => {
  const AFTERNOON = '2027-03-28T15:05:00Z';
  const plain = (text) => text.replaceAll(/[\u202f\u2009\u00a0]/g, ' ');
  const inBrowser = (...languages) => {
    Object.defineProperty(globalThis, 'navigator', { value: { languages }, configurable: true });
    useZone('UTC');
  };

  test('that clocks show twice, or between which clocks change, have their zone', () => {
    inBrowser('en-GB');
    useZone('Europe/Berlin');
    const night = ['2027-10-30T23:30:00Z', '2027-10-31T00:00:00Z', '2027-10-31T00:30:00Z', '2027-10-31T01:00:00Z',
      '2027-10-31T01:30:00Z', '2027-10-31T02:00:00Z'];
    assert.deepEqual(night.map(timeOf), ['1:30', '2:00 CEST', '2:30 CEST', '2:00 CET', '2:30 CET', '3:00']);
    const range = (startsAt, endsAt) => plain(rangeOf({ startsAt, endsAt }));
    assert.equal(range(night[2], night[3]), '2:30 CEST – 2:00 CET');
    assert.equal(range(night[0], night[1]), '1:30 CEST – 2:00 CEST');
    assert.equal(range('2027-03-28T00:30:00Z', '2027-03-28T01:00:00Z'), '1:30 CET – 3:00 CEST');
    assert.doesNotMatch(range('2027-10-31T02:00:00Z', '2027-10-31T02:30:00Z'), /CE/);
    assert.match(longTime(night[3]), /CET$/);
    assert.match(shortTime(night[1]), /CEST$/);
    useZone('Australia/Lord_Howe');
    assert.deepEqual(['2027-04-03T14:30:00Z', '2027-04-03T14:45:00Z', '2027-04-03T15:15:00Z', '2027-04-03T15:30:00Z'].map(timeOf)
      .map((text) => text.split(' ')[0]), ['1:30', '1:45', '1:45', '2:00']);
    assert.notEqual(timeOf('2027-04-03T14:45:00Z'), timeOf('2027-04-03T15:15:00Z'));
  });

  for (const [languages, time, short] of [
    [['en-GB'], '15:05', '28 Mar 2027, 15:05'], [['en-US'], '3:05 PM', 'Mar 28, 2027, 3:05 PM'],
    [['fr-FR'], '15:05', '28 Mar 2027, 15:05'], [['fr-FR', 'en-US'], '15:05', 'Mar 28, 2027, 15:05'],
    [['hi-IN'], '3:05 pm', '28 Mar 2027, 03:05 pm'], [['de-AT'], '15:05', '28.03.2027, 15:05'],
  ]) {
    test(`are those of the browser, and words those of the page: ${languages}`, () => {
      inBrowser(...languages);
      assert.equal(plain(timeOf(AFTERNOON)), time);
      assert.equal(plain(shortTime(AFTERNOON)), short);
    });
  }

  test('of a slot that ends at midnight have no dates', () => {
    inBrowser('en-GB');
    assert.equal(plain(rangeOf({ startsAt: '2026-11-28T23:30:00Z', endsAt: '2026-11-29T00:00:00Z' })), '23:30 – 0:00');
    assert.match(plain(rangeOf({ startsAt: '2026-11-28T22:30:00Z', endsAt: '2026-11-28T23:00:00Z' })), /^22:30.–.23:00$|^22:30–23:00$/);
  });
});
