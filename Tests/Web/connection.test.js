import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { Connection, advice, limits, ownAddress } from '../../Sources/Web/Page/connection.js';
import {
  BEN, CHLOE, OTHER_ROOM, ROOM, YOU, addressOf, enteredStay, makeStay, members, reconnect,
} from './stay.js';
import { settle } from './world.js';

const hour = 3_600_000;

describe('entering', () => {
  test('asks for a ticket, and opens its address with the subprotocol of version 2', async () => {
    const stay = makeStay();
    stay.connection.start();
    await settle();
    assert.deepEqual(stay.asked, [ROOM]);
    assert.equal(stay.sockets.length, 1);
    assert.deepEqual(stay.socket.protocols, ['letsswitch.v2']);
    assert.equal(stay.socket.url.searchParams.get('id'), ROOM);
    assert.equal(stay.socket.url.searchParams.get('token'), `ticket-of-${ROOM}`);
    assert.equal(stay.socket.url.searchParams.get('merge'), '1');
    assert.equal(stay.socket.url.searchParams.has('since'), false);
    assert.equal(stay.state.phase, 'connecting');
  });

  test('begins with the handshake', async () => {
    const stay = await enteredStay({}, { now: '2027-01-04T09:00:07.000Z' });
    assert.equal(stay.state.phase, 'open');
    assert.equal(stay.state.you, YOU);
    assert.equal(stay.state.offset, 7_000);
    assert.equal(stay.state.session.endsAt - stay.state.session.startsAt, 1_800_000);
    assert.deepEqual(stay.state.members, members());
    assert.equal(stay.state.missed, false);
  });

  test('is begun once, and not before start', async () => {
    const stay = makeStay();
    stay.connection.wake();
    await stay.clock.advance(hour);
    assert.equal(stay.asked.length, 0);
    stay.connection.start();
    stay.connection.start();
    await settle();
    assert.equal(stay.sockets.length, 1);
  });

  test('is given up after half a minute, and a late answer of that attempt is not used', async () => {
    const answers = [];
    const stay = makeStay({ ticket: () => new Promise((resolve) => answers.push(resolve)) });
    stay.connection.start();
    await stay.clock.advance(limits.attempt - 1);
    assert.equal(stay.state.phase, 'connecting');
    await stay.clock.advance(1);
    assert.equal(stay.state.phase, 'reconnecting');
    answers[0](addressOf(ROOM));
    await settle();
    assert.equal(stay.sockets.length, 0);
    await stay.clock.advance(limits.longestWait);
    answers[1](addressOf(ROOM));
    await settle();
    assert.equal(stay.sockets.length, 1);
  });

  test('a socket that says nothing is given up and closed, and is not heard any more', async () => {
    const stay = makeStay();
    stay.connection.start();
    await stay.clock.advance(limits.attempt);
    const [first] = stay.sockets;
    assert.equal(first.closedWith, 1000);
    assert.equal(stay.state.reason, 'lost');
    first.say({ type: 'handshake', members: [] });
    first.shut(1008);
    assert.equal(stay.state.phase, 'reconnecting');
  });
});

describe('close codes', () => {
  const stops = {
    1000: 'over', 1002: 'fault', 1003: 'fault', 1007: 'fault', 1008: 'refused', 1009: 'fault', 1010: 'fault',
    4000: 'stopped', 4050: 'stopped', 4099: 'stopped',
  };
  const others = {
    1001: 'restarting', 1005: 'lost', 1006: 'lost', 1011: 'lost', 1012: 'restarting', 1013: 'overloaded', 1014: 'lost',
    1015: 'lost', 3000: 'lost', 4100: 'lost', 4101: 'tooSlow', 4102: 'silent', 4199: 'lost', 4200: 'moved',
    4299: 'lost', 4300: 'lost', 4999: 'lost',
  };

  for (const [code, kind] of Object.entries(stops)) {
    test(`${code} ends the stay: ${kind}`, async () => {
      const stay = await enteredStay();
      stay.socket.shut(Number(code), 'a reason');
      assert.deepEqual(stay.state.ended, { code: Number(code), reason: 'a reason', kind });
      assert.equal(stay.state.phase, 'ended');
      stay.connection.wake();
      stay.connection.start();
      await stay.clock.advance(24 * hour);
      assert.equal(stay.sockets.length, 1);
      assert.equal(stay.asked.length, 1);
      assert.deepEqual(stay.clock.waits, []);
    });
  }

  for (const [code, reason] of Object.entries(others)) {
    test(`${code} is followed by another attempt, after a wait: ${reason}`, async () => {
      const stay = await enteredStay();
      stay.socket.shut(Number(code));
      assert.equal(stay.state.phase, 'reconnecting');
      assert.equal(stay.state.reason, reason);
      assert.equal(stay.state.retryAt, stay.clock.time + limits.firstWait / 2);
      assert.equal(stay.sockets.length, 1);
      await stay.clock.advance(limits.firstWait / 2);
      assert.equal(stay.sockets.length, 2);
      assert.equal(stay.state.retryAt, null);
      stay.enter();
      assert.equal(stay.state.phase, 'open');
      assert.equal(stay.state.reason, null);
    });
  }

  test('mean the same as for the Swift client', () => {
    const all = Array.from({ length: 5000 }, (_, code) => code);
    const stopping = all.filter((code) => advice(code) === 'stop');
    const range = (from, to) => all.slice(from, to + 1);
    assert.deepEqual(stopping, [1000, 1002, 1003, 1007, 1008, 1009, 1010, ...range(4000, 4099)]);
    assert.deepEqual(all.filter((code) => advice(code) === 'atOnce'), range(4200, 4299));
  });
});

