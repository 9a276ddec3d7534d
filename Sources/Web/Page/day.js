// A day: its slots as they stand for the person, and the form that registers a task for some of them.

import { api, serverNow } from './api.js';
import { button, el, field, forget, form, input, kept, mark, said, saidNames, submit } from './dom.js';
import { addDays, dayOf, dayWords, missingZone, ownTimeOf, ownZone, rangeOf, timeOf, wallTime, weekOf, weekday, zoneName } from './time.js';
import { together } from './together.js';
import { t } from './words.js';
import { takeZone, zoneScreen } from './zones.js';

const isFree = ({ state }) => state === 'empty' || state === 'waiting';
const isOver = ({ state }) => ['closed', 'attended', 'missed', 'lapsed'].includes(state);

/** The day; where the server does not know the zone of the account, another one is to be chosen first. */
export const day = (app, date, signal) => dayOfAccount(app, date, signal).catch((error) => {
  if (error.name !== 'time-zone-unknown') throw error;
  return zoneScreen(app, signal);
});

async function dayOfAccount(app, date, signal) {
  const today = dayOf(serverNow());
  const shown = date || today;
  const chosen = new Set();
  const opened = {};
  let [slots, minutes] = [[], null];

  async function read() {
    const list = await api('GET', `/v1/slots?${new URLSearchParams({ date: shown, ...minutes && { minutes } })}`, { signal });
    const isNew = JSON.stringify(slots) !== JSON.stringify(list.slots);
    slots = list.slots;
    if (isNew) showSlots();
    return list;
  }

  const parts = el('div.parts');
  const choice = el('p.choice');
  const send = submit('');
  const picked = () => slots.filter((slot) => isFree(slot) && chosen.has(slot.startsAt));

  function showChoice() {
    const times = picked();
    choice.textContent = times.map(rangeOf).join(' · ') || t('chooseSlot');
    send.textContent = times.length > 1 ? t('registerMany', times.length)
      : times.length ? t('registerAt', timeOf(times[0].startsAt)) : t('register');
  }

  function showSlots() {
    const focused = parts.contains(document.activeElement) && document.activeElement.id;
    const live = slots.findIndex((slot) => !isOver(slot));
    const groups = new Map();
    slots.forEach((slot, index) => {
      const part = partOf(slot, index < live);
      groups.set(part, [...groups.get(part) ?? [], slot]);
    });
    parts.replaceChildren(...[...groups].map(([part, members]) => {
      const mine = members.filter((slot) => slot.registrationId).length;
      const isOpen = opened[part] ?? (part !== 'earlier' && (part !== 'night' || mine > 0 || groups.size < 3));
      return el('details', { open: isOpen, id: part, ontoggle: ({ target }) => { opened[part] = target.open; } },
        el('summary', { id: `${part}-name` }, el('h2', t(part)), mine > 0 && el('span.count', t('sessions', mine))),
        el('ul', members.map((slot) => row(slot, chosen, showChoice))));
    }));
    if (focused) document.getElementById(focused)?.focus();
    showChoice();
  }

  const [list, week] = await Promise.all([read(), weekStrip(shown, today, signal)]);

  // The next slot that can be had is chosen already: then a task and one tap are enough.
  const next = slots.find((slot) => isFree(slot) && Date.parse(slot.startsAt) > serverNow());
  if (next && shown === today && !slots.some((slot) => slot.registrationId && !isOver(slot))) {
    chosen.add(next.startsAt);
    showSlots();
  }

  app.repeat(async () => {
    await read();
    // The tab has been open over midnight.
    if (dayOf(serverNow()) !== today) await app.refresh();
  }, 30, signal);

  const composer = form(async (elements) => {
    const starts = picked();
    if (!elements.task.value.trim()) throw { errors: [{ pointer: '/task', detail: t('taskMissing') }] };
    if (!starts.length) throw { detail: t('chooseSlot') };
    const made = await register(app.user.id, elements, starts, minutes);
    forget('task');
    if (made.length === 1) return app.go(`/registration/${made[0]}`);
    await app.refresh();
    return app.notify(t('registered', starts.length));
  }, field(t('whatWillYouDo'), kept('task', input('task', '', { enterkeyhint: 'go' })), t('taskHint')),
  el('div.terms', choice, options(shown, list, (length) => {
    minutes = length;
    chosen.clear();
    return read();
  })), send);
  composer.classList.add('composer');

  const step = (count, sign, label) => el('a.step', {
    href: `/day/${addDays(shown, count)}`, 'aria-label': `${label}: ${dayWords(addDays(shown, count))}`,
  }, sign);
  return el('div', el('div.head', el('h1', el('span.near', near(shown, today)), ' ', dayWords(shown)),
    el('div.steps', step(-1, '‹', t('dayBefore')), step(1, '›', t('dayAfter')))), zones(app, slots[0]?.startsAt ?? serverNow()), week, el('div.columns', composer, parts));
}

