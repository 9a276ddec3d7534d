// A room from its opening on: the lobby until the start, then the session. What follows it is in end.js.

import { api, serverNow } from './api.js';
import { Connection, inBrowser } from './connection.js';
import { button, el, field, folded, form, input, press, said, speak, submit, toggle } from './dom.js';
import { end, person, why } from './end.js';
import { roomOf } from './events.js';
import { countdown, dayOf, rangeOf, timeOf } from './time.js';
import { isolated, remembered, t } from './words.js';

/** Rooms that have closed while this page was open: the server may say so a moment later. */
const closed = new Set();
const STATUSES = ['getting-ready', 'ready'];

export async function room(app, id, signal) {
  const details = told(app, id) ?? await api('GET', `/v1/rooms/${id}`, { signal });
  const you = details.members.find((member) => member.you);
  if (!closed.has(id) && serverNow() < Date.parse(details.closesAt)) return stay(app, details, you, signal);
  return end(app, details, await api('GET', `/v1/registrations/${you.id}`, { signal }), signal);
}

/** Returns the room as `room.opened` describes it, once: later the server knows more. Else null. */
function told(app, id) {
  const { opened } = app;
  if (opened?.roomId !== id) return null;
  app.opened = null;
  return serverNow() < Date.parse(opened.closesAt) ? roomOf(opened) : null;
}

function stay(app, { id, slot, closesAt, socketUrl, members: expected }, mine, signal) {
  const [startsAt, endsAt] = [slot.startsAt, closesAt].map(Date.parse);
  const [title, clock, until] = [el('h1', t('lobby')), el('b', { role: 'timer' }), el('span', t('untilStart', timeOf(startsAt)))];
  const cheers = el('div.cheers', { 'aria-hidden': 'true' });
  const ring = el('div.ring', clock, until, cheers);
  const [people, alone, tally] = [el('ul.people'), el('p.alone', t('alone')), el('p.tally')];
  const trouble = el('div.trouble', { role: 'status' });
  const feel = feelings();
  let [state, lastMinutes, hasBegun, spokenAt] = [null, Infinity, false, 0];

  const connection = new Connection({
    ...inBrowser(id, socketUrl),
    onChange(now) {
      const before = state;
      state = now;
      update(before?.members);
    },
    onAle({ from, count }) {
      rise(cheers, 'theirs', count);
      feel.ale();
      // Many ales in a row are counted on the screen, and not read out one by one.
      if (Date.now() - spokenAt < 5000) return;
      spokenAt = Date.now();
      speak(t('aleFrom', isolated(state.members.find((one) => one.id === from)?.name ?? ''), count));
    },
  });

  function cheer() {
    if (connection.cheer()) rise(cheers, 'mine', 1);
    else speak(t('tooFast'));
  }

  const ale = el('button.ale', { type: 'button', onclick: cheer }, el('span.word', t('ale')), el('span.key', t('aleKey')));
  const retry = button(t('tryNow'), () => connection.wake());
  const statuses = STATUSES.map((status) => toggle(t(status), false, (isOn) => {
    connection.status(isOn ? status : null);
    return isOn;
  }));
  const ready = el('div.ready', { role: 'group', 'aria-label': t('howAreYou') }, statuses);

  function update(before) {
    const { ended, members } = state;
    if (ended) return finish(ended);
    if (state.room !== id) return moveTo(state.room);
    if (members.length && members !== before) {
      const [others, own] = [members.filter((one) => !one.you), members.filter((one) => one.you)];
      tellOfChanges(before, others);
      show(others, own);
      statuses.forEach((node, index) => press(node, own[0]?.status === STATUSES[index]));
    }
    tally.textContent = t('tally', state.sent, state.received);
    return showTrouble();
  }

  function show(others, own = []) {
    people.replaceChildren(...[...others, ...own].map(card));
    alone.hidden = others.length > 0;
  }

  /** Says why the connection is away, and what waits for it. */
  function showTrouble() {
    const { phase, reason, waiting, tooFast, missed } = state;
    const text = [phase === 'connecting' && t('connecting'), phase === 'reconnecting' && t(`why-${reason}`),
      phase !== 'open' && waiting && t('alesWait', waiting), tooFast && t('tooFast'), missed && t('missedAles')].filter(Boolean).join(' ');
    if (trouble.dataset.text !== text) {
      trouble.dataset.text = text;
      trouble.replaceChildren(...text ? [el('p', text)] : [], ...phase === 'reconnecting' ? [retry] : []);
    }
    node.classList.toggle('away', phase !== 'open');
  }

  function finish({ kind, reason }) {
    if (kind === 'signedOut') app.signedOut();
    else if (kind === 'over') {
      closed.add(id);
      feel.bell();
      app.show();
    } else if (kind === 'refused') follow();
    else if (kind !== 'left') stop(`${t('connectionEnded')} ${reason}`);
  }

  function stop(text) {
    trouble.replaceChildren(el('p', text), button(t('again'), () => app.show()));
    node.classList.add('over');
    clearInterval(timer);
  }

  /** Goes to the room that the match has moved to while the connection was away, if there is one. */
  async function follow() {
    trouble.replaceChildren();
    const { roomId, error } = await api('GET', `/v1/registrations/${mine.id}`, { signal }).catch((error) => ({ error }));
    if (signal.aborted) return;
    if (error && error.status !== 404) stop(error.detail || t('away'));
    else if (!roomId || roomId === id) stop(t('notInRoom'));
    else moveTo(roomId);
  }

  function moveTo(room) {
    app.go(`/room/${room}`, true);
    app.notify(t('moved'));
  }

  function tick() {
    const now = state?.session ? Date.now() + state.offset : serverNow();
    if (now >= startsAt && !hasBegun) begin();
    const left = (hasBegun ? endsAt : startsAt) - now;
    if (left <= 0) {
      connection.stop();
      finish({ kind: 'over' });
    } else if (clock.textContent !== clockOf(left, now)) {
      clock.textContent = clockOf(left, now);
      ring.style.setProperty('--part', String(Math.min(1, left / (hasBegun ? endsAt - startsAt : 60_000))));
      const minutes = left / 60_000;
      const milestone = lastMinutes < Infinity && [10, 5, 1].find((one) => minutes <= one && lastMinutes > one);
      if (milestone) speak(t(hasBegun ? 'minutesLeft' : 'minutesToStart', milestone));
      lastMinutes = minutes;
    }
  }

  /** The last seconds before the start are counted down, and then it is said. */
  function clockOf(left, now) {
    if (hasBegun) return now - startsAt < 1500 ? t('start') : countdown(left);
    return left > 5000 ? countdown(left) : String(Math.ceil(left / 1000));
  }

  /** The lobby becomes the session. */
  function begin() {
    hasBegun = true;
    node.classList.replace('lobby', 'session');
    [title.textContent, until.textContent, lastMinutes] = [t('session'), t('untilEnd', timeOf(endsAt)), Infinity];
    if (!node.isConnected) return;
    document.title = `${t('session')} · Let’s Switch`;
    speak(t('begun'));
    feel.bell();
    if (!node.contains(document.activeElement) || ready.contains(document.activeElement)) title.focus();
  }

  const node = el('div.stay.lobby', el('a.back', { href: `/day/${dayOf(startsAt)}` }, `‹ ${rangeOf(slot)}`), title, trouble,
    ring, people, alone, ready, el('div.cheering', ale, tally), feel.node,
    folded(t('saySomething'), () => form(async ({ checkIn }) => {
      await api('PATCH', `/v1/registrations/${mine.id}`, { body: { checkIn: checkIn.value.trim() || null } });
      speak(t('saved'));
    }, field(t('checkIn'), input('checkIn', mine.checkIn), t('everybodySees')), submit(t('say'), ''))), why(id));
  // The partners are known before the room says who is there.
  show(expected.filter((member) => !member.you));
  tick();
  const timer = setInterval(tick, 250);
  document.addEventListener('keydown', (event) => {
    if (event.key !== ' ' && event.key !== 'Enter') return;
    const isElsewhere = event.target.closest('a, button:not(.ale), input, textarea, summary, dialog');
    // A key that is held down is one ale.
    if (isElsewhere || event.target === ale && !event.repeat) return;
    event.preventDefault();
    if (!event.repeat) cheer();
  }, { signal });
  app.on('wake', () => connection.wake(), signal);
  signal.addEventListener('abort', () => {
    clearInterval(timer);
    connection.stop();
  });
  keepAwake(app, signal);
  connection.start();
  return node;
}

