// What is going on, as it changes.

import { after } from './api.js';
import { el, said, toggle } from './dom.js';
import { duration, noun, number, plural } from './format.js';
import { follow } from './live.js';
import { latenessChart } from './chart.js';
import { badge, code, link, morph, slotLink, table, when } from './parts.js';

const states = {
  live: 'Live', polling: 'The stream is away; asked every 5 seconds', paused: 'Paused',
  away: 'The server cannot be reached; what is shown is old',
};

/** Follows the figures while the tab is looked at. */
export function now(app, _, signal) {
  const state = el('p.state', { role: 'status' });
  const content = el('div.figures-of-now', el('p.hint', 'Waiting for the first figures …'));
  const live = follow({ source: (path) => new EventSource(path), read: () => app.read('/now', signal), after }, {
    onNow: (figures) => morph(content, el('div.figures-of-now', draw(figures))),
    onState(name, error) {
      state.className = `state ${name}`;
      state.textContent = error?.detail ?? states[name];
    },
  });
  let isPaused = false;
  const pause = toggle('Pause', false, (isOn) => {
    isPaused = isOn;
    if (isOn) live.pause();
    else live.resume();
    return isOn;
  });
  pause.classList.add('pause');
  document.addEventListener('visibilitychange', () => {
    if (isPaused) return;
    if (document.hidden) live.pause();
    else live.resume();
  }, { signal });
  signal.addEventListener('abort', live.end);
  return el('div', el('div.head', el('h1', 'Now'), state, pause), content);
}

const tile = (value, words, href, isWorse) =>
  el(`div${isWorse ? '.worse' : ''}`, el('dt', href ? link(href, words) : words), el('dd', value));

function draw({ at, server, people, rooms, openRooms, devices, ales, alesPerSecond, slots, objectiveSeconds, deliveries, servers, reports, problems, outcomes }) {
  const { waiting, oldestSeconds, disabledEndpoints, inFlight, openCircuits } = deliveries ?? {};
  return [
    el('p.hint', 'At ', when(at), ' UTC, told by ', said(server ?? 'the server'), '.'),
    el('section', el('h2', 'Problems that need an operator'), problems?.length
      ? el('ul.problems', problems.map(problemLine)) : el('p.empty', 'There are none.')),
    el('dl.tiles', tile(number(people), noun(people, 'person in a room', 'people in rooms')),
      tile(number(openRooms ?? rooms), `${noun(openRooms ?? rooms, 'open room')}, ${number(rooms)} with people`, '/desk/rooms'),
      tile(number(devices), noun(devices, 'socket of this server', 'sockets of this server')),
      tile(number(alesPerSecond), `${noun(alesPerSecond, 'ale')} a second (${number(ales)} in all)`),
      tile(number(reports?.new), `new ${noun(reports?.new, 'report')}, ${number(reports?.taken)} taken`, '/desk/reports', reports?.new),
      tile(number(waiting), `${noun(waiting, 'delivery waits', 'deliveries wait')}${oldestSeconds ? `, ${duration(oldestSeconds)} at most` : ''}`, '/desk/deliveries'),
      tile(number(disabledEndpoints), noun(disabledEndpoints, 'disabled endpoint'), '/desk/deliveries/endpoints?state=disabled'),
      tile(number(openCircuits), `open ${noun(openCircuits, 'circuit')}, ${plural(inFlight, 'delivery', 'deliveries')} under way`, '/desk/deliveries/hosts', openCircuits)),
    lateness(slots ?? [], objectiveSeconds ?? 1),
    el('section', el('h2', 'Deliveries of the last hour'), table('Attempts of the last hour', [
      ['Outcome', ([name]) => name], ['Attempts', ([, count]) => number(count)],
    ], Object.entries(outcomes ?? {}), 'Nothing was sent.')),
    el('section', el('h2', 'Servers'), serverTable(servers ?? [])),
  ];
}

const problemLine = ({ severity, text, advice, runbook }) => el('li', badge(severity === 'page' ? 'now' : 'today', severity),
  el('p', said(text)), advice && el('p', advice), runbook && el('p.hint', 'Runbook: ', code(runbook)));

function lateness(slots, objective) {
  const opened = slots.filter(({ latenessSeconds }) => (latenessSeconds ?? null) !== null);
  const late = opened.filter(({ latenessSeconds }) => latenessSeconds > objective).length;
  const summary = `${plural(opened.length, 'slot')} opened, ${number(late)} later than the objective of ${duration(objective)}`;
  return el('section', el('h2', 'Lateness of the last slots'),
    slots.length ? [latenessChart(slots, objective, `${summary}. The table below has the numbers.`), el('p.hint', `${summary} (the dashed line).`),
      el('details', el('summary', 'The numbers'), table('Lateness of the last slots', [
        ['Slot', ({ key, startsAt, minutes }) => slotLink(key ?? (minutes ? `${startsAt}/${minutes}` : startsAt))],
        ['Lateness', ({ latenessSeconds }) => ((latenessSeconds ?? null) === null ? 'not opened' : duration(latenessSeconds))],
        ['People', (one) => number(one.people)], ['Rooms', (one) => number(one.rooms)], ['State', (one) => one.state],
      ], [...slots].reverse()))] : el('p.empty', 'No slot has opened yet.'));
}

/** The servers, as on their own screen. */
export const serverTable = (servers, acts) => table('Servers', [
  ['Server', ({ name, isThis }) => [said(name), isThis && ' (this one)']],
  ['State', ({ state, isAlive }) => badge(isAlive ? state : 'gone', !isAlive ? 'page' : state === 'serving' ? 'good' : '')],
  ['Lease', ({ leaseLeftSeconds: left }) => ((left ?? null) === null ? '–' : left < 0 ? `past by ${duration(-left)}` : `${Math.round(left)} s left`)],
  ['Version', ({ version }) => version], ['Rooms', ({ rooms }) => number(rooms)],
  ['Clock', ({ figures }) => figures && (figures.clockOffsetSeconds ?? null) !== null ? duration(figures.clockOffsetSeconds) : null],
  ['Loop lag', ({ figures }) => figures?.loopLagSeconds?.length ? `${duration(Math.max(...figures.loopLagSeconds))} at most` : null],
  ['Pool', ({ figures }) => figures?.pool && `${figures.pool.leased} leased, ${figures.pool.idle} idle, ${figures.pool.waiting} waiting`],
  ['Sockets', ({ figures }) => figures && number(figures.sockets)],
  ['Up for', ({ figures }) => figures && (figures.uptimeSeconds ?? null) !== null ? duration(figures.uptimeSeconds) : null],
  ...acts ? [['Acts', acts]] : [],
], servers, 'No server has registered.');
