// The stay in a room, over as many sockets as it needs. Sockets, time and chance are passed in, so that tests own them.
// The rules are the Swift client's (Sources/Client/Connection), and the messages those of /openapi.json.

import { after, api, newID } from './api.js';

/**
 * @typedef {object} State Instants are in ms: `retryAt` by this machine's clock, `session` by the server's.
 * @property {'connecting'|'open'|'reconnecting'|'ended'} phase @property {number?} retryAt
 * @property {'lost'|'silent'|'restarting'|'overloaded'|'tooSlow'|'moved'|'away'|null} reason
 * @property {{kind: 'over'|'left'|'signedOut'|'refused'|'fault'|'stopped', code: number, reason: string}?} ended
 * @property {string} room @property {string?} you @property {object[]} members
 * @property {number} waiting Ales of one's own without acknowledgement. @property {number} sent Those with one.
 * @property {number} received @property {boolean} missed Some were lost while the connection was away.
 * @property {boolean} tooFast @property {number} offset The server's clock minus this machine's.
 * @property {{startsAt: number, endsAt: number}?} session
 */

/** The bounds; all times are in ms. */
export const limits = {
  firstWait: 500, // Waits double up to the longest one.
  longestWait: 30_000,
  longestHint: 3_600_000,
  stable: 10_000, // After this, waits begin anew.
  turns: 3, // Immediate reconnections in a row; more are a loop.
  attempt: 30_000, // From the ticket to the first message.
  oldAttempt: 10_000, // One that `wake` gives up: it may have begun before a sleep.
  probe: 5_000, // For the answer of a link that may be lost.
  pause: 1_000, // After an ale that was dropped for its rate.
  window: 16, // Ales in flight: fewer than the server's burst.
  waiting: 100, // `cheer` takes no more.
};

/** What to do after a close code; 1006 is none. @returns {'stop'|'again'|'atOnce'} */
export function advice(code) {
  if ([1000, 1002, 1003, 1007, 1008, 1009, 1010].includes(code) || (code >= 4000 && code < 4100)) return 'stop';
  return code >= 4200 && code < 4300 ? 'atOnce' : 'again';
}

const reasons = {
  1001: 'restarting', 1012: 'restarting', 1013: 'overloaded', 4101: 'tooSlow', 4102: 'silent', 4200: 'moved',
};
const ends = { 1000: 'over', 1008: 'refused' };

/** The wait that the reason of a close asks for. */
const hint = (reason) => Math.min(Number(/^retryAfterMs=(\d+)$/.exec(reason)?.[1] ?? 0), limits.longestHint);

export class Connection {
  /** @type {State} */
  #state;
  #parts;
  #begun = false;
  #url; // The latest address; one that does not work is replaced.
  #isUsable;
  #destination = null; // Of a `moved`, until the close that follows it.
  #position = null; // For recovery: `{epoch, since}`.
  #latest = new Map(); // The number of each member's latest ale.
  #recoveredUntil = 0;
  #socket = null;
  #attempts = 0;
  #attemptBegan = 0;
  #cancel = () => {}; // Ends the one timer: of an attempt, a wait or the heartbeat.
  #cancelPause = () => {};
  #interval = 20_000;
  #failures = 0;
  #turns = 0;
  #openSince = null;
  #wasOfUse = false;
  #ales = []; // One's own without acknowledgement, oldest first: `{id, isSent}`.
  #status; // One's own; undefined until it is set.

