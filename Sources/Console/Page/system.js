// The servers, their settings, and the audit log.

import { button, el, field, folded, input, said, submit } from './dom.js';
import { number, path, plural } from './format.js';
import { act, badge, code, filterForm, list, subjectLink, table, when } from './parts.js';
import { serverTable } from './now.js';

export async function servers(app, _, signal) {
  const { servers: all = [] } = await app.read('/servers', signal);
  const drain = ({ name, incarnation, state, isAlive }) => isAlive && state === 'serving' && act('Drain', {
    title: ['Drain ', said(name), '?'], kind: 'danger',
    text: 'It takes no new rooms, gives away those that it has, and ends. Whatever starts it again has to know of that.',
  }, async () => {
    await app.write(path('servers', incarnation, 'drain'));
    await app.refresh();
    return () => app.notify('The server drains.');
  });
  return el('div', el('h1', 'Servers'), serverTable(all, app.may('admin') ? drain : null),
    el('p.hint', 'Clock, loops, pool and sockets are known of the server that answers.'));
}

export async function settings(app, _, signal) {
  const { settings: all = [], warnings = [] } = await app.read('/settings', signal);
  return el('div', el('h1', 'Settings'), warnings.map((text) => el('p.problem', text)), table('Settings', [
    ['Name', ({ name }) => code(name)], ['Value', ({ value, isSecret }) => ((value ?? null) === null ? el('span.hint', 'not set') : isSecret
      ? badge(value) : code(value))],
    ['From', ({ source }) => source], ['What it is', ({ help }) => help],
  ], all));
}

const told = (value) => (value ? el('code.json', JSON.stringify(value)) : null);

export const auditColumns = [
  ['Entry', ({ id }) => `${id}`], ['At', ({ at }) => when(at)], ['Operator', ({ operator }) => operator && said(operator)],
    ['Action', ({ action }) => code(action)],
  ['Subject', ({ subject }) => subjectLink(subject)], ['Change', ({ before, after, isErased }) => (isErased ? el('span.hint', 'erased')
    : (before || after) && [before && [told(before), ' → '], told(after) ?? 'nothing'])],
  ['Request', ({ requestId }) => code(requestId)],
];

const filters = { operator: 'Operator', action: 'Action', subject: 'Subject', after: 'From', before: 'Before' };
const hints = { action: 'As person.suspend', subject: 'As person:ID', after: 'As 2027-03-28T09:30:00Z', before: 'As 2027-03-28T09:30:00Z' };

export async function audit(app, _, signal) {
  return el('div', el('h1', 'Audit log'), el('div.actions', button('Verify the chain', async (node) => {
    const { entries, erased, isWhole, fault, head } = await app.read('/audit/verification');
    document.getElementById('verified')?.remove();
    node.parentElement.after(el(isWhole ? 'p.good' : 'p.problem', { id: 'verified', role: 'status' }, isWhole
      ? [`The chain of ${plural(entries, 'entry', 'entries')} is whole${erased ? `; the words of ${number(erased)} are erased` : ''}. Its head is `, code(head), '.'] : `The chain is broken: ${fault}`));
  })),
  folded('Filters', () => filterForm(app, 'Show', Object.entries(filters).map(([name, label]) => field(label,
    input(name, app.query.get(name) ?? '', { dir: 'ltr' }), hints[name])))),
  folded('Export', () => el('form.filters', { action: '/admin/v1/audit/export' },
    field('After entry', input('after', '0', { dir: 'ltr', inputmode: 'numeric' }),
    'At most 10,000 entries a file, the oldest first. The last one of a file says where the next one begins.'), submit('Download'))),
  await list(app, '/audit', 'entries', auditColumns, { caption: 'Entries of the audit log, newest first',
    empty: 'There are no such entries.', filters: Object.keys(filters) }, signal));
}