describe('waits', () => {
  /** Loses `count` connections that were not let in, and returns the waits. */
  async function waits(random, count) {
    const stay = makeStay({ random: () => random });
    stay.connection.start();
    const found = [];
    for (let index = 0; index < count; index += 1) {
      await settle();
      stay.socket.shut(1006);
      found.push(stay.state.retryAt - stay.clock.time);
      await stay.clock.advance(found.at(-1));
    }
    return found;
  }

  test('double up to half a minute', async () => {
    const longest = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000];
    assert.deepEqual((await waits(1, 8)).map(Math.round), longest);
  });

  test('may be nothing, and never more than the longest: full jitter', async () => {
    assert.deepEqual(await waits(0, 5), [0, 0, 0, 0, 0]);
    assert.deepEqual(await waits(0.25, 3), [125, 250, 500]);
    assert.equal((await waits(1 - Number.EPSILON, 100)).every((wait) => wait <= limits.longestWait), true);
  });

  for (const [reason, least] of [
    ['retryAfterMs=2500', 2_500], ['retryAfterMs=0', 0], ['retryAfterMs=99999999999', limits.longestHint],
    ['retryAfterMs=', 0], ['retryAfterMs=-1', 0], ['retryAfterMs=1e9', 0], [' retryAfterMs=5', 0], ['busy', 0],
  ]) {
    test(`are never shorter than the server asked for: "${reason}"`, async () => {
      const stay = await enteredStay({ random: () => 0 });
      stay.socket.shut(1013, reason);
      assert.equal(stay.state.retryAt - stay.clock.time, least);
      stay.random = () => 1;
      const other = await enteredStay({ random: () => 1 });
      other.socket.shut(1012, reason);
      assert.equal(other.state.retryAt - other.clock.time, least + limits.firstWait);
    });
  }

  test('begin anew after a stable connection', async () => {
    const stay = await enteredStay({ random: () => 1 });
    for (let count = 0; count < 4; count += 1) await reconnect(stay);
    stay.enter();
    await stay.clock.advance(limits.stable);
    stay.socket.shut(1006);
    assert.equal(stay.state.retryAt - stay.clock.time, limits.firstWait);
  });

  test('go on to grow after a connection that was useless and short', async () => {
    const stay = await enteredStay({ random: () => 1 });
    for (let count = 0; count < 4; count += 1) await reconnect(stay);
    stay.enter();
    await stay.clock.advance(limits.stable - 1);
    stay.socket.shut(1006);
    assert.equal(stay.state.retryAt - stay.clock.time, 8_000);
  });

  test('shrink by half after a short connection that was of use', async () => {
    const stay = await enteredStay({ random: () => 1 });
    for (let count = 0; count < 4; count += 1) await reconnect(stay);
    stay.enter();
    stay.ale(1);
    stay.socket.shut(1006);
    assert.equal(stay.state.retryAt - stay.clock.time, 2_000);
  });
});

