// The frame of the page: which screen is at which address, who is signed in, and what every screen needs.

import { api, Away, onSignedOut } from './api.js';
import { base, here, home, inside } from './base.js';
import { button, copyButton, el, forget, isOutdated, problem, said, save, speak } from './dom.js';
import { follow } from './events.js';
import { finish, isOpen } from './together.js';
import { loadWords, remembered, t } from './words.js';
import { timeOf, useZone } from './time.js';
import { invite, NotKept, welcome } from './welcome.js';
import { day } from './day.js';

/**
 * The screens: the address of each, how it is loaded, and whether it is for those who are signed in. A screen is a
 * function of the app, of the rest of its address, and of a signal that ends with it; it returns what is shown.
 */
const ID = '([\\da-fA-F-]{36})';
const screens = [
  { name: 'welcome', at: /^\/(?:welcome)?$/, load: () => welcome },
  { name: 'invite', at: /^\/invites\/([\w-]+)$/, load: () => invite },
  { name: 'day', at: /^\/day(?:\/(\d{4}-\d\d-\d\d))?$/, load: () => day, isPrivate: true },
  { name: 'registration', at: RegExp(`^/registration/${ID}$`), load: () => import('./registration.js'), isPrivate: true },
  { name: 'room', at: RegExp(`^/room/${ID}$`), load: () => import('./room.js'), isPrivate: true },
  { name: 'me', at: /^\/me$/, load: () => import('./me.js'), isPrivate: true },
];
const lost = { name: 'lost', at: /$/, load: () => () => el('div', el('h1', t('lost')), el('a', { href: '/' }, t('toStart'))) };

/** The longest wait, in ms, before a screen reads again what a notification has changed. */
const PATIENCE = 2_000;
/** The waits, in ms, before a screen without an answer of the server tries again; each can be twice as long. */
const AWAY = 5_000, LONGEST_AWAY = 60_000;

const [main, notices, places, skip] = ['main', 'notices', 'places', 'skip'].map((id) => document.getElementById(id));
let leaving = new AbortController();
/** The address of the screen that was asked for last; it may still be loading. */
let wanted = null;
/** Tries again what has failed; null where nothing has. */
let retry = null;

const app = {
  /** The account, or null. */
  user: null,
  /** Fulfilled when the server has said who is signed in: `user` is right from then on. */
  known: Promise.resolve(),
  /** Asks the server who is signed in; throws where it does not say. */
  ask,
  /** Where to go on after signing in. */
  next: null,
  /** The data of the latest `room.opened`, until its room is shown; else null. */
  opened: null,
  /** Dispatches `notification` when the server tells something, and `wake` when the page is looked at again. */
  events: new EventTarget(),
  go, show, refresh: () => show(false), signIn, arrive, leave, signedOut, keep, notify,
  on(type, listener, signal) { this.events.addEventListener(type, listener, { signal }); },
  /** Reads again when something is told, when the page is looked at, and every so many seconds. */
  repeat(read, seconds, signal) {
    const again = () => document.hidden || read().catch(() => {});
    const timer = setInterval(again, seconds * 1000);
    signal.addEventListener('abort', () => clearInterval(timer));
    this.on('wake', again, signal);
    // All people of a slot are notified at once. Reading again can wait until they have entered their rooms.
    this.on('notification', () => setTimeout(() => signal.aborted || again(), Math.random() * PATIENCE), signal);
  },
};
const dispatch = (type) => app.events.dispatchEvent(new Event(type));

history.scrollRestoration = 'manual';

function go(address, replaces = false) {
  // Coming back finds the place.
  if (!main.hasAttribute('aria-busy')) history.replaceState({ y: scrollY }, '');
  history[replaces ? 'replaceState' : 'pushState'](null, '', base + address);
  return show();
}

