// The sign-in, which every address of the desk shows first.

import { el, field, form, input, submit } from './dom.js';

export const signIn = (app) => el('div', el('h1', 'The desk'),
  el('p', 'For those who run this service. Accounts are made by ', el('code', 'letsswitch-server operator add'), '.'),
  !isSecureContext && el('p.problem', 'This address is neither https nor this machine’s own. Browsers leave out what the server '
    + 'needs to take changes, so that you can only read here.'),
  form(async ({ name, password, code }) => {
    const session = await app.write('/session', {
      name: name.value.trim(), password: password.value, ...code.value.trim() && { code: code.value.trim() },
    });
    app.enter(session);
    await app.arrive();
  },
  field('Name', input('name', '', { autocomplete: 'username', autofocus: true, autocapitalize: 'none', spellcheck: false })),
  field('Password', input('password', '', { type: 'password', autocomplete: 'current-password' })),
  field('Code', input('code', '', { inputmode: 'numeric', autocomplete: 'one-time-code' }),
    'The six digits of your authenticator, if you have set one up.'),
  submit('Sign in')));
