import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';

import { canPush, enablePush, endPush, keepPush, pushState } from '../../Sources/Web/Page/push.js';

const KEY = 'BP-_abc';
const ENDPOINT = 'https://push.test/1';

/** A browser and a server; the module finds them where it finds those of a page. */
function makeBrowser({ permission = 'granted', answer = 'granted', subscription = null, endpoints = [], key = KEY } = {}) {
  const browser = { calls: [], asked: 0, subscription, registered: [], options: [], kept: {} };
  const subscriptionOf = (endpoint) => ({
    endpoint, toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: async () => { browser.subscription = null; },
  });
  if (typeof subscription === 'string') browser.subscription = subscriptionOf(subscription);
  const pushManager = {
    getSubscription: async () => browser.subscription,
    subscribe: async (options) => {
      browser.options.push(options);
      if (browser.subscription?.hasAnotherKey) throw new DOMException('another key', 'InvalidStateError');
      browser.subscription ??= subscriptionOf(ENDPOINT);
      return browser.subscription;
    },
  };
  const serviceWorker = {
    getRegistration: async () => ({ pushManager }), ready: Promise.resolve({ pushManager }),
    register: async (path) => { browser.registered.push(path); },
  };
  const reply = (body, status = 200) => new Response(body === null ? null : JSON.stringify(body), { status });
  set('document', { documentElement: { lang: 'en' } });
  set('navigator', { serviceWorker });
  set('PushManager', class {});
  set('localStorage', {
    getItem: (name) => browser.kept[name] ?? null, setItem: (name, value) => { browser.kept[name] = value; },
    removeItem: (name) => { delete browser.kept[name]; },
  });
  set('Notification', {
    get permission() { return permission; },
    requestPermission: async () => {
      browser.asked += 1;
      permission = answer;
      return answer;
    },
  });
  set('fetch', async (path, { method, body }) => {
    browser.calls.push([method, path, ...body ? [JSON.parse(body)] : []]);
    if (path === '/v1/push-key') return key ? reply({ publicKey: key }) : reply({}, 404);
    if (path.startsWith('/v1/endpoints?')) return reply({ endpoints });
    return method === 'DELETE' ? reply(null, 204) : reply({ id: 'e1' }, 201);
  });
  return browser;
}

