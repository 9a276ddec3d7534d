// Times, numbers, roles and addresses as texts. Nothing here shows anything.

const ranks = ['viewer', 'support', 'admin'];

/** Whether a role includes what a lesser one may do. */
export const includes = (role, least) => ranks.indexOf(role) >= ranks.indexOf(least);

/** The roles up to one's own, the least first. */
export const rolesUpTo = (role) => ranks.filter((one) => includes(role, one));

/** A time in UTC, such as 2027-03-28 09:30:05. All times of the desk are in UTC, as those of the log. */
export const utc = (at) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

const counted = (number, unit) => `${number} ${unit}${number === 1 ? '' : 's'}`;

/** A time between two instants, in its two largest units. */
export function duration(seconds) {
  const rest = Math.abs(seconds);
  if (rest < 0.0995) return `${Math.round(seconds * 1000)} ms`;
  if (rest < 9.95) return `${Number(seconds.toFixed(rest < 0.995 ? 2 : 1))} s`;
  if (rest < 59.5) return `${Math.round(seconds)} s`;
  const sign = seconds < 0 ? '−' : '';
  if (rest < 3570) return `${sign}${Math.round(rest / 60)} min`;
  if (rest < 84_600) return `${sign}${Number((rest / 3600).toFixed(1))} h`;
  return `${sign}${counted(Math.round(rest / 86_400), 'day')}`;
}

/** How far away a time is: "in 5 min", "2 h ago". */
export function distance(at, now) {
  const seconds = (Date.parse(at) - now) / 1000;
  if (Math.abs(seconds) < 0.5) return 'now';
  return seconds > 0 ? `in ${duration(seconds)}` : `${duration(-seconds)} ago`;
}

export const number = (value) => (value ?? null) === null ? '–' : Number(value).toLocaleString('en', { maximumFractionDigits: 2 });

export const noun = (count, one, many = `${one}s`) => (count === 1 ? one : many);
export const plural = (count, one, many) => `${number(count)} ${noun(count, one, many)}`;

/** The name of a slot for people, from its key: `2027-03-28T09:30:00Z/50` is "2027-03-28 09:30, 50 min". */
export function slotName(key) {
  const [at, minutes] = key.split(/[/~]/);
  return `${utc(at).replace(/:00$/, '')}${minutes ? `, ${minutes} min` : ''}`;
}

/** A path of which each part may be any text. Colons stay as they are. The server refuses an escaped `/`: `~` stands for it. */
export const path = (...parts) =>
  `/${parts.map((part) => encodeURIComponent(part).replaceAll('%3A', ':').replaceAll('%2F', '~')).join('/')}`;

/** The address of a screen. */
export const desk = (...parts) => path('desk', ...parts);

/** A path with those parameters that have a value. */
export function query(address, values) {
  const given = Object.entries(values).filter(([, value]) => (value ?? '') !== '');
  return given.length ? `${address}?${new URLSearchParams(given)}` : address;
}

/** Enough of an id to tell it from others. */
export const shortID = (id) => String(id).slice(0, 8);

/** A search text, as it may stand in an address: of a token no more than the server compares. */
export const searched = (text) => /^ls[a-z]_/.test(text.trim()) ? text.trim().slice(0, 8) : text.trim();

/** The kinds of subjects of the audit log that have a screen: `person:ID` is a person's. */
const screens = {
  person: 'people', room: 'rooms', slot: 'slots', report: 'reports', delivery: 'deliveries',
};

/** The address of a subject's screen; null where it has none. */
export function subjectAddress(subject) {
  const [, kind, id] = /^(\w+):(.+)$/.exec(subject ?? '') ?? [];
  return Object.hasOwn(screens, kind ?? '') ? desk(screens[kind], id) : null;
}

/** When a token ends that is made now for so many days, as it was typed; what is no number of days is left to the server. */
export function tokenEnd(days, now) {
  const end = new Date(now + Number(days) * 86_400_000);
  return Number.isNaN(end.getTime()) ? days : end.toISOString().replace(/\.\d+/, '');
}

/** When a suspension ends that begins now: null for one without an end. `day`, if there is one, counts. */
export function suspensionEnd(days, day, now) {
  if (day) return `${day}T00:00:00Z`;
  return days ? new Date(now + days * 86_400_000).toISOString().replace(/\.\d+/, '') : null;
}