describe('tickets', () => {
  const problem = (status, more = {}) => () => { throw Object.assign(new Error('no'), { status, detail: 'Why.', ...more }); };

  for (const [status, kind] of [[401, 'signedOut'], [403, 'refused'], [404, 'refused'], [410, 'over'], [426, 'refused']]) {
    test(`a ${status} ends the stay: ${kind}`, async () => {
      const stay = makeStay({ ticket: problem(status) });
      stay.connection.start();
      await stay.clock.advance(hour);
      assert.deepEqual(stay.state.ended, { code: status, reason: 'Why.', kind });
      assert.equal(stay.asked.length, 1);
    });
  }

  for (const status of [408, 429, 500, 502, 503, 504]) {
    test(`a ${status} is followed by another attempt, not before Retry-After`, async () => {
      const stay = makeStay({ ticket: problem(status, { retryAfter: 4 }), random: () => 0 });
      stay.connection.start();
      await settle();
      assert.equal(stay.state.phase, 'reconnecting');
      assert.equal(stay.state.reason, 'overloaded');
      await stay.clock.advance(3_999);
      assert.equal(stay.asked.length, 1);
      await stay.clock.advance(1);
      assert.equal(stay.asked.length, 2);
    });
  }

  test('without a network it is tried again', async () => {
    const stay = makeStay({ ticket: () => { throw new TypeError('offline'); } });
    stay.connection.start();
    await settle();
    assert.equal(stay.state.reason, 'away');
    stay.ticket = addressOf;
    await stay.clock.advance(limits.firstWait);
    assert.equal(stay.sockets.length, 1);
  });

  test('the first is not asked for where an address is known, and the second is', async () => {
    const stay = await enteredStay({ url: `${addressOf(ROOM)}&server=a` });
    assert.deepEqual([stay.asked, stay.socket.url.searchParams.get('server')], [[], 'a']);
    const other = makeStay({ url: addressOf(ROOM) });
    other.connection.start();
    await settle();
    await reconnect(other);
    assert.deepEqual(other.asked, [ROOM]);
  });

  test('an address that has worked is used again, without the API', async () => {
    const stay = await enteredStay();
    await reconnect(stay);
    assert.equal(stay.asked.length, 1);
    assert.equal(stay.socket.url.searchParams.get('token'), `ticket-of-${ROOM}`);
  });

  test('one that did not lead into the room is replaced', async () => {
    const stay = await enteredStay();
    await reconnect(stay);
    await reconnect(stay);
    assert.equal(stay.asked.length, 2);
  });

  test('the old one is tried where no new one can be had', async () => {
    const stay = await enteredStay();
    stay.ticket = problem(503);
    await reconnect(stay);
    await reconnect(stay);
    stay.enter();
    assert.equal(stay.state.phase, 'open');
  });

  test('an address that is none is followed by another attempt', async () => {
    const stay = makeStay({ ticket: () => 'no address' });
    stay.connection.start();
    await settle();
    assert.equal(stay.state.phase, 'reconnecting');
    assert.equal(stay.clock.waits.length, 1);
  });
});

describe('coming back', () => {
  test('names the epoch and the latest number, and gets what was missed', async () => {
    const stay = await enteredStay({}, { seq: 4 });
    stay.ale(5);
    stay.ale(6);
    await reconnect(stay);
    assert.equal(stay.socket.url.searchParams.get('epoch'), 'e1');
    assert.equal(stay.socket.url.searchParams.get('since'), '6');
    stay.enter({ seq: 9, recovered: true });
    stay.ale(7);
    stay.ale(9);
    stay.ale(10);
    assert.deepEqual(stay.ales.map(({ seq, recovered }) => [seq, recovered]),
      [[5, false], [6, false], [7, true], [9, true], [10, false]]);
    assert.equal(stay.state.missed, false);
    assert.equal(stay.state.received, 5);
  });

  test('says so where the log did not reach back, and goes on from there', async () => {
    const stay = await enteredStay();
    stay.ale(1);
    await reconnect(stay);
    stay.enter({ seq: 500, recovered: false });
    assert.equal(stay.state.missed, true);
    stay.ale(501);
    assert.equal(stay.ales.at(-1).recovered, false);
    await reconnect(stay);
    assert.equal(stay.socket.url.searchParams.get('since'), '501');
    stay.enter({ seq: 501, recovered: true });
    assert.equal(stay.state.missed, false);
  });

  test('to a room that has begun anew counts from its beginning', async () => {
    const stay = await enteredStay({}, { seq: 40 });
    stay.ale(41);
    await reconnect(stay);
    stay.enter({ epoch: 'e2', seq: 2, recovered: false });
    stay.ale(3);
    assert.equal(stay.ales.length, 2);
    await reconnect(stay);
    assert.equal(stay.socket.url.searchParams.get('epoch'), 'e2');
    assert.equal(stay.socket.url.searchParams.get('since'), '3');
  });

  test('believes no recovery of another epoch', async () => {
    const stay = await enteredStay({}, { seq: 40 });
    await reconnect(stay);
    stay.enter({ epoch: 'e2', seq: 2, recovered: true });
    assert.equal(stay.state.missed, true);
    stay.ale(3);
    assert.equal(stay.ales.length, 1);
  });

  test('an ale that comes twice is told once', async () => {
    const stay = await enteredStay();
    stay.ale(1);
    stay.ale(1);
    stay.ale(2, { from: CHLOE });
    stay.ale(1);
    assert.equal(stay.ales.length, 2);
    await reconnect(stay);
    stay.enter({ seq: 2, recovered: true });
    stay.ale(2, { from: CHLOE });
    assert.equal(stay.ales.length, 2);
  });

  test('an acknowledgement moves the position', async () => {
    const stay = await enteredStay();
    stay.connection.cheer();
    stay.socket.say({ type: 'ack', messageId: 'm1', seq: 7 });
    await reconnect(stay);
    assert.equal(stay.socket.url.searchParams.get('since'), '7');
  });

  test('ends where the room has closed meanwhile, by the clock of the server', async () => {
    // This machine's clock is 20 minutes behind.
    const stay = await enteredStay({}, {
      now: '2027-01-04T09:20:00Z', startsAt: '2027-01-04T09:00:00Z', closesAt: '2027-01-04T09:30:00Z',
    });
    await stay.clock.sleep(10 * 60_000 - 1);
    stay.enter();
    stay.socket.shut(1006);
    assert.equal(stay.state.phase, 'reconnecting');
    await stay.clock.advance(hour);
    assert.equal(stay.state.ended.kind, 'over');
    assert.equal(stay.sockets.length, 1);
  });
});

