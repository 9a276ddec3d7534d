// Calls of the API, with the cookie of the session.

import { base } from './base.js';

/** The server refused (RFC 9457). `name`: the last part of its `type`; `retryAfter`: seconds, or 0. */
export class Problem extends Error {
  constructor(status, { type = '', title, detail, errors = [] } = {}, retryAfter = 0) {
    super(detail || title || `HTTP ${status}`);
    Object.assign(this, { name: type.split('/').pop() || 'problem', status, detail: this.message, errors, retryAfter });
  }
}

/** No answer of the server came. A call that changes something may have taken effect. `retryAfter`: as of a problem. */
export class Away extends Error {}

/** All times are in ms. What changes something may take longer: the test of an endpoint waits for another server. */
export const limits = { attempts: 3, pause: 300, readTimeout: 15_000, writeTimeout: 30_000, longestWait: 5_000, longestJitter: 2_000,
  unanswered: 600_000, // How long a key is kept whose answer did not come.
};

const transient = [408, 429, 502, 503, 504];
const lasting = ['too-many-devices', 'too-many-registrations'];

/**
 * Makes the function that calls the API.
 * @param {object} parts
 * @param {typeof fetch} parts.fetch @param {(ms: number, f: () => void) => () => void} parts.after
 * @param {() => number} parts.now @param {() => string} parts.newID @param {() => void} parts.onSignedOut
 * @param {() => string} parts.language Of the server's words.
 * @param {() => number} [parts.random] From 0 to 1.
 * @param {(name: string, value?: string|null) => string|null} [parts.kept] Keeps a text for as long as the tab is open;
 * null removes it, and all of them where the name is empty.
 */
