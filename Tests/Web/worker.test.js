import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import vm from 'node:vm';

import { Clock } from './world.js';

const ORIGIN = 'https://service.test';
const BASE = '/page/0123456789abcdef';
const FILES = [`${BASE}/app.js`, `${BASE}/page.css`, `${BASE}/icon-192.png`];

/** The worker as script/dev/embed leaves it, in a browser that is the test's; `base`: the path of the page. */
function makeWorker({ old = [], base = '' } = {}) {
  const source = readFileSync(new URL('../../Sources/Web/Page/worker.js', import.meta.url), 'utf8')
    .replaceAll('{{base}}', BASE).replaceAll('{{files}}', JSON.stringify(FILES));
  const listeners = {};
  const clock = new Clock();
  const worker = {
    clock, shown: [], opened: [], tabs: [], posted: [], fetched: [], subscribed: [], hasClaimed: false,
    stored: new Map(old.map((name) => [name, new Map()])),
    network: (url) => new Response(`network: ${url}`),
  };
  const pathOf = (request) => new URL(request.url ?? request, ORIGIN).pathname;
  const cacheOf = (files) => ({
    addAll: async (paths) => {
      for (const path of paths) {
        const answer = await worker.fetch(path);
        if (!answer.ok) throw new TypeError(`${path}: ${answer.status}`);
        files.set(path, answer);
      }
    },
  });
  worker.fetch = async (request, options) => {
    const path = request.url ? pathOf(request) : request;
    worker.fetched.push({ path, ...options });
    return worker.network(path);
  };
  vm.runInNewContext(source, {
    URL, JSON, Promise, TypeError,
    setTimeout: (f, ms, ...values) => clock.after(ms, () => f(...values)),
    location: new URL(`${base}/worker.js`, ORIGIN),
    addEventListener: (type, listener) => { listeners[type] = listener; },
    fetch: worker.fetch,
    caches: {
      open: async (name) => {
        if (!worker.stored.has(name)) worker.stored.set(name, new Map());
        return cacheOf(worker.stored.get(name));
      },
      keys: async () => [...worker.stored.keys()],
      delete: async (name) => worker.stored.delete(name),
      match: async (request) => {
        for (const files of worker.stored.values()) if (files.has(pathOf(request))) return files.get(pathOf(request)).clone();
        return undefined;
      },
    },
    clients: {
      claim: async () => { worker.hasClaimed = true; },
      matchAll: async () => worker.tabs,
      openWindow: async (url) => { worker.opened.push(url); },
    },
    registration: {
      showNotification: async (title, options) => { worker.shown.push({ title, ...options }); },
      pushManager: { subscribe: async (options) => {
        worker.subscribed.push({ ...options });
        return subscription('https://push.test/new', options);
      } },
    },
  });
  /** Dispatches an event, and waits until the worker has done what it does. */
  worker.dispatch = async (type, event = {}) => {
    const waits = [];
    let answer;
    listeners[type]({
      waitUntil: (promise) => waits.push(promise), respondWith: (promise) => { answer = promise; }, ...event,
    });
    await Promise.all(waits);
    return answer;
  };
  worker.get = (path, more = {}) => worker.dispatch('fetch', {
    request: { method: 'GET', mode: 'no-cors', url: new URL(path, ORIGIN).href, ...more },
  });
  worker.visit = (path) => worker.get(path, { mode: 'navigate' });
  worker.push = async (data) => {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    await worker.dispatch('push', { data: data === undefined ? null : { json: () => JSON.parse(text) } });
    return worker.shown.at(-1);
  };
  worker.tap = (path) => worker.dispatch('notificationclick', {
    notification: { close: () => { worker.isClosed = true; }, data: path === undefined ? undefined : { path } },
  });
  worker.tab = (path, focus = async () => {}) => worker.tabs.push({
    url: ORIGIN + path, focus: async () => { worker.posted.push(`focus ${path}`); await focus(); },
    postMessage: (message) => worker.posted.push(structuredClone(message)),
  });
  return worker;
}