describe('merged ales', () => {
  test('count as many', async () => {
    const stay = await enteredStay();
    stay.ale(9, { first: 2, count: 6 });
    assert.deepEqual([stay.ales[0].count, stay.ales[0].seq, stay.state.received], [6, 9, 6]);
    await reconnect(stay);
    assert.equal(stay.socket.url.searchParams.get('since'), '9');
  });

  test('of several people are all told, and a position between them loses none and repeats none', async () => {
    const stay = await enteredStay();
    // Ben's are 1, 3, 5, and Chloe's 2, 4, 6.
    stay.ale(5, { first: 1, count: 3, since: 1 });
    await reconnect(stay);
    assert.equal(stay.socket.url.searchParams.get('since'), '1');
    stay.enter({ seq: 6, recovered: true });
    stay.ale(2, { from: CHLOE });
    stay.ale(3);
    stay.ale(4, { from: CHLOE });
    stay.ale(5);
    stay.ale(6, { from: CHLOE });
    assert.equal(stay.state.received, 6);
    const fromChloe = stay.ales.filter(({ from }) => from === CHLOE).map(({ seq }) => seq);
    assert.deepEqual(fromChloe, [2, 4, 6]);
  });

  test('that come one after the other move the position to the last', async () => {
    const stay = await enteredStay();
    stay.ale(5, { first: 1, count: 3, since: 1 });
    stay.ale(6, { from: CHLOE, first: 2, count: 3 });
    assert.equal(stay.state.received, 6);
    await reconnect(stay);
    assert.equal(stay.socket.url.searchParams.get('since'), '6');
  });
});

