// The first screen: what this is, and one button. And the screen of an invite, which does the same with less.

import { api } from './api.js';
import { el, field, folded, forget, form, input, kept, said, submit } from './dom.js';
import { dayOf, dayWords, rangeOf, zoneName } from './time.js';
import { language, t } from './words.js';
import { askZone } from './zones.js';

export function welcome(app, _, signal) {
  if (app.user) return app.go('/day', true);
  const live = el('p.live');
  const start = form(async ({ name, code }) => {
    await signUp(app, name.value, { code: code?.value });
    await app.arrive();
  }, nameField(), submit(t('begin')));
  api('GET', '/v1/now', { signal }).then(({ peopleInRooms, signUps }) => {
    live.textContent = t('peopleInRooms', peopleInRooms);
    if (takesCode(signUps)) start.querySelector('[type=submit]').before(codeField());
    else if (!isOpen(signUps)) start.replaceWith(closed(signUps));
  }, () => {});
  return el('div', el('span.halves', { 'aria-hidden': 'true' }),
    el('h1', t('welcome')), el('p.lead', t('whatItIs')), live, start,
    folded(t('haveToken'), () => form(async ({ secret }) => {
      await signIn(app, secret.value.trim());
      await app.arrive();
    }, field(t('tokenOrCode'), input('secret', '', { type: 'password', autocomplete: 'current-password' }), t('tokenHint')),
    submit(t('signIn')))));
}

const nameField = () => field(t('yourName'), kept('name', input('name', '', { autocomplete: 'nickname', enterkeyhint: 'go' })),
  t('nameHint', zoneName()));

const codeField = () => field(t('signUpCode'), input('code', '', { dir: 'ltr', autocapitalize: 'characters', maxlength: 40 }), t('signUpCodeHint'));

/** The ways to an account, `signUps` of `GET /v1/now`. A server of an earlier build names none, and is open. */
const isOpen = (ways) => !ways || ways.includes('open');
const takesCode = (ways) => !isOpen(ways) && ways.includes('code');
const takesInvite = (ways) => !isOpen(ways) && ways.includes('invite');
const closed = (ways) => el('p.hint', t(takesInvite(ways) ? 'signUpsByInvite' : 'signUpsClosed'));

/** The browser does not keep the cookie of the session. */
export class NotKept extends Error {
  detail = t('noCookies');
}

/** Throws if the browser refuses cookies: an account that is made then could not be used. */
function needCookies() {
  const rules = 'Path=/; SameSite=Strict';
  let isKept = false;
  try {
    document.cookie = `letsswitch-test=1; ${rules}`;
    isKept = document.cookie.includes('letsswitch-test=1');
    document.cookie = `letsswitch-test=; Max-Age=0; ${rules}`;
  } catch { /* The page may not even ask. */ }
  if (!isKept) throw new NotKept();
}

/** An account that is made, and not signed in to yet: the next attempt goes on with it. */
let made;

/**
 * Makes an account, unless there is a session. Where the server does not know the browser's zone, the person is asked.
 * `right`: the `code` or the `invite` by which the account is made, if sign-ups are not open.
 */
async function signUp(app, name, right = {}) {
  const answer = await app.known;
  if (app.user) return;
  // Where the server did not say that there is no session, a second account might be made over the first.
  if (answer?.status !== 401) await app.ask();
  if (app.user) return;
  needCookies();
  const send = (zone) => api('POST', '/v1/users', { body: { name, language: language(), ...right, ...zone } });
  made ??= await send({ timeZone: zoneName() }).catch(async (error) => {
    if (!error.errors?.some(({ pointer }) => pointer === '/timeZone')) throw error;
    const timeZone = await askZone(zoneName());
    if (!timeZone) throw error;
    return send({ timeZone });
  });
  try {
    await app.signIn(made.token);
  } catch (error) {
    if (error instanceof NotKept) {
      // A second attempt finds that the first one has deleted it.
      await api('DELETE', '/v1/me', { token: made.token }).catch((one) => { if (one.status !== 401) throw one; });
      made = undefined;
    }
    throw error;
  }
  keepCode(app, made.recoveryCode);
  made = undefined;
}

export const keepCode = (app, code) => app.keep(t('recoveryCode'), t('recoveryWhy'), code, 'letsswitch-recovery-code.txt');

/** A sign-in code has 16 characters, and a recovery code 25. */
const isSignInCode = (text) => text.replace(/[- ]/g, '').length <= 16;

/** Signs in with a token, with the sign-in code of a new account, or with the recovery code, which ends every token. */
async function signIn(app, secret) {
  needCookies();
  if (secret.startsWith('lsk_')) return app.signIn(secret);
  const back = await (isSignInCode(secret) ? api('POST', '/v1/sign-in', { body: { code: secret } })
    : api('POST', '/v1/recover', { body: { recoveryCode: secret } }));
  // The code that was used is gone, whatever comes of the session.
  keepCode(app, back.recoveryCode);
  return app.signIn(back.token);
}

/** The screen of an invite: the person who opens its address registers for the inviter's slot. */
export async function invite(app, code, signal) {
  const [{ name, slot, usable }, { signUps }] = await Promise.all([api('GET', `/v1/invites/${code}`, { signal }),
    app.user ? {} : api('GET', '/v1/now', { signal }).catch(() => ({}))]);
  const isPossible = app.user || isOpen(signUps) || signUps.length > 0;
  const [before, after] = t('invitesYou').split('{}');
  return el('div', el('h1', before, said(name), after), el('p.when', dayWords(dayOf(slot.startsAt)), el('br'), rangeOf(slot)),
    ...usable && isPossible ? [el('p', t('whatItIs')), form(async ({ name: own, code: given, task }) => {
      if (!app.user) await signUp(app, own.value, takesInvite(signUps) ? { invite: code } : { code: given?.value });
      const { registrations: [mine] } = await api('POST', '/v1/registrations', { body: { task: task.value, invite: code } });
      forget('task');
      app.go(`/registration/${mine.id}`);
    }, !app.user && nameField(), !app.user && takesCode(signUps) && !takesInvite(signUps) && codeField(),
    field(t('whatWillYouDo'), kept('task', input('task', '', { enterkeyhint: 'go' })), t('taskHint')), submit(t('accept')))]
      : [usable ? closed(signUps) : el('p', t('inviteOver')), el('a', { href: '/' }, t('toStart'))]);
}