const subscription = (endpoint, options) => ({
  options, toJSON: () => ({ endpoint, keys: { p256dh: 'key', auth: 'secret' } }),
});
const offline = () => { throw new TypeError('offline'); };

describe('the page', () => {
  test('is kept with all its files, and older ones are not', async () => {
    const worker = makeWorker({ old: ['/page/older'] });
    await worker.dispatch('install');
    assert.deepEqual([...worker.stored.get(BASE).keys()], ['/welcome', ...FILES]);
    assert.equal(worker.stored.has('/page/older'), true);
    await worker.dispatch('activate');
    assert.deepEqual([...worker.stored.keys()], [BASE]);
    assert.equal(worker.hasClaimed, true);
  });

  test('is not kept in part', async () => {
    const worker = makeWorker();
    worker.network = (path) => new Response('', { status: path.endsWith('.css') ? 404 : 200 });
    await assert.rejects(worker.dispatch('install'));
  });

  test('has a file from the cache, and from the network where it is not there', async () => {
    const worker = makeWorker();
    await worker.dispatch('install');
    worker.network = () => new Response('from the network');
    assert.equal(await (await worker.get(`${BASE}/app.js`)).text(), `network: ${BASE}/app.js`);
    assert.equal(await (await worker.get('/page/other/app.js')).text(), 'from the network');
  });

  for (const path of ['/', '/welcome', '/day', '/day/2027-01-04', '/registration/1', '/room/1', '/me', '/invites/abc']) {
    test(`is there without a network: ${path}`, async () => {
      const worker = makeWorker();
      await worker.dispatch('install');
      worker.network = offline;
      assert.equal(await (await worker.visit(path)).text(), 'network: /welcome');
    });
  }

  for (const status of [502, 503, 504]) {
    test(`is there where a proxy answers ${status} for the server`, async () => {
      const worker = makeWorker();
      await worker.dispatch('install');
      worker.network = () => new Response('<h1>Bad gateway</h1>', { status });
      assert.equal(await (await worker.visit('/day')).text(), 'network: /welcome');
    });
  }

  test('comes from the network where there is one', async () => {
    const worker = makeWorker();
    await worker.dispatch('install');
    worker.network = () => new Response('newer');
    assert.equal(await (await worker.visit('/day')).text(), 'newer');
  });

  test('does not wait for long for a network that is slow', async () => {
    const worker = makeWorker();
    await worker.dispatch('install');
    worker.network = () => new Promise(() => {});
    let shown;
    worker.visit('/day').then((answer) => { shown = answer; });
    await worker.clock.advance(3_999);
    assert.equal(shown, undefined);
    await worker.clock.advance(1);
    assert.equal(await shown.text(), 'network: /welcome');
  });

  test('is an error of the network where nothing is kept', async () => {
    const worker = makeWorker();
    worker.network = offline;
    await assert.rejects(worker.visit('/day'), TypeError);
  });

  for (const [what, path, more] of [
    ['the API', '/v1/me'], ['the socket', '/socket?id=1'], ['a page of something else', '/problems/invalid', { mode: 'navigate' }],
    ['a call at the path of a screen', '/day', { mode: 'cors' }],
    ['a calendar', '/calendars/x.ics', { mode: 'navigate' }], ['a name that only begins alike', '/mean', { mode: 'navigate' }],
    ['another origin', 'https://elsewhere.test/page/app.js'], ['a POST', `${BASE}/app.js`, { method: 'POST' }],
  ]) {
    test(`leaves alone ${what}`, async () => {
      const worker = makeWorker();
      await worker.dispatch('install');
      assert.equal(await worker.get(path, more), undefined);
    });
  }
});

