import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { Away, Problem, limits, makeAPI, newID } from '../../Sources/Web/Page/api.js';
import { Clock, settle } from './world.js';

/** Calls whose answers are the test's: each is a `Response`, an error, or a function of the request. */
function makeCalls(...answers) {
  const clock = new Clock();
  const world = { clock, requests: [], signedOut: 0, language: 'en', chance: 0, kept: new Map() };
  let ids = 0;
  Object.assign(world, makeAPI({
    fetch: async (path, options) => {
      world.requests.push({ path, ...options });
      let answer = answers.shift() ?? json({});
      if (typeof answer === 'function') answer = await answer(options);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    after: clock.after, now: clock.now, random: () => world.chance,
    newID: () => `key-${++ids}`,
    language: () => world.language,
    onSignedOut: () => { world.signedOut += 1; },
    kept: (name, value) => {
      if (name === '') world.kept.clear();
      else if (value === null) world.kept.delete(name);
      else if (value !== undefined) world.kept.set(name, value);
      return world.kept.get(name) ?? null;
    },
  }));
  return world;
}

const json = (body, { status = 200, ...headers } = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } });
const problem = (status, name, headers = {}, more = {}) => json(
  { type: `/problems/${name}`, title: 'No.', status, detail: `Because of ${name}.`, ...more },
  { status, 'Content-Type': 'application/problem+json', ...headers },
);
const offline = () => new TypeError('fetch failed');
/** Goes on until the call has ended, and returns its error. */
async function errorOf(world, call) {
  let error;
  call.catch((one) => { error = one; });
  for (let count = 0; count < 20 && !error; count += 1) await world.clock.advance(10_000);
  return error;
}

describe('an answer', () => {
  test('is parsed', async () => {
    const world = makeCalls(json({ user: { name: 'Aiko' } }));
    assert.deepEqual(await world.api('GET', '/v1/me'), { user: { name: 'Aiko' } });
    const [{ path, method, cache, headers, body }] = world.requests;
    assert.deepEqual([path, method, cache, body], ['/v1/me', 'GET', 'no-cache', undefined]);
    assert.deepEqual(headers, { Accept: 'application/json', 'Accept-Language': 'en' });
    assert.equal(world.clock.waits.length, 0);
  });

  test('without a body is null', async () => {
    const world = makeCalls(new Response(null, { status: 204 }));
    assert.equal(await world.api('DELETE', '/v1/registrations/1'), null);
  });

  test('of something else, such as the sign-in page of a hotel, is none', async () => {
    const world = makeCalls(...Array.from({ length: 3 }, () => new Response('<html>Welcome!')));
    assert.ok(await errorOf(world, world.api('GET', '/v1/me')) instanceof Away);
  });

  test('tells the clock of the server', async () => {
    const world = makeCalls(json({}, { Date: 'Mon, 04 Jan 2027 09:05:00 GMT' }), json({}));
    assert.equal(world.serverNow(), world.clock.time);
    await world.api('GET', '/v1/now');
    await world.clock.advance(1_000);
    await world.api('GET', '/v1/now');
    assert.equal(world.serverNow(), Date.parse('2027-01-04T09:05:01.500Z'));
  });
});

describe('a request', () => {
  test('with a body is JSON, and a POST has a key', async () => {
    const world = makeCalls();
    await world.api('POST', '/v1/registrations', { body: { task: 'Write' } });
    const [{ body, headers }] = world.requests;
    assert.equal(body, '{"task":"Write"}');
    assert.equal(headers['Content-Type'], 'application/json');
    assert.equal(headers['Idempotency-Key'], 'key-1');
  });

  test('has the token that it is given', async () => {
    const world = makeCalls();
    await world.api('POST', '/v1/me/session', { token: 'lsk_1' });
    const [{ body, headers }] = world.requests;
    assert.deepEqual([headers.Authorization, body], ['Bearer lsk_1', undefined]);
  });

  test('asks for words in the language of the page', async () => {
    const world = makeCalls();
    world.language = 'ja';
    await world.api('GET', '/v1/slots');
    assert.equal(world.requests[0].headers['Accept-Language'], 'ja');
  });

  test('may want what was read to be as it was', async () => {
    const world = makeCalls(json({ task: 'Write' }, { ETag: '"a"' }), json({ task: 'Sort' }));
    const mine = await world.api('GET', '/v1/registrations/1');
    const other = await world.api('PATCH', '/v1/registrations/1', { body: {}, ifMatch: mine });
    assert.equal(world.requests[1].headers['If-Match'], '"a"');
    await world.api('PATCH', '/v1/registrations/1', { body: {}, ifMatch: other });
    assert.equal('If-Match' in world.requests[2].headers, false);
  });
});

