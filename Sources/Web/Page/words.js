// The language of the page. The texts are in one table for each language; a server's words come as they are.

import { base } from './base.js';

export const languages = { en: 'English', de: 'Deutsch', ja: '日本語' };

let table = {};

/** A setting of this browser. Storage may be switched off: then it is gone with the page. */
export function remembered(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(`letsswitch${base}.${name}`);
    if (value === null) localStorage.removeItem(`letsswitch${base}.${name}`);
    else localStorage.setItem(`letsswitch${base}.${name}`, value);
  } catch { /* See above. */ }
  return value ?? null;
}

/** The chosen language, else the first of the browser's that there is. */
export function language() {
  const wanted = [remembered('language'), ...navigator.languages];
  return wanted.map((tag) => tag?.slice(0, 2)).find((tag) => Object.hasOwn(languages, tag)) || 'en';
}

export async function loadWords() {
  table = (await import(`./strings-${language()}.js`)).default;
  document.documentElement.lang = language();
}

/** Returns a text of the page. What has numbers or names in it is a function in the table. */
export function t(name, ...values) {
  const text = table[name];
  return typeof text === 'function' ? text(...values) : text;
}

/** A name within a sentence of ours, whatever its direction. Isolates of its own, which need not be closed, are left out. */
export const isolated = (name) => `\u2068${name.replace(/[\u2066-\u2069]/g, '')}\u2069`;

/** Something that shows: no space, no control, no mark without a letter, and nothing that fonts leave blank. */
const visible = /[^\p{M}\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Returns the first character of a name that can be seen, as people count characters; empty if there is none. */
export function initial(name) {
  // Browsers before 2024 may not know where a character ends.
  const characters = globalThis.Intl.Segmenter ? [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment) : [...name];
  const first = characters.find((one) => visible.test(one)) ?? '';
  const capital = first.toUpperCase();
  // Some letters have a capital of two.
  return capital.length > first.length ? first : capital;
}
