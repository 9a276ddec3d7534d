// The account: who one is here, how it went, and everything that can be looked up, taken along, or ended.

import { api } from './api.js';
import { ask, button, copyButton, el, field, folded, form, input, readOnly, said, saidNames, speak, submit } from './dom.js';
import { why } from './end.js';
import { endPush } from './push.js';
import { shortTime, useZone } from './time.js';
import { language, languages, loadWords, remembered, t } from './words.js';
import { keepCode } from './welcome.js';
import { zoneSelect } from './zones.js';

export async function me(app, _, signal) {
  const [account, stats] = await Promise.all(['/v1/me', '/v1/stats'].map((path) => api('GET', path, { signal })));
  const zones = await zoneSelect(account.user.timeZone, signal);
  return el('div', el('h1', said(account.user.name)), figures(stats), profile(app, account, zones), el('div.folds',
    list(t('mySessions'), '/v1/rooms', session, { canEnd: false }),
    list(t('routines'), '/v1/routines', routine),
    list(t('toldWhere'), '/v1/endpoints', endpoint),
    list(t('calendar'), '/v1/me/calendars', ({ createdAt, lastReadAt }) => since(createdAt, 'read', lastReadAt), { extra: newCalendar }),
    list(t('favourites'), '/v1/favourites', person), list(t('blocks'), '/v1/blocks', person),
    list(t('browsers'), '/v1/me/sessions', ({ createdAt, lastUsedAt = createdAt, current }) =>
      [current && el('strong', `${t('thisOne')} `), since(createdAt, 'used', lastUsedAt)]),
    list(t('tokens'), '/v1/me/tokens', token, { warning: t('tokenEnds'), extra: newToken }),
    folded(t('recoveryCode'), () => el('div', el('p.hint', t('recoveryHint')), button(t('makeRecovery'), async () => {
      if (!await ask({ title: t('makeRecovery'), text: t('recoveryReplaces'), yes: t('makeRecovery'), kind: 'main' })) return;
      keepCode(app, (await api('POST', '/v1/me/recovery-code')).recoveryCode);
      scrollTo(0, 0);
    }))), folded(t('leave'), () => leave(app))));
}

function figures({ currentStreak, attended, missed, partnersMet, alesSent, alesReceived, outcomes }) {
  const all = attended + missed;
  return el('dl.figures', [
    [currentStreak, t('streak')], [all ? `${Math.round(attended * 100 / all)} %` : '–', t('attendance', attended, all)],
    [partnersMet, t('partnersMet')], [`${alesSent} · ${alesReceived}`, t('alesSentGot')],
    outcomes && [`${outcomes.donePercent} %`, t('donePercent')],
  ].filter(Boolean).map(([number, words]) => el('div', el('dt', words), el('dd', number))));
}

function profile(app, account, zones) {
  const { name } = account.user;
  const select = (name, values, chosen, label = (value) => value) => el('select', { name }, values.map((value) =>
    el('option', { value, selected: value === chosen }, label(value))));
  return form(async (elements) => {
    const body = { name: elements.name.value, timeZone: elements.timeZone.value, language: elements.language.value };
    app.user = (await api('PATCH', '/v1/me', { ifMatch: account, body })).user;
    if (elements.language.value !== language()) {
      remembered('language', elements.language.value);
      await loadWords();
    }
    useZone(app.user.timeZone);
    await app.refresh();
    app.notify(t('saved'));
  }, field(t('name'), input('name', name, { autocomplete: 'nickname' })), field(t('zone'), zones),
  field(t('language'), select('language', Object.keys(languages), language(), (tag) => languages[tag])), submit(t('save')));
}

/** A folded list of what the account has, each with what can be done about it. `show` returns words, and may add buttons. */
function list(title, path, show, { canEnd = true, warning, extra } = {}) {
  return folded(title, async () => {
    const node = el('div.list');
    async function fill() {
      const answer = await api('GET', `${path}?limit=100`);
      const items = Object.values(answer).find(Array.isArray).map((one) => {
        const actions = el('div.actions');
        const words = show(one, actions, fill);
        if (canEnd && !(one.current && one.expiresAt)) actions.append(button(t('remove'), async () => {
          if (!await ask({ title: `${t('remove')}?`, text: warning, yes: t('remove') })) return;
          await api('DELETE', `${path}/${one.id ?? one.registrationId}`);
          await fill();
          speak(t('removed'));
        }, 'quiet'));
        return el('li', el('div', words), actions);
      });
      node.replaceChildren(items.length ? el('ul', items) : el('p.hint', t('nothingYet')), extra?.(fill) ?? '');
    }
    await fill();
    return node;
  });
}

