// The time zones of the server: the list to choose from, and the question where it does not know one.

import { api } from './api.js';
import { ask, el, field, form, submit } from './dom.js';
import { useZone } from './time.js';
import { t } from './words.js';

/** A control with the zones of the server. The chosen one may be none of its list; null: the person has to choose. */
export async function zoneSelect(chosen, signal) {
  const { timeZones } = await api('GET', '/v1/time-zones', { signal }).catch((error) => {
    // A server of the release before has no list.
    if (error.status !== 404) throw error;
    return { timeZones: Intl.supportedValuesOf?.('timeZone') ?? [] };
  });
  const names = [...new Set([...chosen ? [chosen] : [], 'UTC', ...timeZones])];
  return el('select', { name: 'timeZone' }, !chosen && el('option', { value: '', selected: true }, '–'),
    names.map((value) => el('option', { value, selected: value === chosen }, value)));
}

/** Asks for a zone where the server does not know this one. Returns null where the person goes back. */
export async function askZone(unknown) {
  const select = await zoneSelect(null);
  const isChosen = await ask({ title: t('zone'), text: t('zoneUnknown', unknown), yes: t('save'), kind: 'main' }, field(t('zone'), select));
  return (isChosen && select.value) || null;
}

/** Changes the zone of the account. */
export async function takeZone(app, timeZone) {
  app.user = (await api('PATCH', '/v1/me', { body: { timeZone } })).user;
  useZone(app.user.timeZone);
  await app.refresh();
}

/** The screen of an account whose zone the server does not know any more. */
export async function zoneScreen(app, signal) {
  const select = await zoneSelect(null, signal);
  return el('div', el('h1', t('zone')), el('p', t('zoneUnknown', app.user.timeZone)),
    form(({ timeZone }) => takeZone(app, timeZone.value), field(t('zone'), select), submit(t('save'))));
}
