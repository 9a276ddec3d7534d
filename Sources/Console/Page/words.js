// The desk's texts for the parts that it shares with the people's page. The desk speaks English.

const table = {
  away: 'The server cannot be reached. Nothing was lost that you have typed.', broken: 'That did not work.',
  copied: 'Copied', copy: 'Copy', goBack: 'Go back',
};

export const t = (name) => table[name];

/** A setting of this browser. Storage may be switched off: then it is gone with the page. */
export function remembered(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(`letsswitch.desk.${name}`);
    if (value === null) localStorage.removeItem(`letsswitch.desk.${name}`);
    else localStorage.setItem(`letsswitch.desk.${name}`, value);
  } catch { /* See above. */ }
  return value ?? null;
}
