// The codes by which people make accounts while sign-ups are closed.

import { el, field, input } from './dom.js';
import { number, plural } from './format.js';
import { act, list, secret, when } from './parts.js';

const days = [[1, 'One day'], [7, 'A week'], [30, '30 days'], [366, '366 days']];

/** The dialog that makes a code, which is shown once. */
const make = (app) => act('Make a code', {
  title: 'Make a code for sign-ups?',
  text: 'Those who have the code can make accounts by it while the setting SIGNUPS has code. It is shown once.',
  fields: () => [
    field('Accounts', input('uses', '1', { type: 'number', min: 1, max: 10_000 }), 'How many accounts can be made by it.'),
    field('Good for', el('select', { name: 'expiresAt' },
      days.map(([value, text]) => el('option', { value: String(value), selected: value === 7 }, text)))),
  ],
}, async ({ uses, expiresAt }) => {
  const end = new Date(app.now() + Number(expiresAt.value) * 86_400_000 - 60_000).toISOString();
  const made = await app.write('/sign-up-codes', { uses: Number(uses.value), expiresAt: end });
  return async () => {
    await secret(`Code ${made.id}, for ${plural(made.uses, 'account')}`, made.code);
    await app.refresh();
  };
});

const end = (app, { id, uses, used }) => act('End', {
  title: `End code ${id}?`, kind: 'danger', yes: 'End the code',
  text: `${plural(uses - used, 'account')} could still be made by it. Accounts that were made stay.`,
}, async () => {
  await app.write(`/sign-up-codes/${id}/end`);
  await app.refresh();
  return () => app.notify(`Code ${id} has ended.`);
});

export async function codes(app, _, signal) {
  return el('div', el('h1', 'Codes for sign-ups'),
    el('p', 'A code lets people make accounts while the setting SIGNUPS has code. Its text is shown once, when it is made.'),
    app.may('admin') && el('div.actions', make(app)),
    await list(app, '/sign-up-codes', 'codes', [
      ['Code', ({ id }) => `Code ${id}`], ['Accounts', ({ used, uses }) => `${number(used)} of ${number(uses)}`],
      ['Good until', ({ expiresAt }) => when(expiresAt)], ['Made by', ({ operator }) => operator],
      ['Made', ({ createdAt }) => when(createdAt)], ...app.may('admin') ? [['Acts', (code) => end(app, code)]] : [],
    ], { caption: 'Codes for sign-ups, newest first', empty: 'There are no codes.' }, signal));
}