/** Shows the screen of the present address. Its heading gets the focus, unless that is still on something. */
async function show(isNew = true) {
  leaving.abort();
  const { signal } = leaving = new AbortController();
  const path = wanted = here();
  if (isNew && navigator.onLine) notices.querySelector('.notice:not(:has(a), .announcement)')?.remove();
  const { name, at, load, isPrivate } = screens.find((screen) => screen.at.test(path)) ?? lost;
  if (isPrivate && !app.user) {
    app.next = path;
    return go('/welcome', true);
  }
  main.setAttribute('aria-busy', 'true');
  retry = null;
  let content;
  try {
    const loaded = await module(load);
    content = await (loaded[name] ?? loaded)(app, at.exec(path)[1], signal);
  } catch (error) {
    if (signal.aborted || await isOutdated(error)) return undefined;
    const reason = error.isOfModule ? await ofModule(error, signal) : error;
    if (signal.aborted || !reason) return undefined;
    content = failed(reason, error.isOfModule ? () => location.reload() : show);
    // A server that restarts is back in a moment. Until then nothing is said again.
    if (reason instanceof Away || reason.status >= 502) {
      const wait = Math.min(Math.max(AWAY, (reason.retryAfter ?? 0) * 1000), LONGEST_AWAY);
      setTimeout(() => signal.aborted || show(false), wait * (1 + Math.random()));
      if (!isNew && main.querySelector(':scope > * > .problem')) return void main.removeAttribute('aria-busy');
    }
  }
  if (!signal.aborted) present(content, name, isNew);
  return undefined;
}

/** Loads the module of a screen. Browsers remember a module that they could not load, so it needs a new page. */
async function module(load) {
  try {
    return await load();
  } catch (error) {
    throw Object.assign(error, { isOfModule: true });
  }
}

/** Why a module could not be loaded. Once the server answers, the page is loaded again, and there is nothing to say. */
async function ofModule(error, signal) {
  const reason = await api('GET', '/v1/me', { signal }).then(() => error, (why) => why);
  // A module that fails in a new page, too, is not tried a third time, and a secret that is shown once stays.
  if (reason !== error || history.state?.isReloaded || notices.querySelector('.secret')) return reason;
  history.replaceState({ isReloaded: true }, '');
  location.reload();
  return null;
}

