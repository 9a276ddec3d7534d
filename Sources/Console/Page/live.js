// The figures of now: by a stream while it lasts, else by asking again and again.

/** All times are in ms. A server sends one event a second, so that silence is a fault. */
export const limits = { silence: 6_000, poll: 5_000, polls: 6 };

/**
 * Follows the figures. `onState` is told `live`, `polling`, `away` or `paused`, each once.
 * @param {object} parts
 * @param {(path: string) => EventSource} parts.source @param {() => Promise<object>} parts.read Asks once.
 * @param {(ms: number, f: () => void) => () => void} parts.after
 */
export function follow(parts, { onNow, onState }) {
  let source = null;
  let cancel = () => {};
  let round = 0;
  let told = null;

  const tell = (state, error) => {
    if (state !== told) onState(told = state, error);
  };

  function stop() {
    round += 1;
    cancel();
    source?.close();
    source = null;
  }

  function stream() {
    stop();
    const mine = source = parts.source('/admin/v1/live');
    const wait = () => {
      cancel();
      cancel = parts.after(limits.silence, () => poll(1));
    };
    mine.addEventListener('now', ({ data }) => {
      if (mine !== source) return;
      wait();
      tell('live');
      onNow(JSON.parse(data));
    });
    // A browser tries again by itself, unless the answer was no stream.
    mine.onerror = () => mine === source && mine.readyState === 2 && poll(1);
    wait();
  }

  async function poll(count) {
    stop();
    const mine = round;
    let now = null;
    let failure = null;
    try {
      now = await parts.read();
    } catch (error) {
      failure = error;
    }
    if (mine !== round) return;
    if (failure?.status === 401 || failure?.status === 403) return tell('away', failure);
    tell(failure ? 'away' : 'polling', failure);
    if (now) onNow(now);
    cancel = parts.after(limits.poll, () => (count < limits.polls ? poll(count + 1) : stream()));
  }

  stream();
  return {
    pause() {
      stop();
      tell('paused');
    },
    resume: stream,
    /** Says nothing more. */
    end: stop,
  };
}
