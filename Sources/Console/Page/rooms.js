// The rooms, and one room: who is in it, and what has happened there.

import { el, field, said } from './dom.js';
import { number, path, plural, slotName } from './format.js';
import { act, badge, code, facts, list, link, personLink, reveal, roomLink, slotLink, table, when, words } from './parts.js';

const columns = [
  ['Room', ({ id }) => roomLink(id)], ['Slot', ({ slot }) => slotLink(slot)], ['Opened', ({ openedAt }) => when(openedAt)],
  ['People', ({ members, present }) => `${number(present)} of ${number(members)} are there`], ['Ales', ({ ales }) => number(ales)],
  ['Server', ({ owner, term }) => (owner ? [said(owner), ` (term ${term})`] : 'none')],
];

export const roomTable = (rooms, empty) => table('Rooms', columns.filter(([title]) => title !== 'Slot'), rooms, empty);

export async function rooms(app, _, signal) {
  const slot = app.query.get('slot');
  return el('div', el('h1', 'Rooms'), el('p.hint', slot ? ['Of the slot ', slotLink(slot), '. ', link('/desk/rooms', 'All rooms')]
    : 'Of slots that are not closed.'),
    await list(app, '/rooms', 'rooms', columns, { caption: 'Rooms, newest first', empty: 'There are no rooms.', filters: ['slot'] }, signal));
}

const told = {
  opened: 'The room was opened', entered: 'entered', away: 'went away', closed: 'The room was closed', left: 'left', joined: 'joined',
};

export async function room(app, [id], signal) {
  const one = await app.read(path('rooms', id), signal);
  const { members = [], timeline = [] } = one;
  const memberName = ({ personId, name, registrationId }) =>
    (personId || name ? personLink(personId, name) : code(registrationId?.slice(0, 8)));
  const { servers = [] } = app.may('admin') && !one.closedAt ? await app.read('/servers', signal) : {};
  const others = servers.filter(({ name, state, isAlive }) => one.owner && name !== one.owner && isAlive && state === 'serving');
  const post = (verb, body, words) => async (elements) => {
    await app.write(path('rooms', id, verb), body(elements));
    await app.refresh();
    return () => app.notify(words);
  };
  return el('div', el('p', slotLink(one.slot), ' · ', link('/desk/rooms', 'All rooms')), el('h1', `Room of ${slotName(one.slot)}`),
    facts(['Id', code(one.id)], ['Starts', when(one.startsAt)], ['Opened', when(one.openedAt)], ['Closed', when(one.closedAt)],
      ['Server', one.owner ? said(one.owner) : 'none'],
      ['Term', number(one.term)], ['Revision', number(one.revision)],
        ['People', `${number(one.present)} of ${number(one.memberCount ?? members.length)} are there`],
      ['Ales', number(one.ales)]),
    app.may('admin') && !one.closedAt && el('div.actions',
      others.length > 0 && act('Move the room', {
        text: 'Its server hands it to another one, with all that has happened in it. Sockets close, and come back there by themselves.',
        fields: () => field('To', el('select', { name: 'server' }, others.map(({ name, incarnation }) =>
          el('option', { value: incarnation }, name)))) },
      post('move', ({ server }) => ({ server: server.value }), 'The room is being moved.')),
      act('Close the room', { kind: 'danger',
        text: `All members leave it: ${plural(members.filter(({ isPresent }) => isPresent).length, 'person is', 'people are')} there, and their sockets close. It stays closed, and its members are not rematched.` },
      post('close', () => {}, 'The room is closed.'))),
    el('section', el('h2', 'People'), table('People', [
      ['Name', memberName], ['State', ({ isPresent, leftRevision, enteredAt }) => ((leftRevision ?? null) !== null
        ? badge('left') : isPresent ? badge('there', 'good') : badge(enteredAt ? 'away' : 'has not come'))],
      ['Entered', ({ enteredAt }) => when(enteredAt)], ['Away since', ({ awaySince }) => when(awaySince)],
      ['Ales', ({ alesSent, alesReceived }) => `${number(alesSent)} sent, ${number(alesReceived)} received`],
      ['Joined', ({ joinedRevision, leftRevision }) => `revision ${number(joinedRevision)}${(leftRevision ?? null) === null ? '' : `, left in ${leftRevision}`}`],
      ['Registration', ({ registrationId }) => code(registrationId)],
    ], members, 'It has no members.'),
    app.may('support') && members.length > 0 && reveal('Show tasks, notes and outcomes', () => app.write(path('rooms', id, 'reveal')),
      ({ members: all = [] }) => table('Tasks, notes and outcomes', [
        ['Name', (member) => memberName(members.find(({ registrationId }) => registrationId === member.registrationId) ?? member)],
        ['Task', ({ task }) => words(task)], ['Tag', ({ tag }) => words(tag)], ['Check-in', ({ checkIn }) => words(checkIn)],
        ['Outcome', ({ outcome }) => outcome], ['Note', ({ note }) => words(note)],
      ], all))),
    el('section', el('h2', 'What happened'), timeline.length ? el('ol.timeline', timeline.map((entry) => {
      const { at, what, revision } = entry;
      const isOfRoom = what === 'opened' || what === 'closed';
      return el('li', el('span.at', at ? when(at) : `revision ${number(revision)}`),
        el('span', !isOfRoom && [memberName(entry), ' '], told[what] ?? what));
    })) : el('p.empty', 'Nothing yet.')));
}
