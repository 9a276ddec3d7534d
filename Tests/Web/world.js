// What the tests own in place of a browser and a server: time, sockets, and the order of events.

/** A clock that goes on when a test says so. */
export class Clock {
  time = Date.parse('2027-01-04T09:00:00Z');
  #timers = [];

  now = () => this.time;

  after = (ms, f) => {
    const timer = { due: this.time + ms, f };
    this.#timers.push(timer);
    return () => { this.#timers = this.#timers.filter((one) => one !== timer); };
  };

  get waits() { return this.#timers.map(({ due }) => due - this.time).sort((a, b) => a - b); }

  /** Goes on, and calls what is due, each at its time. */
  async advance(ms) {
    const end = this.time + ms;
    for (;;) {
      await settle();
      const next = this.#timers.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.time = Math.max(this.time, next.due);
      next.f();
    }
    this.time = end;
    await settle();
  }

  /** Goes on while the machine is asleep: what was due meanwhile is late. */
  async sleep(ms) {
    this.time += ms;
    await this.advance(0);
  }
}

/** Lets everything run that waits for nothing but its turn. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Small numbers that follow from a seed (SplitMix64's constants, on 32 bits). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return ((z ^ (z >>> 16)) >>> 0) / 2 ** 32;
  };
}

/** A socket whose other end is the test. */
export class ScriptedSocket {
  sent = [];
  /** The code with which the page has closed it; undefined while it has not. */
  closedWith;

  constructor(url, protocols) {
    this.url = new URL(url);
    this.protocols = protocols;
  }

  send(text) { this.sent.push(JSON.parse(text)); }
  close(code) { this.closedWith ??= code ?? 1005; }

  /** Sends the page a message. */
  say(message) { this.onmessage?.({ data: typeof message === 'string' ? message : JSON.stringify(message) }); }
  /** Ends the connection as the server does. */
  shut(code, reason = '') { this.onclose?.({ code, reason }); }

  of(type) { return this.sent.filter((message) => message.type === type); }
}
