// A session that is ahead: when, what, and who may see it; what can be changed; and how one is told.

import { api, serverNow } from './api.js';
import { home } from './base.js';
import { calendar } from './calendar.js';
import { ask, button, copyButton, el, field, folded, form, input, mark, readOnly, said, save, speak, submit } from './dom.js';
import { canPush, enablePush, pushState } from './push.js';
import { dayOf, dayWords, fromNow, rangeOf } from './time.js';
import { t } from './words.js';

export async function registration(app, id, signal) {
  const path = `/v1/registrations/${id}`;
  const mine = await api('GET', path, { signal });
  const { slot, state, roomId, task, tag, quiet, routineId } = mine;
  if (roomId && state !== 'cancelled') return app.go(`/room/${roomId}`, true);
  const date = dayOf(slot.startsAt);
  const facts = [el('a.back', { href: `/day/${date}` }, `‹ ${dayWords(date)}`), el('h1', t(state === 'registered' ? 'youAreIn' : state)),
    el('div.card', el('p.when', dayWords(date), el('br'), rangeOf(slot)), el('p.task', said(task)), tag && el('p.tag', said(tag)))];
  if (state !== 'registered') return el('div', facts, el('p', el('a.button.main', { href: '/day' }, t('toDay'))));

  const [left, company, tell] = [el('p.left'), el('p.company'), el('div.tell')];
  const look = async () => {
    left.textContent = t('begins', fromNow(Date.parse(slot.startsAt) - serverNow()));
    const { slots } = await api('GET', `/v1/slots?date=${date}`, { signal });
    const now = slots.find((one) => one.registrationId === id);
    if (now?.roomId) app.go(`/room/${now.roomId}`, true);
    else if (now) company.replaceChildren(mark(now.state), now.message);
  };
  await look().catch(() => {});
  app.repeat(look, 15, signal);
  tellMe(app.user.id).then((offer) => tell.append(...offer), () => {});

  return el('div', facts, left, company,
    el('p.hint', t(mine.with ? 'whoSeesFavourites' : 'whoSees'), quiet && ` ${t('quietChosen')}`), tell,
    el('div.tiles', button(t('addToCalendar'), () => save('letsswitch.ics', 'text/calendar', calendar(mine, serverNow(), home()))),
      button(t('inviteFriend'), async (node) => node.replaceWith(invitation(await api('POST', `${path}/invite`))))),
    folded(t('changeTask'), () => form(async (elements) => {
      const body = { task: elements.task.value, tag: elements.tag.value.trim() || null };
      await api('PATCH', path, { ifMatch: mine, body }).catch((error) => {
        if (error.status === 412) error.detail = t('changedElsewhere');
        throw error;
      });
      await app.refresh();
      speak(t('saved'));
    }, field(t('whatWillYouDo'), input('task', task)), field(t('tag'), input('tag', tag ?? ''), t('tagHint')), submit(t('save')))),
    button(t('cancel'), async () => {
      if (!await ask({ title: t('cancelSure'), text: t(routineId ? 'cancelRoutine' : 'cancelWhy'), yes: t('cancel') })) return;
      await api('DELETE', path);
      await app.go(`/day/${date}`, true);
      app.notify(t('cancelled'));
    }, 'danger quiet'));
}

/** An offer to be told when the room opens. The browser's own question comes after the tap, and only here. */
async function tellMe(user) {
  const [state, isPossible] = await Promise.all([pushState(), canPush()]);
  const [told, denied] = [el('p.told', t('willTell')), el('p.hint', t('pushDenied'))];
  if (state === 'on') return [told];
  // An iPad calls itself a Mac, which has no touch screen.
  const isMobileSafari = /iPhone|iPad/.test(navigator.userAgent)
    || /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1;
  if (isMobileSafari && !navigator.standalone) return [el('p.hint', t('homeScreen'))];
  if (!isPossible) return [el('p.hint', t('noPush'))];
  if (state === 'denied') return [denied];
  const hint = el('p.hint', { role: 'status' }, t('tellHint'));
  return [button(t('tellMe'), async (node) => {
    hint.replaceChildren(await enablePush(user) === 'on' ? told : denied);
    node.remove();
  }, 'main'), hint];
}

/** At the page's own address: `PUBLIC_URL` may not be set. */
function invitation({ code }) {
  const url = `${home()}/invites/${code}`;
  return el('div.handed', el('p', t('inviteReady')), readOnly(url, t('inviteLink')), el('div.actions', copyButton(url),
    navigator.share && button(t('share'), () => navigator.share({ title: 'Let’s Switch', url }).catch(() => {}), 'main')));
}
