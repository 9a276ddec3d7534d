// The frame of the desk: which screen is at which address, who is signed in, and the keys.

import { api, onSignedOut, serverNow } from './api.js';
import { button, el, problem, speak } from './dom.js';
import { includes } from './format.js';
import { isOurs, makeKeys } from './keys.js';
import { remembered } from './words.js';
import { signIn } from './signin.js';
import { now } from './now.js';
import { slot, slots } from './slots.js';
import { room, rooms } from './rooms.js';
import { people, person, personAudit, personRegistrations } from './people.js';
import { report, reports } from './reports.js';
import { announcements } from './announcements.js';
import { codes } from './codes.js';
import { deliveries, delivery, endpoints, hosts } from './deliveries.js';
import { audit, servers, settings } from './system.js';
import { me } from './me.js';

/**
 * The places, in the order of the navigation: the key that leads there, the least role, and the screens below it. The
 * rest of an address is given to its screen. A screen is a function of the app, of the parts of the rest, and of a
 * signal that ends with it; it returns what is shown.
 */
const places = [
  { name: 'now', title: 'Now', key: 'n', screens: { '': now } },
  { name: 'slots', title: 'Slots', key: 's', screens: { '': slots, '/*': slot } },
  { name: 'rooms', title: 'Rooms', key: 'o', screens: { '': rooms, '/*': room } },
  { name: 'people', title: 'People', key: 'p', screens: {
    '': people, '/*': person, '/*/registrations': personRegistrations, '/*/audit': personAudit } },
  { name: 'reports', title: 'Reports', key: 'r', screens: { '': reports, '/*': report } },
  { name: 'announcements', title: 'Announce', key: 'a', screens: { '': announcements } },
  { name: 'codes', title: 'Codes', key: 'c', screens: { '': codes } },
  { name: 'deliveries', title: 'Deliveries', key: 'd', screens: {
    '': deliveries, '/hosts': hosts, '/endpoints': endpoints, '/*': delivery } },
  { name: 'servers', title: 'Servers', key: 'v', screens: { '': servers } },
  { name: 'settings', title: 'Settings', key: 'e', least: 'admin', screens: { '': settings } },
  { name: 'audit', title: 'Audit', key: 'u', least: 'admin', screens: { '': audit } },
  { name: 'me', title: 'You', key: 'y', screens: { '': me } },
];

const [main, notices, nav, menu] = ['main', 'notices', 'places', 'menu'].map((id) => document.getElementById(id));
let leaving = new AbortController();
/** The address that was asked for last; its screen may still be loading. */
let wanted = null;
/** Tries again what has failed; null where nothing has. */
let retry = null;

const app = {
  /** Who is signed in, or null: `{id, name, role}`. */
  operator: null,
  /** When the session ends. */
  expiresAt: null,
  /** Where to go on after signing in, if not at the present address. */
  next: null,
  /** The parameters of the address. */
  get query() { return new URLSearchParams(location.search); },
  may: (least) => Boolean(app.operator) && includes(app.operator.role, least),
  read: (path, signal) => api('GET', `/admin/v1${path}`, { signal }),
  /** An action that may have been done already is not repeated by itself: the operator decides. */
  write: (path, body, method = 'POST') => api(method, `/admin/v1${path}`, { once: true, body }),
  now: serverNow, go, notify, enter, arrive, leave, refresh: () => show(false),
};

history.scrollRestoration = 'manual';

function go(address, replaces = false) {
  // Coming back finds the place.
  if (!main.hasAttribute('aria-busy')) history.replaceState({ y: scrollY }, '');
  history[replaces ? 'replaceState' : 'pushState'](null, '', address);
  return show();
}

/** Finds the screen of a path, its place, and the parts of the path that stand for `*`; null where there is none. */
function find(pathname) {
  const [, first, name, ...rest] = pathname.replace(/\/$/, '').split('/');
  const place = first === 'desk' && places.find((one) => one.name === name);
  for (const [pattern, screen] of Object.entries(place?.screens ?? {})) {
    const wanted = pattern.split('/').slice(1);
    if (wanted.length !== rest.length || !wanted.every((part, index) => part === '*' || part === rest[index])) continue;
    try {
      return { place, screen, parts: rest.filter((_, index) => wanted[index] === '*').map(decodeURIComponent) };
    } catch { /* The address is not percent-encoded as it should be. */ }
  }
  return null;
}

/** Shows the screen of the present address. Its heading gets the focus, unless that is still on something. */
async function show(isNew = true) {
  leaving.abort();
  const { signal } = leaving = new AbortController();
  if (/^\/(desk\/?)?$/.test(location.pathname)) return go('/desk/now', true);
  wanted = location.href;
  if (isNew && navigator.onLine) notices.replaceChildren();
  close();
  const found = app.operator && find(location.pathname);
  retry = null;
  main.setAttribute('aria-busy', 'true');
  let content;
  try {
    if (!app.operator) content = signIn(app);
    else if (!found) content = lost();
    else if (!app.may(found.place.least ?? 'viewer')) content = forbidden(found.place.least);
    else content = await found.screen(app, found.parts, signal);
  } catch (error) {
    if (!signal.aborted) content = failed(error, () => show());
  }
  if (!signal.aborted) present(content, found?.place, isNew);
  return undefined;
}

function present(content, place, isNew) {
  main.removeAttribute('aria-busy');
  main.className = app.operator ? place?.name ?? '' : 'signin';
  const scroll = scrollY;
  main.replaceChildren(content);
  const heading = main.querySelector('h1');
  document.title = `${heading.textContent} · Desk of Let’s Switch`;
  drawPlaces(place);
  if (isNew) scrollTo(0, history.state?.y ?? 0);
  else scrollTo(0, scroll);
  if (!isNew && document.activeElement !== document.body) return;
  heading.tabIndex = -1;
  (main.querySelector('[autofocus]') ?? heading).focus({ preventScroll: true });
}

