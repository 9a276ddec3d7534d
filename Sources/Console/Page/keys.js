// The keys of the desk: `g` and then a letter goes to a place, and single keys do something.

export const limits = { between: 1500 };

/**
 * Returns a function that takes the keys one after the other, and returns what each asks for: the name of a place, of
 * an act, or null.
 */
export function makeKeys(places, acts, now) {
  let begun = -Infinity;
  return (key) => {
    const isSecond = now() - begun < limits.between;
    begun = -Infinity;
    if (isSecond && Object.hasOwn(places, key)) return { place: places[key] };
    if (key === 'g') {
      begun = now();
      return null;
    }
    return Object.hasOwn(acts, key) ? { act: acts[key] } : null;
  };
}

/** Whether a key is the page's: it is not part of a shortcut of the browser, and no field has the focus. */
export function isOurs({ ctrlKey, metaKey, altKey, repeat, isComposing, target }) {
  if (ctrlKey || metaKey || altKey || repeat || isComposing) return false;
  return !target.closest?.('input:not([type=checkbox], [type=radio]), select, textarea, dialog, [contenteditable]');
}
