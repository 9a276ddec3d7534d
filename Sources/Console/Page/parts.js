// The parts of the desk's screens, in addition to those of dom.js.

import { serverNow } from './api.js';
import { button, copyButton, el, form, readOnly, said, speak, submit } from './dom.js';
import { desk, distance, query, searched, shortID, slotName, subjectAddress, utc } from './format.js';

/** A time; what it is from now on is told to those who point at it. */
export const when = (at, none = '–') =>
  at ? el('time', { datetime: at, title: distance(at, serverNow()) }, utc(at)) : none;

export const link = (href, ...words) => el('a', { href }, words);
export const code = (text) => (text === null || text === undefined ? '–' : el(String(text).length < 40 ? 'code.short' : 'code', String(text)));
export const badge = (text, kind = '') => el(`span.badge${kind && `.${kind}`}`, text);

export const slotLink = (key) => (key ? el('a.key', { href: desk('slots', key) }, slotName(key)) : '–');
export const roomLink = (id) => (id ? link(desk('rooms', id), el('code.key', shortID(id))) : '–');
export const personLink = (id, name) => {
  const words = name ? said(name) : el('code.key', shortID(id ?? ''));
  return id ? link(desk('people', id), words) : words;
};
export const subjectLink = (subject) => {
  const address = subjectAddress(subject);
  return address ? link(address, code(subject)) : code(subject);
};

/** A person in a report: by name, or by pseudonym once the account is deleted. */
export const party = ({ id, name, pseudonym }) =>
  id ? personLink(id, name ?? pseudonym) : [pseudonym && [code(pseudonym), ', '], 'a deleted account'];

/** A list of what is known, in pairs. */
export const facts = (...pairs) => el('dl.facts', pairs.filter(Boolean).map(([title, value]) =>
  el('div', el('dt', title), el('dd', value === null || value === undefined || value === '' ? '–' : value))));

/** A table, which becomes a list of cards where there is no room. `columns`: the title of each, and what it shows of a row. */
export function table(caption, columns, rows, empty = 'There is nothing here.') {
  if (!rows.length) return el('p.empty', empty);
  const cell = (row) => ([title, show], index) => el(index ? 'td' : 'th', {
    role: index ? 'cell' : 'rowheader', scope: index ? null : 'row', 'data-title': title,
  }, show(row) ?? '–');
  return el('table', { role: 'table' }, el('caption.hidden', caption),
    el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' },
      columns.map(([title]) => el('th', { scope: 'col', role: 'columnheader' }, title)))),
    el('tbody', { role: 'rowgroup' }, rows.map((row) => el('tr', { role: 'row' }, columns.map(cell(row))))));
}

/** The address of this screen, with other parameters. */
export const here = (values) => query(location.pathname, { ...Object.fromEntries(new URLSearchParams(location.search)), ...values });

/** The ways to the other pages of a list: each has an address, and "back" leads to the one before. */
export function pager(nextCursor) {
  const isFirst = !new URLSearchParams(location.search).get('cursor');
  if (isFirst && !nextCursor) return null;
  return el('nav.pager', { 'aria-label': 'Pages' }, !isFirst && link(here({ cursor: '' }), 'First page'),
    nextCursor ? el('a', { href: here({ cursor: nextCursor }), rel: 'next' }, 'Next page') : el('span.hint', 'This is the last page.'));
}

/** One page of a list of the API, by the cursor and those filters that are in the address. */
export async function list(app, path, name, columns, { caption, empty, filters = [], fixed = {} }, signal) {
  const wanted = Object.fromEntries([...filters, 'cursor'].map((key) => [key, app.query.get(key)]));
  const answer = await app.read(query(path, { ...fixed, ...wanted, limit: 50 }), signal);
  return [table(caption, columns, answer[name] ?? [], empty), pager(answer.nextCursor)];
}

/** Ways to show the same list otherwise; `current` is the parameter that is chosen now. */
export const tabs = (label, name, current, choices, others = {}) => el('nav.tabs', { 'aria-label': label },
  choices.map(([value, words]) => el('a', { href: here({ ...others, [name]: value, cursor: '' }), 'aria-current': current === value
    && 'page' }, words)));

/** A form whose fields become the parameters of the address. */
export const filterForm = (app, label, ...children) => el('form.filters', { role: 'search', onsubmit(event) {
  event.preventDefault();
  const values = Object.fromEntries([...this.elements].filter(({ name }) => name).map(({ name, value }) => [name, searched(value)]));
  app.go(here({ ...values, cursor: '' }));
} }, children, submit(label, ''));

/**
 * A button that asks before it does something: the dialog says what will happen, has the fields that are needed, and
 * stays until the server has done it.
 */
export function act(label, { title = `${label}?`, text, yes = label, kind = 'main', fields = [] }, send) {
  return button(label, () => {
    const close = () => node.close();
    const fill = (typeof fields === 'function' ? fields() : fields);
    const node = el('dialog', { 'aria-labelledby': 'question', onclose: () => node.remove() },
      form(async (elements) => {
        const done = await send(elements);
        close();
        await done?.();
      }, el('h2', { id: 'question' }, title), text && el('p', text), fill,
      el('div.actions', button('Go back', close), submit(yes, kind))));
    document.body.append(node);
    node.showModal();
  }, kind === 'danger' ? 'danger' : '');
}

/** Private words, which are fetched when an operator asks for them. */
export function reveal(label, read, show) {
  const node = el('div.reveal', button(label, async () => {
    const content = show(await read());
    node.replaceChildren(el('div', { tabindex: -1 }, content));
    node.firstChild.focus();
    speak('Shown. The audit log says that you have read it.');
  }), el('p.hint', 'The audit log will say that you have read it.'));
  return node;
}

/** Words of a person, or that there are none. */
export const words = (text) => (text ? said(text) : el('span.hint', 'none'));

/** Notes of operators. */
export const notesList = (notes) => (notes.length ? el('ul.notes', notes.map(({ at, operator, text }) =>
  el('li', el('p', said(text)), el('p.hint', operator ?? 'an operator', ', ', when(at))))) : el('p.empty', 'There are no notes.'));

/** Shows what the server tells once, until it is put away. */
export function secret(title, text) {
  return new Promise((resolve) => {
    const heading = el('h2', { id: 'secret' }, title);
    const node = el('dialog', { 'aria-labelledby': 'secret', onclose: () => { node.remove(); resolve(); } },
      heading, el('p', 'It is shown this once.'), readOnly(text, heading.textContent),
      el('div.actions', copyButton(text), button('I have saved it', () => node.close(), 'main')));
    // Escape would lose it.
    node.addEventListener('cancel', (event) => event.preventDefault());
    document.body.append(node);
    node.showModal();
  });
}

/** Makes a node like another one, and keeps what is the same: the focus and the selection stay. */
export function morph(node, other) {
  if (node.nodeName !== other.nodeName) return node.replaceWith(other);
  if (node.nodeType === 3) {
    if (node.data !== other.data) node.data = other.data;
    return undefined;
  }
  for (const { name } of [...node.attributes]) {
    // A part that the operator has opened stays open.
    if (!other.hasAttribute(name) && name !== 'open') node.removeAttribute(name);
  }
  for (const { name, value } of other.attributes) if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  const [old, fresh] = [[...node.childNodes], [...other.childNodes]];
  fresh.forEach((child, index) => (old[index] ? morph(old[index], child) : node.append(child)));
  old.slice(fresh.length).forEach((child) => child.remove());
  return undefined;
}