export function makeAPI(parts) {
  const tags = new WeakMap();
  let offset = 0;

  /** The name of what is kept of a call. It does not contain what the person has written. */
  function nameOf(path, body = '') {
    let hash = 14695981039346656037n; // FNV-1a of 64 bits
    for (const unit of `${path}\n${body}`) hash = ((hash ^ BigInt(unit.codePointAt(0))) * 1099511628211n) & 0xffffffffffffffffn;
    return `key-${hash.toString(36)}`;
  }

  /** Makes one attempt; returns the answer with its text. */
  async function attempt(path, options, signal) {
    const controller = new AbortController();
    const abort = () => controller.abort();
    const cancel = parts.after(options.method === 'GET' ? limits.readTimeout : limits.writeTimeout, abort);
    signal?.addEventListener('abort', abort);
    try {
      const answer = await parts.fetch(path, { ...options, signal: controller.signal });
      return { answer, text: await answer.text() };
    } catch (error) {
      throw signal?.aborted ? error : new Away('The server cannot be reached.');
    } finally {
      cancel();
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Something else may answer, such as the sign-in page of a hotel. */
  function read(text) {
    try { return JSON.parse(text); } catch { throw new Away('Something else answered for the server.'); }
  }

  function problem({ status, headers }, text) {
    const retryAfter = Math.max(0, Number(headers.get('Retry-After')) || 0);
    let body;
    try { body = JSON.parse(text); } catch {}
    // A proxy's words, where it does not reach the server.
    if (!body && [502, 503, 504].includes(status)) return Object.assign(new Away('The server is away.'), { retryAfter });
    return new Problem(status, body ?? {}, retryAfter);
  }

  /**
   * Returns the parsed answer; null where there is none. A GET is compared with what the browser has; a POST takes
   * effect once. `ifMatch`: an answer of a GET, which has to be as it was. `token`: a bearer token. `once`: it is not tried
   * again, where a server does not know that it was. `key`: the idempotency key of a POST, if its caller keeps one.
   * @param {{body?: object, ifMatch?: object, token?: string, once?: boolean, key?: string, signal?: AbortSignal}} options
   * @throws {Problem | Away}
   */
  async function api(method, path, { body, ifMatch, token, once, key: given, signal } = {}) {
    const headers = { Accept: 'application/json', 'Accept-Language': parts.language() };
    if (body) headers['Content-Type'] = 'application/json';
    if (tags.get(ifMatch)) headers['If-Match'] = tags.get(ifMatch);
    if (token) headers.Authorization = `Bearer ${token}`;
    const options = { method, headers, cache: 'no-cache', body: body && JSON.stringify(body) };
    const name = method === 'POST' && !given && nameOf(path, options.body);
    // Where no answer came, the person presses again: the same content takes effect once. After ten
    // minutes it is another request.
    const [key, since] = (name && parts.kept?.(name) || '').split(' ');
    const isRecent = key && parts.now() - Number(since) < limits.unanswered;
    if (method === 'POST') headers['Idempotency-Key'] = given ?? (isRecent ? key : parts.newID());
    const keep = () => name && parts.kept?.(name, `${headers['Idempotency-Key']} ${parts.now()}`);
    for (let tried = 1; ; tried += 1) {
      let failure;
      signal?.throwIfAborted();
      try {
        const { answer, text } = await attempt(path, options, signal);
        const date = Date.parse(answer.headers.get('Date'));
        if (date) offset = date + 500 - parts.now();
        if (answer.ok) {
          const value = text ? read(text) : null;
          if (name) parts.kept?.(name, null);
          // What was done may be undone: the same content is another act then.
          else if (method !== 'GET' && !given) parts.kept?.('', null);
          if (value) tags.set(value, answer.headers.get('ETag')?.replace('W/', ''));
          return value;
        }
        // A DELETE whose answer was lost has taken effect.
        if (method === 'DELETE' && tried > 1 && answer.status === 404) return null;
        failure = problem(answer, text);
      } catch (error) {
        if (!(error instanceof Away)) throw error;
        failure = error;
      }
      const { status, retryAfter = 0 } = failure;
      if (!status || status >= 500) keep();
      else if (name) parts.kept?.(name, null);
      if (status === 401 && !token) parts.onSignedOut();
      const isUnderWay = failure.name === 'idempotency-key-under-way';
      if (isUnderWay) keep();
      const mayPass = !status || isUnderWay || (transient.includes(status) && !lasting.includes(failure.name));
      const wait = Math.max(limits.pause * tried, retryAfter * 1000);
      // PATCH is not idempotent (RFC 5789).
      if (!mayPass || once || method === 'PATCH' || tried >= limits.attempts || wait > limits.longestWait) throw failure;
      // Pages that were refused together do not come back together.
      const jitter = (parts.random ?? Math.random)() * Math.min(wait, limits.longestJitter);
      await new Promise((resolve) => parts.after(wait + jitter, resolve));
    }
  }

  /** `serverNow`: the server's time in ms, to about a second. */
  return { api, serverNow: () => parts.now() + offset };
}

/** A random UUID. Pages without https have no `crypto.randomUUID`. */
export function newID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

export function after(ms, f) {
  const timer = setTimeout(f, ms);
  return () => clearTimeout(timer);
}

/** Keeps a text for as long as the tab is open, or reads it. Storage may be switched off. */
function keptInTab(name, value) {
  try {
    if (value === undefined) return sessionStorage.getItem(`letsswitch${base}.${name}`);
    if (name === '') {
      for (const one of Object.keys(sessionStorage)) if (one.startsWith(`letsswitch${base}.key-`)) sessionStorage.removeItem(one);
    } else if (value === null) sessionStorage.removeItem(`letsswitch${base}.${name}`);
    else sessionStorage.setItem(`letsswitch${base}.${name}`, value);
  } catch {}
  return null;
}

let signedOut = () => {};
/** Sets what is called when the server knows no session (any more). */
export const onSignedOut = (f) => { signedOut = f; };

export const { api, serverNow } = makeAPI({
  fetch: (path, options) => fetch(base + path, options), after, now: Date.now, newID, onSignedOut: () => signedOut(),
  language: () => document.documentElement.lang, kept: keptInTab,
});