describe('one’s own ales', () => {
  test('go out at once, and wait until they are acknowledged', async () => {
    const stay = await enteredStay();
    assert.equal(stay.connection.cheer(), true);
    assert.deepEqual(stay.socket.sent, [{ type: 'ale', messageId: 'm1' }]);
    assert.deepEqual([stay.state.waiting, stay.state.sent], [1, 0]);
    stay.socket.say({ type: 'ack', messageId: 'm1', seq: 3 });
    assert.deepEqual([stay.state.waiting, stay.state.sent], [0, 1]);
    assert.equal(stay.ales.length, 0);
    stay.socket.say({ type: 'ack', messageId: 'm1', seq: 3 });
    assert.equal(stay.state.sent, 1);
  });

  test('of the time without a connection are sent once, in order, when it is back', async () => {
    const stay = await enteredStay();
    stay.socket.shut(1006);
    for (let count = 0; count < 3; count += 1) assert.equal(stay.connection.cheer(), true);
    await stay.clock.advance(limits.firstWait);
    assert.deepEqual(stay.socket.sent, []);
    stay.enter();
    assert.deepEqual(stay.socket.of('ale').map(({ messageId }) => messageId), ['m1', 'm2', 'm3']);
  });

  test('before the first entry wait for it', async () => {
    const stay = makeStay();
    stay.connection.start();
    stay.connection.cheer();
    await settle();
    assert.deepEqual(stay.socket.sent, []);
    stay.enter();
    assert.deepEqual(stay.socket.of('ale').length, 1);
  });

  test('without acknowledgement go out again under the same id, and acknowledged ones do not', async () => {
    const stay = await enteredStay();
    stay.connection.cheer();
    stay.connection.cheer();
    stay.socket.say({ type: 'ack', messageId: 'm1', seq: 1 });
    await reconnect(stay);
    stay.enter({ seq: 2, recovered: true });
    assert.deepEqual(stay.socket.of('ale'), [{ type: 'ale', messageId: 'm2' }]);
    stay.socket.say({ type: 'ack', messageId: 'm2', seq: 2 });
    await reconnect(stay);
    stay.enter({ seq: 2, recovered: true });
    assert.deepEqual(stay.socket.of('ale'), []);
  });

  test('are in flight by the window, and others follow as they are acknowledged', async () => {
    const stay = await enteredStay();
    for (let count = 0; count < 20; count += 1) stay.connection.cheer();
    assert.equal(stay.socket.of('ale').length, limits.window);
    stay.socket.say({ type: 'ack', messageId: 'm1', seq: 1 });
    assert.equal(stay.socket.of('ale').length, limits.window + 1);
    assert.equal(new Set(stay.socket.of('ale').map(({ messageId }) => messageId)).size, limits.window + 1);
  });

  test('are refused when too many wait, and after the end', async () => {
    const stay = makeStay();
    for (let count = 0; count < limits.waiting; count += 1) assert.equal(stay.connection.cheer(), true);
    assert.equal(stay.connection.cheer(), false);
    assert.equal(stay.state.waiting, limits.waiting);
    stay.connection.stop();
    assert.equal(stay.connection.cheer(), false);
  });

  test('that come too fast pause for a moment, and go out again', async () => {
    const stay = await enteredStay();
    stay.connection.cheer();
    stay.socket.say({ type: 'error', code: 'rateLimited', detail: 'Slowly.', messageId: 'm1' });
    assert.equal(stay.state.tooFast, true);
    stay.connection.cheer();
    await stay.clock.advance(limits.pause - 1);
    assert.equal(stay.socket.of('ale').length, 1);
    await stay.clock.advance(1);
    assert.equal(stay.state.tooFast, false);
    assert.deepEqual(stay.socket.of('ale').map(({ messageId }) => messageId), ['m1', 'm1', 'm2']);
  });

  test('that were too fast go out with the next connection, without a pause', async () => {
    const stay = await enteredStay();
    stay.connection.cheer();
    stay.socket.say({ type: 'error', code: 'rateLimited', messageId: 'm1' });
    await reconnect(stay);
    assert.equal(stay.state.tooFast, false);
    stay.enter();
    assert.equal(stay.socket.of('ale').length, 1);
    await stay.clock.advance(limits.pause);
    assert.equal(stay.socket.of('ale').length, 1);
  });

  test('leave no pause behind when one goes', async () => {
    const stay = await enteredStay();
    stay.connection.cheer();
    stay.socket.say({ type: 'error', code: 'rateLimited', messageId: 'm1' });
    stay.connection.stop();
    assert.deepEqual(stay.clock.waits, []);
  });

  test('that the server does not want are given up', async () => {
    const stay = await enteredStay();
    stay.connection.cheer();
    stay.socket.say({ type: 'error', code: 'malformed', messageId: 'm1' });
    assert.equal(stay.state.waiting, 0);
    await reconnect(stay);
    stay.enter();
    assert.equal(stay.socket.of('ale').length, 0);
    assert.equal(stay.state.sent, 0);
  });

  test('that wait at the end were not sent, and the state says how many', async () => {
    const stay = await enteredStay();
    stay.connection.cheer();
    stay.socket.shut(1000);
    assert.deepEqual([stay.state.waiting, stay.state.sent], [1, 0]);
  });
});