/** Keeps the screen on. The browser ends that when the page is hidden. */
function keepAwake(app, signal) {
  let light;
  const switchOn = async () => {
    if (light?.released === false) return;
    light = await navigator.wakeLock?.request('screen').catch(() => null);
    if (signal.aborted) light?.release();
  };
  switchOn();
  app.on('wake', switchOn, signal);
  signal.addEventListener('abort', () => light?.release());
}

/** A member: who, what, and how they are, in words. */
function card(member) {
  const { you, present, status, checkIn, quiet } = member;
  const how = !present ? t('notHere') : status ? t(`is-${status}`) : t('here');
  return person(member, `${you ? '.you' : ''}${present ? '.present' : ''}`, [you && ` (${t('you')})`, el('span.how', how)],
    checkIn && el('p.says', el('q', said(checkIn))), quiet && el('p.hint', t(you ? 'youAreQuiet' : 'isQuiet')));
}

/** Says who came, who left, and who is ready. */
function tellOfChanges(before, others) {
  if (!before?.length) {
    const here = others.filter((one) => one.present).map((one) => isolated(one.name));
    speak(here.length ? t('hereAre', here.join(', ')) : t('alone'));
    return;
  }
  for (const { id, name, present, status } of others) {
    const old = before.find((one) => one.id === id) ?? {};
    if (present !== (old.present ?? false)) speak(t(present ? 'came' : 'went', isolated(name)));
    else if (status === 'ready' && old.status !== 'ready') speak(t('nowReady', isolated(name)));
  }
}

/** Lets circles rise for ales. Where motion is not wanted they only appear. */
function rise(place, whose, count) {
  for (let index = 0; index < Math.min(count, 5, 20 - place.children.length); index += 1) {
    const node = el(`span.cheer.${whose}`, t('ale'));
    node.style.setProperty('--x', String(Math.random()));
    place.append(node);
    setTimeout(() => node.remove(), 1800);
  }
}

/** Ales that are heard or felt, as the person likes it in this browser. */
function feelings() {
  let audio;
  const play = (...tones) => remembered('sound') && tones.forEach((frequency, index) => {
    audio ??= new AudioContext();
    const [tone, gain, at] = [audio.createOscillator(), audio.createGain(), audio.currentTime + index * 0.12];
    tone.frequency.value = frequency;
    gain.gain.setValueAtTime(0.12, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + 0.5);
    tone.connect(gain).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.5);
  });
  const ale = () => {
    play(660, 880);
    if (remembered('vibration')) navigator.vibrate?.([60, 40, 60]);
  };
  const choice = (name, label) => toggle(label, remembered(name) === 'on', (isOn) => {
    remembered(name, isOn ? 'on' : null);
    if (isOn) ale();
    return isOn;
  });
  return { ale, bell: () => play(440, 550, 660), node: el('div.feelings', { role: 'group', 'aria-label': t('alesAre') },
    choice('sound', t('heard')), navigator.vibrate && choice('vibration', t('felt'))) };
}
