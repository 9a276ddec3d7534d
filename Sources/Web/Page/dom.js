// The parts of which the screens are made. Nothing here reads markup: a string becomes a text node.

import { Away } from './api.js';
import { base } from './base.js';
import { t } from './words.js';

/**
 * Makes an element, as in `el('p.hint', { id }, text)`. Functions named `on…` listen; what is empty is left out. A link
 * that begins with a slash leads to a path of the service.
 */
export function el(selector, ...children) {
  const [tag, ...classes] = selector.split('.');
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(' ');
  const props = children[0]?.constructor === Object ? children.shift() : {};
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') node.addEventListener(name.slice(2), value);
    else if (name === 'value' || typeof value !== 'string' && name in node) node[name] = value;
    else if (name === 'href' && value.startsWith('/')) node.setAttribute(name, base + value);
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child || child === 0));
  return node;
}

/** A person's text: in its own direction, and wrapped at any length. */
export const said = (text) => el('bdi.said', { dir: 'auto' }, text);
export const saidNames = (people) => people.map(({ name }, index) => [index ? ', ' : '', said(name)]);

/** Two circles that show how things stand; the words beside them say the same. */
export const mark = (kind) => el(`span.mark.${kind}`, { 'aria-hidden': 'true' });

/** A button; what goes wrong is said below it. */
export function button(label, action, kind = '') {
  return el('button', { type: 'button', class: kind, onclick: ({ currentTarget: node }) => busy(node, () => action(node)) }, label);
}

/** A button that is on or off; `change` returns what it is then. */
export function toggle(label, isOn, change) {
  const node = button(label, async () => press(node, await change(node.getAttribute('aria-pressed') !== 'true')));
  press(node, isOn);
  return node;
}
export const press = (node, isOn) => node.setAttribute('aria-pressed', String(isOn));

/** Runs an action once at a time. */
async function busy(node, action) {
  if (node.hasAttribute('aria-busy')) return;
  node.setAttribute('aria-busy', 'true');
  if (node.nextElementSibling?.matches('.problem')) node.nextElementSibling.remove();
  try {
    await action();
  } catch (error) {
    if (error.name !== 'AbortError' && !await isOutdated(error)) node.after(problem(error));
  } finally {
    node.removeAttribute('aria-busy');
  }
}

/** Whether an error is none of the server's, and the page is loaded again, since no server has its build any more. */
export const isOutdated = async (error) => !(error instanceof Away) && !error.detail && !error.errors
  && await globalThis.reloadIfGone?.() === true;

/** What went wrong, in the server's words where it has some. */
export function problem(error) {
  const isAway = error instanceof Away || !navigator.onLine;
  return el('p.problem', { role: 'alert' }, error.detail || t(isAway ? 'away' : 'broken'));
}

let fields = 0;

/** A labelled control, with a place for what is wrong with it. */
export function field(label, control, hint) {
  control.id = `field-${fields += 1}`;
  control.setAttribute('aria-describedby', `${control.id}-hint`);
  return el('div.field', el('label', { for: control.id }, label), control, el('p.hint', { id: `${control.id}-hint` }, hint));
}

export const input = (name, value = '', props = {}) => el('input', { name, value, dir: 'auto', autocomplete: 'off', ...props });

/**
 * A control whose text stays for as long as the tab is open, or until `forget`. A draft of words that have changed on
 * another device is dropped.
 */
export function kept(name, control) {
  const before = control.value;
  control.addEventListener('input', () => {
    try { sessionStorage.setItem(name, JSON.stringify([control.value, before])); } catch { /* Storage is switched off. */ }
  });
  try {
    const [draft, of] = JSON.parse(sessionStorage.getItem(name) ?? '[]');
    if (draft && of === before) control.value = draft;
  } catch { /* As above, or an earlier build has kept it. */ }
  return control;
}

/** Forgets a draft, after it was saved; with a text only a draft of that text. */
export function forget(name, text) {
  try {
    if (text === undefined || JSON.parse(sessionStorage.getItem(name) ?? '[]')[0] === text) sessionStorage.removeItem(name);
  } catch { /* Storage is switched off. */ }
}

export const submit = (label, kind = 'main') => el('button', { type: 'submit', class: kind }, label);

/** A form that shows each error of the server at its field, until that is changed. */
export function form(send, ...children) {
  const node = el('form', { novalidate: true, oninput: ({ target }) => correct(target), onsubmit(event) {
    event.preventDefault();
    for (const control of node.elements) correct(control);
    busy(node.querySelector('[type=submit]'), async () => {
      try {
        await send(node.elements);
      } catch (error) {
        const wrong = (error.errors || []).map((one) => complain(node.elements, one)).filter(Boolean);
        if (!wrong.length) throw error;
        wrong[0].focus();
      }
    });
  } }, children);
  return node;
}

function correct(control) {
  control.removeAttribute('aria-invalid');
  control.closest('.field')?.querySelector('.problem')?.remove();
}

function complain(elements, { pointer, detail }) {
  const control = elements[pointer.split('/')[1]];
  if (!control?.id) return null;
  control.setAttribute('aria-invalid', 'true');
  control.after(problem({ detail }));
  return control;
}

/** Says something to those who hear the page. */
export function speak(text) {
  const node = document.getElementById('spoken');
  node.textContent = node.textContent === text ? `${text}\u00a0` : text;
}

/** Asks a question; resolves to whether the answer is yes. */
export function ask({ title, text, yes, kind = 'danger', no = t('goBack') }, ...children) {
  return new Promise((resolve) => {
    const node = el('dialog', { 'aria-labelledby': 'question', onclose() {
      node.remove();
      resolve(node.returnValue === 'yes');
    } }, el('form', { method: 'dialog' }, el('h2', { id: 'question' }, title), text && el('p', text), children,
      el('div.actions', no && el('button', { value: 'no' }, no), el('button', { value: 'yes', class: kind }, yes))));
    document.body.append(node);
    node.showModal();
  });
}

/** Copies a text that is shown. Without https there is no clipboard for pages: then the text is selected. */
export const copyButton = (text) => button(t('copy'), async (node) => {
  const done = await navigator.clipboard?.writeText(text).then(() => 'copied', () => null) ?? 'selected';
  if (done === 'selected') {
    const shown = [...document.querySelectorAll('input[readonly], code')].find((one) => (one.value ?? one.textContent) === text);
    if (shown.select) shown.select();
    else getSelection().selectAllChildren(shown);
  }
  node.textContent = t(done);
  speak(t(done));
});

/** An address or a secret to copy. */
export const readOnly = (text, label) => el('input', {
  readonly: true, value: text, 'aria-label': label, onfocus: ({ target }) => target.select(),
});

/** Hands a text to the person as a file. */
export function save(name, type, text) {
  const href = URL.createObjectURL(new Blob([text], { type }));
  el('a', { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

/** A part that is folded away; its content is made when it is first opened. */
export function folded(title, make) {
  let isMade = false;
  const node = el('details', { async ontoggle() {
    if (!node.open || isMade) return;
    isMade = true;
    while (node.children.length > 1) node.lastChild.remove();
    try {
      node.append(await make());
    } catch (error) {
      isMade = false;
      if (!await isOutdated(error)) node.append(problem(error));
    }
  } }, el('summary', title));
  return node;
}