describe('a move', () => {
  const moved = (id, socketUrl = addressOf(id)) => ({ type: 'moved', id, socketUrl });

  test('to another room is followed at once, without the position', async () => {
    const stay = await enteredStay({}, { seq: 3 });
    stay.connection.cheer();
    stay.socket.say(moved(OTHER_ROOM));
    stay.socket.shut(4200);
    await settle();
    assert.equal(stay.sockets.length, 2);
    assert.equal(stay.asked.length, 1);
    assert.equal(stay.socket.url.searchParams.get('id'), OTHER_ROOM);
    assert.equal(stay.socket.url.searchParams.has('since'), false);
    assert.deepEqual([stay.state.phase, stay.state.reason, stay.state.room], ['reconnecting', 'moved', OTHER_ROOM]);
    stay.enter({ room: OTHER_ROOM, epoch: 'e9', seq: 0 });
    assert.equal(stay.state.missed, false);
    assert.equal(stay.socket.of('ale').length, 1);
  });

  test('of the room to another server keeps the position', async () => {
    const stay = await enteredStay({}, { seq: 3 });
    stay.socket.say(moved(ROOM, `${addressOf(ROOM)}&server=b`));
    stay.socket.shut(4200);
    await settle();
    assert.equal(stay.socket.url.searchParams.get('server'), 'b');
    assert.equal(stay.socket.url.searchParams.get('epoch'), 'e1');
    assert.equal(stay.socket.url.searchParams.get('since'), '3');
  });

  test('that failed asks for a ticket of the new room', async () => {
    const stay = await enteredStay();
    stay.socket.say(moved(OTHER_ROOM));
    stay.socket.shut(4200);
    await settle();
    await reconnect(stay);
    assert.deepEqual(stay.asked, [ROOM, OTHER_ROOM]);
    assert.equal(stay.state.room, OTHER_ROOM);
  });

  test('with another close code leads there after a wait', async () => {
    const stay = await enteredStay();
    stay.socket.say(moved(OTHER_ROOM));
    await reconnect(stay, 1012);
    assert.equal(stay.socket.url.searchParams.get('id'), OTHER_ROOM);
  });

  test('is followed three times in a row, and then after a wait', async () => {
    const stay = await enteredStay();
    for (let count = 0; count < limits.turns; count += 1) {
      stay.socket.say(moved(ROOM));
      stay.socket.shut(4200);
      await settle();
      assert.equal(stay.sockets.length, 2 + count);
      stay.enter();
    }
    stay.socket.say(moved(ROOM));
    stay.socket.shut(4200);
    await settle();
    assert.equal(stay.sockets.length, 1 + limits.turns);
    assert.notEqual(stay.state.retryAt, null);
  });

  test('is over once it was made', async () => {
    const stay = await enteredStay();
    stay.socket.say(moved(ROOM));
    stay.socket.shut(4200);
    await settle();
    stay.enter();
    stay.socket.shut(4200);
    await settle();
    assert.equal(stay.sockets.length, 2);
    assert.notEqual(stay.state.retryAt, null);
  });

  test('without an address is no move', async () => {
    const stay = await enteredStay();
    stay.socket.say({ type: 'moved', id: OTHER_ROOM });
    stay.socket.say({ type: 'moved', socketUrl: addressOf(OTHER_ROOM) });
    await reconnect(stay, 4200);
    assert.equal(stay.socket.url.searchParams.get('id'), ROOM);
    assert.equal(stay.state.room, ROOM);
  });

  test('may be answered by leaving', async () => {
    const stay = await enteredStay({
      onChange: (state, { connection }) => { if (state.room === OTHER_ROOM) connection.stop(); },
    });
    stay.socket.say(moved(OTHER_ROOM));
    stay.socket.shut(4200);
    await stay.clock.advance(hour);
    assert.equal(stay.state.ended.kind, 'left');
    assert.equal(stay.sockets.length, 1);
    assert.deepEqual(stay.clock.waits, []);
  });
});

describe('members', () => {
  const words = (stay, id) => stay.state.members.find((member) => member.id === id);

  test('come, go and say something', async () => {
    const stay = await enteredStay();
    stay.socket.say({ type: 'presence', member: BEN, present: false });
    assert.equal(words(stay, BEN).present, false);
    assert.equal(words(stay, YOU).present, true);
    stay.socket.say({ type: 'checkIn', member: BEN, checkIn: 'Hello' });
    stay.socket.say({ type: 'outcome', member: YOU, outcome: 'partly', note: 'Half' });
    stay.socket.say({ type: 'status', member: BEN, status: 'ready' });
    assert.deepEqual([words(stay, BEN).checkIn, words(stay, BEN).status], ['Hello', 'ready']);
    assert.deepEqual([words(stay, YOU).outcome, words(stay, YOU).note], ['partly', 'Half']);
    stay.socket.say({ type: 'outcome', member: YOU, outcome: null });
    stay.socket.say({ type: 'status', member: BEN, status: null });
    assert.deepEqual([words(stay, YOU).outcome, words(stay, YOU).note, words(stay, BEN).status], [null, undefined, null]);
  });

  test('may be others from now on', async () => {
    const stay = await enteredStay();
    const list = [...members(), { id: CHLOE, name: 'Chloe', you: false, present: false }];
    stay.socket.say({ type: 'members', members: list });
    assert.deepEqual(stay.state.members, list);
    stay.socket.say({ type: 'members', members: 'none' });
    stay.socket.say({ type: 'presence', member: 'a stranger', present: true });
    assert.deepEqual(stay.state.members, list);
  });
});

