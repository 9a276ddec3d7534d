// What is sent to people's endpoints: the deliveries, the hosts that take them, and the endpoints that fail.

import { el, field, input, said } from './dom.js';
import { desk, duration, number, path, plural, query } from './format.js';
import { act, badge, code, facts, filterForm, link, list, personLink, table, tabs, when, words } from './parts.js';

const places = (current) => el('nav.tabs', { 'aria-label': 'Deliveries' },
  [['', 'Deliveries'], ['hosts', 'Hosts'], ['endpoints', 'Endpoints']].map(([name, text]) =>
  el('a', { href: name ? desk('deliveries', name) : desk('deliveries'), 'aria-current': name === current && 'page' }, text)));

/** A button that makes the failed deliveries of a host or an endpoint again, a part at a time. */
const replayAct = (app, what, target) => act('Replay failed', {
  title: `Replay failed deliveries to ${what}?`,
  text: 'They are due at once, behind all other deliveries. A receiver that has had one before gets it a second time.',
  fields: () => [
    field('Failed since', input('since', '', { dir: 'ltr', required: true, placeholder: '2027-03-28T09:30:00Z' }), 'A time in UTC.'),
    field('Failed until', input('until', '', { dir: 'ltr', placeholder: '2027-03-28T12:00:00Z' }), 'Empty: now.'),
  ],
}, async ({ since, until }) => {
  const body = { ...target, since: since.value.trim(), ...(until.value.trim() && { until: until.value.trim() }) };
  let [count, disabled, answer] = [0, 0, null];
  do {
    answer = await app.write('/delivery-replays', { ...body, ...(answer && { until: answer.until, cursor: answer.nextCursor }) });
    count += answer.deliveries;
    disabled += answer.disabled;
  } while (answer.nextCursor && !answer.isFull);
  await app.refresh();
  return () => app.notify([`${plural(count, 'delivery is', 'deliveries are')} due now.`,
    answer.isFull && `Too many wait for more: continue later, until ${answer.until}.`,
    disabled > 0 && `${plural(disabled, 'other belongs', 'others belong')} to disabled endpoints.`].filter(Boolean).join(' '));
});

export async function deliveries(app, _, signal) {
  const state = app.query.get('state') ?? 'waiting';
  const host = app.query.get('host');
  return el('div', el('h1', 'Deliveries'), places(''),
    tabs('State', 'state', state, [['waiting', 'Waiting'], ['retried', 'Tried again'], ['delivered', 'Delivered'], ['failed', 'Failed']]),
    filterForm(app, 'Show', field('Channel', input('channel', app.query.get('channel') ?? '', { dir: 'ltr' })),
      field('Host', input('host', host ?? '', { dir: 'ltr', type: 'search' }))),
    host && app.may('support') && el('div.actions', replayAct(app, host, { host })),
    await list(app, '/deliveries', 'deliveries', [
      ['Delivery', ({ id }) => el('a.key', { href: desk('deliveries', id) }, `Delivery ${id}`)], ['Type', ({ type }) => type], ['Channel', ({ channel }) => channel],
      ['Host', ({ host }) => code(host)], ['Due', ({ dueAt }) => when(dueAt)], ['Attempts', ({ attempts }) => number(attempts)],
      ['Outcome', ({ outcome, detail }) => [outcome && badge(outcome, outcome === 'delivered' ? 'good' : ''), ' ', detail && said(detail)]],
      ['Person', ({ personId }) => personId && personLink(personId)],
    ], { caption: 'Deliveries, newest first', empty: 'There are none of these.', filters: ['channel', 'host'], fixed: { state } }, signal));
}

export async function hosts(app, _, signal) {
  const { hosts: all = [] } = await app.read('/delivery-hosts', signal);
  return el('div', el('h1', 'Hosts that take deliveries'), places('hosts'), table('Hosts', [
    ['Host', ({ host, channel }) => link(query(desk('deliveries'), { host, channel }), code(host ?? '–'))],
      ['Channel', ({ channel }) => channel], ['Endpoints', (one) => number(one.endpoints)],
    ['Disabled', (one) => number(one.disabled)], ['Failing', (one) => number(one.failing)], ['Waiting', (one) => number(one.waiting)],
  ], all, 'There are no endpoints.'), el('p.hint', 'The 100 for which most waits, or most fails.'));
}