describe('a problem', () => {
  test('says what the server says', async () => {
    const errors = [{ pointer: '/task', detail: 'It is empty.' }];
    const world = makeCalls(problem(422, 'invalid', {}, { errors }));
    const error = await errorOf(world, world.api('POST', '/v1/registrations', { body: {} }));
    assert.ok(error instanceof Problem);
    const { status, detail, name, message, retryAfter } = error;
    assert.deepEqual({ status, detail, name, message, retryAfter }, {
      status: 422, detail: 'Because of invalid.', name: 'invalid', message: 'Because of invalid.', retryAfter: 0,
    });
    assert.deepEqual(error.errors, errors);
    assert.equal(world.requests.length, 1);
  });

  for (const [what, answer] of [
    ['of a proxy is one as well', () => new Response('<h1>Forbidden</h1>', { status: 403 })],
    ['that cannot be read is one as well',
      () => new Response('{', { status: 403, headers: { 'Content-Type': 'application/problem+json' } })],
    ['that says nothing is one as well', () => json(null, { status: 403 })],
  ]) {
    test(what, async () => {
      const world = makeCalls(answer());
      const error = await errorOf(world, world.api('GET', '/v1/me'));
      assert.deepEqual([error.status, error.detail, error.errors], [403, 'HTTP 403', []]);
    });
  }

  test('of the session is told, once for a call', async () => {
    const world = makeCalls(problem(401, 'unauthenticated'));
    const error = await errorOf(world, world.api('GET', '/v1/me'));
    assert.deepEqual([error.status, world.signedOut, world.requests.length], [401, 1, 1]);
  });

  test('of a token that was typed is not one of the session', async () => {
    const world = makeCalls(problem(401, 'unauthenticated'));
    const error = await errorOf(world, world.api('POST', '/v1/me/session', { token: 'lsk_wrong' }));
    assert.deepEqual([error.status, world.signedOut], [401, 0]);
  });
});