describe('a status', () => {
  test('is sent at once, and once', async () => {
    const stay = await enteredStay();
    stay.connection.status('ready');
    assert.deepEqual(stay.socket.sent, [{ type: 'status', status: 'ready' }]);
    stay.socket.say({ type: 'status', member: YOU, status: 'ready' });
    stay.connection.status('ready');
    assert.equal(stay.socket.sent.length, 1);
    stay.connection.status(null);
    assert.deepEqual(stay.socket.sent.at(-1), { type: 'status', status: null });
  });

  test('that was said without a connection is sent with the next one', async () => {
    const stay = await enteredStay();
    stay.socket.shut(1006);
    stay.connection.status('getting-ready');
    stay.connection.status('ready');
    await stay.clock.advance(limits.firstWait);
    stay.enter();
    assert.deepEqual(stay.socket.sent, [{ type: 'status', status: 'ready' }]);
  });

  test('that the room knows is not sent again', async () => {
    const stay = await enteredStay();
    stay.connection.status('ready');
    await reconnect(stay);
    stay.enter({ members: members().map((member) => ({ ...member, status: 'ready' })) });
    assert.deepEqual(stay.socket.sent, []);
  });

  test('that came too fast is sent again', async () => {
    const stay = await enteredStay();
    stay.connection.status('ready');
    stay.socket.say({ type: 'error', code: 'rateLimited', detail: 'Slowly.' });
    stay.connection.status('ready');
    assert.equal(stay.socket.of('status').length, 1);
    await stay.clock.advance(limits.pause);
    assert.equal(stay.socket.of('status').length, 2);
  });

  test('is sent once to a server that does not know it, whatever it answers', async () => {
    const stay = await enteredStay();
    stay.connection.status('ready');
    stay.socket.say({ type: 'error', code: 'unknownType', detail: 'This room takes messages of type ale.' });
    stay.connection.cheer();
    stay.socket.say({ type: 'ack', messageId: 'm1', seq: 1 });
    assert.equal(stay.socket.of('status').length, 1);
  });

  test('that was never set is not sent', async () => {
    const stay = await enteredStay();
    await reconnect(stay);
    stay.enter();
    assert.deepEqual(stay.sockets.flatMap(({ sent }) => sent), []);
  });
});

describe('the heartbeat', () => {
  test('asks after a quiet interval, and an answer is enough', async () => {
    const stay = await enteredStay();
    await stay.clock.advance(19_999);
    assert.equal(stay.socket.of('ping').length, 0);
    await stay.clock.advance(1);
    assert.equal(stay.socket.of('ping').length, 1);
    stay.socket.say({ type: 'pong' });
    await stay.clock.advance(19_999);
    assert.deepEqual([stay.state.phase, stay.sockets.length], ['open', 1]);
    assert.equal(stay.socket.of('ping').length, 1);
    assert.equal(stay.state.received, 0);
  });

  test('needs nothing while messages come', async () => {
    const stay = await enteredStay();
    for (let seq = 1; seq <= 10; seq += 1) {
      await stay.clock.advance(15_000);
      stay.ale(seq);
    }
    assert.equal(stay.socket.of('ping').length, 0);
  });

  test('gives a silent link up after one and a half intervals, and reconnects', async () => {
    const stay = await enteredStay();
    await stay.clock.advance(29_999);
    assert.equal(stay.state.phase, 'open');
    await stay.clock.advance(1);
    assert.deepEqual([stay.state.phase, stay.state.reason], ['reconnecting', 'silent']);
    assert.equal(stay.sockets[0].closedWith, 1000);
    // What a dead link says later is not heard.
    stay.sockets[0].say({ type: 'aleResponse', from: BEN, seq: 1, at: '2027-01-04T09:00:00Z' });
    stay.sockets[0].shut(1008);
    assert.equal(stay.ales.length, 0);
    await stay.clock.advance(limits.firstWait);
    assert.equal(stay.sockets.length, 2);
  });

  test('asks again after a sleep, before it gives up', async () => {
    const stay = await enteredStay();
    await stay.clock.sleep(10 * 60_000);
    assert.equal(stay.socket.of('ping').length, 1);
    await stay.clock.sleep(10 * 60_000);
    assert.equal(stay.socket.of('ping').length, 2);
    assert.equal(stay.state.phase, 'open');
    await stay.clock.advance(10_000);
    assert.equal(stay.state.reason, 'silent');
  });

  for (const [pingSeconds, interval] of [[5, 5_000], [0, 20_000], [-1, 1_000], [1e12, 3_600_000], ['x', 20_000], [null, 20_000]]) {
    test(`has the interval of the server, within bounds: ${pingSeconds}`, async () => {
      const stay = await enteredStay({}, { pingSeconds });
      assert.deepEqual(stay.clock.waits, [interval]);
    });
  }
});