const before = new Map();
function set(name, value) {
  if (!before.has(name)) before.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
afterEach(() => {
  for (const [name, descriptor] of before) {
    if (descriptor) Object.defineProperty(globalThis, name, descriptor);
    else delete globalThis[name];
  }
  before.clear();
});

describe('whether it can be done', () => {
  test('takes a browser and a server that can', async () => {
    makeBrowser();
    assert.equal(await canPush(), true);
    makeBrowser({ key: null });
    assert.equal(await canPush(), false);
  });

  test('asks no server where the browser cannot', async () => {
    const browser = makeBrowser();
    delete globalThis.PushManager;
    assert.equal(await canPush(), false);
    assert.equal(await pushState(), 'unsupported');
    assert.deepEqual(browser.calls, []);
  });
});

describe('the state', () => {
  for (const [what, state, options] of [
    ['refused', 'denied', { permission: 'denied', subscription: ENDPOINT }],
    ['not asked yet', 'off', { permission: 'default' }],
    ['without a subscription', 'off', {}],
    ['known to the account', 'on', { subscription: ENDPOINT, endpoints: [{ id: 'e1', url: ENDPOINT, state: 'active' }] }],
    ['failing for now', 'on', { subscription: ENDPOINT, endpoints: [{ id: 'e1', url: ENDPOINT, state: 'failing' }] }],
    ['given up by the server', 'off', { subscription: ENDPOINT, endpoints: [{ id: 'e1', url: ENDPOINT, state: 'disabled' }] }],
    ['of another account', 'off', { subscription: ENDPOINT, endpoints: [{ id: 'e2', url: 'https://push.test/2', state: 'active' }] }],
  ]) {
    test(`${what} is ${state}, and no permission is asked for`, async () => {
      const browser = makeBrowser(options);
      assert.equal(await pushState(), state);
      assert.equal(browser.asked, 0);
    });
  }
});

describe('enabling', () => {
  test('asks first, and tells the server', async () => {
    const browser = makeBrowser({ permission: 'default' });
    const enabling = enablePush('ann');
    // The browser asks only within the tap.
    assert.equal(browser.asked, 1);
    assert.equal(await enabling, 'on');
    assert.deepEqual(browser.registered, ['/worker.js']);
    assert.equal(browser.options[0].userVisibleOnly, true);
    assert.deepEqual([...browser.options[0].applicationServerKey], [...Buffer.from(KEY, 'base64url')]);
    assert.deepEqual(browser.calls.at(-1), ['POST', '/v1/endpoints', { kind: 'webpush', url: ENDPOINT, p256dh: 'p', auth: 'a' }]);
  });

  test('ends where the person does not want it', async () => {
    const browser = makeBrowser({ permission: 'default', answer: 'denied' });
    assert.equal(await enablePush(), 'denied');
    assert.deepEqual(browser.calls, []);
  });

  test('replaces a subscription with another key', async () => {
    const browser = makeBrowser({ subscription: ENDPOINT });
    browser.subscription.hasAnotherKey = true;
    assert.equal(await enablePush(), 'on');
    assert.equal(browser.options.length, 2);
  });
});

describe('at the start of the page', () => {
  const posted = ({ calls }) => calls.filter(([method]) => method === 'POST').map(([, path]) => path);

  /** A browser in which that account is told. */
  async function toldBrowser(user = 'ann') {
    const browser = makeBrowser();
    await enablePush(user);
    browser.calls.length = 0;
    return browser;
  }

  test('an address that has not changed is not sent', async () => {
    const browser = await toldBrowser();
    await keepPush('ann');
    assert.deepEqual(browser.calls, []);
  });

  test('an address that the browser has changed is told to the server, once', async () => {
    const browser = await toldBrowser();
    browser.subscription = { ...browser.subscription, endpoint: 'https://push.test/2',
      toJSON: () => ({ endpoint: 'https://push.test/2', keys: { p256dh: 'p', auth: 'a' } }) };
    await keepPush('ann');
    assert.deepEqual(browser.calls.at(-1)[2].url, 'https://push.test/2');
    await keepPush('ann');
    assert.deepEqual(posted(browser), ['/v1/endpoints']);
  });

  test('an address is sent again for a new session, if the account is told here', async () => {
    const browser = await toldBrowser();
    await keepPush('ben', true);
    assert.deepEqual(browser.calls, []);
    await keepPush('ann', true);
    assert.deepEqual(posted(browser), ['/v1/endpoints']);
  });

  test('a subscription that the browser has dropped is made again', async () => {
    const browser = await toldBrowser();
    browser.subscription = null;
    await keepPush('ann');
    assert.deepEqual(posted(browser), ['/v1/endpoints']);
    assert.equal(browser.asked, 1);
  });

  test('nothing is made for another account, nor where the person has withdrawn the permission', async () => {
    const browser = await toldBrowser('ben');
    browser.subscription = null;
    await keepPush('ann');
    set('Notification', { permission: 'denied' });
    await keepPush('ben');
    assert.deepEqual(browser.calls, []);
  });

  test('an address that an earlier build has told is kept for later starts', async () => {
    const browser = makeBrowser({ subscription: ENDPOINT, endpoints: [{ id: 'e1', url: ENDPOINT, state: 'active' }] });
    await keepPush('ann');
    browser.subscription = null;
    await keepPush('ann');
    assert.deepEqual(posted(browser), ['/v1/endpoints']);
  });

  test('nothing is made if pushes were never turned on', async () => {
    const browser = makeBrowser();
    await keepPush('ann');
    assert.deepEqual(browser.calls, []);
  });
});

describe('signing out', () => {
  test('ends the subscription, and forgets its account', async () => {
    const browser = makeBrowser({ subscription: ENDPOINT });
    await enablePush('ann');
    assert.notDeepEqual(browser.kept, {});
    await endPush();
    assert.deepEqual([browser.subscription, browser.kept], [null, {}]);
    browser.calls.length = 0;
    await keepPush('ann');
    assert.deepEqual([browser.subscription, browser.calls], [null, []]);
  });

  test('goes on where the browser has none, or cannot end it', async () => {
    makeBrowser();
    await endPush();
    const browser = makeBrowser({ subscription: ENDPOINT });
    browser.subscription.unsubscribe = async () => { throw new DOMException('no network', 'NetworkError'); };
    await endPush();
    delete globalThis.PushManager;
    await endPush();
  });
});
