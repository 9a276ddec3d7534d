import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import {
  desk, distance, duration, includes, noun, number, path, plural, query, rolesUpTo, searched, slotName, subjectAddress, suspensionEnd,
  tokenEnd, utc,
} from '../../Sources/Console/Page/format.js';

describe('a role', () => {
  for (const [role, least, may] of [
    ['viewer', 'viewer', true], ['viewer', 'support', false], ['viewer', 'admin', false], ['support', 'viewer', true],
    ['support', 'support', true], ['support', 'admin', false], ['admin', 'support', true], ['admin', 'admin', true],
    // Of a later server.
    ['auditor', 'viewer', false],
  ]) test(`${role} ${may ? 'may' : 'may not'} do what takes ${least}`, () => assert.equal(includes(role, least), may));

  test('gives tokens the same role, or a lesser one', () => assert.deepEqual(rolesUpTo('support'), ['viewer', 'support']));
});

describe('a time', () => {
  test('is in UTC, to the second', () => assert.equal(utc('2027-03-28T09:30:05.678Z'), '2027-03-28 09:30:05'));

  for (const [seconds, text] of [
    [0, '0 ms'], [0.02, '20 ms'], [0.0994, '99 ms'], [0.0996, '0.1 s'], [0.25, '0.25 s'], [1.82, '1.8 s'], [9.96, '10 s'], [59, '59 s'],
    [59.6, '1 min'], [3_569, '59 min'], [3_600, '1 h'], [5_400, '1.5 h'], [86_400, '1 day'], [180_000, '2 days'], [-0.012, '-12 ms'],
    [-7_200, '−2 h'],
  ]) test(`of ${seconds} s is ${text}`, () => assert.equal(duration(seconds), text));

  for (const [at, text] of [
    ['2027-03-28T09:30:00Z', 'now'], ['2027-03-28T09:35:00Z', 'in 5 min'], ['2027-03-28T07:30:00Z', '2 h ago'],
  ]) test(`${at} is ${text}`, () => assert.equal(distance(at, Date.parse('2027-03-28T09:30:00Z')), text));
});

describe('a number', () => {
  test('that is not known is a dash, and zero is not', () => {
    assert.deepEqual([null, undefined, 0, 12_345.678].map(number), ['–', '–', '0', '12,345.68']);
  });

  test('is said with its word', () => {
    assert.deepEqual([0, 1, 2].map((count) => plural(count, 'note')), ['0 notes', '1 note', '2 notes']);
    assert.equal(plural(3, 'person', 'people'), '3 people');
    assert.deepEqual([0, 1, 2].map((count) => noun(count, 'room')), ['rooms', 'room', 'rooms']);
    assert.equal(noun(null, 'person in a room', 'people in rooms'), 'people in rooms');
  });
});

describe('a slot', () => {
  test('has a name by its key', () => {
    assert.equal(slotName('2027-03-28T09:30:00Z'), '2027-03-28 09:30');
    assert.equal(slotName('2027-03-28T09:30:10Z'), '2027-03-28 09:30:10');
    assert.equal(slotName('2027-03-28T09:30:00Z/50'), '2027-03-28 09:30, 50 min');
    assert.equal(slotName('2027-03-28T09:30:00Z~50'), '2027-03-28 09:30, 50 min');
  });
});

describe('an address', () => {
  test('has any text in its parts', () => {
    assert.equal(desk('slots', '2027-03-28T09:30:00Z/50'), '/desk/slots/2027-03-28T09:30:00Z~50');
    assert.equal(path('people', '../x?#'), '/people/..~x%3F%23');
  });

  test('has the parameters that have a value', () => {
    assert.equal(query('/a', { b: '', c: null, d: undefined }), '/a');
    assert.equal(query('/a', { b: 'x y&z', c: 0 }), '/a?b=x+y%26z&c=0');
  });

  for (const [subject, address] of [
    ['person:0190', '/desk/people/0190'], ['slot:2027-03-28T09:30:00Z/50', '/desk/slots/2027-03-28T09:30:00Z~50'],
    ['report:12', '/desk/reports/12'], ['server:x', null], ['person:', null], ['person', null], [null, null], ['constructor:1', null],
  ]) test(`of the subject ${subject} is ${address}`, () => assert.equal(subjectAddress(subject), address));
});

describe('a search', () => {
  test('never has a whole token in it', () => {
    assert.equal(searched(` lsk_${'a'.repeat(40)} `), 'lsk_aaaa');
    assert.equal(searched(' Ann of lsk_aaaaaaaa '), 'Ann of lsk_aaaaaaaa');
  });
});

describe('a suspension', () => {
  const now = Date.parse('2027-03-28T09:30:00.500Z');
  test('ends after days, at a day, or not by itself', () => {
    assert.equal(suspensionEnd(7, '', now), '2027-04-04T09:30:00Z');
    assert.equal(suspensionEnd(7, '2027-05-01', now), '2027-05-01T00:00:00Z');
    assert.equal(suspensionEnd(0, '', now), null);
  });
});

describe('the end of a token', () => {
  test('is so many days after now', () => assert.equal(tokenEnd('90', Date.parse('2027-03-01T09:30:00.123Z')), '2027-05-30T09:30:00Z'));

  test('is what was typed where that is no number, so that the server says what is wrong', () => {
    assert.equal(tokenEnd('soon', Date.parse('2027-03-01T09:30:00Z')), 'soon');
  });
});