/** A line where the account and the browser have different times, with a way out. */
function zones(app, at) {
  const own = ownTimeOf(at);
  const words = missingZone() ? t('zoneMissing', missingZone(), zoneName()) : own && t('otherZone', zoneName(), timeOf(at), own);
  return words && el('p.zones', words, ' ', button(t('useOwnZone', ownZone), () => takeZone(app, ownZone), 'quiet'));
}

const near = (day, today) => (day === today ? t('today') : day === addDays(today, 1) ? t('tomorrow')
  : day === addDays(today, -1) ? t('yesterday') : '');

/** The part of the day that a slot is in; what is over comes first, and is folded. */
function partOf({ startsAt }, isEarlier) {
  const hour = Number(wallTime(startsAt).slice(0, 2));
  return isEarlier ? 'earlier' : ['night', 'morning', 'afternoon', 'evening'][Math.floor(hour / 6)];
}

/** The week of a day, with a mark at each day on which the person has a session. */
async function weekStrip(shown, today, signal) {
  const days = weekOf(shown);
  const [from, to] = [addDays(days[0], -1), addDays(days[6], 2)].map((day) => `${day}T00:00:00Z`);
  const query = new URLSearchParams({ from, to, limit: 200 });
  const { registrations } = await api('GET', `/v1/registrations?${query}`, { signal });
  return el('nav.week', { 'aria-label': t('week') }, days.map((day) => {
    const count = registrations.filter(({ slot, state }) => state !== 'cancelled' && dayOf(slot.startsAt) === day).length;
    const label = [dayWords(day), near(day, today).replace(/[,、]$/, ''), count && t('sessions', count)];
    return el('a', {
      href: `/day/${day}`, class: day === today && 'today', 'aria-current': day === shown && 'date',
      'aria-label': label.filter(Boolean).join(', '),
    }, el('span', dayWords(day, { weekday: 'short' })), el('b', Number(day.slice(8))), el('span.dots', '•'.repeat(Math.min(3, count))));
  }));
}

function row(slot, chosen, showChoice) {
  const { startsAt: id, state, registrationId, roomId, task, partners } = slot;
  const words = [el('time', { datetime: id }, timeOf(id)), mark(state), el('span.words', task && el('strong', said(task)),
    partners?.length > 0 && el('span.with', t('with'), ' ', saidNames(partners)), el('span.message', slot.message))];
  const href = roomId ? `/room/${roomId}` : `/registration/${registrationId}`;
  return el(`li.slot.${state}`, !isFree(slot) ? registrationId ? el('a', { href, id }, words) : el('div', words)
    : el('label', el('input', { id, type: 'checkbox', name: 'slot', checked: chosen.has(id), onchange({ target }) {
      chosen[target.checked ? 'add' : 'delete'](id);
      showChoice();
    } }), words));
}

/** The options of a registration: length, repetition, people to meet, and whether to be sent ales. */
function options(day, { lengths, minutes }, change) {
  const select = (name, entries, onchange) => el('select', { name, onchange: ({ target }) => onchange(target.value) },
    entries.map(([value, label]) => el('option', { value, selected: value === minutes }, label)));
  const check = (name, label) => el('label.check', el('input', { type: 'checkbox', name }), label);
  // A routine has neither of these.
  const wishes = el('div', check('favourites', t('favouritesOnly')), check('quiet', t('quietPlease')));
  return el('details.options', el('summary', t('more')),
    lengths?.length > 1 && field(t('howLong'), select('minutes', lengths.map((one) => [one, t('minutes', one)]), change)),
    field(t('repeat'), select('repeat', [['', t('once')], [`WEEKLY;BYDAY=${weekday(day)}`, t('everyWeek', dayWords(day, { weekday: 'long' }))],
      ['WEEKLY;BYDAY=MO,TU,WE,TH,FR', t('everyWeekday')], ['DAILY', t('everyDay')]], (value) => { wishes.hidden = value !== ''; })), wishes);
}

/** Registers the task. Returns the ids of the registrations; of a routine, that of the first one. */
async function register(user, { task: { value: task }, repeat, favourites, quiet }, slots, minutes) {
  if (!repeat.value) {
    const { registrations } = await api('POST', '/v1/registrations', { body: {
      task, slots: slots.map((slot) => slot.startsAt), ...minutes && { minutes: Number(minutes) },
      ...favourites.checked && { with: 'favourites' }, ...quiet.checked && { quiet: true },
    } });
    return registrations.map(({ id }) => id);
  }
  const routines = await together(user, '/v1/routines', slots.map(({ startsAt }) => ({
    task, rrule: `FREQ=${repeat.value}`, localTime: wallTime(startsAt), timeZone: zoneName(), startDate: dayOf(startsAt),
  })));
  return routines.map(({ next }) => next.find((one) => one.registrationId)?.registrationId).filter(Boolean);
}