const when = (at) => (at ? shortTime(at) : t('never'));
const since = (createdAt, name, at) => `${t('added', when(createdAt))} · ${t(name, when(at))}`;

const person = ({ name, createdAt, report }) => [el('strong', said(name)), ' ', when(createdAt), report && el('p', said(report))];

function session({ id, slot, members }) {
  const others = members.filter((member) => !member.you);
  return [el('a', { href: `/room/${id}` }, when(slot.startsAt)), ' ',
    others.length ? [t('with'), ' ', saidNames(others)] : t('wasAlone'), why(id)];
}

function routine({ id, task, rrule, localTime, state, next, problems }, actions, fill) {
  const doing = (label, send) => button(label, () => send().then(fill));
  const pause = (paused) => () => api('PATCH', `/v1/routines/${id}`, { body: { paused } });
  const ahead = next.find((day) => day.state === 'registered');
  if (ahead) actions.append(doing(t('skipNext'), () => api('POST', `/v1/routines/${id}/skips`, { body: { date: ahead.date } })));
  if (state === 'active') actions.append(doing(t('pause'), pause(true)));
  if (state === 'paused') actions.append(doing(t('resume'), pause(false)));
  return [el('strong', said(task)), el('br'), `${rule(rrule)}, ${localTime}`, state === 'paused' && ` · ${t('paused')}`,
    ahead && el('p.hint', t('nextIs', when(ahead.startsAt))),
    problems.map((one) => el('p.hint', when(one.startsAt), ': ', one.detail))];
}

/** A rule in words, where it is one that this page makes. */
function rule(text) {
  const days = /^FREQ=WEEKLY;BYDAY=([A-Z,]+)$/.exec(text)?.[1];
  if (text === 'FREQ=DAILY') return t('everyDay');
  return days === 'MO,TU,WE,TH,FR' ? t('everyWeekday') : days?.split(',').map((day) => t(day)).join(', ') ?? text;
}

function endpoint({ id, kind, url, state, reason, createdAt, outcomes: [latest] = [] }, actions, fill) {
  actions.append(button(t('try'), async (node) => {
    const { detail } = await api('POST', `/v1/endpoints/${id}/test`);
    node.after(el('p.hint', { role: 'status' }, detail));
  }));
  if (['failing', 'disabled'].includes(state)) actions.append(button(t('replay'), async () => {
    const { deliveries } = await api('POST', `/v1/endpoints/${id}/replay`);
    await fill();
    speak(t('replayed', deliveries));
  }));
  return [el('strong', t(kind)), ' ', url && new URL(url).host, el('br'), t('added', when(createdAt)), ` · ${t(`endpoint-${state}`)}`,
    reason && `: ${reason}`, latest && el('p.hint', when(latest.at), ': ', latest.detail)];
}

const newCalendar = (fill) => el('div', el('p.hint', t('calendarHint')), button(t('makeCalendar'), async () => {
  // At the page's own origin: `PUBLIC_URL` may not be set.
  const url = location.origin + new URL((await api('POST', '/v1/me/calendars')).url).pathname;
  await fill();
  await secret(t('calendarReady'), url, el('a.button.main', { href: url.replace(/^https?/, 'webcal') }, t('subscribe')));
}));

const token = ({ name, main, prefix, createdAt, lastUsedAt, expiresAt }) => [
  el('strong', main ? t('mainToken') : said(name ?? '')), ' ', prefix && el('code', `${prefix}…`), el('br'),
  since(createdAt, 'used', lastUsedAt), expiresAt && ` · ${t('expires', when(expiresAt))}`];

const newToken = (fill) => form(async ({ name }) => {
  const made = await api('POST', '/v1/me/tokens', { body: { name: name.value } });
  await fill();
  await secret(t('tokenReady'), made.token);
}, field(t('tokenName'), input('name'), t('tokenUse')), submit(t('makeToken'), ''));

/** Shows what the server tells once, until it is put away. */
const secret = (title, text, action) => ask({ title, text: t('shownOnce'), yes: t('haveKept'), kind: 'main', no: null },
  readOnly(text, title), el('div.actions', copyButton(text), action));

/** To take everything along, to sign out, and to delete the account. */
const leave = (app) => el('div.leave', el('p.hint', t('exportHint')),
  el('a.button', { href: '/v1/me/export', download: 'letsswitch.json' }, t('export')),
  button(t('signOut'), async () => {
    await api('DELETE', '/v1/me/session');
    app.leave(t('signedOutNow'));
    endPush();
  }),
  button(t('deleteAccount'), async () => {
    if (!await ask({ title: t('deleteSure'), text: t('deleteWhy'), yes: t('deleteAccount') })) return;
    await api('DELETE', '/v1/me');
    app.leave(t('deleted'));
    endPush();
  }, 'danger'));
