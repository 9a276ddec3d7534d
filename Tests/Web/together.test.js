import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { Away, Problem } from '../../Sources/Web/Page/api.js';
import { LIMIT, makeTogether } from '../../Sources/Web/Page/together.js';

const path = '/v1/routines';
const bodies = ['08:00', '12:00', '18:00'].map((localTime) => ({ task: 'Write', localTime }));

/** A server that takes each key once. `failures`: what goes wrong with the next calls; null for nothing. */
function makeWorld(...failures) {
  const world = { time: 0, kept: null, made: new Map(), deleted: [], calls: [], failures, count: 0 };
  async function api(method, address, { body, key } = {}) {
    world.calls.push([method, key ?? address]);
    world.keptAtCall ??= world.kept;
    const failure = world.failures.shift();
    if (failure && failure !== 'lost') throw failure;
    if (method === 'DELETE') {
      const id = address.slice(`${path}/`.length);
      if (world.deleted.includes(id)) throw new Problem(404);
      world.deleted.push(id);
      return null;
    }
    if (!world.made.has(key)) world.made.set(key, { id: `id-${world.made.size}`, ...body });
    if (failure === 'lost') throw new Away();
    return world.made.get(key);
  }
  /** The page loads again: storage is all that stays. */
  world.load = () => Object.assign(world, makeTogether({
    api, now: () => world.time, newID: () => `press-${world.count += 1}`,
    kept: (value) => { if (value !== undefined) world.kept = value; return world.kept; },
  }));
  world.times = () => [...world.made.values()].filter(({ id }) => !world.deleted.includes(id)).map((one) => one.localTime);
  return world.load();
}

const refusal = () => new Problem(409, { detail: 'You have as many as you may have.' });

describe('several requests of one press', () => {
  test('are sent in order, each with a key, and leave nothing in storage', async () => {
    const world = makeWorld();
    const answers = await world.together('ann', path, bodies);
    assert.deepEqual(answers.map(({ id }) => id), ['id-0', 'id-1', 'id-2']);
    assert.deepEqual(world.calls.map(([, key]) => key), ['press-1-0', 'press-1-1', 'press-1-2']);
    assert.equal(world.kept, null);
    await world.together('ann', path, bodies);
    assert.equal(world.made.size, 6, 'the same press at another time is another act');
  });

  for (const failure of ['lost', new Away(), new Problem(500), new Problem(401), new Problem(408), new Problem(429)]) {
    const name = failure === 'lost' ? 'a lost answer' : failure instanceof Away ? 'no answer' : `status ${failure.status}`;

    test(`are finished after ${name} by the same press`, async () => {
      const world = makeWorld(null, failure);
      await assert.rejects(world.together('ann', path, bodies));
      assert.equal((await world.together('ann', path, bodies)).length, 3);
      assert.deepEqual(world.times(), ['08:00', '12:00', '18:00']);
    });

    test(`are finished after ${name} when the page is loaded again`, async () => {
      const world = makeWorld(null, failure);
      await assert.rejects(world.together('ann', path, bodies));
      world.load();
      assert.deepEqual(await world.finish('ann'), { bodies, isDone: true, isUnsure: false });
      assert.deepEqual(world.times(), ['08:00', '12:00', '18:00']);
      assert.equal(await world.finish('ann'), null);
    });
  }

  test('are finished before others are sent', async () => {
    const world = makeWorld(null, new Away());
    await assert.rejects(world.together('ann', path, bodies));
    await world.together('ann', path, [{ localTime: '22:00' }]);
    assert.deepEqual(world.times(), ['08:00', '12:00', '18:00', '22:00']);
  });

  test('take effect once though they are sent and finished at the same time', async () => {
    const world = makeWorld();
    await Promise.all([world.together('ann', path, bodies), world.finish('ann')]);
    assert.equal(world.calls.length, 3);
  });

  test('are finished though no answer came to the first of them', async () => {
    const world = makeWorld('lost');
    await assert.rejects(world.together('ann', path, bodies));
    await world.finish('ann');
    assert.deepEqual(world.times(), ['08:00', '12:00', '18:00']);
  });

  test('are in storage before the first of them is sent', async () => {
    const world = makeWorld();
    await world.together('ann', path, bodies);
    assert.deepEqual(JSON.parse(world.keptAtCall).bodies, bodies);
  });

  test('of another account are not finished', async () => {
    const world = makeWorld(null, new Away());
    await assert.rejects(world.together('ann', path, bodies));
    assert.equal(await world.finish('ben'), null);
    assert.deepEqual(world.times(), ['08:00']);
  });

  test('say how many of them are done, if no answer came', async () => {
    const world = makeWorld(null, new Away());
    const error = await world.together('ann', path, bodies).catch((one) => one);
    assert.ok(error instanceof Away);
    assert.ok('detail' in error);
  });
});

describe('a refusal', () => {
  test('leaves nothing of the press behind', async () => {
    const world = makeWorld(null, null, refusal());
    const error = await world.together('ann', path, bodies).catch((one) => one);
    assert.equal(error.status, 409);
    assert.match(error.detail, /^You have as many as you may have\. ./);
    assert.deepEqual(world.times(), []);
    assert.equal(world.kept, null);
  });

  test('of the first request is what the server says', async () => {
    const world = makeWorld(refusal());
    const error = await world.together('ann', path, bodies).catch((one) => one);
    assert.equal(error.detail, 'You have as many as you may have.');
    assert.equal(world.kept, null);
  });

  test('whose undoing fails is undone later, and not finished', async () => {
    const world = makeWorld(null, null, refusal(), null, new Away());
    await assert.rejects(world.together('ann', path, bodies));
    assert.deepEqual(world.times(), ['12:00']);
    world.load();
    assert.deepEqual(await world.finish('ann'), { bodies, isDone: false, isUnsure: false });
    assert.deepEqual(world.times(), []);
    assert.equal(await world.finish('ann'), null);
  });
});

test('what the server has no answer for any more is undone as far as it is known', async () => {
  const world = makeWorld(null, 'lost');
  await assert.rejects(world.together('ann', path, bodies));
  world.time += LIMIT + 1;
  world.load();
  assert.deepEqual(await world.finish('ann'), { bodies, isDone: false, isUnsure: true });
  assert.deepEqual(world.times(), ['12:00']);
});

test('a press after one that got too old is not sent before the person has read so', async () => {
  const world = makeWorld(null, 'lost');
  await assert.rejects(world.together('ann', path, bodies));
  world.time += LIMIT + 1;
  world.load();
  const error = await world.together('ann', path, bodies).catch((one) => one);
  assert.ok('detail' in error && !('status' in error));
  assert.deepEqual(world.times(), ['12:00']);
  assert.equal((await world.together('ann', path, bodies)).length, 3);
});

test('a request that is still under way at the server is no refusal', async () => {
  const world = makeWorld(null, new Problem(409, { type: '/problems/idempotency-key-under-way' }));
  await assert.rejects(world.together('ann', path, bodies));
  assert.deepEqual(world.times(), ['08:00']);
  assert.deepEqual(await world.finish('ann'), { bodies, isDone: true, isUnsure: false });
});

test('storage that cannot be read has nothing', async () => {
  const world = makeWorld();
  world.kept = 'null and void';
  assert.equal(await world.finish('ann'), null);
});
