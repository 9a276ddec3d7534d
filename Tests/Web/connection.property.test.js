// A stay over a network that loses connections, messages and acknowledgements as a seed says. However it goes, the
// room takes each ale of one's own once, in order, and each ale of the others is told once, in order.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Connection } from '../../Sources/Web/Page/connection.js';
import { BEN, CHLOE, ROOM, YOU, addressOf, members } from './stay.js';
import { Clock, randomFrom, settle } from './world.js';

/** A room that numbers ales, knows each messageId, and gives back what was missed: as the service does. */
class ModelRoom {
  log = [];
  /** The latest number when the page came in for the first time. */
  entered;
  #known = new Map();

  constructor(clock) { this.clock = clock; }

  handshake(since) {
    const now = new Date(this.clock.time);
    return {
      type: 'handshake', room: ROOM, you: YOU, epoch: 'e1', seq: this.log.length, recovered: since !== null,
      now, startsAt: now, closesAt: new Date(this.clock.time + 1e9), pingSeconds: 20, members: members(),
    };
  }

  ale(from, messageId) {
    if (messageId && this.#known.has(messageId)) return this.#known.get(messageId);
    this.log.push({ from, messageId, seq: this.log.length + 1 });
    if (messageId) this.#known.set(messageId, this.log.length);
    return this.log.length;
  }

  /** The ales of others after a number, as they are recovered. */
  after(since) { return this.log.filter(({ seq, from }) => seq > since && from !== YOU); }
}

const frame = ({ from, seq }) => ({ type: 'aleResponse', from, seq, at: '2027-01-04T09:00:00Z' });

/** One end of a connection, with what is on its way in both directions. */
class Link {
  toPage = [];
  toRoom = [];
  /** The ales that wait for a slow reader. */
  waiting = [];
  isOpen = true;

  constructor(url, room) {
    const { searchParams } = new URL(url);
    const since = searchParams.has('since') ? Number(searchParams.get('since')) : null;
    this.room = room;
    this.toPage.push(room.handshake(since));
    if (since !== null) this.toPage.push(...room.after(since).map(frame));
  }

  send(text) { this.toRoom.push(JSON.parse(text)); }
  close() { this.isOpen = false; }

  /** Moves one message in each direction, if there is one. */
  step() {
    const heard = this.toRoom.shift();
    if (heard?.type === 'ale') {
      const seq = this.room.ale(YOU, heard.messageId);
      this.flush();
      this.toPage.push({ type: 'ack', messageId: heard.messageId, seq });
    } else if (heard) {
      this.flush();
      this.toPage.push({ type: 'error', code: 'unknownType', detail: 'No.' });
    }
    const told = this.toPage.shift();
    if (told?.type === 'handshake') this.room.entered ??= told.seq;
    if (told) this.onmessage({ data: JSON.stringify(told) });
  }

  /** Sends what waits, merged by sender, as `WaitingAles` in Sources/Rooms does. */
  flush() {
    const entries = new Map();
    for (const { from, seq } of this.waiting) {
      const entry = entries.get(from) ?? { from, first: seq, count: 0 };
      entries.set(from, { ...entry, seq, count: entry.count + 1 });
    }
    this.waiting = [];
    let least = Infinity;
    const messages = [...entries.values()].sort((a, b) => a.seq - b.seq).reverse().map((entry) => {
      const since = Math.min(entry.seq, least - 1);
      least = Math.min(least, entry.first);
      const { first, count, seq } = entry;
      return { ...frame(entry), ...(count > 1 || since < seq ? { first, count } : {}), ...(since < seq ? { since } : {}) };
    });
    this.toPage.push(...messages.reverse());
  }
}

async function simulate(seed) {
  const random = randomFrom(seed);
  const clock = new Clock();
  const room = new ModelRoom(clock);
  let link = null;
  let isNetworkUp = true;
  const told = [];
  let ids = 0;
  const connection = new Connection({
    room: ROOM, now: clock.now, after: clock.after, random, newID: () => `m${++ids}`, onChange() {},
    ticket: async () => {
      if (!isNetworkUp) throw new TypeError('offline');
      return addressOf(ROOM);
    },
    open: (url) => {
      link = isNetworkUp ? new Link(url, room) : { send() {}, close() {}, isOpen: false };
      return link;
    },
    onAle: (ale) => told.push(ale),
  });
  let cheers = 0;
  const others = (from) => {
    const seq = room.ale(from);
    if (!link?.isOpen) return;
    link.waiting.push({ from, seq });
    if (random() < 0.6) link.flush();
  };
  const lose = (code) => {
    const lost = link;
    link = null;
    lost?.onclose?.({ code, reason: '' });
  };
  connection.start();
  await settle();
  for (let step = 0; step < 300; step += 1) {
    const dice = random();
    if (dice < 0.3) others(random() < 0.5 ? BEN : CHLOE);
    else if (dice < 0.45) cheers += connection.cheer() ? 1 : 0;
    else if (dice < 0.9) { if (link?.isOpen) link.step(); }
    else if (dice < 0.94) lose([1006, 1012, 4101, 1001][Math.floor(random() * 4)]);
    else if (dice < 0.96) isNetworkUp = !isNetworkUp;
    else if (dice < 0.98) connection.wake();
    else await clock.advance(random() * 20_000);
    await settle();
  }
  isNetworkUp = true;
  for (let round = 0; round < 20; round += 1) {
    await clock.advance(5_000);
    for (let count = 0; count < 200 && link?.isOpen; count += 1) link.step();
    link?.flush?.();
    await settle();
  }

  assert.equal(connection.state.phase, 'open');
  const own = room.log.filter(({ from }) => from === YOU).map(({ messageId }) => messageId);
  assert.deepEqual(own, Array.from({ length: cheers }, (_, index) => `m${index + 1}`), 'one’s own ales');
  assert.equal(connection.state.sent, cheers);
  assert.equal(connection.state.waiting, 0);
  for (const from of [BEN, CHLOE]) {
    const numbers = room.log.filter((ale) => ale.from === from && ale.seq > room.entered).map(({ seq }) => seq);
    const heard = told.filter((ale) => ale.from === from);
    assert.equal(heard.reduce((sum, { count }) => sum + count, 0), numbers.length, `the number of ales of ${from}`);
    let index = -1;
    for (const { seq, count } of heard) {
      index += count;
      assert.equal(seq, numbers[index], 'the last of the ales that a message is about');
    }
  }
}

test('each ale is taken once and told once, whatever the network does', async () => {
  const first = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
  const count = Number(process.env.SEEDS ?? 60);
  console.log(`seeds ${first} to ${first + count - 1}; SEED=${first} repeats them`);
  for (let seed = first; seed < first + count; seed += 1) {
    await simulate(seed).catch((error) => { throw new Error(`SEED=${seed} SEEDS=1: ${error.message}`, { cause: error }); });
  }
});