describe('a push', () => {
  const room = '11111111-0000-4000-8000-000000000001';

  test('that is declarative shows what it says', async () => {
    const worker = makeWorker();
    const shown = await worker.push({
      web_push: 8030, mutable: true,
      notification: { title: 'Your room is open', body: 'Ben is with you.', navigate: `https://public.example/room/${room}`, tag: 'r1' },
    });
    assert.deepEqual({ ...shown, data: { ...shown.data } }, {
      title: 'Your room is open', body: 'Ben is with you.', tag: 'r1', renotify: true, icon: `${BASE}/icon-192.png`,
      data: { path: `/room/${room}` },
    });
  });

  test('of an earlier release shows the same', async () => {
    const worker = makeWorker();
    const shown = await worker.push({
      title: 'Your room is open', body: 'Ben is with you.', type: 'room.opened', notificationId: 7, registrationId: 'r1',
      roomId: room, socketUrl: 'wss://public.example/socket?id=1&token=x', startsAt: '2027-01-04T09:00:00Z',
    });
    assert.deepEqual([shown.title, shown.body, shown.tag, shown.data.path],
      ['Your room is open', 'Ben is with you.', 'r1', `/room/${room}`]);
  });

  test('that has no room leads to the day', async () => {
    const worker = makeWorker();
    const shown = await worker.push({ title: 'You missed a session', body: 'The next one is yours.', type: 'session.missed' });
    assert.equal(shown.data.path, '/day');
  });

  test('that the browser has read already is shown', async () => {
    const worker = makeWorker();
    await worker.dispatch('push', { data: null, notification: { title: 'Well done', body: 'One ale.', navigate: `${ORIGIN}/me` } });
    assert.deepEqual([worker.shown[0].title, worker.shown[0].data.path], ['Well done', '/me']);
  });

  for (const data of [undefined, '', 'no JSON', 'null', '3', '"text"', '[]', '{}', '{"title":7,"body":{}}',
    '{"web_push":8030}', '{"web_push":8030,"notification":null}', '{"web_push":8030,"notification":"x"}', '{"title":""}']) {
    test(`that makes no sense is shown in general words: ${data}`, async () => {
      const worker = makeWorker();
      const shown = await worker.push(data);
      assert.equal(worker.shown.length, 1);
      assert.deepEqual([shown.title, shown.body, shown.data.path, shown.tag, shown.renotify],
        ['Let’s Switch', 'There is a notification for you.', '/day', '', false]);
    });
  }

  for (const [navigate, path] of [
    ['https://evil.test/room/1?x=2#y', '/room/1?x=2'], ['/me', '/me'], ['javascript:alert(1)', '/day'], ['data:text/html,x', '/day'],
    ['http://', '/day'], ['https://evil.test//evil.test/x', '//evil.test/x'], [7, '/day'],
  ]) {
    test(`never leads to another origin: ${navigate}`, async () => {
      const worker = makeWorker();
      const shown = await worker.push({ web_push: 8030, notification: { title: 'x', navigate } });
      assert.equal(shown.data.path, path);
      await worker.tap(shown.data.path);
      assert.equal(new URL(worker.opened[0]).origin, ORIGIN);
    });
  }

  test('with a room that is no id leads to no other path', async () => {
    const worker = makeWorker();
    assert.equal((await worker.push({ title: 'x', roomId: '../../v1/me' })).data.path, '/room/..%2F..%2Fv1%2Fme');
  });
});

