// A session as a file for a calendar (RFC 5545).

/** Folds a line after at most 75 octets of UTF-8 (RFC 5545 §3.1), and never within a character. */
export function fold(line) {
  const octets = (text) => new TextEncoder().encode(text).length;
  let [folded, length] = ['', 0];
  for (const character of line) {
    if (length + octets(character) > 75) [folded, length] = [`${folded}\r\n `, 1];
    folded += character;
    length += octets(character);
  }
  return folded;
}

/** Returns the file of a registration, with an alarm a minute before it. `now`: in ms; `home`: the address of the page. */
export function calendar({ id, slot, task }, now, home) {
  const stamp = (at) => new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');
  const text = task.replace(/[\\;,]/g, '\\$&');
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//letsswitch//page//EN', 'BEGIN:VEVENT', `UID:${id}`,
    `DTSTAMP:${stamp(now)}`, `DTSTART:${stamp(slot.startsAt)}`, `DTEND:${stamp(slot.endsAt)}`, `SUMMARY:${text}`,
    `URL:${home}/registration/${id}`, 'BEGIN:VALARM', 'ACTION:DISPLAY', `DESCRIPTION:${text}`, 'TRIGGER:-PT1M',
    'END:VALARM', 'END:VEVENT', 'END:VCALENDAR', ''].map(fold).join('\r\n');
}