function present(content, name, isNew) {
  main.removeAttribute('aria-busy');
  main.className = name;
  main.replaceChildren(content);
  const heading = main.querySelector('h1');
  document.title = `${heading.textContent} · Let’s Switch`;
  places.replaceChildren(...app.user ? ['day', 'me'].map((place) => el('a', {
    href: `/${place}`, 'aria-current': wanted.startsWith(`/${place}`) && 'page',
  }, t(place))) : []);
  if (isNew) scrollTo(0, history.state?.y ?? 0);
  else if (document.activeElement !== document.body) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

function failed(error, again) {
  retry = again;
  return el('div', el('h1', t(error.status === 404 ? 'lost' : 'stopped')), problem(error),
    el('div.actions', button(t('again'), () => again(), 'main'), el('a', { href: '/day' }, t('toDay'))));
}

/** A line below the top, until something else is said or it is put away. */
function notify(text, href, label) {
  notices.querySelector('.notice:not(.announcement)')?.remove();
  notices.append(notice('p.notice', text, href && el('a.button', { href }, label)));
  speak(text);
}

/** Words of those who run the service, which stay until they are put away. */
function announce(text) {
  notices.append(notice('p.notice.announcement', [el('strong', t('announced')), ' ', said(text)]));
  speak(`${t('announced')} ${text}`);
}

function notice(selector, words, action) {
  const close = button('×', () => node.remove(), 'quiet');
  close.setAttribute('aria-label', t('close'));
  const node = el(selector, el('span', words), action, close);
  return node;
}

/** Shows a secret that the server tells once, until it has been kept. */
function keep(title, text, secret, file) {
  const node = el('section.secret', { 'aria-labelledby': 'secret' },
    el('h2', { id: 'secret' }, title), el('code', secret), el('p.hint', text), el('div.actions', copyButton(secret),
      button(t('download'), () => save(file, 'text/plain', `Let’s Switch, ${home()}\n${title}: ${secret}\n`)),
      button(t('haveKept'), () => {
        node.remove();
        main.querySelector('h1').focus();
      }, 'main')));
  notices.querySelector('.secret')?.remove();
  notices.prepend(node);
  speak(`${title}. ${text}`);
}

/** Makes a session of a token, which is not kept anywhere. */
async function signIn(token) {
  await api('POST', '/v1/me/session', { token });
  const answer = await api('GET', '/v1/me').catch((error) => {
    throw error.status === 401 ? new NotKept() : error;
  });
  enter(answer.user, true);
}

/** Enters where there is a session. Returns the answer; null where the person has signed in meanwhile. */
async function ask(question = api('GET', '/v1/me')) {
  const answer = await question.catch((error) => error);
  if (app.user) return null;
  if (answer?.user) enter(answer.user);
  else if (answer?.status !== 401) throw answer;
  else remembered('signedIn', null);
  return answer;
}

function enter(user, isNew) {
  app.stop?.();
  app.user = user;
  remembered('signedIn', 'yes');
  useZone(user.timeZone);
  app.stop = follow({ onNotification: told });
  goOn();
  import('./push.js').then(({ keepPush }) => keepPush(user.id, isNew)).catch(() => {});
}

/** Whether an earlier press is being finished. */
let goesOn = false;

/** Finishes the requests of an earlier press, if the server can be reached. */
async function goOn() {
  if (!app.user || goesOn) return;
  goesOn = true;
  const { id } = app.user;
  const end = await finish(id).catch((error) => !isOpen(error) && { error });
  goesOn = false;
  // Another person has signed in meanwhile.
  if (app.user?.id !== id) return void goOn();
  if (!end) return;
  if (end.isDone) forget('task', end.bodies[0].task);
  notify(end.error ? end.error.detail : end.isDone ? t('registered', end.bodies.length) : t(end.isUnsure ? 'unsure' : 'undone'));
  if (/^\/day/.test(here())) await app.refresh();
}

/** Shows where the person was going before signing in. */
function arrive() {
  const next = app.next ?? '/day';
  app.next = null;
  return go(next, true);
}

/** The session has ended elsewhere: the next sign-in comes back to this screen. */
function signedOut() {
  if (!app.user) return;
  const next = here();
  leave(t('signedOut'), false);
  app.next = next;
}

/** Shows the first screen after the session has ended. What was typed goes with those who want to leave. */
function leave(text, forgets = true) {
  if (forgets) try { sessionStorage.clear(); } catch { /* Storage is switched off. */ }
  app.user = null;
  app.stop?.();
  remembered('signedIn', null);
  go('/welcome', true);
  notify(text);
}

/** Tells the screen of a notification; the opening of a room is told on every screen. */
function told({ type, data }) {
  if (type === 'announcement') return announce(data.text);
  if (type === 'room.opened') app.opened = data;
  const address = `/room/${data.roomId}`;
  if (type.startsWith('room.') && here() === `/registration/${data.registrationId}`) return go(address, true);
  dispatch('notification');
  if (type === 'room.opened' && here() !== address) notify(t('roomOpen', timeOf(data.startsAt)), address, t('enter'));
  return undefined;
}

/** Links to our own screens need no load of a page. */
document.addEventListener('click', (event) => {
  const target = event.target.closest('a[href^="/"]');
  if (!target || target.download || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const address = inside(target.pathname);
  if (!screens.some(({ at }) => at.test(address))) return;
  event.preventDefault();
  target.closest('.notice')?.remove();
  go(address);
});

addEventListener('popstate', () => here() !== wanted && show());
addEventListener('pagehide', () => history.replaceState({ ...history.state, y: scrollY }, ''));
addEventListener('offline', () => {
  notify(t('offline'));
  // A connection that is lost looks as if it were only quiet.
  dispatch('wake');
});
addEventListener('online', () => {
  notify(t('online'));
  retry?.();
  dispatch('wake');
});
document.addEventListener('visibilitychange', () => document.hidden || dispatch('wake'));
app.on('wake', goOn);

async function start() {
  const isRemembered = remembered('signedIn');
  const question = api('GET', '/v1/me');
  question.catch(() => {});
  await loadWords();
  app.known = ask(question).catch((error) => error);
  skip.textContent = t('skip');
  for (const name of ['places', 'notices']) document.getElementById(name).setAttribute('aria-label', t(name));
  onSignedOut(signedOut);
  if (isRemembered) {
    const answer = await app.known;
    if (!app.user && answer?.status !== 401) return present(failed(answer, () => location.reload()), 'lost', true);
  }
  await show();
  // Browsers clear what a page keeps, and leave the cookie of the session.
  if (!isRemembered) app.known.then((answer) => answer?.user && (/^\/(welcome)?$/.test(here()) ? arrive() : show()));
  // The other screens are fetched when there is time, so that a room opens on a bad network too.
  setTimeout(() => screens.forEach(({ load }) => Promise.resolve(load()).catch(() => {})), 2000);
  navigator.serviceWorker?.register(`${base}/worker.js`).catch(() => {});
  navigator.serviceWorker?.addEventListener('message', ({ data }) => data?.open && go(inside(data.open)));
  return undefined;
}

start();
