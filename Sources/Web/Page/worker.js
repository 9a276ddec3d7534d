// The service worker: the page without a network, pushes, and taps on them.

// script/dev/embed puts in what the build has; with each build there is another worker, and another cache.
const [FOLDER, FILES] = ['{{base}}', '{{files}}'];
/** The path of the page, such as /switch; empty at the top of its host. */
const ROOT = location.pathname.replace(/\/[^/]*$/, '');
const BASE = ROOT + FOLDER;
/** Any screen: all have the same HTML. */
const SHELL = `${ROOT}/welcome`;
/** How long a page that is kept waits for the network, in ms. */
const PATIENCE = 4_000;

/** Returns a path as the page knows it; null for one of another program at the same host. */
const inside = (path) => (path?.startsWith(`${ROOT}/`) ? path.slice(ROOT.length) : null);
const isScreen = (path) => /^\/((welcome|day|registration|room|me|invites)(\/|$)|$)/.test(inside(path));

addEventListener('install', (event) => event.waitUntil(
  caches.open(BASE).then((cache) => cache.addAll([SHELL, ...JSON.parse(FILES).map((file) => ROOT + file)])),
));

// This worker begins when no tab has the one before it any more.
addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (inside(name)?.startsWith('/page/') && name !== BASE) await caches.delete(name);
  await clients.claim();
})()));

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  // A file never changes under its address.
  if (inside(pathname)?.startsWith('/page/')) event.respondWith(kept(request).then((file) => file ?? fetch(request)));
  else if (request.mode === 'navigate' && isScreen(pathname)) event.respondWith(screen(request));
});

const kept = (file) => caches.match(file, { ignoreVary: true });

/** Prefers the network, which has the latest page, unless a proxy answers that the server is away. */
async function screen(request) {
  const answer = fetch(request);
  const shell = await kept(SHELL);
  if (!shell) return answer;
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, shell));
  const there = answer.then((page) => ([502, 503, 504].includes(page.status) ? shell : page), () => shell);
  return Promise.race([there, late]);
}

/** Reads a push: Declarative Web Push, or what earlier releases send. Others are told in general words. */
function read({ data, notification }) {
  let message;
  try {
    message = data?.json();
  } catch {}
  const isText = (value) => typeof value === 'string' && value !== '';
  const told = message?.web_push === 8030 ? message.notification : message;
  const { title, body, navigate, tag } = told ?? notification ?? {};
  const { roomId, registrationId } = message ?? {};
  const lobby = `${ROOT}/${isText(roomId) ? `room/${encodeURIComponent(roomId)}` : 'day'}`;
  return {
    title: isText(title) ? title : 'Let’s Switch',
    body: isText(body) ? body : isText(title) ? '' : 'There is a notification for you.',
    // One about the same session replaces the one before.
    tag: [tag, registrationId].find(isText) ?? '',
    path: isText(navigate) ? own(navigate) ?? lobby : lobby,
  };
}

/** Path and query of an address, whose host may be another name of this one. */
function own(address) {
  try {
    const { protocol, pathname, search } = new URL(address, location.origin);
    return /^https?:$/.test(protocol) ? pathname + search : null;
  } catch {
    return null;
  }
}

addEventListener('push', (event) => {
  const { title, body, tag, path } = read(event);
  const options = { body, tag, renotify: tag !== '', icon: `${BASE}/icon-192.png`, data: { path } };
  event.waitUntil(registration.showNotification(title, options));
});

addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data?.path ?? `${ROOT}/day`));
});

/** Brings a tab to the front, with that screen. */
async function show(path) {
  const tabs = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = tabs.find(({ url }) => own(url) === path);
  const tab = there ?? tabs.find(({ url }) => isScreen(own(url)));
  try {
    await tab.focus();
    if (!there) tab.postMessage({ open: path });
  } catch {
    await clients.openWindow(location.origin + path);
  }
}

/** Where this fails, without a network for example, the page does it when it next starts. */
addEventListener('pushsubscriptionchange', (event) => event.waitUntil((async () => {
  const subscription = event.newSubscription
    ?? await registration.pushManager.subscribe(event.oldSubscription?.options ?? await freshOptions());
  const { endpoint: url, keys: { p256dh, auth } } = subscription.toJSON();
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ kind: 'webpush', url, p256dh, auth });
  await fetch(`${ROOT}/v1/endpoints`, { method: 'POST', headers, body });
})()));

async function freshOptions() {
  const { publicKey } = await (await fetch(`${ROOT}/v1/push-key`)).json();
  return { userVisibleOnly: true, applicationServerKey: publicKey };
}