describe('waking', () => {
  test('ends a wait', async () => {
    const stay = await enteredStay();
    stay.socket.shut(1013, 'retryAfterMs=60000');
    stay.connection.wake();
    await settle();
    assert.equal(stay.sockets.length, 2);
    await stay.clock.advance(100);
    assert.equal(stay.sockets.length, 2);
  });

  test('checks a link, which has five seconds', async () => {
    const stay = await enteredStay();
    stay.connection.wake();
    assert.equal(stay.socket.of('ping').length, 1);
    await stay.clock.advance(limits.probe - 1);
    assert.equal(stay.state.phase, 'open');
    await stay.clock.advance(1);
    assert.equal(stay.state.reason, 'silent');
  });

  test('keeps a link that answers', async () => {
    const stay = await enteredStay();
    stay.connection.wake();
    await stay.clock.advance(limits.probe - 1);
    stay.socket.say({ type: 'error', code: 'unknownType' });
    await stay.clock.advance(limits.probe);
    assert.deepEqual([stay.state.phase, stay.sockets.length], ['open', 1]);
  });

  test('gives an attempt up that may have begun before a sleep, and no other', async () => {
    const stay = makeStay({ ticket: () => new Promise(() => {}) });
    stay.connection.start();
    await stay.clock.advance(limits.oldAttempt);
    stay.connection.wake();
    await settle();
    assert.equal(stay.asked.length, 1);
    await stay.clock.advance(1);
    stay.connection.wake();
    await settle();
    assert.equal(stay.asked.length, 2);
  });

  test('does nothing after the end', async () => {
    const stay = await enteredStay();
    stay.connection.stop();
    stay.connection.wake();
    await stay.clock.advance(hour);
    assert.equal(stay.sockets.length, 1);
  });
});

describe('leaving', () => {
  test('closes the socket, and nothing follows', async () => {
    const stay = await enteredStay();
    stay.connection.stop();
    assert.equal(stay.socket.closedWith, 1000);
    assert.deepEqual(stay.state.ended, { code: 1000, reason: '', kind: 'left' });
    const { length } = stay.states;
    stay.ale(1);
    stay.socket.shut(1006);
    stay.connection.stop();
    await stay.clock.advance(hour);
    assert.equal(stay.states.length, length);
    assert.deepEqual(stay.clock.waits, []);
  });

  test('while a ticket is on its way opens nothing', async () => {
    const stay = makeStay();
    stay.connection.start();
    stay.connection.stop();
    await settle();
    assert.equal(stay.sockets.length, 0);
  });

  test('before the beginning is the end', async () => {
    const stay = makeStay();
    stay.connection.stop();
    stay.connection.start();
    await settle();
    assert.deepEqual([stay.state.phase, stay.asked.length], ['ended', 0]);
  });
});

describe('what cannot be understood', () => {
  const strange = [
    'no JSON', '', '{', 'null', '3', '"text"', '[]', '{}', '{"type":null}', '{"type":"later"}', '{"type":"aleResponse"}',
    '{"type":"aleResponse","from":"x","seq":"many","at":"?"}', '{"type":"ack"}', '{"type":"ack","messageId":"m9"}',
    '{"type":"error"}', '{"type":"presence"}', '{"type":"members"}', '{"type":"moved"}', '{"type":"roomClosed"}',
    '{"type":"handshake"}', '{"type":"handshake","members":[]}',
  ];

  for (const text of strange) {
    test(`is passed over: ${text}`, async () => {
      const stay = await enteredStay();
      stay.socket.say(text);
      assert.deepEqual([stay.state.phase, stay.state.members, stay.state.received], ['open', members(), 0]);
      stay.ale(1);
      assert.equal(stay.ales.length, 1);
      await reconnect(stay);
      assert.equal(stay.socket.url.searchParams.get('since'), '1');
    });
  }

  test('does not begin a stay', async () => {
    const stay = makeStay();
    stay.connection.start();
    await settle();
    for (const text of strange.slice(0, -1)) stay.socket.say(text);
    stay.ale(1);
    assert.deepEqual([stay.state.phase, stay.ales.length], ['connecting', 0]);
  });
});

test('a state that was given out is not changed afterwards', async () => {
  const stay = await enteredStay();
  stay.connection.cheer();
  const copies = stay.states.map((state) => structuredClone(state));
  stay.socket.say({ type: 'ack', messageId: 'm1', seq: 1 });
  stay.ale(2);
  stay.socket.say({ type: 'presence', member: BEN, present: false });
  await reconnect(stay);
  assert.deepEqual(stay.states.slice(0, copies.length), copies);
});

test('the address is on the origin of the page, with the path and the query that the server named', () => {
  const socketUrl = 'wss://public.example/socket?id=1&token=a.b_c-d&server=x';
  assert.equal(ownAddress(socketUrl, 'https://localhost:8443'), 'wss://localhost:8443/socket?id=1&token=a.b_c-d&server=x');
  assert.equal(ownAddress(socketUrl, 'http://127.0.0.1:8080'), 'ws://127.0.0.1:8080/socket?id=1&token=a.b_c-d&server=x');
  assert.equal(ownAddress('ws://a//evil.example/x', 'http://own.test'), 'ws://own.test//evil.example/x');
});

test('nothing of a browser is needed', () => {
  assert.equal(typeof Connection, 'function');
  assert.equal(globalThis.document, undefined);
});