function drawPlaces(current) {
  document.body.classList.toggle('signed-in', Boolean(app.operator));
  nav.replaceChildren(...app.operator ? places.filter(({ least }) => app.may(least ?? 'viewer')).map(({ name, title, key }) => el('a', {
    href: `/desk/${name}`, 'aria-current': name === current?.name && 'page', 'aria-keyshortcuts': isUsingKeys() && `g ${key}`,
  }, name === 'me' ? app.operator.name : title)) : []);
}

const lost = () => el('div', el('h1', 'There is nothing here'), el('p', 'The address may be mistyped, or what was here is gone.'),
  el('a', { href: '/desk/now' }, 'To the figures of now'));

const forbidden = (least) => el('div', el('h1', 'Your role does not see this'),
  el('p', `You are signed in as ${app.operator.role}; this takes ${least}. An administrator of the server can give you that role:  `,
    el('code', 'letsswitch-server operator add NAME --role …'), '.'));

function failed(error, again) {
  if (error.status === 404) return lost();
  retry = again;
  const title = error.status === 403 ? 'Your role does not see this' : navigator.onLine ? 'That did not work' : 'You are offline';
  return el('div', el('h1', title), problem(error), el('div.actions', button('Try again', () => again(), 'main')));
}

/** A line below the top, until something else is said or it is put away. */
function notify(text, kind = '') {
  const close = button('×', () => node.remove(), 'quiet');
  close.setAttribute('aria-label', 'Close this notice');
  const node = el(`p.notice${kind && `.${kind}`}`, el('span', text), close);
  notices.replaceChildren(node);
  speak(node.firstChild.textContent);
}

function enter({ operator, expiresAt }) {
  Object.assign(app, { operator, expiresAt });
  remembered('signedIn', 'yes');
}

/** Shows what the operator came for. */
function arrive() {
  const { next } = app;
  app.next = null;
  return next ? go(next, true) : show();
}

/** Shows the sign-in, at the same address: the operator goes on there after signing in. */
function leave(text) {
  app.operator = null;
  remembered('signedIn', null);
  for (const dialog of document.querySelectorAll('dialog')) dialog.close();
  show();
  notify(text);
}

const clicks = {
  refresh: () => app.refresh(),
  search() {
    const field = main.querySelector('input[type=search]');
    if (field) field.focus();
    else go('/desk/people');
  },
  pause: () => main.querySelector('button.pause')?.click(),
  help: () => help(),
};
const keys = makeKeys(Object.fromEntries(places.map(({ key, name }) => [key, name])),
  { r: 'refresh', '/': 'search', p: 'pause', '?': 'help' }, () => performance.now());
const isUsingKeys = () => remembered('keys') !== 'off';

document.addEventListener('keydown', (event) => {
  if (!app.operator || !isUsingKeys() || !isOurs(event)) return;
  const { place, act } = keys(event.key) ?? {};
  if (!place && !act) return;
  event.preventDefault();
  if (act) clicks[act]();
  else if (places.some(({ name, least }) => name === place && app.may(least ?? 'viewer'))) go(`/desk/${place}`);
});

function help() {
  const lines = [
    ...places.filter(({ least }) => app.may(least ?? 'viewer')).map(({ key, title }) => [`g ${key}`, title]),
    ['/', 'Search'], ['r', 'Refresh'], ['p', 'Pause the figures of now'], ['?', 'These keys'],
  ];
  const checkbox = el('input', { type: 'checkbox', checked: isUsingKeys(), onchange({ target }) {
    remembered('keys', target.checked ? null : 'off');
  } });
  const node = el('dialog.help', { 'aria-labelledby': 'keys', onclose: () => node.remove() },
    el('h2', { id: 'keys' }, 'Keys'),
    el('dl.keys', lines.map(([key, words]) => el('div', el('dt', key.split(' ').map((one) => el('kbd', one))), el('dd', words)))),
    el('label.check', checkbox, 'Use these keys in this browser'),
    el('div.actions', button('Close', () => node.close(), 'main')));
  document.body.append(node);
  node.showModal();
}

/** Closes the menu, which is open only where there is little room. */
function close() {
  menu.setAttribute('aria-expanded', 'false');
}
menu.addEventListener('click', () => menu.setAttribute('aria-expanded', String(menu.getAttribute('aria-expanded') !== 'true')));
document.getElementById('help').addEventListener('click', help);

/** Links to our own screens need no load of a page. */
document.addEventListener('click', (event) => {
  const target = event.target.closest('a[href^="/"]');
  if (!target || target.hasAttribute('download') || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (!/^\/(desk(\/|$)|$)/.test(target.pathname)) return;
  event.preventDefault();
  go(target.pathname + target.search);
});

addEventListener('popstate', () => location.href !== wanted && show());
addEventListener('offline', () => notify('You are offline. What is shown may be old.'));
addEventListener('online', () => {
  notify('You are online again.');
  if (retry) retry();
  else app.refresh();
});

async function start() {
  onSignedOut(() => app.operator && leave('Your session has ended. Sign in to go on here.'));
  if (remembered('signedIn')) {
    try {
      enter(await app.read('/session'));
    } catch (error) {
      if (error.status !== 401) return present(failed(error, () => location.reload()), null, true);
      remembered('signedIn', null);
    }
  }
  return show();
}

start();
