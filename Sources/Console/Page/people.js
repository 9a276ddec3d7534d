// The people, and one person: what there is of them, and what can be done.

import { el, field, input, said, save } from './dom.js';
import { desk, number, path, plural, query, searched, suspensionEnd, utc } from './format.js';
import { act, badge, code, facts, filterForm, link, list, notesList, party, personLink, reveal, roomLink, secret, slotLink, table, tabs,
  when, words } from './parts.js';
import { auditColumns } from './system.js';
import { endpointColumns } from './deliveries.js';

const state = ({ isSuspended, suspendedUntil }) =>
  (isSuspended ? badge(suspendedUntil ? `suspended until ${utc(suspendedUntil)}` : 'suspended', 'page') : badge('active', 'good'));

/** The dialog that makes an account. The zone of this browser is the likely one. */
const addPerson = (app) => act('Add a person', {
  text: 'You get a code, which is shown once. The person signs in with it, once, within seven days.',
  fields: () => [field('Name', input('name', '', { maxlength: 64 })),
    field('Time zone', input('timeZone', Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC', { dir: 'ltr' }),
      'An IANA name such as Europe/Berlin.')],
}, async ({ name, timeZone }) => {
  const { id, signInCode } = await app.write('/people', { name: name.value.trim(), timeZone: timeZone.value.trim() });
  return async () => {
    await secret('Sign-in code', signInCode);
    await app.go(desk('people', id));
  };
});

export async function people(app, _, signal) {
  const wanted = searched(app.query.get('query') ?? '');
  const isInvisible = !wanted && app.query.get('names') === 'invisible';
  const isSuspended = !wanted && !isInvisible && app.query.get('suspended') === 'true';
  const search = input('query', wanted, { type: 'search', maxlength: 200 });
  return el('div', el('h1', 'People'), app.may('admin') && el('div.actions', addPerson(app)),
    filterForm(app, 'Search', field('Name, id or token', search,
      'The beginning of a name or of a token is enough. Of a token only the first 8 characters are sent.'),
      el('input', { type: 'hidden', name: 'suspended' }), el('input', { type: 'hidden', name: 'names' })),
    tabs('Which people', 'suspended', isInvisible ? null : isSuspended ? 'true' : '', [['', 'All'], ['true', 'Suspended']], { query: '', names: '' }),
    tabs('Names', 'names', isInvisible ? 'invisible' : null, [['invisible', 'Names that show nothing']], { query: '', suspended: '' }),
    await list(app, '/people', 'people', [
      ['Name', ({ id, name }) => personLink(id, name)], ['State', state], ['Time zone', ({ timeZone }) => timeZone],
      ['Since', ({ createdAt }) => when(createdAt)], ['Id', ({ id }) => code(id)],
    ], { caption: 'People, newest first', empty: wanted ? 'No results.' : isSuspended ? 'No account is suspended.'
      : isInvisible ? 'None on this page.' : 'There are no people yet.',
      fixed: { query: wanted, suspended: isSuspended ? 'true' : '', names: isInvisible ? 'invisible' : '' } }, signal));
}

const registrationColumns = [
  ['Slot', ({ slot }) => slotLink(slot)], ['State', (one) => badge(one.cancelledAt ? 'cancelled' : one.state ?? '–')],
  ['Room', ({ roomId }) => roomLink(roomId)], ['Registered', ({ createdAt }) => when(createdAt)],
  ['Entered', ({ enteredAt }) => when(enteredAt)], ['Task', ({ hasTask }) => (hasTask ? 'hidden' : 'none')],
];

export const reportColumns = [
  ['Report', ({ id }) => el('a.key', { href: desk('reports', id) }, `Report ${id}`)], ['State', ({ state: name, outcome }) =>
    [badge(name, name === 'new' ? 'page' : ''), outcome && ` ${outcome}`]],
  ['At', ({ at }) => when(at)], ['By', ({ by }) => party(by)], ['About', ({ about }) => party(about)],
  ['Slot', ({ slot }) => slotLink(slot)], ['Taken by', ({ takenBy }) => takenBy && said(takenBy)], ['Notes', ({ notes }) => number(notes)],
];

/** The dialog that suspends a person; `reportId` closes a report with it. */
export function suspend(app, { id, name }, reportId) {
  const lengths = [[1, 'One day'], [7, 'A week'], [30, '30 days'], ['', 'Until it is lifted']];
  const days = () => el('select', { name: 'days' },
    lengths.map(([value, text]) => el('option', { value: String(value), selected: value === 7 }, text)));
  return act('Suspend', {
    title: ['Suspend ', said(name ?? 'this person'), '?'], kind: 'danger',
    text: `From now on they cannot sign in: their sockets close, their registrations are cancelled, and their partners are rematched if possible. ${
      reportId ? 'The report is closed by it. ' : ''}They read the reason and the date.`,
    fields: () => [field('How long', days()),
      field('Or until this day', input('until', '', { type: 'date', dir: 'ltr' }), 'To its beginning in UTC.'),
      field('Reason', el('textarea', { name: 'reason', rows: 3, maxlength: 200, required: true }),
        'At most 200 characters, which the person reads.')],
  }, async ({ days: chosen, until, reason }) => {
    await app.write(path('people', id, 'suspend'), {
      until: suspensionEnd(Number(chosen.value), until.value, app.now()), reason: reason.value.trim(), ...reportId && { reportId },
    });
    await app.refresh();
    return () => app.notify([said(name ?? 'The person'), ' is suspended.']);
  });
}

const limits = {
  account: ['request', 'requests'], registrations: ['registration', 'registrations'], streams: ['event stream', 'event streams'],
  exports: ['export', 'exports'],
};

/** The refusals with 429, as far as the server that answers knows. */
const limitsHit = (hits) => (hits ? [
  Object.entries(hits.counts).map(([name, count]) => plural(count, ...limits[name] ?? [name, name])).join(', '),
  ' refused since ', when(hits.since), ', the last ', when(hits.last), ', by this server'] : 'none at this server');

export async function person(app, [id], signal) {
  const one = await app.read(path('people', id), signal);
  const { name, suspension, attendance = {}, blocks = {}, tokens = [], endpoints = [], registrations = [], reportsAbout = [], reportsBy = [] } = one;
  const titled = (before, after = '?') => [before, ' ', said(name), after];
  const does = (verb, body, told) => async (elements) => {
    await app.write(path('people', id, verb), body(elements));
    await app.refresh();
    return () => app.notify(told);
  };
  return el('div', el('p', link('/desk/people', 'All people')), el('h1', said(name)),
    suspension && el('p.problem', 'Suspended since ', when(suspension.since), suspension.until ? [' until ', when(suspension.until)]
      : ' until it is lifted',
      suspension.operator && [' by ', said(suspension.operator)], ': ', words(suspension.reason)),
    facts(['Id', code(one.id)], ['State', state(one)], ['Time zone', one.timeZone], ['Since', when(one.createdAt)],
      ['Attendance', `${number(attendance.attended)} attended, ${number(attendance.missed)} missed, ${number(attendance.cancelledLate)} cancelled late`],
      one.signInCodeUntil && ['Sign-in code', ['good until ', when(one.signInCodeUntil)]],
      ['Blocks', `by them ${number(blocks.by)}, of them ${number(blocks.of)}`], ['Recovery code', one.hasRecoveryCode ? 'there is one' : 'none'],
      ['Limits hit', limitsHit(one.limitsHit)]),
    app.may('support') && el('div.actions',
      one.isSuspended ? act('Lift the suspension', { title: titled('Lift the suspension of'), text: 'They can sign in and register again.' },
        does('unsuspend', () => {}, 'The suspension is lifted.')) : suspend(app, one),
      act('Rename', { title: titled('Rename'), text: 'The partners see the new name too.',
        fields: () => field('New name', input('name', name, { maxlength: 64 })) },
        does('rename', (elements) => ({ name: elements.name.value.trim() }), 'The name is changed.')),
      act('End tokens', { title: titled('End all tokens and sessions of'), kind: 'danger',
        text: `${plural(tokens.length, 'token or session ends', 'tokens and sessions end')}, and sockets close. Without a recovery code they cannot come back: ${
          one.hasRecoveryCode ? 'they have one.' : 'they have none, so make one for them.'}` },
      does('end-tokens', () => {}, 'All tokens and sessions have ended.')),
      act('Make a recovery code', { title: titled('Make a recovery code for'),
        text: 'An earlier code ends. Give the new one to this person only: it opens the account. They are notified, with the reason, by every channel.',
        fields: () => field('Reason', el('textarea', { name: 'reason', rows: 2, maxlength: 200, required: true }),
          'At most 200 characters, which the person reads.') },
        async ({ reason }) => {
          const { recoveryCode } = await app.write(path('people', id, 'recovery-code'), { reason: reason.value.trim() });
          return async () => {
            await secret(titled('Recovery code of', ''), recoveryCode);
            await app.refresh();
          };
        }),
      el('a.button', { href: query('/desk/announcements', { person: id }) }, 'Write to them'),
      app.may('admin') && act('Export', { title: titled('Export all data of'),
        text: 'You get the file that this person would get, with all private words. The audit log will say so.' },
        async () => save(`letsswitch-${id}.json`, 'application/json', JSON.stringify(await app.write(path('people', id, 'export')), null, 2))),
      app.may('admin') && act('Delete', { title: titled('Delete the account of'), yes: 'Delete for ever', kind: 'danger',
        text: 'The account, its registrations, tokens and endpoints are deleted, and the audit log forgets its private words. This cannot be undone. Reports about it stay, under a pseudonym.',
        fields: () => field('Type the name to go on', input('confirm')) }, async ({ confirm }) => {
        await app.write(path('people', id, 'delete'), { confirm: confirm.value });
        await app.go('/desk/people');
        return () => app.notify('The account is deleted.');
      })),
    el('section', el('h2', 'Registrations'), table('Registrations', registrationColumns, registrations, 'There are none.'),
      el('p', link(desk('people', id, 'registrations'), 'All registrations')),
      app.may('support') && reveal('Show the tasks', () => app.write(path('people', id, 'reveal'), { what: 'tasks' }), ({ tasks = [] }) =>
        table('Tasks', [['Slot', ({ startsAt }) => when(startsAt)], ['Task', ({ task }) => words(task)], ['Tag', ({ tag }) => words(tag)]], tasks))),
    el('section', el('h2', 'Reports'), el('h3', 'About this person'),
      table('Reports about this person', reportColumns, reportsAbout, 'There are none.'),
      el('h3', 'By this person'), table('Reports by this person', reportColumns, reportsBy, 'There are none.')),
    el('section', el('h2', 'Notes of operators'), el('p', plural(one.notes ?? 0, 'note')), app.may('support') && [
      act('Add a note', { title: titled('A note on', ''), text: 'Operators read it.', yes: 'Save',
        fields: () => field('Note', el('textarea', { name: 'text', rows: 4, maxlength: 2000 })) },
          does('notes', ({ text }) => ({ text: text.value.trim() }), 'The note is saved.')),
      one.notes > 0 && reveal('Show the notes', () => app.write(path('people', id, 'reveal'), { what: 'notes' }),
        ({ notes = [] }) => notesList(notes))]),
    el('section', el('h2', 'Endpoints'), table('Endpoints', endpointColumns(app, false), endpoints, 'There are none.')),
    el('section', el('h2', 'Tokens and sessions'), table('Tokens and sessions', [
      ['Label', ({ label }) => words(label)], ['Kind', ({ kind }) => kind], ['Begins with', ({ prefix }) => code(prefix)],
      ['Made', ({ createdAt }) => when(createdAt)], ['Used', ({ lastUsedAt }) => when(lastUsedAt, 'never')],
        ['Ends', ({ expiresAt }) => when(expiresAt, 'never')],
    ], tokens, 'There are none.')),
    app.may('support') && el('p', link(desk('people', id, 'audit'), 'What operators have done here')));
}

export async function personRegistrations(app, [id], signal) {
  return el('div', el('p', link(desk('people', id), 'The person')), el('h1', 'Registrations'),
    await list(app, path('people', id, 'registrations'), 'registrations', registrationColumns, { caption: 'Registrations, newest first' }, signal));
}

export async function personAudit(app, [id], signal) {
  return el('div', el('p', link(desk('people', id), 'The person')), el('h1', 'What operators have done here'),
    await list(app, path('people', id, 'audit'), 'entries', auditColumns, { caption: 'Entries of the audit log', empty: 'Nothing.' }, signal));
}
