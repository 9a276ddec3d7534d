// Times for people: in their zone and their language, by Intl. Days are texts like 2027-03-28.

import { language } from './words.js';

/** The zone of the browser. */
export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
let zone = ownZone;
let missing = null;
let formats = new Map();

/** Uses the zone of the account from now on, if the browser knows it. */
export function useZone(name) {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    [zone, missing] = [name, null];
  } catch { [zone, missing] = [ownZone, name]; }
  formats = new Map();
}

export const zoneName = () => zone;

/** The zone of the account, where the browser has an older list of zones than the server; else null. */
export const missingZone = () => missing;

function format(options, locale = browserLocale()) {
  const key = locale + JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(locale, { timeZone: zone, ...options }));
  return formats.get(key);
}

/** The browser's own variant of the language, such as en-US; else one that is read in most countries. */
export const browserLocale = () => navigator.languages.find((tag) => tag.startsWith(language()))
  || (language() === 'en' ? 'en-GB' : language());

const hourCycleOf = (locale) => new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hourCycle;

/** Whether a time is 9:00 or 9 am, by the browser's first language, which may be none of ours. */
function hourCycle() {
  const hourCycle = hourCycleOf(navigator.languages[0]);
  return hourCycle === hourCycleOf(browserLocale()) ? {} : { hourCycle };
}

const minutes = { hour: 'numeric', minute: '2-digit' };

const times = (options = minutes) => format({ ...options, ...hourCycle() });

const HOUR = 3_600_000;

/** The offset of the zone from UTC at an instant, both in ms. */
function offsetAt(time) {
  const digits = { hour: '2-digit', minute: '2-digit', second: '2-digit', day: '2-digit', month: '2-digit', year: 'numeric' };
  return Date.parse(`${format(digits, 'sv-SE').format(time).replace(' ', 'T')}Z`) - Math.floor(time / 1000) * 1000;
}

/** Whether clocks show the time of an instant twice, as they do where they are put back: by three hours at most. */
function isRepeated(time) {
  const own = offsetAt(time);
  return [-3 * HOUR, 3 * HOUR].some((away) => {
    const other = offsetAt(time + away);
    return other !== own && offsetAt(time + own - other) === other;
  });
}

/** A text of an instant with the zone as it is then, such as CEST. */
function zoned(text, at) {
  const parts = format({ timeZoneName: 'short' }).formatToParts(new Date(at));
  return `${text} ${parts.find(({ type }) => type === 'timeZoneName').value}`;
}

const clear = (text, at) => (isRepeated(new Date(at).getTime()) ? zoned(text, at) : text);

/** The time; with the zone where clocks show it twice. */
export const timeOf = (at) => clear(times().format(new Date(at)), at);

/** The time in the browser's zone where the account's has another one then; else null. */
export function ownTimeOf(at) {
  const [own, shown] = [ownZone, zone].map((timeZone) => times({ ...minutes, weekday: 'short', timeZone }).format(new Date(at)));
  return own === shown ? null : times({ ...minutes, timeZone: ownZone }).format(new Date(at));
}

/** Both times; without their dates also where they are of two days. With the zone at each where clocks change. */
export function rangeOf({ startsAt, endsAt }) {
  const [start, end] = [Date.parse(startsAt), Date.parse(endsAt)];
  if (offsetAt(start) !== offsetAt(end) || isRepeated(start) || isRepeated(end)) {
    return [startsAt, endsAt].map((at) => zoned(times().format(new Date(at)), at)).join(' – ');
  }
  if (dayOf(startsAt) !== dayOf(endsAt)) return `${timeOf(startsAt)} – ${timeOf(endsAt)}`;
  return times().formatRange(new Date(startsAt), new Date(endsAt));
}

export const wallTime = (at) => format({ ...minutes, hour: '2-digit', hourCycle: 'h23' }, 'en-GB').format(new Date(at));
export const dayOf = (at) => format({ year: 'numeric', month: '2-digit', day: '2-digit' }, 'sv-SE').format(new Date(at));
export const longTime = (at) => clear(times({ dateStyle: 'full', timeStyle: 'short' }).format(new Date(at)), at);
export const shortTime = (at) => clear(times({ dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at)), at);

const noon = (day) => new Date(`${day}T12:00:00Z`);

export const dayWords = (day, options = { weekday: 'long', day: 'numeric', month: 'long' }) =>
  format({ ...options, timeZone: 'UTC' }).format(noon(day));

export const addDays = (day, count) => new Date(noon(day).getTime() + count * 86_400_000).toISOString().slice(0, 10);

/** The seven days of the week that a day is in, from the first one of the region's weeks. */
export function weekOf(day) {
  const region = new Intl.Locale(browserLocale());
  const first = (region.getWeekInfo?.() || region.weekInfo)?.firstDay ?? 1;
  const start = addDays(day, -((noon(day).getUTCDay() - first + 7) % 7));
  return Array.from({ length: 7 }, (_, index) => addDays(start, index));
}

/** The weekday as in RFC 5545. */
export const weekday = (day) => ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'][noon(day).getUTCDay()];

const two = (number) => String(number).padStart(2, '0');

/** A countdown, such as 24:07; never below zero. */
export function countdown(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const [hours, rest] = [Math.floor(seconds / 3600), seconds % 3600];
  return `${hours ? `${hours}:` : ''}${two(Math.floor(rest / 60))}:${two(rest % 60)}`;
}

/** How far away an instant is, such as "in 2 hours". */
export function fromNow(milliseconds) {
  const words = new Intl.RelativeTimeFormat(browserLocale(), { numeric: 'auto' });
  const minutes = Math.round(milliseconds / 60_000);
  if (Math.abs(minutes) < 60) return words.format(minutes, 'minute');
  if (Math.abs(minutes) < 36 * 60) return words.format(Math.round(minutes / 60), 'hour');
  return words.format(Math.round(minutes / 1440), 'day');
}
