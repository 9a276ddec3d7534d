import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { follow, limits } from '../../Sources/Console/Page/live.js';
import { Clock, settle } from './world.js';

/** The figures of a server whose stream and answers are the test's. */
function makeWorld() {
  const world = { clock: new Clock(), sources: [], states: [], figures: [], reads: 0, answer: () => ({ people: 1 }) };
  class Source extends EventTarget {
    readyState = 0;
    constructor(path) {
      super();
      this.path = path;
      world.sources.push(this);
    }
    close() { this.readyState = 2; }
    tell(figures) {
      this.readyState = 1;
      this.dispatchEvent(Object.assign(new Event('now'), { data: JSON.stringify(figures) }));
    }
    /** The browser has given up, as with an answer that is no stream; or it tries again. */
    fail(isForGood) {
      this.readyState = isForGood ? 2 : 0;
      this.onerror();
    }
  }
  world.live = follow({
    source: (path) => new Source(path), after: world.clock.after,
    async read() {
      world.reads += 1;
      return world.answer();
    },
  }, { onNow: (one) => world.figures.push(one), onState: (state) => world.states.push(state) });
  Object.defineProperty(world, 'source', { get: () => world.sources.at(-1) });
  return world;
}

const problem = (status) => () => { throw Object.assign(new Error('No.'), { status }); };

describe('the figures', () => {
  test('come by the stream, and the state is told once', async () => {
    const world = makeWorld();
    assert.equal(world.source.path, '/admin/v1/live');
    for (let people = 0; people < 20; people += 1) {
      world.source.tell({ people });
      await world.clock.advance(1_000);
    }
    assert.equal(world.figures.length, 20);
    assert.deepEqual([world.states, world.reads, world.sources.length], [['live'], 0, 1]);
  });

  test('are asked for where the answer is no stream, and the stream is tried again', async () => {
    const world = makeWorld();
    world.source.fail(true);
    await settle();
    assert.deepEqual([world.states, world.figures], [['polling'], [{ people: 1 }]]);
    await world.clock.advance(limits.poll * (limits.polls - 1));
    assert.deepEqual([world.reads, world.sources.length], [limits.polls, 1]);
    await world.clock.advance(limits.poll);
    assert.equal(world.sources.length, 2);
    world.source.tell({ people: 2 });
    assert.deepEqual(world.states, ['polling', 'live']);
  });

  test('are asked for when the stream is silent, and what it says after that is not heard', async () => {
    const world = makeWorld();
    const [old] = world.sources;
    old.tell({ people: 2 });
    await world.clock.advance(limits.silence - 1);
    assert.equal(world.reads, 0);
    await world.clock.advance(1);
    assert.deepEqual([world.reads, old.readyState, world.states], [1, 2, ['live', 'polling']]);
    old.tell({ people: 3 });
    assert.deepEqual(world.figures, [{ people: 2 }, { people: 1 }]);
  });

  test('are not asked for while the browser tries the stream again by itself, until it was silent for long', async () => {
    const world = makeWorld();
    world.source.fail(false);
    await world.clock.advance(limits.silence - 1);
    assert.equal(world.reads, 0);
    await world.clock.advance(1);
    assert.equal(world.reads, 1);
  });

  test('that cannot be had are said to be old, and are asked for again', async () => {
    const world = makeWorld();
    world.answer = () => { throw new Error('away'); };
    world.source.fail(true);
    await world.clock.advance(limits.poll * 2);
    assert.deepEqual([world.states, world.reads], [['away'], 3]);
    world.answer = () => ({ people: 4 });
    await world.clock.advance(limits.poll);
    assert.deepEqual([world.states, world.figures], [['away', 'polling'], [{ people: 4 }]]);
  });

  for (const status of [401, 403]) {
    test(`are not asked for again after a ${status}`, async () => {
      const world = makeWorld();
      world.answer = problem(status);
      world.source.fail(true);
      await world.clock.advance(limits.poll * 20);
      assert.deepEqual([world.states, world.reads, world.sources.length, world.clock.waits], [['away'], 1, 1, []]);
    });
  }

  test('rest while they are paused', async () => {
    const world = makeWorld();
    const [old] = world.sources;
    old.tell({ people: 1 });
    world.live.pause();
    assert.deepEqual([world.states, old.readyState, world.clock.waits], [['live', 'paused'], 2, []]);
    world.live.resume();
    world.source.tell({ people: 2 });
    assert.deepEqual([world.states, world.sources.length], [['live', 'paused', 'live'], 2]);
  });

  test('that come after the end are not told', async () => {
    const world = makeWorld();
    world.source.fail(true);
    world.live.end();
    await world.clock.advance(limits.poll * 20);
    assert.deepEqual([world.states, world.figures, world.sources.length], [[], [], 1]);
  });
});
