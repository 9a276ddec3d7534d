// The slots, and one slot: its people, its rooms, and why it was matched so.

import { el, field, folded, input } from './dom.js';
import { duration, number, path, plural, query, slotName } from './format.js';
import { roomTable } from './rooms.js';
import { act, badge, code, facts, filterForm, link, list, slotLink, when } from './parts.js';

const lateness = ({ latenessSeconds: late }) => ((late ?? null) === null ? '–' : duration(late));
const cost = ({ cost: paid, bound }) =>
  ((paid ?? null) === null ? '–' : (bound ?? null) === null ? number(paid) : `${number(paid)} of at least ${number(bound)}`);

export async function slots(app, _, signal) {
  const asked = /^[12]\d{3}-\d\d-\d\d$/.exec(app.query.get('day') ?? '')?.[0];
  const day = new Date(Date.parse(asked) || app.now()).toISOString().slice(0, 10);
  // All of that day, and what was before.
  const before = new Date(Date.parse(day) + 86_400_000).toISOString().replace('.000', '');
  return el('div', el('h1', 'Slots'),
    filterForm(app, 'Show', field('Day', input('day', day, { type: 'date', dir: 'ltr' }),
      'In UTC, and what was before.')),
    await list(app, '/slots', 'slots', [
      ['Slot', ({ key }) => slotLink(key)], ['State', (slot) => [badge(slot.state, slot.state), slot.registrationClosedAt && ' registration closed']],
      ['People', (slot) => number(slot.people)], ['Rooms', (slot) => number(slot.rooms)], ['Method', ({ method }) => method],
      ['Cost', cost], ['Lateness', lateness], ['Alone', ({ aloneAtOpening }) => number(aloneAtOpening)],
    ], { caption: 'Slots, latest first', empty: 'No slot has anybody in it.', fixed: { before } }, signal));
}

export async function slot(app, [key], signal) {
  const one = await app.read(path('slots', key), signal);
  const { rooms = [], alone = [] } = one;
  const post = (verb, told) => async () => {
    await app.write(path('slots', key, verb));
    await app.refresh();
    return () => app.notify(told);
  };
  const people = plural(one.people ?? 0, 'person', 'people');
  return el('div', el('p', link('/desk/slots', 'All slots')), el('h1', slotName(one.key)),
    facts(['State', badge(one.state, one.state)], ['Starts', when(one.startsAt)], ['Ends', when(one.endsAt)],
      ['Length', one.minutes && `${one.minutes} min`],
      ['Opened', when(one.openedAt)], ['Lateness', lateness(one)], ['Closed', when(one.closedAt)], ['Served', when(one.servedAt)],
      ['People', number(one.people)], ['Rooms', number(one.roomCount ?? rooms.length)], ['Method', one.method],
      ['Cost', cost(one)], ['Alone at the opening', number(one.aloneAtOpening)], ['Alone now', number(alone.length)],
      ['Registration closed', when(one.registrationClosedAt, 'no')]),
    el('div.actions',
      app.may('support') && one.state === 'open' && act('Rematch the people who are alone', {
        text: `${plural(alone.length, 'person is', 'people are')} alone in this slot. Those who are still there get partners if there are any; no other person is moved.`,
      }, post('match', 'They are matched again.')),
      app.may('admin') && one.state !== 'closed' && (one.registrationClosedAt
        ? act('Open registration', { text: 'People can register for this slot again.' }, post('open-registration', 'Registration is open.'))
        : act('Close registration', { text: `From now on no person can register for this slot. The ${people} who are in it stay.`, kind: 'danger' },
          post('close-registration', 'Registration is closed.'))),
      app.may('support') && el('a.button', { href: query('/desk/announcements', { slot: one.key }) }, 'Announce to its people')),
    el('section', el('h2', 'Rooms'), roomTable(rooms, 'It has no rooms.'),
      rooms.length >= 100 && el('p', link(query('/desk/rooms', { slot: one.key }), 'All rooms of this slot'))),
    el('section', el('h2', 'Alone'), alone.length
      ? el('ul.ids', alone.map((id) => el('li', code(id)))) : el('p.empty', 'No person is alone.')),
    folded('Why it was matched so', async () => {
      const { text = [] } = await app.read(path('slots', key, 'explanation')).catch((error) => {
        if (error.status === 404) return { text: ['It has not been matched yet.'] };
        throw error;
      });
      return el('pre.said', [text].flat().join('\n'));
    }));
}
