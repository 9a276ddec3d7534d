// Notifications of this browser while no page is open (RFC 8030), through the service worker.

import { api } from './api.js';
import { base } from './base.js';
import { remembered } from './words.js';

const isSupported = () => 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** The key that the server signs with; null where it sends nothing to browsers. */
async function serverKey() {
  try {
    return (await api('GET', '/v1/push-key')).publicKey;
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

/** Whether this browser and the server can do it. Safari on iOS can once the page is on the home screen. */
export const canPush = async () => isSupported() && (await serverKey()) !== null;

/** @returns {Promise<'unsupported'|'denied'|'off'|'on'>} `on`: this browser is told, for this account. */
export async function pushState() {
  if (!isSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  const registration = await navigator.serviceWorker.getRegistration(`${base}/`);
  const subscription = await registration?.pushManager?.getSubscription();
  if (!subscription || Notification.permission !== 'granted') return 'off';
  const { endpoints } = await api('GET', '/v1/endpoints?limit=200');
  const isKnown = ({ url, state }) => url === subscription.endpoint && state !== 'disabled';
  return endpoints.some(isKnown) ? 'on' : 'off';
}

/** The account that is told at this browser, with the address that the server was given for it. */
const told = (user, url) => JSON.stringify([user, url]);

/**
 * Gives the server the browser's address for pushes where it is another than the one that the server has: browsers
 * change it, and the worker may have had no network then. An address that the person has removed stays removed. A new
 * session (`isNew`) gives it again: the server sends nothing for the session before.
 */
export async function keepPush(user, isNew = false) {
  const before = remembered('told');
  if (!isSupported() || Notification.permission !== 'granted') return;
  const registration = await navigator.serviceWorker.getRegistration(`${base}/`);
  const subscription = await registration?.pushManager?.getSubscription();
  // An earlier build has not kept it, or the browser has cleared it.
  if (!before && subscription && await pushState() === 'on') remembered('told', told(user, subscription.endpoint));
  if (JSON.parse(before ?? '[]')[0] !== user) return;
  if (isNew || told(user, subscription?.endpoint) !== before) await subscribe(user);
}

/** Asks the person, and tells the server. Call it first thing after a tap. @returns {Promise<'denied'|'on'>} */
export async function enablePush(user) {
  if (await Notification.requestPermission() !== 'granted') return 'denied';
  await subscribe(user);
  return 'on';
}

/** Ends the pushes of this browser at the sign-out: the next person at it must not read them. */
export async function endPush() {
  remembered('told', null);
  if (!isSupported()) return;
  // The server sends nothing more either way.
  try {
    const registration = await navigator.serviceWorker.getRegistration(`${base}/`);
    const subscription = await registration?.pushManager?.getSubscription();
    await subscription?.unsubscribe();
  } catch { /* The browser has no subscription that it could end. */ }
}

async function subscribe(user) {
  const base64 = (await serverKey()).replaceAll('-', '+').replaceAll('_', '/');
  const applicationServerKey = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  await navigator.serviceWorker.register(`${base}/worker.js`);
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscribe = () => pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  const subscription = await subscribe().catch(async () => {
    // One with another key is in the way.
    await (await pushManager.getSubscription())?.unsubscribe();
    return subscribe();
  });
  const { endpoint: url, keys: { p256dh, auth } } = subscription.toJSON();
  await api('POST', '/v1/endpoints', { body: { kind: 'webpush', url, p256dh, auth } });
  remembered('told', told(user, url));
}
