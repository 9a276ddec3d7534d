// The reports: what people have said of each other, and what came of it.

import { el, field, said } from './dom.js';
import { path } from './format.js';
import { act, badge, facts, link, list, notesList, party, reveal, roomLink, slotLink, tabs, when, words } from './parts.js';
import { reportColumns, suspend } from './people.js';

export async function reports(app, _, signal) {
  const state = app.query.get('state') ?? 'new';
  return el('div', el('h1', 'Reports'), tabs('State', 'state', state, [['new', 'New'], ['taken', 'Taken'], ['closed', 'Closed']]),
    await list(app, '/reports', 'reports', reportColumns, {
      caption: 'Reports, newest first', empty: { new: 'There are no new reports.', taken: 'No report is taken.',
        closed: 'None was closed.' }[state], fixed: { state },
    }, signal));
}

export async function report(app, [id], signal) {
  const one = await app.read(path('reports', id), signal);
  const post = (verb, told, body = () => {}) => async (elements) => {
    await app.write(path('reports', id, verb), body(elements));
    await app.refresh();
    return () => app.notify(told);
  };
  const isOpen = one.state !== 'closed';
  return el('div', el('p', link('/desk/reports', 'All reports')), el('h1', `Report ${one.id}`),
    facts(['State', [badge(one.state, one.state === 'new' ? 'page' : ''), one.outcome && ` ${one.outcome}`]], ['By', party(one.by)],
      ['About', party(one.about)],
      ['At', when(one.at)], ['Slot', slotLink(one.slot)], ['Room', roomLink(one.roomId)], ['Taken by', one.takenBy && said(one.takenBy)],
      ['Closed', when(one.closedAt, 'no')], ['Kept until', when(one.keptUntil)]),
    app.may('support') ? [
      el('div.actions',
        isOpen && one.takenBy !== app.operator.name && act('Take',
          { title: 'Take this report?', text: 'Others see that you look after it.' }, post('take', 'You have taken the report.')),
        isOpen && one.about.id && suspend(app, one.about, one.id),
        isOpen && act('Dismiss', { title: 'Dismiss this report?',
          text: 'It is closed without consequences for the reported person, and no notification is sent.' }, post('dismiss', 'The report is dismissed.')),
        !isOpen && act('Reopen', { title: 'Reopen this report?', text: 'It is new again. A suspension stays as it is.' },
          post('reopen', 'The report is new again.')),
        act('Add a note', { title: 'A note on this report', text: 'Operators read it.', yes: 'Save',
          fields: () => field('Note', el('textarea', { name: 'text', rows: 4, maxlength: 2000 })) },
            post('notes', 'The note is saved.', ({ text }) => ({ text: text.value.trim() })))),
      el('section', el('h2', 'What was written'), reveal('Show the report and its notes', () => app.write(path('reports', id, 'reveal')),
        ({ text, notes = [] }) =>
        [el('blockquote', words(text)), el('h3', 'Notes of operators'), notesList(notes)])),
    ] : el('p.hint', 'What was written is shown to those with the role support.'));
}
