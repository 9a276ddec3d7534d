// A stay in a room whose sockets, tickets and time are the test's.

import { Connection } from '../../Sources/Web/Page/connection.js';
import { Clock, ScriptedSocket, settle } from './world.js';

export const ROOM = '11111111-0000-4000-8000-000000000001';
export const OTHER_ROOM = '22222222-0000-4000-8000-000000000002';
export const YOU = 'aaaaaaaa-0000-4000-8000-000000000001';
export const BEN = 'bbbbbbbb-0000-4000-8000-000000000002';
export const CHLOE = 'cccccccc-0000-4000-8000-000000000003';

export const addressOf = (room) => `ws://service.test/socket?id=${room}&token=ticket-of-${room}`;
export const members = () => [
  { id: YOU, name: 'Aiko', task: 'Write', tag: null, you: true, present: true },
  { id: BEN, name: 'Ben', task: 'Sort', tag: null, you: false, present: true },
];

/** Makes a stay that is not begun. `ticket`: gets the room, and its result or error is the answer. */
export function makeStay({ url, ticket = addressOf, random = () => 0.5, onChange } = {}) {
  const clock = new Clock();
  const stay = { clock, sockets: [], states: [], ales: [], asked: [], random, ticket };
  let ids = 0;
  stay.connection = new Connection({
    room: ROOM, url,
    ticket: async (room) => {
      stay.asked.push(room);
      return stay.ticket(room);
    },
    open: (url, protocols) => {
      stay.sockets.push(new ScriptedSocket(url, protocols));
      return stay.socket;
    },
    now: clock.now, after: clock.after, random: () => stay.random(),
    newID: () => `m${++ids}`,
    onChange: (state) => {
      stay.states.push(state);
      onChange?.(state, stay);
    },
    onAle: (ale) => stay.ales.push(ale),
  });
  Object.defineProperties(stay, {
    socket: { get: () => stay.sockets.at(-1) },
    state: { get: () => stay.connection.state },
  });
  /** The server lets the latest socket in. */
  stay.enter = (more = {}) => stay.socket.say({
    type: 'handshake', room: ROOM, you: YOU, epoch: 'e1', seq: 0, recovered: false,
    now: new Date(clock.time).toISOString(), startsAt: new Date(clock.time).toISOString(),
    closesAt: new Date(clock.time + 1_800_000).toISOString(), pingSeconds: 20, members: members(), ...more,
  });
  /** A member sends an ale. */
  stay.ale = (seq, more = {}) => stay.socket.say({
    type: 'aleResponse', from: BEN, seq, at: new Date(clock.time).toISOString(), ...more,
  });
  return stay;
}

/** Makes a stay that is in the room. */
export async function enteredStay(options = {}, handshake = {}) {
  const stay = makeStay(options);
  stay.connection.start();
  await settle();
  stay.enter(handshake);
  return stay;
}

/** Loses the connection, and goes on until the next socket. */
export async function reconnect(stay, code = 1006) {
  const count = stay.sockets.length;
  stay.socket.shut(code);
  await stay.clock.advance(stay.state.retryAt - stay.clock.time);
  if (stay.sockets.length !== count + 1) throw new Error('it has not reconnected');
}
