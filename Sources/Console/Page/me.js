// The operator's own: the session, tokens for scripts, and who else has an account.

import { button, el, field, input, said } from './dom.js';
import { path, rolesUpTo, tokenEnd } from './format.js';
import { act, badge, code, facts, secret, table, when, words } from './parts.js';

export async function me(app, _, signal) {
  const { name, role, id } = app.operator;
  const [{ tokens = [] }, { operators = [] }] = await Promise.all([
    app.read('/tokens?limit=100', signal), app.may('admin') ? app.read('/operators?limit=100', signal) : {},
  ]);
  return el('div', el('h1', said(name)), facts(['Role', badge(role)], ['Id', code(id)], ['Signed in until', when(app.expiresAt)]),
    el('div.actions', button('Sign out', async () => {
      await app.write('/session', null, 'DELETE');
      app.next = '/desk/now';
      app.leave('You are signed out.');
    })),
    el('section', el('h2', 'Your tokens'), el('p.hint', 'For scripts: as ', el('code', 'Authorization: Bearer …'), '. The interface is described at ',
      el('a', { href: '/admin/v1/openapi.json' }, '/admin/v1/openapi.json'), '.'), table('Your tokens', [
      ['Name', ({ name: one }) => words(one)], ['Role', ({ role: one }) => badge(one)], ['Begins with', ({ prefix }) => code(prefix)],
        ['Made', ({ createdAt }) => when(createdAt)],
      ['Used', ({ lastUsedAt }) => when(lastUsedAt, 'never')], ['Ends', ({ expiresAt }) => when(expiresAt)],
      ['Acts', (one) => act('End', { title: ['End the token ', said(one.name), '?'], text: 'Scripts that use it are refused from now on.',
        kind: 'danger' }, async () => {
        await app.write(path('tokens', one.id), null, 'DELETE');
        await app.refresh();
        return () => app.notify('The token has ended.');
      })],
    ], tokens, 'You have none.'), act('Make a token', { title: 'Make a token', text: 'It may do what its role may, until it ends.',
      yes: 'Make it', fields: () => [
      field('Name', input('name', '', { maxlength: 64 }), 'What uses it.'),
      field('Role', el('select', { name: 'role' }, rolesUpTo(role).map((one) => el('option', one)))),
      field('Days', input('days', '90', { inputmode: 'numeric' }), 'From 1 to 366.')] }, async ({ name: given, role: chosen, days }) => {
      const { token } = await app.write('/tokens',
        { name: given.value.trim(), role: chosen.value, expiresAt: tokenEnd(days.value, app.now()) });
      return async () => {
        await secret('Your token', token);
        await app.refresh();
      };
    })),
    app.may('admin') && el('section', el('h2', 'Operators'), table('Operators', [
      ['Name', (one) => said(one.name)], ['Role', (one) => badge(one.role)],
        ['State', ({ disabledAt }) => (disabledAt ? badge('disabled', 'page') : badge('active', 'good'))],
      ['Code', ({ hasCode }) => (hasCode ? 'yes' : 'no')], ['Since', ({ createdAt }) => when(createdAt)],
        ['Seen', ({ lastSeenAt }) => when(lastSeenAt, 'never')],
    ], operators), el('p.hint', 'Changed by ', el('code', 'letsswitch-server operator'), ' only.')));
}
