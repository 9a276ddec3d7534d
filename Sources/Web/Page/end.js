// The screen after a session: its outcome, thanks, and people to meet again.

import { api, serverNow } from './api.js';
import { ask, button, el, field, folded, forget, form, input, kept, said, submit, toggle } from './dom.js';
import { addDays, dayOf, dayWords, rangeOf, wallTime } from './time.js';
import { initial, t } from './words.js';

export async function end(app, { id, slot, members, closedBy }, mine, signal) {
  const others = members.filter((member) => !member.you);
  const day = dayOf(slot.startsAt);
  const ales = el('p.tally');
  const countAles = async () => {
    const { notifications } = await api('GET', '/v1/notifications?order=desc&limit=100', { signal });
    const done = notifications.find(({ type, data }) => type === 'session.completed' && data.registrationId === mine.id);
    if (done) ales.textContent = t('alesWere', done.data.alesSent, done.data.alesReceived);
  };
  countAles().catch(() => {});
  app.repeat(countAles, 60, signal);
  const { favourites } = await api('GET', '/v1/favourites?limit=200', { signal });

  return el('div.end', el('a.back', { href: `/day/${day}` }, `‹ ${dayWords(day)}`), el('h1', t(closedBy ? 'end-closed' : `end-${mine.state}`)),
    el('p.when', rangeOf(slot)), el('p.task', said(mine.task)), ales, mine.state !== 'lapsed' && outcome(mine),
    others.length > 0 && el('section', { 'aria-labelledby': 'partners' }, el('h2', { id: 'partners' }, t('partners')),
      el('ul.people', others.map((member) => partner(member, favourites)))),
    others.length > 0 && why(id),
    el('div.actions', button(t('againTomorrow'), () => tomorrow(app, mine), 'main'), el('a.button', { href: '/day' }, t('toDay'))));
}

const went = ({ outcome: how, note }) => how && el(`p.outcome.${how}`, t(how), note && [' · ', said(note)]);

/** The outcome, which can be stated for a day; all members of the room see it. */
function outcome(mine) {
  if (serverNow() > Date.parse(mine.slot.endsAt) + 86_400_000) return went(mine);
  const path = `/v1/registrations/${mine.id}`;
  const saved = el('p.saved', { role: 'status' });
  let known = mine;
  return form(async (elements) => {
    const body = { outcome: elements.outcome.value, note: elements.note.value.trim() || null };
    if (!body.outcome) throw { detail: t('chooseOutcome') };
    const send = async () => { known = await api('PATCH', path, { ifMatch: known, body }); };
    await send().catch(async (error) => {
      if (error.status !== 412) throw error;
      const before = known;
      known = await api('GET', path);
      error.detail = t('changedElsewhere');
      if (known.outcome !== before.outcome || known.note !== before.note) throw error;
      // Only the room has closed in the meantime.
      await send();
    });
    forget(`note-${mine.id}`);
    saved.textContent = t('outcomeSaved');
  }, el('fieldset.outcomes', el('legend', t('howWasIt')), ['done', 'partly', 'not'].map((value) => el('label',
    el('input', { type: 'radio', name: 'outcome', value, checked: mine.outcome === value }), t(value)))),
  field(t('note'), kept(`note-${mine.id}`, input('note', mine.note)), t('everybodySees')), submit(t('save')), saved);
}

/** A member of a room as a card. */
export const person = ({ name, task }, kind, beside, ...more) => el(`li.person${kind}`,
  el('span.face', { 'aria-hidden': 'true' }, initial(name)),
  el('div', el('p.name', said(name), beside), task && el('p.task', said(task)), more));

/** A partner of the session: their outcome, and whether to meet them again. */
function partner(member, favourites) {
  const registrationId = member.id;
  const status = el('p.hint', { role: 'status' });
  const favourite = toggle(t('favourite'), favourites.some((one) => one.registrationId === registrationId), async (isOn) => {
    await (isOn ? api('POST', '/v1/favourites', { body: { registrationId } }) : api('DELETE', `/v1/favourites/${registrationId}`));
    status.textContent = t(isOn ? 'isFavourite' : 'noFavourite');
    return isOn;
  });
  const block = button(t('block'), async () => {
    const report = el('textarea', { rows: 4, dir: 'auto' });
    const question = { title: t('blockSure'), text: t('blockWhy'), yes: t('block') };
    if (!await ask(question, field(t('report'), report, t('reportHint')))) return;
    await api('POST', '/v1/blocks', { body: { registrationId, report: report.value.trim() || null } });
    block.parentNode.remove();
    status.textContent = t('blocked');
  }, 'quiet');
  for (const node of [favourite, block]) node.setAttribute('aria-label', `${node.textContent}: ${member.name}`);
  return person(member, '', null, went(member), el('div.actions', favourite, block), status);
}

/** The explanation of the match, in the server's words. */
export const why = (room) => folded(t('why'), async () => {
  const { message, members } = await api('GET', `/v1/rooms/${room}/explanation`);
  return el('div.why', el('p', said(message)), members.map(({ name, reasons }) =>
    [el('p', el('strong', said(name))), el('ul', reasons.map(({ text }) => el('li', said(text))))]));
});

/** Registers the same task for the same time tomorrow. */
async function tomorrow(app, { task, tag, slot }) {
  const day = addDays(dayOf(serverNow()), 1);
  const { lengths } = await api('GET', `/v1/slots?date=${day}`);
  const minutes = (Date.parse(slot.endsAt) - Date.parse(slot.startsAt)) / 60_000;
  const { registrations: [next] } = await api('POST', '/v1/registrations', { body: {
    task, tag, localSlots: [`${day}T${wallTime(slot.startsAt)}`], ...lengths && { minutes },
  } });
  app.go(`/registration/${next.id}`);
}