/** What is shown of an endpoint, and what can be done with it. */
export const endpointColumns = (app, hasPerson = true) => [
  ['Host', ({ host }) => code(host)], ['Kind', ({ kind }) => kind], ...hasPerson
    ? [['Person', ({ personId }) => personId && personLink(personId)]] : [],
  ['State', ({ failingSince, disabledAt, reason }) => [disabledAt ? badge('disabled', 'page') : failingSince ? badge('failing', 'ticket')
    : badge('works', 'good'),
    (disabledAt || failingSince) && [' since ', when(disabledAt ?? failingSince)], reason && [': ', said(reason)]]],
  ['Made', ({ createdAt }) => when(createdAt)],
  ...app.may('support') ? [['Acts', (one) => el('div.actions', endpointActs(app, one))]] : [],
];

function endpointActs(app, { id, host, kind, disabledAt }) {
  const post = (verb, body, told) => async (elements) => {
    const answer = await app.write(path('endpoints', id, verb), body(elements));
    await app.refresh();
    return () => app.notify(told(answer));
  };
  const what = `endpoint at ${host ?? kind}`;
  return [
    disabledAt ? act('Enable', { title: `Enable the ${what}?`, text: 'What is sent from now on goes there again.' },
      post('enable', () => {}, () => 'The endpoint is enabled.'))
      : act('Disable', { title: `Disable the ${what}?`, kind: 'danger', text: 'Nothing is sent there any more. The person can see the reason.',
        fields: () => field('Reason', input('reason', '', { maxlength: 200 })) },
          post('disable', ({ reason }) => ({ reason: reason.value.trim() }), () => 'The endpoint is disabled.')),
    !disabledAt && act('Test', { title: `Test the ${what}?`, text: 'The person gets a test notification there.' },
      post('test', () => {}, (answer) => answer?.detail ?? 'The test is under way.')),
    !disabledAt && replayAct(app, `the ${what}`, { endpointId: id }),
  ];
}

export async function endpoints(app, _, signal) {
  const state = app.query.get('state') ?? 'failing';
  return el('div', el('h1', 'Endpoints'), places('endpoints'), tabs('State', 'state', state, [['failing', 'Failing'], ['disabled', 'Disabled']]),
    await list(app, '/endpoints', 'endpoints', endpointColumns(app), { caption: 'Endpoints', empty: `None is ${state}.`, fixed: { state } }, signal));
}

export async function delivery(app, [id], signal) {
  const one = await app.read(path('deliveries', id), signal);
  const attempts = one.attemptList ?? [];
  return el('div', el('p', link('/desk/deliveries', 'All deliveries')), el('h1', `Delivery ${one.id}`),
    facts(['Type', one.type], ['Channel', one.channel], ['Host', code(one.host)],
      ['Outcome', one.outcome ? badge(one.outcome, one.outcome === 'delivered' ? 'good' : '') : 'none yet'],
      ['Detail', one.detail && said(one.detail)], ['Due', when(one.dueAt)], ['Attempts', number(one.attempts)], ['Ends', when(one.expiresAt)],
      ['Settled', when(one.settledAt, 'no')], ['Person', one.personId && personLink(one.personId)], ['Endpoint', code(one.endpointId)]),
    app.may('support') && one.outcome !== 'superseded' && el('div.actions', act('Send again',
      { text: 'It is due at once, and has all its attempts again. A receiver that has had it before gets it a second time.' }, async () => {
      await app.write(path('deliveries', id, 'replay'));
      await app.refresh();
      return () => app.notify('It is due now.');
    })),
    el('section', el('h2', 'Attempts'), table('Attempts', [
      ['At', ({ at }) => when(at)], ['Took', ({ seconds }) => ((seconds ?? null) === null ? '–' : duration(seconds))],
        ['Outcome', ({ outcome }) => outcome], ['Detail', ({ detail }) => words(detail)],
    ], attempts, 'It has not been tried yet.')));
}
