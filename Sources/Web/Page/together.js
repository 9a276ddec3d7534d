// Several requests of one press: all of them take effect, or none. Pending requests stay in the tab's storage. The page
// finishes them after a lost answer or a reload; if the server refuses one, the page deletes the results of the others.

import { api, newID, serverNow } from './api.js';
import { base } from './base.js';
import { t } from './words.js';

/** How long the server can be asked again for an answer that was lost, in ms. It keeps answers for a day. */
export const LIMIT = 23 * 3_600_000;

/** The statuses, and the name of a problem, after which the same request may be taken later, or has been. */
const passing = [401, 408, 429];
const underWay = 'idempotency-key-under-way';

/** Whether an error leaves open what becomes of the request. */
export const isOpen = ({ status, name }) => !status || status >= 500 || passing.includes(status) || name === underWay;

/**
 * Makes the functions of this module.
 * @param {object} parts
 * @param {typeof api} parts.api @param {() => number} parts.now @param {() => string} parts.newID
 * @param {(value?: string|null) => string|null} parts.kept Keeps a text for as long as the tab is open; null removes it.
 */
export function makeTogether(parts) {
  /** The call that is running; calls wait for each other. */
  let running = Promise.resolve();

  const inTurn = (call) => {
    const mine = running.catch(() => {}).then(call);
    running = mine;
    return mine;
  };
  const keep = (act) => parts.kept(act && JSON.stringify(act));

  function begun(user) {
    try {
      const act = JSON.parse(parts.kept());
      return act?.user === user ? act : null;
    } catch { return null; }
  }

  async function run(act) {
    // The answer to the last request of it is not known.
    if (!act.isUndone && parts.now() - act.since > LIMIT) act.isUndone = act.isUnsure = true;
    if (act.isUndone) return undo(act);
    const answers = [];
    for (const [index, body] of act.bodies.entries()) {
      try {
        answers.push(await parts.api('POST', act.path, { body, key: `${act.key}-${index}` }));
      } catch (error) {
        if (isOpen(error)) {
          const goesOn = t('goesOn', answers.length, act.bodies.length);
          throw Object.assign(error, { detail: error.status === 429 ? `${error.detail} ${goesOn}` : goesOn });
        }
        if (!answers.length) keep(null);
        else await undo(act);
        throw Object.assign(error, answers.length && { detail: `${error.detail} ${t('undone')}` });
      }
      act.made = answers.map(({ id }) => id);
      keep(act);
    }
    keep(null);
    return answers;
  }

  async function undo(act) {
    act.isUndone = true;
    keep(act);
    for (const id of act.made) {
      await parts.api('DELETE', `${act.path}/${id}`).catch((error) => { if (error.status !== 404) throw error; });
    }
    keep(null);
    return null;
  }

  /**
   * Sends a POST with each body; returns the answers. Continues an earlier call with the same bodies.
   * @throws {Problem | Away | Error} After a refusal no result is left. Without an answer `finish` continues later. An
   *   earlier call that got too old is undone, and the person has to look at what may be left of it first.
   */
  const together = (user, path, bodies) => inTurn(async () => {
    const before = begun(user);
    if (before) {
      const answers = await run(before);
      if (before.isUnsure) throw Object.assign(new Error('unsure'), { detail: t('unsure') });
      if (answers && JSON.stringify([before.path, before.bodies]) === JSON.stringify([path, bodies])) return answers;
    }
    const act = { user, path, bodies, made: [], key: parts.newID(), since: parts.now(), isUndone: false, isUnsure: false };
    keep(act);
    return run(act);
  });

  /** Continues a pending call. Returns its bodies, and whether it is done or undone; null if there is none. */
  const finish = (user) => inTurn(async () => {
    const act = begun(user);
    if (!act) return null;
    const isDone = await run(act) !== null;
    return { bodies: act.bodies, isDone, isUnsure: !isDone && act.isUnsure };
  });

  return { together, finish };
}

const name = `letsswitch${base}.act`;

/** Without storage an act lives as long as the page. */
let inMemory = null;

function kept(value) {
  try {
    if (value === undefined) return sessionStorage.getItem(name);
    if (value === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, value);
  } catch {
    if (value !== undefined) inMemory = value;
  }
  return inMemory;
}

export const { together, finish } = makeTogether({ api, now: serverNow, newID, kept });
