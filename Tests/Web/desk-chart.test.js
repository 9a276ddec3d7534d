import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { bars } from '../../Sources/Console/Page/chart.js';

const size = { width: 100, height: 60 };
const slots = (...values) => values.map((latenessSeconds) => ({ latenessSeconds }));

describe('the bars of lateness', () => {
  test('stand beside each other, and are as high as they are late', () => {
    const { line, bars: all } = bars(slots(0.75, 1.5), 1, size);
    assert.equal(line, 20);
    assert.deepEqual(all.map(({ x, width, height, kind }) => [x, width, height, kind]), [[7.5, 35, 30, 'good'], [57.5, 35, 60, 'late']]);
  });

  test('make room for the latest, and the line of the objective sinks', () => {
    const { line, bars: all } = bars(slots(6, 1), 1, size);
    assert.deepEqual([line, ...all.map(({ height }) => height)], [50, 60, 10]);
    assert.deepEqual(all.map(({ kind }) => kind), ['late', 'good']);
  });

  test('are to be seen where a slot was on time, and none where it was not opened', () => {
    const { bars: all } = bars(slots(0, -0.1, null, undefined), 1, size);
    assert.deepEqual(all.map(({ height }) => height), [2, 2, 0, 0]);
    assert.deepEqual(all.map(({ kind }) => kind), ['good', 'good', 'none', 'none']);
  });

  test('of no slot are none', () => assert.deepEqual(bars([], 1, size), { line: 20, bars: [] }));
});
