// Which tab of a browser has the stream of events, for pages without https, where browsers have no Web Locks. Tabs claim
// it by messages to each other. The latest claim counts; a tab that holds it answers those that ask.

import { after, newID } from './api.js';
import { base } from './base.js';

/** In ms. A tab that others ask answers at once, also a hidden one; one that is frozen does not. */
export const limits = { answer: 3_000, check: 20_000, pause: 300 };

const isLater = (one, other) => one.at > other.at || one.at === other.at && one.id > other.id;

/**
 * Makes the part of Web Locks that `follow` needs, for one lock.
 * @param {object} parts
 * @param {BroadcastChannel} parts.channel @param {(ms: number, f: () => void) => () => void} parts.after
 * @param {() => number} parts.now @param {() => number} parts.random From 0 to 1.
 * @param {string} parts.id Of the tab. @param {(f: () => void) => void} parts.onHide Calls when the page is left.
 */
export function makeLocks({ channel, after, now, random, id, onHide }) {
  /** The latest claim of all tabs. */
  let latest = { at: 0, id: '' };
  /** The claim of this tab, with what ends it; null while another tab holds the lock. */
  let holding = null;
  /** The request that waits for the lock; null without one. */
  let waiting = null;

  channel.onmessage = ({ data: { claim, free, ask } }) => {
    if (ask && holding) channel.postMessage({ claim: holding.claim });
    if (free && free.id === latest.id && free.at === latest.at) waiting?.next(random() * limits.pause, waiting.take);
    if (!claim) return;
    // A tab that has claimed it at the same time, or was frozen.
    if (holding && isLater(holding.claim, claim)) channel.postMessage({ claim: holding.claim });
    if (isLater(latest, claim)) return;
    latest = claim;
    waiting?.next(limits.check, waiting.ask);
    holding?.lose();
  };
  onHide(() => { if (holding) channel.postMessage({ free: holding.claim }); });

  function grant(lead, resolve, reject) {
    const claim = latest = { at: Math.max(now(), latest.at + 1), id };
    const mine = holding = { claim, lose() {
      holding = null;
      reject(new DOMException('Another tab has it.', 'AbortError'));
    } };
    channel.postMessage({ claim });
    Promise.resolve().then(lead).then(resolve, reject).finally(() => {
      if (holding !== mine) return;
      holding = null;
      channel.postMessage({ free: claim });
    });
  }

  function wait(signal, take) {
    let cancel = () => {};
    const mine = waiting = {
      next(ms, f) {
        cancel();
        cancel = after(ms, f);
      },
      ask() {
        channel.postMessage({ ask: true });
        mine.next(limits.answer, mine.take);
      },
      take() {
        mine.end();
        take();
      },
      end() {
        cancel();
        if (waiting === mine) waiting = null;
      },
    };
    signal?.addEventListener('abort', mine.end);
    mine.ask();
  }

  /** As in Web Locks; the name does not count. */
  const request = (name, { steal, signal }, lead) => new Promise((resolve, reject) => {
    if (steal) return grant(lead, resolve, reject);
    signal?.addEventListener('abort', () => reject(signal.reason));
    return wait(signal, () => grant(lead, resolve, reject));
  });

  return { request };
}

let ofPage;

/** The locks of the browser, or those of this module; undefined in a browser that has neither. */
export const pageLocks = () => navigator.locks ?? (ofPage ??= globalThis.BroadcastChannel && makeLocks({
  channel: new BroadcastChannel(`letsswitch${base}.lock`), after, now: Date.now, random: Math.random, id: newID(),
  onHide: (f) => addEventListener('pagehide', f),
}));