describe('below a path', () => {
  const base = '/switch';
  const files = FILES.map((file) => base + file);

  test('the page is kept, and files of other programs at the same host stay', async () => {
    const worker = makeWorker({ base, old: ['/switch/page/older', '/page/older', 'another program', '/switchboard/page/1'] });
    await worker.dispatch('install');
    assert.deepEqual([...worker.stored.get(base + BASE).keys()], ['/switch/welcome', ...files]);
    await worker.dispatch('activate');
    assert.deepEqual([...worker.stored.keys()], ['/page/older', 'another program', '/switchboard/page/1', base + BASE]);
    worker.network = offline;
    assert.equal(await (await worker.visit('/switch/day')).text(), 'network: /switch/welcome');
    assert.equal(await (await worker.get(files[0])).text(), `network: ${files[0]}`);
    for (const path of ['/day', '/switchboard/day', '/switch/v1/me']) assert.equal(await worker.visit(path), undefined, path);
  });

  test('a push and a tap lead to its screens', async () => {
    const worker = makeWorker({ base });
    assert.equal((await worker.push({ title: 'x', roomId: '1' })).data.path, '/switch/room/1');
    const message = { web_push: 8030, notification: { title: 'x', navigate: `${ORIGIN}/switch/room/2` } };
    const shown = await worker.push(message);
    assert.deepEqual([shown.data.path, shown.icon], ['/switch/room/2', `/switch${BASE}/icon-192.png`]);
    worker.tab('/day');
    worker.tab('/switch/day');
    await worker.tap('/switch/room/2');
    assert.deepEqual(worker.posted, ['focus /switch/day', { open: '/switch/room/2' }]);
  });

  test('a changed subscription goes to its service', async () => {
    const worker = makeWorker({ base });
    await worker.dispatch('pushsubscriptionchange', { newSubscription: subscription('https://push.test/2') });
    assert.equal(worker.fetched[0].path, '/switch/v1/endpoints');
  });
});

describe('a tap', () => {
  test('opens the lobby where no tab is open', async () => {
    const worker = makeWorker();
    await worker.tap('/room/1');
    assert.equal(worker.isClosed, true);
    assert.deepEqual(worker.opened, [`${ORIGIN}/room/1`]);
  });

  test('takes a tab that is open there', async () => {
    const worker = makeWorker();
    worker.tab('/day');
    worker.tab('/room/1');
    await worker.tap('/room/1');
    assert.deepEqual([worker.posted, worker.opened], [['focus /room/1'], []]);
  });

  test('takes another tab of the page, and tells it where to go', async () => {
    const worker = makeWorker();
    worker.tab('/problems/invalid');
    worker.tab('/day/2027-01-04');
    await worker.tap('/room/1');
    assert.deepEqual([worker.posted, worker.opened], [['focus /day/2027-01-04', { open: '/room/1' }], []]);
  });

  test('opens one where none can be taken', async () => {
    const worker = makeWorker();
    worker.tab('/day', async () => { throw new TypeError('not allowed'); });
    await worker.tap('/room/1');
    assert.deepEqual(worker.opened, [`${ORIGIN}/room/1`]);
  });

  test('on a notification without a place leads to the day', async () => {
    const worker = makeWorker();
    await worker.tap();
    assert.deepEqual(worker.opened, [`${ORIGIN}/day`]);
  });
});

describe('a subscription that the browser has changed', () => {
  const sent = ({ fetched: [{ path, method, body }] }) => [path, method, JSON.parse(body)];

  test('is told to the service', async () => {
    const worker = makeWorker();
    await worker.dispatch('pushsubscriptionchange', { newSubscription: subscription('https://push.test/2') });
    assert.deepEqual(sent(worker),
      ['/v1/endpoints', 'POST', { kind: 'webpush', url: 'https://push.test/2', p256dh: 'key', auth: 'secret' }]);
  });

  test('and not replaced is made anew', async () => {
    const worker = makeWorker();
    await worker.dispatch('pushsubscriptionchange', { oldSubscription: subscription('https://push.test/1', { userVisibleOnly: true }) });
    assert.equal(sent(worker)[2].url, 'https://push.test/new');
  });

  test('of which the browser says nothing is made with the server\'s key', async () => {
    const worker = makeWorker();
    worker.network = (path) => new Response(path === '/v1/push-key' ? '{"publicKey":"BP-_abc"}' : '{}');
    await worker.dispatch('pushsubscriptionchange', { oldSubscription: null, newSubscription: null });
    const { path, body } = worker.fetched.at(-1);
    assert.equal(path, '/v1/endpoints');
    assert.equal(JSON.parse(body).url, 'https://push.test/new');
    assert.deepEqual(worker.subscribed, [{ userVisibleOnly: true, applicationServerKey: 'BP-_abc' }]);
  });
});
