// Bars, as SVG: how late each of the last slots was opened, against the objective.

import { duration, slotName } from './format.js';

const WIDTH = 480;
const HEIGHT = 120;

/** Where the bars stand, in a picture of that size: the highest value, or one and a half objectives, is all of it. */
export function bars(slots, objective, { width, height }) {
  const most = Math.max(objective * 1.5, ...slots.map(({ latenessSeconds }) => latenessSeconds ?? 0));
  const step = width / Math.max(slots.length, 1);
  return {
    line: height - objective / most * height,
    bars: slots.map(({ latenessSeconds: late }, index) => ({
      x: index * step + step * 0.15, width: step * 0.7,
      // What is quick is to be seen as well.
      height: (late ?? null) === null ? 0 : Math.max(2, late / most * height),
      kind: (late ?? null) === null ? 'none' : late > objective ? 'late' : 'good',
    })),
  };
}

function svg(name, attributes, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** The picture. Its numbers are in a table beside it, for those who do not see it. */
export function latenessChart(slots, objective, words) {
  const { line, bars: all } = bars(slots, objective, { width: WIDTH, height: HEIGHT });
  return svg('svg', { class: 'chart', viewBox: `0 0 ${WIDTH} ${HEIGHT + 4}`, role: 'img', 'aria-label': words },
    ...all.map(({ x, width, height, kind }, index) => {
      const { key, startsAt, latenessSeconds } = slots[index];
      const title = `${slotName(key ?? startsAt)}: ${kind === 'none' ? 'not opened' : duration(latenessSeconds)}`;
      const shape = kind === 'none'
        ? { x, y: HEIGHT - 8, width, height: 8 } : { x, y: HEIGHT - height, width, height };
      return svg('rect', { class: kind, ...shape }, svg('title', {}, title));
    }),
    svg('line', { class: 'objective', x1: 0, x2: WIDTH, y1: line, y2: line }),
    svg('line', { class: 'ground', x1: 0, x2: WIDTH, y1: HEIGHT + 1, y2: HEIGHT + 1 }));
}
