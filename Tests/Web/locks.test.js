import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { limits, makeLocks } from '../../Sources/Web/Page/locks.js';
import { Clock, settle } from './world.js';

/** A browser whose tabs have channels, and no Web Locks. */
class Browser {
  clock = new Clock();
  tabs = [];
  posted = [];
  chance = 0;

  /** Opens a tab, which asks for the lock whenever it loses it, as `follow` does. */
  open({ steals = true, id = `tab-${this.tabs.length}`, isAhead = 0 } = {}) {
    const tab = { holds: false, times: 0, frozen: null, id };
    tab.channel = {
      postMessage: (data) => {
        this.posted.push({ from: id, ...data });
        for (const other of this.tabs.filter((one) => one !== tab && !one.isGone)) {
          const hear = () => !other.isGone && other.channel.onmessage({ data: structuredClone(data) });
          if (other.frozen) other.frozen.push(hear);
          else queueMicrotask(hear);
        }
      },
    };
    const locks = makeLocks({
      channel: tab.channel, now: () => this.clock.now() + isAhead, random: () => this.chance, id,
      after: (ms, f) => this.clock.after(ms, () => { if (!tab.isGone && !tab.frozen) f(); }),
      onHide: (f) => { tab.hide = f; },
    });
    let rounds = 0;
    tab.compete = (steal) => {
      const round = rounds += 1;
      tab.queued?.abort();
      tab.release?.();
      tab.queued = new AbortController();
      locks.request('events', steal ? { steal } : { signal: tab.queued.signal }, () => new Promise((resolve) => {
        tab.holds = true;
        tab.times += 1;
        tab.release = resolve;
      })).then(() => {
        if (round === rounds) tab.holds = false;
      }, (error) => {
        if (round !== rounds || tab.queued.signal.aborted) return;
        tab.holds = false;
        tab.error = error;
        tab.compete(false);
      });
    };
    this.tabs.push(tab);
    tab.compete(steals);
    return tab;
  }

  /** The tab is closed; a browser that is killed does not say so. */
  close(tab, says = true) {
    if (says) tab.hide();
    tab.isGone = true;
    tab.holds = false;
  }

  get holders() { return this.tabs.filter(({ holds, frozen, isGone }) => holds && !frozen && !isGone).map(({ id }) => id); }
  rest = async () => { for (let turn = 0; turn < 20; turn += 1) await settle(); };
}

async function browserOf(count, options) {
  const browser = new Browser();
  for (let index = 0; index < count; index += 1) {
    browser.open(options);
    await browser.rest();
    await browser.clock.advance(10);
  }
  return browser;
}

describe('of the tabs of a browser without Web Locks', () => {
  test('one has the lock, and it is the latest one', async () => {
    const browser = await browserOf(7);
    assert.deepEqual(browser.holders, ['tab-6']);
    await browser.clock.advance(300_000);
    assert.deepEqual(browser.holders, ['tab-6']);
    assert.deepEqual(browser.tabs.map(({ times }) => times), Array(7).fill(1));
  });

  test('one that takes the lock gets it', async () => {
    const browser = await browserOf(3);
    browser.tabs[0].compete(true);
    await browser.rest();
    assert.deepEqual(browser.holders, ['tab-0']);
    assert.equal(browser.tabs[2].error.name, 'AbortError');
  });

  test('one that takes the lock that it has keeps it', async () => {
    const browser = await browserOf(2);
    browser.tabs[1].compete(true);
    await browser.clock.advance(limits.pause);
    assert.deepEqual([browser.holders, browser.tabs[1].times], [['tab-1'], 2]);
    browser.tabs[0].compete(true);
    await browser.rest();
    assert.deepEqual(browser.holders, ['tab-0']);
  });

  test('one gets the lock when the one that has it is closed', async () => {
    const browser = await browserOf(4);
    browser.chance = 0.5;
    browser.close(browser.tabs[3]);
    await browser.rest();
    assert.deepEqual(browser.holders, []);
    await browser.clock.advance(limits.pause);
    assert.equal(browser.holders.length, 1);
  });

  test('one gets the lock when the one that has it lets it go', async () => {
    const browser = await browserOf(2);
    browser.tabs[1].release();
    await browser.rest();
    await browser.clock.advance(limits.pause);
    assert.deepEqual(browser.holders, ['tab-0']);
  });

  test('one gets the lock when the one that has it is killed', async () => {
    const browser = await browserOf(4);
    browser.close(browser.tabs[3], false);
    await browser.clock.advance(limits.check - 100);
    assert.deepEqual(browser.holders, []);
    await browser.clock.advance(limits.answer + 100);
    assert.equal(browser.holders.length, 1);
  });

  test('one that was frozen gives the lock to the one that has taken it', async () => {
    const browser = await browserOf(2);
    const [first, second] = browser.tabs;
    second.frozen = [];
    await browser.clock.advance(limits.check + limits.answer);
    assert.deepEqual(browser.holders, ['tab-0']);
    const heard = second.frozen;
    second.frozen = null;
    heard.forEach((hear) => hear());
    await browser.rest();
    assert.deepEqual(browser.holders, ['tab-0']);
    assert.equal(first.times, 2);
  });

  for (const ids of [['a', 'b'], ['b', 'a']]) {
    test(`${ids.join(' and ')} that take the lock at the same time agree`, async () => {
      const browser = new Browser();
      for (const id of ids) browser.open({ id });
      await browser.rest();
      assert.deepEqual(browser.holders, ['b']);
      await browser.clock.advance(60_000);
      assert.deepEqual(browser.holders, ['b']);
    });
  }

  test('one whose clock is behind takes the lock all the same', async () => {
    const browser = new Browser();
    browser.open({ isAhead: 1_000_000 });
    await browser.rest();
    browser.open();
    await browser.rest();
    browser.tabs[0].compete(true);
    await browser.rest();
    browser.tabs[1].compete(true);
    await browser.rest();
    assert.deepEqual(browser.holders, ['tab-1']);
  });

  test('one that missed a claim is told of it', async () => {
    const browser = await browserOf(1);
    // It claims without having heard of the first one.
    browser.tabs[0].channel.onmessage({ data: { claim: { at: 1, id: 'tab-9' } } });
    await browser.rest();
    assert.deepEqual(browser.holders, ['tab-0']);
    assert.deepEqual(browser.posted.at(-1).claim?.id, 'tab-0');
    assert.equal(browser.posted.length, 2);
  });

  test('one that is not waiting any more takes nothing', async () => {
    const browser = await browserOf(2);
    browser.tabs[0].queued.abort();
    await browser.rest();
    browser.close(browser.tabs[1]);
    await browser.clock.advance(300_000);
    assert.deepEqual(browser.holders, []);
  });

  test('the word of a lock that was let go long ago changes nothing', async () => {
    const browser = await browserOf(2);
    browser.tabs[0].channel.onmessage({ data: { free: { at: 5, id: 'tab-1' } } });
    await browser.clock.advance(limits.pause);
    assert.deepEqual(browser.holders, ['tab-1']);
    assert.equal(browser.tabs[0].times, 1);
  });
});