describe('a failure that passes', () => {
  for (const [what, failure] of [
    ['no network', offline], ['408', () => problem(408, 'request-timeout')], ['429', () => problem(429, 'quota-exceeded')],
    ['502 of a proxy', () => new Response('Bad gateway', { status: 502 })], ['503', () => problem(503, 'draining')],
    ['504', () => new Response('', { status: 504 })],
    ['a key under way', () => problem(409, 'idempotency-key-under-way', { 'Retry-After': '1' })],
  ]) {
    test(`is followed by another attempt with the same key: ${what}`, async () => {
      const world = makeCalls(failure(), failure(), json({ done: true }));
      const call = world.api('POST', '/v1/registrations', { body: { task: 'Write' } });
      await world.clock.advance(10_000);
      assert.deepEqual(await call, { done: true });
      assert.equal(world.requests.length, 3);
      assert.deepEqual(new Set(world.requests.map(({ headers }) => headers['Idempotency-Key'])), new Set(['key-1']));
      assert.deepEqual(new Set(world.requests.map(({ body }) => body)), new Set(['{"task":"Write"}']));
    });
  }

  describe('for longer than the call', () => {
    const keys = (world) => [...new Set(world.requests.map(({ headers }) => headers['Idempotency-Key']))];
    const send = (world, task = 'Write') => world.api('POST', '/v1/routines', { body: { task } });
    const lost = () => Array.from({ length: limits.attempts }, offline);

    test('leaves the key to the same content that comes again', async () => {
      const world = makeCalls(...lost(), json({ id: 1 }), json({ id: 2 }));
      await errorOf(world, send(world));
      assert.deepEqual(await send(world), { id: 1 });
      assert.deepEqual(keys(world), ['key-1']);
      await send(world);
      assert.deepEqual(keys(world), ['key-1', 'key-2']);
    });

    test('leaves no key to the same content after a while, or after something was changed', async () => {
      const world = makeCalls(...lost(), json({ id: 1 }), ...lost(), json({}), json({ id: 2 }));
      await errorOf(world, send(world));
      await world.clock.advance(limits.unanswered);
      await send(world);
      await errorOf(world, send(world));
      await world.api('DELETE', '/v1/routines/1');
      await send(world);
      assert.equal(new Set(world.requests.flatMap(({ headers }) => headers['Idempotency-Key'] ?? [])).size, 4);
    });

    test('leaves no key to other content, nor what was written', async () => {
      const world = makeCalls(...lost());
      await errorOf(world, send(world, 'A secret task'));
      assert.doesNotMatch(JSON.stringify([...world.kept]), /secret/);
      await send(world, 'Another one');
      assert.deepEqual(keys(world), ['key-1', 'key-2']);
    });

    test('leaves the key also after an error of the server, and not after a refusal', async () => {
      const world = makeCalls(problem(500, 'internal'), problem(422, 'invalid'), json({}));
      for (let count = 0; count < 2; count += 1) await errorOf(world, send(world));
      await send(world);
      assert.deepEqual(keys(world), ['key-1', 'key-2']);
    });
  });

  test('of which only a proxy tells means that the server is away, and its wait counts', async () => {
    const proxy = () => new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'Retry-After': '60' } });
    const world = makeCalls(proxy(), proxy(), proxy());
    const error = await errorOf(world, world.api('GET', '/v1/me'));
    assert.ok(error instanceof Away);
    assert.deepEqual([error.retryAfter, world.requests.length], [60, 1]);
  });

  test('is an error in the end', async () => {
    const world = makeCalls(...Array.from({ length: 9 }, offline));
    assert.ok(await errorOf(world, world.api('GET', '/v1/me')) instanceof Away);
    assert.equal(world.requests.length, limits.attempts);
  });

  for (const [status, name] of [
    [429, 'too-many-devices'], [429, 'too-many-registrations'], [500, 'internal'], [404, 'not-found'],
    [409, 'already-registered'], [409, 'too-late'], [412, 'precondition-failed'], [422, 'invalid'],
  ]) {
    test(`is not this one: ${status} ${name}`, async () => {
      const world = makeCalls(problem(status, name));
      const error = await errorOf(world, world.api('POST', '/v1/registrations', { body: {} }));
      assert.deepEqual([error.name, world.requests.length], [name, 1]);
    });
  }

  test('is not repeated before Retry-After', async () => {
    const world = makeCalls(problem(503, 'draining', { 'Retry-After': '2' }), json({ done: true }));
    const call = world.api('GET', '/v1/me');
    await world.clock.advance(1_999);
    assert.equal(world.requests.length, 1);
    await world.clock.advance(1);
    assert.deepEqual(await call, { done: true });
  });

  for (const [seconds, chance, wait] of [['2', 0.5, 3_000], ['5', 0.25, 5_500], [null, 0.5, 450]]) {
    test(`is repeated later by chance than ${seconds ? `after ${seconds} s` : 'the pause'}, so that pages come apart`, async () => {
      const world = makeCalls(problem(503, 'draining', seconds ? { 'Retry-After': seconds } : {}), json({ done: true }));
      world.chance = chance;
      const call = world.api('GET', '/v1/me');
      await world.clock.advance(wait - 1);
      assert.equal(world.requests.length, 1);
      await world.clock.advance(1);
      assert.deepEqual(await call, { done: true });
    });
  }

  test('is an error at once where the wait is long, and says so', async () => {
    const world = makeCalls(problem(429, 'quota-exceeded', { 'Retry-After': '60' }));
    const error = await errorOf(world, world.api('GET', '/v1/me'));
    assert.deepEqual([error.retryAfter, world.requests.length], [60, 1]);
  });

  test('of a PATCH is an error: it may have taken effect', async () => {
    const world = makeCalls(offline(), json({}));
    assert.ok(await errorOf(world, world.api('PATCH', '/v1/me', { body: {} })) instanceof Away);
    assert.equal(world.requests.length, 1);
  });

  test('of a POST that is sent once is an error: it may have taken effect', async () => {
    const world = makeCalls(offline(), json({}));
    assert.ok(await errorOf(world, world.api('POST', '/admin/v1/announcements', { body: {}, once: true })) instanceof Away);
    assert.equal(world.requests.length, 1);
  });

  test('of a DELETE that has taken effect is none', async () => {
    const world = makeCalls(offline(), problem(404, 'not-found'));
    const call = world.api('DELETE', '/v1/endpoints/1');
    await world.clock.advance(1_000);
    assert.equal(await call, null);
    const other = makeCalls(problem(404, 'not-found'));
    assert.equal((await errorOf(other, other.api('DELETE', '/v1/endpoints/1'))).status, 404);
  });

  for (const [method, timeout] of [['GET', limits.readTimeout], ['POST', limits.writeTimeout]]) {
    test(`is a server that does not answer a ${method} in time`, async () => {
      const stuck = ({ signal }) => new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
      const world = makeCalls(stuck, json({ done: true }));
      const call = world.api(method, '/v1/me');
      await world.clock.advance(timeout - 1);
      assert.equal(world.requests[0].signal.aborted, false);
      await world.clock.advance(1);
      assert.equal(world.requests[0].signal.aborted, true);
      await world.clock.advance(limits.pause);
      assert.deepEqual(await call, { done: true });
    });
  }
});

describe('a call that is not wanted any more', () => {
  test('ends, and is not repeated', async () => {
    const stuck = ({ signal }) => new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
    const world = makeCalls(stuck);
    const controller = new AbortController();
    const call = world.api('GET', '/v1/me', { signal: controller.signal });
    await settle();
    controller.abort();
    await assert.rejects(call, { name: 'AbortError' });
    assert.equal(world.requests.length, 1);
    assert.equal(world.clock.waits.length, 0);
  });

  test('is not made', async () => {
    const world = makeCalls();
    await assert.rejects(world.api('GET', '/v1/me', { signal: AbortSignal.abort() }), { name: 'AbortError' });
    assert.equal(world.requests.length, 0);
  });

  test('ends in the pause between two attempts', async () => {
    const world = makeCalls(offline());
    const controller = new AbortController();
    const call = world.api('GET', '/v1/me', { signal: controller.signal });
    await settle();
    controller.abort();
    assert.equal((await errorOf(world, call)).name, 'AbortError');
    assert.equal(world.requests.length, 1);
  });
});

test('an id is a random UUID (RFC 9562 §5.4)', () => {
  const ids = Array.from({ length: 1_000 }, newID);
  assert.equal(new Set(ids).size, 1_000);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
