// Notifications as they come: one stream of events for all tabs, since a browser has six connections (HTTP/1.1).
// The tab that was looked at last leads: it has the stream, and tells the others. A hidden one may be asleep.

import { after, api } from './api.js';
import { base } from './base.js';
import { pageLocks } from './locks.js';

const types = [
  'room.opened', 'room.changed', 'session.missed', 'session.lapsed', 'session.completed',
  'slot.partnered', 'slot.alone', 'announcement',
];
/**
 * The bounds of the wait after a stream has failed, in ms; it doubles. `longestHint`: of a server's `Retry-After`.
 * `silence`: after which a stream counts as dead; the server sends a heartbeat every 15 seconds.
 */
export const limits = { firstWait: 1_000, longestWait: 30_000, longestHint: 3_600_000, silence: 40_000 };

/** Returns the room that opens, with what is needed to enter it, as `GET /v1/rooms/ID` describes it. */
export const roomOf = ({ roomId, registrationId, startsAt, closesAt, socketUrl, partners = [] }) => ({
  id: roomId, slot: { startsAt, endsAt: closesAt }, closesAt, socketUrl, members: [{ id: registrationId, you: true }, ...partners],
});

const inBrowser = () => ({
  api, after, random: Math.random,
  open: (url) => new EventSource(base + url),
  locks: pageLocks(),
  channel: globalThis.BroadcastChannel && new BroadcastChannel(`letsswitch${base}`),
  onWake(f, signal) {
    const look = () => { if (!document.hidden) f(); };
    document.addEventListener('visibilitychange', look, { signal });
    addEventListener('online', look, { signal });
  },
});

/**
 * Tells of each notification of the account from now on, once in each tab, in order. Returns what ends that.
 * @param {{onNotification: (notification: object) => void}} listener
 */
export function follow({ onNotification }, parts = inBrowser()) {
  // A browser before 2022 has neither: then each tab has a stream of its own.
  const isShared = parts.locks && parts.channel;
  const locks = isShared ? parts.locks : { request: (name, options, lead) => lead() };
  const channel = isShared ? parts.channel : { postMessage() {}, close() {} };
  const ending = new AbortController();
  let last = Infinity; // The id of the latest notification; infinite while it is not known.
  let since = Infinity; // The least of the ids from which other tabs go on.
  let rounds = 0; // A change of it ends what is under way.
  let queued = new AbortController();
  let release = () => {}; // Ends the wait for the stream, or after it.
  let isLeading = false;

  channel.onmessage = ({ data }) => {
    // Where something is missing before it, or before the leader's position, that comes again.
    if (data.rewound < last) last = data.rewound;
    if (last < data.after) channel.postMessage({ since: last });
    else if (data.notification) tell(data.notification);
    if (data.since === undefined || !isLeading) return;
    since = Math.min(since, data.since);
    release();
  };

  function tell(notification) {
    if (notification.id <= last && last < Infinity) return;
    last = notification.id;
    onNotification(notification);
  }

  /** `after`: the id of the notification before it. */
  function tellAll(notification, after) {
    channel.postMessage({ notification, after });
    tell(notification);
  }

  /** The server's ids are lower than they were, as after a restore: its stream goes on from that id. */
  function rewind(id) {
    last = id;
    channel.postMessage({ rewound: id });
  }

  /** Takes the lead, or waits for it. */
  async function compete(isTaken) {
    const round = interrupt();
    isLeading = isTaken;
    queued = new AbortController();
    const options = isTaken ? { steal: true } : { signal: queued.signal };
    try {
      await locks.request(`letsswitch${base}.events`, options, () => lead(round));
    } catch (error) {
      // Another tab has taken it. Anything else, such as a page that is being left, would come again at once.
      if (error.name !== 'AbortError') return;
    }
    if (round === rounds) compete(false);
  }

  function interrupt() {
    rounds += 1;
    queued.abort();
    release();
    return rounds;
  }

  async function lead(round) {
    if (round !== rounds) return;
    isLeading = true;
    channel.postMessage({ after: last });
    let isReplaced = false; // Newer streams of the account have all places: this tab asks for one again when it is looked at.
    for (let failures = 0; round === rounds;) {
      let [least, hasFailed] = [0, false];
      try {
        await catchUp(round);
        if (!isReplaced) {
          const end = await stream(round);
          if (end.wasOpen) failures = 0;
          isReplaced = end.isReplaced;
        }
      } catch (error) {
        // There is no session, or the account is suspended: each attempt would end alike.
        if ([401, 403].includes(error.status)) stop();
        least = Math.min((error.retryAfter ?? 0) * 1000, limits.longestHint);
        hasFailed = true;
      }
      if (round !== rounds) return;
      if (since < Infinity && !hasFailed) continue;
      const longest = Math.min(limits.firstWait * 2 ** failures, limits.longestWait);
      failures += 1;
      await new Promise((resolve) => {
        const wait = Math.max(least, longest / 2) + parts.random() * longest / 2;
        const cancel = isReplaced && !hasFailed ? () => {} : parts.after(wait, resolve);
        release = () => { cancel(); resolve(); };
      });
    }
  }

  /** Asks for what was missed. Where no stream can be had, this goes on to tell, if later. */
  async function catchUp(round) {
    if (last === Infinity) {
      const { notifications } = await parts.api('GET', '/v1/notifications?order=desc&limit=1');
      last = Math.min(last, notifications[0]?.id ?? 0);
    }
    do {
      let position = Math.min(since, last);
      since = Infinity;
      const { notifications, nextCursor } = await parts.api('GET', `/v1/notifications?after=${position}&limit=200`).catch((error) => {
        since = Math.min(since, position);
        throw error;
      });
      if (round !== rounds) return;
      for (const notification of notifications) {
        tellAll(notification, position);
        position = notification.id;
      }
      if (nextCursor) since = Math.min(since, position);
    } while (since < Infinity);
  }

  /** Reads the stream until it has ended for good; the browser reconnects it. Returns how it has ended. */
  async function stream(round) {
    const end = { wasOpen: false, isReplaced: false };
    if (round !== rounds) return end;
    const begun = last;
    const source = parts.open(`/v1/events?after=${begun}&heartbeat=event`);
    let disarm = () => {};
    await new Promise((resolve) => {
      release = () => { source.close(); resolve(); };
      // A connection can die without an error: after a silence it is given up, and another one is made.
      const arm = () => { disarm(); disarm = parts.after(limits.silence, release); };
      const on = (type, hear) => source.addEventListener(type, (event) => { arm(); hear(event); });
      for (const type of types) {
        on(type, ({ data }) => {
          const notification = JSON.parse(data);
          if (notification.id <= begun) rewind(notification.id - 1);
          tellAll(notification, last);
        });
      }
      on('heartbeat', ({ lastEventId }) => { if (lastEventId && Number(lastEventId) < begun) rewind(Number(lastEventId)); });
      on('replaced', () => { end.isReplaced = true; release(); });
      source.onopen = () => { arm(); end.wasOpen = true; };
      source.onerror = () => { if (source.readyState === 2) resolve(); };
      arm();
    });
    disarm();
    return end;
  }

  function stop() {
    interrupt();
    channel.close();
    ending.abort();
  }

  parts.onWake(() => compete(true), ending.signal);
  compete(true);
  return stop;
}
