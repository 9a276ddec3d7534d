import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';

import { follow, limits, roomOf } from '../../Sources/Web/Page/events.js';
import { Clock, randomFrom, settle } from './world.js';

/** A browser with tabs, and a server with notifications. */
class Browser {
  clock = new Clock();
  /** The notifications of the account, oldest first. */
  stored = [];
  sources = [];
  requests = [];
  /** An error of the API, while it is set. */
  failure = null;
  /** What becomes of a new stream: `open`, or the state in which it fails. */
  streams = 'open';
  tabs = [];
  #channels = [];
  #holder = null;
  #queue = [];

  /** A lock that can be stolen, as in Web Locks. */
  locks = {
    request: (name, { steal, signal }, lead) => new Promise((resolve, reject) => {
      const entry = { lead, resolve, reject };
      if (steal) {
        this.#holder?.reject(new DOMException('stolen', 'AbortError'));
        return this.#grant(entry);
      }
      if (!this.#holder) return this.#grant(entry);
      this.#queue.push(entry);
      signal?.addEventListener('abort', () => {
        if (!this.#queue.includes(entry)) return;
        this.#queue = this.#queue.filter((one) => one !== entry);
        reject(signal.reason);
      });
    }),
  };

  #grant(entry) {
    this.#holder = entry;
    Promise.resolve().then(entry.lead).then(entry.resolve, entry.reject).finally(() => {
      if (this.#holder !== entry) return;
      this.#holder = null;
      const next = this.#queue.shift();
      if (next) this.#grant(next);
    });
  }

  channel() {
    const channel = {
      postMessage: (data) => {
        for (const other of this.#channels.filter((one) => one !== channel)) {
          setImmediate(() => this.#channels.includes(other) && other.onmessage?.({ data: structuredClone(data) }));
        }
      },
      close: () => { this.#channels = this.#channels.filter((one) => one !== channel); },
    };
    this.#channels.push(channel);
    return channel;
  }

  api = async (method, path) => {
    this.requests.push(path);
    await settle();
    if (this.failure) throw this.failure;
    const query = new URL(path, 'http://service.test').searchParams;
    if (query.get('order') === 'desc') return { notifications: this.stored.slice(-1) };
    const found = this.stored.filter(({ id }) => id > Number(query.get('after')));
    const page = found.slice(0, this.page);
    return { notifications: page, ...(found.length > page.length ? { nextCursor: String(page.at(-1).id) } : {}) };
  };
  page = 200;

  /** Opens a tab. */
  open({ locks = this.locks, sharesChannel = true } = {}) {
    const tab = { told: [], wake: () => {}, source: null };
    tab.close = follow(
      { onNotification: ({ id }) => tab.told.push(id) },
      {
        api: this.api, after: this.clock.after, random: () => 0.5, locks,
        channel: sharesChannel ? this.channel() : undefined,
        open: (url) => {
          const source = new Source(this, url);
          tab.source = source;
          this.sources.push(source);
          return source;
        },
        onWake: (f, signal) => {
          tab.wake = f;
          signal.addEventListener('abort', () => { tab.wake = () => {}; });
        },
      },
    );
    this.tabs.push(tab);
    return tab;
  }

  get live() { return this.sources.filter(({ readyState }) => readyState === 1); }

  /** The server makes a notification, and sends it to the streams. */
  notify(type = 'room.opened') {
    const notification = { id: (this.stored.at(-1)?.id ?? 0) + 1, type, data: {} };
    this.stored.push(notification);
    for (const source of this.live) source.send();
  }
}

/** A stream of events: it sends what is stored after its position, once. */
class Source {
  readyState = 0;
  #listeners = {};

  constructor(browser, url) {
    this.browser = browser;
    this.url = url;
    this.position = Number(new URL(url, 'http://service.test').searchParams.get('after'));
    setImmediate(() => this.#begin(browser.streams));
  }

  #begin(state) {
    if (this.readyState === 2) return;
    if (state !== 'open') {
      this.readyState = state;
      this.onerror?.();
      return;
    }
    this.readyState = 1;
    this.onopen?.();
    this.send();
  }

  addEventListener(type, listener) { this.#listeners[type] = listener; }
  close() { this.readyState = 2; }

  send() {
    if (this.readyState !== 1 || this.isDeaf) return;
    for (const notification of this.browser.stored.filter(({ id }) => id > this.position)) {
      this.position = notification.id;
      this.#listeners[notification.type]?.({ data: JSON.stringify(notification), lastEventId: String(notification.id) });
    }
  }

  /** The connection is lost: the browser reconnects it, or has given it up. */
  fail(isForGood) {
    this.readyState = isForGood ? 2 : 0;
    this.onerror?.();
  }

  back() { this.#begin('open'); }

  /** The server says that it is there; `id`: of the last block that had one. */
  beat(id = '') { this.#listeners.heartbeat?.({ data: '{}', lastEventId: String(id) }); }

  /** A newer stream of the account takes the place of this one. */
  replace() { this.#listeners.replaced?.({ data: '{}' }); }
}

async function browserWithTabs(count) {
  const browser = new Browser();
  browser.stored.push({ id: 41, type: 'room.opened', data: {} });
  for (let index = 0; index < count; index += 1) {
    browser.open();
    await browser.clock.advance(0);
    await browser.clock.advance(0);
  }
  await flow(browser);
  return browser;
}

/** Lets everything come to rest. */
const flow = async (browser) => {
  for (let count = 0; count < 30; count += 1) await browser.clock.advance(0);
};

describe('one tab', () => {
  test('is told of what happens from now on, in order', async () => {
    const browser = await browserWithTabs(1);
    const [tab] = browser.tabs;
    assert.equal(tab.source.url, '/v1/events?after=41&heartbeat=event');
    browser.notify();
    browser.notify('session.completed');
    await flow(browser);
    assert.deepEqual(tab.told, [42, 43]);
  });

  test('listens to every type that the service has', async () => {
    const text = readFileSync(new URL('../../Sources/Contract/Resources/UserNotification.swift', import.meta.url), 'utf8');
    const types = [...text.matchAll(/case \w+ = "((?:room|session|slot)\.\w+)"/g)].map(([, type]) => type);
    assert.ok(types.length >= 5);
    assert.match(text, /case announcement$/m);
    types.push('announcement');
    const browser = await browserWithTabs(1);
    for (const type of types) browser.notify(type);
    await flow(browser);
    assert.equal(browser.tabs[0].told.length, types.length);
  });

  test('of an account without notifications begins before the first', async () => {
    const browser = new Browser();
    const tab = browser.open();
    await flow(browser);
    assert.equal(tab.source.url, '/v1/events?after=0&heartbeat=event');
    browser.notify();
    await flow(browser);
    assert.deepEqual(tab.told, [1]);
  });

  test('leaves a lost connection to the browser, which resumes it', async () => {
    const browser = await browserWithTabs(1);
    const [tab] = browser.tabs;
    tab.source.fail(false);
    browser.notify();
    await browser.clock.advance(limits.silence - 1);
    assert.equal(browser.sources.length, 1);
    tab.source.back();
    assert.deepEqual(tab.told, [42]);
  });

  test('makes another stream where the browser has given one up, and misses nothing', async () => {
    const browser = await browserWithTabs(1);
    const [tab] = browser.tabs;
    browser.notify();
    tab.source.fail(true);
    browser.notify();
    await browser.clock.advance(limits.firstWait);
    await flow(browser);
    assert.equal(browser.sources.length, 2);
    assert.deepEqual(tab.told, [42, 43]);
    browser.notify();
    await flow(browser);
    assert.deepEqual(tab.told, [42, 43, 44]);
  });

  test('gives a silent stream up, and misses nothing', async () => {
    const browser = await browserWithTabs(1);
    const [tab] = browser.tabs;
    tab.source.isDeaf = true;
    browser.notify();
    await browser.clock.advance(limits.silence - 1);
    assert.deepEqual([browser.sources.length, tab.told], [1, []]);
    await browser.clock.advance(1 + limits.firstWait);
    await flow(browser);
    assert.deepEqual([browser.sources.length, browser.live.length, tab.told], [2, 1, [42]]);
  });

  test('gives up a stream that never opens', async () => {
    const browser = new Browser();
    browser.streams = 0;
    browser.open();
    await flow(browser);
    browser.streams = 'open';
    await browser.clock.advance(limits.silence + limits.firstWait);
    await flow(browser);
    assert.deepEqual([browser.sources.length, browser.live.length], [2, 1]);
  });

  test('keeps a stream that has heartbeats or notifications', async () => {
    const browser = await browserWithTabs(1);
    const [tab] = browser.tabs;
    for (let count = 0; count < 4; count += 1) {
      await browser.clock.advance(limits.silence - 1);
      if (count % 2) tab.source.beat();
      else browser.notify();
    }
    await flow(browser);
    assert.deepEqual([browser.sources.length, tab.told], [1, [42, 43]]);
  });

  test('goes on where the server does whose ids are lower, as after a restore', async () => {
    const browser = await browserWithTabs(2);
    const { source } = browser.tabs[1];
    browser.stored = [];
    source.position = 7;
    source.beat(7);
    browser.stored.push({ id: 8, type: 'room.opened', data: {} });
    source.send();
    await flow(browser);
    for (const tab of browser.tabs) assert.deepEqual(tab.told, [8]);
    source.fail(true);
    browser.stored = [];
    await browser.clock.advance(limits.firstWait);
    await flow(browser);
    assert.match(browser.live[0].url, /after=8&/);
    // The first heartbeat alone says it, too, and a notification before it.
    browser.live[0].beat(3);
    browser.live[0].fail(true);
    await browser.clock.advance(limits.firstWait);
    await flow(browser);
    assert.match(browser.live[0].url, /after=3&/);
    const other = await browserWithTabs(2);
    other.stored = [{ id: 9, type: 'room.opened', data: {} }];
    other.tabs[1].source.position = 7;
    other.tabs[1].source.send();
    await flow(other);
    for (const tab of other.tabs) assert.deepEqual(tab.told, [9]);
  });

  test('makes no other stream where newer ones have its place, until it is looked at', async () => {
    const browser = await browserWithTabs(1);
    const [tab] = browser.tabs;
    tab.source.replace();
    assert.equal(tab.source.readyState, 2);
    browser.notify();
    await browser.clock.advance(3_600_000);
    await flow(browser);
    assert.deepEqual([browser.sources.length, tab.told], [1, []]);
    // Another tab that has missed something gets it, without a stream.
    browser.channel().postMessage({ since: 41 });
    await flow(browser);
    assert.deepEqual([browser.sources.length, tab.told], [1, [42]]);
    browser.notify();
    tab.wake();
    await flow(browser);
    assert.deepEqual([browser.sources.length, tab.told], [2, [42, 43]]);
  });

  test('is told all the same where there is no stream, if later', async () => {
    const browser = new Browser();
    browser.streams = 2;
    const tab = browser.open();
    await flow(browser);
    for (let id = 1; id <= 3; id += 1) {
      browser.notify();
      await browser.clock.advance(limits.longestWait);
      await flow(browser);
      assert.equal(tab.told.length, id);
    }
  });

  test('waits for longer with each failure, up to half a minute, and not for long after a stream that was open', async () => {
    const browser = await browserWithTabs(1);
    browser.streams = 2;
    const waits = [];
    browser.tabs[0].source.fail(true);
    for (let count = 0; count < 8; count += 1) {
      await flow(browser);
      waits.push(browser.clock.waits[0]);
      await browser.clock.advance(browser.clock.waits[0]);
    }
    // With 0.5 the jitter leaves three quarters.
    assert.deepEqual(waits, [750, 1_500, 3_000, 6_000, 12_000, 22_500, 22_500, 22_500]);
    browser.streams = 'open';
    await browser.clock.advance(limits.longestWait);
    await flow(browser);
    browser.tabs[0].source.fail(true);
    await flow(browser);
    assert.deepEqual(browser.clock.waits, [750]);
  });

  test('goes on after an error of the API', async () => {
    const browser = new Browser();
    browser.failure = Object.assign(new Error('away'), { status: 503 });
    browser.open();
    await flow(browser);
    assert.equal(browser.sources.length, 0);
    browser.failure = null;
    await browser.clock.advance(limits.longestWait);
    await flow(browser);
    assert.equal(browser.live.length, 1);
  });

  test('does not come back before the Retry-After of a busy server, and by chance later', async () => {
    const browser = new Browser();
    browser.failure = Object.assign(new Error('busy'), { status: 503, retryAfter: 7 });
    browser.open();
    await flow(browser);
    // With 0.5 the jitter is a quarter of a second at first.
    assert.deepEqual(browser.clock.waits, [7_250]);
    browser.failure = null;
    await browser.clock.advance(7_250);
    await flow(browser);
    assert.equal(browser.live.length, 1);
  });

  for (const status of [401, 403]) {
    test(`ends without a session, and if the account is suspended: ${status}`, async () => {
      const browser = new Browser();
      browser.failure = Object.assign(new Error('no'), { status });
      browser.open();
      await flow(browser);
      await browser.clock.advance(3_600_000);
      assert.deepEqual([browser.requests.length, browser.sources.length], [1, 0]);
    });
  }

  test('reads all pages of what it has missed', async () => {
    const browser = await browserWithTabs(1);
    const [tab] = browser.tabs;
    browser.page = 2;
    tab.source.fail(true);
    for (let count = 0; count < 5; count += 1) browser.notify();
    browser.streams = 2;
    await browser.clock.advance(limits.firstWait);
    await flow(browser);
    assert.deepEqual(tab.told, [42, 43, 44, 45, 46]);
  });

  test('that is woken looks again, since its stream may be dead', async () => {
    const browser = await browserWithTabs(1);
    const [tab] = browser.tabs;
    tab.source.isDeaf = true;
    browser.notify();
    tab.wake();
    await flow(browser);
    assert.deepEqual(tab.told, [42]);
    assert.equal(browser.live.length, 1);
    assert.equal(browser.sources.length, 2);
  });

  test('that is closed has no stream, and does nothing more', async () => {
    const browser = await browserWithTabs(1);
    browser.tabs[0].close();
    await flow(browser);
    browser.notify();
    await browser.clock.advance(3_600_000);
    assert.deepEqual([browser.live.length, browser.sources.length, browser.tabs[0].told], [0, 1, []]);
    assert.deepEqual(browser.clock.waits, []);
  });
});

describe('several tabs', () => {
  test('have one stream, and each is told once', async () => {
    const browser = await browserWithTabs(4);
    assert.equal(browser.live.length, 1);
    browser.notify();
    browser.notify();
    await flow(browser);
    for (const tab of browser.tabs) assert.deepEqual(tab.told, [42, 43]);
  });

  test('go on when the leading one is closed, from where it was', async () => {
    const browser = await browserWithTabs(3);
    browser.notify();
    await flow(browser);
    browser.tabs[2].close();
    browser.notify();
    await flow(browser);
    assert.equal(browser.live.length, 1);
    assert.match(browser.live[0].url, /after=4[23]&/);
    browser.notify();
    await flow(browser);
    for (const tab of browser.tabs.slice(0, 2)) assert.deepEqual(tab.told, [42, 43, 44]);
    assert.deepEqual(browser.tabs[2].told, [42]);
  });

  test('are led by the one that was looked at last', async () => {
    const browser = await browserWithTabs(3);
    browser.tabs[0].wake();
    await flow(browser);
    assert.deepEqual(browser.live, [browser.tabs[0].source]);
    browser.notify();
    await flow(browser);
    for (const tab of browser.tabs) assert.deepEqual(tab.told, [42]);
  });

  test('miss nothing where the leading one was asleep', async () => {
    const browser = await browserWithTabs(2);
    const [first, second] = browser.tabs;
    second.source.isDeaf = true;
    browser.notify();
    await flow(browser);
    assert.deepEqual(first.told, []);
    first.wake();
    await flow(browser);
    assert.deepEqual([first.told, second.told], [[42], [42]]);
  });

  test('miss nothing where a new one takes the lead that knows nothing of before', async () => {
    const browser = await browserWithTabs(1);
    const [first] = browser.tabs;
    first.source.isDeaf = true;
    browser.notify();
    const second = browser.open();
    await flow(browser);
    assert.deepEqual(first.told, [42]);
    assert.deepEqual(second.told, []);
    browser.notify();
    await flow(browser);
    assert.deepEqual([first.told, second.told], [[42, 43], [43]]);
  });

  test('that say where they are get everything from there on', async () => {
    const browser = await browserWithTabs(1);
    browser.notify();
    await flow(browser);
    const heard = [];
    const channel = browser.channel();
    channel.onmessage = ({ data }) => heard.push(data);
    channel.postMessage({ since: 41 });
    await flow(browser);
    assert.deepEqual(heard.filter((data) => data.notification), [{ notification: browser.stored[1], after: 41 }]);
    assert.deepEqual(browser.tabs[0].told, [42]);
  });

  for (const [what, options] of [['locks', { locks: null }], ['channels', { sharesChannel: false }]]) {
    test(`have a stream each without ${what}`, async () => {
      const browser = new Browser();
      const tabs = [browser.open(options), browser.open(options)];
      await flow(browser);
      assert.equal(browser.live.length, 2);
      browser.notify();
      await flow(browser);
      for (const tab of tabs) assert.deepEqual(tab.told, [1]);
      tabs[0].wake();
      await flow(browser);
      assert.equal(browser.live.length, 2);
      tabs[0].close();
      await flow(browser);
      assert.equal(browser.live.length, 1);
    });
  }
});

test('the opening of a room names all that is needed to enter it', () => {
  const data = {
    registrationId: 'r1', roomId: 'a1', startsAt: '2027-01-04T09:30:00Z', closesAt: '2027-01-04T10:00:00Z',
    socketUrl: 'wss://service.test/socket?ticket=t', partners: [{ id: 'r2', name: 'Ben', task: 'Read' }],
  };
  assert.deepEqual(roomOf(data), {
    id: 'a1', slot: { startsAt: data.startsAt, endsAt: data.closesAt }, closesAt: data.closesAt, socketUrl: data.socketUrl,
    members: [{ id: 'r1', you: true }, { id: 'r2', name: 'Ben', task: 'Read' }],
  });
});

test('each open tab is told of everything once, however they come, go and are looked at', async () => {
  const first = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
  const count = Number(process.env.SEEDS ?? 25);
  console.log(`seeds ${first} to ${first + count - 1}; SEED=${first} repeats them`);
  for (let seed = first; seed < first + count; seed += 1) {
    const random = randomFrom(seed);
    const browser = new Browser();
    const open = [];
    const openTab = async () => {
      const tab = browser.open();
      await flow(browser);
      tab.since = browser.stored.at(-1)?.id ?? 0;
      open.push(tab);
    };
    await openTab();
    for (let step = 0; step < 40; step += 1) {
      const dice = random();
      const tab = open[Math.floor(random() * open.length)];
      if (dice < 0.4) browser.notify();
      else if (dice < 0.5) await openTab();
      else if (dice < 0.6) tab.wake();
      else if (dice < 0.65 && open.length > 1) open.splice(open.indexOf(tab), 1)[0].close();
      else if (dice < 0.75) browser.live.forEach((source) => source.fail(random() < 0.5));
      else if (dice < 0.8) browser.sources.filter(({ readyState }) => readyState === 0).forEach((source) => source.back());
      else if (dice < 0.9) await browser.clock.advance(random() * 30_000);
      else await flow(browser);
    }
    browser.sources.filter(({ readyState }) => readyState === 0).forEach((source) => source.back());
    for (let round = 0; round < 3; round += 1) {
      await browser.clock.advance(30_000);
      await flow(browser);
    }
    for (const [index, tab] of open.entries()) {
      const expected = browser.stored.map(({ id }) => id).filter((id) => id > tab.since);
      assert.deepEqual(tab.told, expected, `SEED=${seed} SEEDS=1, tab ${index}`);
    }
    assert.equal(browser.live.length, 1, `SEED=${seed} SEEDS=1: streams`);
    for (const tab of open) tab.close();
  }
});