  /**
   * @param {object} parts `ticket` throws what has a `status` where the server refuses; `after` returns what cancels.
   * @param {string} parts.room @param {string} [parts.url] @param {(room: string) => Promise<string>} parts.ticket
   * @param {(url: string, protocols: string[]) => WebSocket} parts.open @param {() => number} parts.now
   * @param {(ms: number, f: () => void) => () => void} parts.after @param {() => number} parts.random
   * @param {() => string} parts.newID @param {(state: State) => void} parts.onChange
   * @param {(ale: {from: string, seq: number, count: number, recovered: boolean}) => void} parts.onAle
   */
  constructor(parts) {
    this.#parts = parts;
    this.#url = parts.url;
    this.#isUsable = Boolean(parts.url);
    this.#state = {
      phase: 'connecting', reason: null, retryAt: null, ended: null, room: parts.room, you: null, members: [],
      waiting: 0, sent: 0, received: 0, missed: false, tooFast: false, offset: 0, session: null,
    };
  }

  get state() { return this.#state; }

  start() { if (!this.#begun) this.#connect(); }

  /** Leaves the room for good. */
  stop() { this.#end('left', 1000); }

  /** Sends an ale, now or as soon as there is a connection. Returns whether it was taken. */
  cheer() {
    if (this.#state.phase === 'ended' || this.#ales.length >= limits.waiting) return false;
    this.#ales.push({ id: this.#parts.newID(), isSent: false });
    this.#change({ waiting: this.#ales.length });
    this.#flush();
    return true;
  }

  /** Tells the others what one is doing; null takes it back. @param {'getting-ready'|'ready'|null} status */
  status(status) {
    this.#status = status;
    this.#sendStatus();
  }

  /** Looks again at once: the network has changed, or the machine was asleep. */
  wake() {
    const { phase, retryAt } = this.#state;
    if (phase === 'open') return this.#probe(Math.min(this.#interval / 2, limits.probe));
    const isOld = this.#parts.now() - this.#attemptBegan > limits.oldAttempt;
    if (this.#begun && phase !== 'ended' && (retryAt !== null || isOld)) this.#connect();
  }

  // Attempts, waits and ends.

  async #connect(change = {}) {
    this.#drop();
    this.#begun = true;
    if (this.#isOver()) return this.#end('over', 1000);
    const attempt = this.#attempts;
    this.#attemptBegan = this.#parts.now();
    this.#timer(limits.attempt, () => this.#lost(1006));
    this.#change({ retryAt: null, ...change });
    if (attempt !== this.#attempts) return;
    try {
      if (!this.#isUsable) {
        const url = await this.#parts.ticket(this.#state.room);
        if (attempt !== this.#attempts) return;
        this.#url = url;
      }
    } catch (error) {
      if (attempt !== this.#attempts) return;
      const { status = 0, retryAfter = 0, detail = '' } = error;
      const isForGood = status >= 400 && status < 500 && ![408, 429].includes(status);
      if (isForGood) return this.#end({ 401: 'signedOut', 410: 'over' }[status] ?? 'refused', status, detail);
      // A ticket is good until the room closes, also while no new one can be had.
      if (!this.#url) return this.#wait(status ? 'overloaded' : 'away', retryAfter * 1000);
    }
    try {
      this.#open();
    } catch {
      this.#lost(1006);
    }
  }

  #open() {
    this.#isUsable = false;
    const url = new URL(this.#url);
    for (const [name, value] of Object.entries({ merge: 1, ...this.#position })) url.searchParams.set(name, value);
    const socket = this.#socket = this.#parts.open(url.href, ['letsswitch.v2']);
    socket.onmessage = ({ data }) => { if (socket === this.#socket) this.#hear(data); };
    socket.onclose = ({ code, reason }) => { if (socket === this.#socket) this.#lost(code, reason); };
  }

  #drop() {
    this.#attempts += 1; // A late ticket is told apart.
    this.#cancel();
    this.#cancelPause();
    const socket = this.#socket;
    this.#socket = null;
    socket?.close(1000);
  }

  /** The close code decides the next step. */
  #lost(code, reason = '', why = reasons[code] ?? 'lost') {
    this.#drop();
    const destination = this.#destination;
    const room = destination?.id ?? this.#state.room;
    if (destination) this.#url = destination.socketUrl;
    // Numbers of another room mean nothing. A room that only changes its server takes its log along.
    if (room !== this.#state.room) this.#position = null;
    this.#destination = null;
    if (this.#openSince !== null) {
      if (this.#parts.now() - this.#openSince >= limits.stable) this.#failures = this.#turns = 0;
      else if (this.#wasOfUse) this.#failures = Math.max(0, this.#failures - 2);
      this.#openSince = null;
    }
    for (const ale of this.#ales) ale.isSent = false;
    const next = advice(code);
    if (next === 'stop') return this.#end(ends[code] ?? (code >= 4000 ? 'stopped' : 'fault'), code, reason);
    // Without a destination an immediate reconnection would be a loop.
    if (next === 'again' || !destination || this.#turns >= limits.turns) return this.#wait(why, hint(reason), room);
    this.#turns += 1;
    this.#connect({ phase: 'reconnecting', reason: why, tooFast: false, room });
  }

  /** Waits for longer with each failure, and never for less than the server asked for. */
  #wait(reason, least = 0, room = this.#state.room) {
    if (this.#isOver()) return this.#end('over', 1000);
    const longest = Math.min(limits.firstWait * 2 ** this.#failures, limits.longestWait);
    this.#failures += 1;
    const wait = least + this.#parts.random() * longest;
    this.#timer(wait, () => this.#connect());
    this.#change({ phase: 'reconnecting', reason, retryAt: this.#parts.now() + wait, tooFast: false, room });
  }

  #end(kind, code, reason = '') {
    if (this.#state.phase === 'ended') return;
    this.#drop();
    this.#begun = true;
    this.#change({ phase: 'ended', reason: null, retryAt: null, tooFast: false, ended: { kind, code, reason } });
  }

  #isOver() {
    const { session, offset } = this.#state;
    return session !== null && this.#parts.now() + offset >= session.endsAt;
  }

  // The heartbeat. A page sees no pings of the WebSocket: after a quiet interval it sends one of its own.

  #timer(ms, f) {
    this.#cancel();
    this.#cancel = this.#parts.after(ms, f);
  }

  #heard() { this.#timer(this.#interval, () => this.#probe(this.#interval / 2)); }

  /** A server of the version before answers with an error, which is enough. */
  #probe(patience) {
    this.#send({ type: 'ping' });
    const due = this.#parts.now() + patience;
    this.#timer(patience, () => {
      // A very late call comes after a sleep: the answer may not be read yet.
      if (this.#parts.now() - due > patience) this.#probe(patience);
      else this.#lost(1006, '', 'silent');
    });
  }

  // Messages.

  #send(message) { this.#socket.send(JSON.stringify(message)); }

  #hear(data) {
    let message;
    try {
      message = JSON.parse(data);
    } catch {}
    if (this.#state.phase !== 'open') {
      if (message?.type === 'handshake' && Array.isArray(message.members)) this.#entered(message);
      return;
    }
    this.#wasOfUse = true;
    this.#heard();
    switch (message?.type) {
      case 'aleResponse': return this.#aleCame(message);
      case 'ack': return this.#acknowledged(message);
      case 'error': return this.#refused(message);
      case 'presence': return this.#changeMember(message, 'present');
      case 'checkIn': return this.#changeMember(message, 'checkIn');
      case 'status': return this.#changeMember(message, 'status');
      case 'outcome': return this.#changeMember(message, 'outcome', 'note');
      case 'members': return Array.isArray(message.members) && this.#change({ members: message.members });
      case 'moved': if (message.id && message.socketUrl) this.#destination = message;
    }
  }

  #entered({ you, epoch, seq, recovered, now, startsAt, closesAt, pingSeconds, members }) {
    const isResumed = recovered === true && this.#position?.epoch === epoch;
    const missed = this.#position !== null && !isResumed;
    if (!isResumed) {
      this.#position = { epoch, since: seq };
      this.#latest.clear();
    }
    this.#recoveredUntil = seq;
    this.#isUsable = true;
    this.#wasOfUse = false;
    this.#openSince = this.#parts.now();
    this.#interval = Math.min(Math.max(Number(pingSeconds) || 20, 1), 3600) * 1000;
    this.#heard();
    const session = { startsAt: Date.parse(startsAt), endsAt: Date.parse(closesAt) };
    const offset = Date.parse(now) - this.#openSince;
    this.#change({ phase: 'open', reason: null, retryAt: null, you, members, missed, offset, session });
    this.#sendStatus();
    this.#flush();
  }

  #changeMember(message, ...names) {
    const words = Object.fromEntries(names.map((name) => [name, message[name]]));
    const change = (member) => (member.id === message.member ? { ...member, ...words } : member);
    this.#change({ members: this.#state.members.map(change) });
  }

  #reached(seq) { if (seq > this.#position.since) this.#position.since = seq; }

  /** A merged ale has `count`, and `since` where others are still to come from before its last number. */
  #aleCame({ from, seq, count = 1, since = seq }) {
    // An ale is told once: not again after a connection that ended between two merged ones, either.
    if (!(seq > Math.max(this.#position.since, this.#latest.get(from) ?? 0))) return;
    this.#latest.set(from, seq);
    this.#reached(since);
    this.#change({ received: this.#state.received + count });
    this.#parts.onAle({ from, seq, count, recovered: seq <= this.#recoveredUntil });
  }

  /** Sends the status, unless the room knows it. */
  #sendStatus() {
    const { phase, tooFast, members, you } = this.#state;
    if (phase !== 'open' || tooFast || this.#status === undefined) return;
    const known = members.find(({ id }) => id === you)?.status ?? null;
    if (known !== this.#status) this.#send({ type: 'status', status: this.#status });
  }

  // One's own ales. The server takes each of them once, however often it is sent.

  #flush() {
    if (this.#state.phase !== 'open' || this.#state.tooFast) return;
    for (const ale of this.#ales.slice(0, limits.window).filter(({ isSent }) => !isSent)) {
      ale.isSent = true;
      this.#send({ type: 'ale', messageId: ale.id });
    }
  }

  #acknowledged({ messageId, seq }) {
    this.#reached(seq);
    this.#settle(messageId, 1);
  }

  #refused({ code, messageId }) {
    if (code !== 'rateLimited') return this.#settle(messageId, 0);
    for (const ale of this.#ales) if (ale.id === messageId) ale.isSent = false;
    this.#cancelPause();
    this.#cancelPause = this.#parts.after(limits.pause, () => {
      this.#change({ tooFast: false });
      this.#sendStatus();
      this.#flush();
    });
    this.#change({ tooFast: true });
  }

  #settle(messageId, count) {
    const others = this.#ales.filter(({ id }) => id !== messageId);
    if (others.length === this.#ales.length) return;
    this.#ales = others;
    this.#change({ waiting: others.length, sent: this.#state.sent + count });
    this.#flush();
  }

  #change(change) {
    this.#state = { ...this.#state, ...change };
    this.#parts.onChange(this.#state);
  }
}

/** The page's own address for a `socketUrl`, in which `PUBLIC_URL` may name another host. */
export function ownAddress(socketUrl, origin) {
  const { pathname, search } = new URL(socketUrl);
  return origin.replace(/^http/, 'ws') + pathname + search;
}

/** The parts of a connection in a browser, but for `onChange` and `onAle`. `url`: the room's `socketUrl`. */
export const inBrowser = (room, url) => ({
  room, url, now: Date.now, after, random: Math.random, newID,
  ticket: async (id) => (await api('GET', `/v1/rooms/${id}`)).socketUrl,
  open: (url, protocols) => new WebSocket(ownAddress(url, location.origin), protocols),
});
