// Announcements to all people, to a slot's people, or to one person.

import { ask, el, field, form, input, said, submit } from './dom.js';
import { plural } from './format.js';
import { list, personLink, slotLink, when } from './parts.js';

const LONGEST = 500;

export async function announcements(app, _, signal) {
  return el('div', el('h1', 'Announce'), app.may('support') && composer(app),
    el('section', el('h2', 'Earlier ones'), await list(app, '/announcements', 'announcements', [
      ['At', ({ at }) => when(at)], ['To', (one) => audience(one)], ['Text', ({ text }) => said(text)],
      ['People', ({ people }) => plural(people ?? 0, 'person', 'people')], ['By', ({ operator }) => operator && said(operator)],
    ], { caption: 'Announcements, newest first', empty: 'Nothing was announced yet.' }, signal)));
}

const audience = ({ audience: kind, slot, personId }) =>
  ({ slot: ['the people of ', slotLink(slot)], person: personLink(personId) }[kind] ?? 'all people');

function composer(app) {
  const [slot, person] = ['slot', 'person'].map((name) => app.query.get(name) ?? '');
  const first = slot ? 'slot' : person ? 'person' : app.may('admin') ? 'everybody' : 'slot';
  const kind = el('select', { name: 'to' }, [app.may('admin') && ['everybody', 'All people'], ['slot', 'The people of a slot'],
    ['person', 'One person']].filter(Boolean)
    .map(([value, text]) => el('option', { value, selected: value === first }, text)));
  const slotField = field('Slot', input('slot', slot, { dir: 'ltr', placeholder: '2027-03-28T09:30:00Z' }),
    'As in its address; a slot’s own screen fills it in.');
  const personField = field('Person', input('person', person, { dir: 'ltr' }), 'The id; a person’s own screen fills it in.');
  const showFields = () => {
    slotField.hidden = kind.value !== 'slot';
    personField.hidden = kind.value !== 'person';
  };
  kind.addEventListener('change', showFields);
  showFields();
  const area = el('textarea', { name: 'text', rows: 4, maxlength: LONGEST });
  const count = el('span');
  const showCount = () => {
    const used = `${[...area.value].length} of ${LONGEST} characters`;
    count.textContent = `${used}. It is shown at once in open rooms, and sent as a notification.`;
  };
  area.addEventListener('input', showCount);
  showCount();
  return form(async (elements) => {
    const to = { everybody: { everybody: true }, slot: { slot: elements.slot.value.trim() },
      person: { person: elements.person.value.trim() } }[kind.value];
    const words = { everybody: 'all people', slot: 'the people of the slot', person: 'this person' }[kind.value];
    const text = elements.text.value.trim();
    // The words as they will be read.
    const question = { title: `Announce to ${words}?`, text: 'It cannot be taken back.', yes: 'Announce', kind: 'main' };
    if (!await ask(question, text && el('blockquote', said(text)))) return;
    await app.write('/announcements', { text, to });
    await app.go('/desk/announcements');
    app.notify('Announced. The list says how many people have it by now.');
  }, field('To', kind), slotField, personField, field('Text', area, count), submit('Announce'));
}
