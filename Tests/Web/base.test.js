import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';

const top = mkdtempSync(join(tmpdir(), 'base-'));
after(() => rmSync(top, { recursive: true }));

/** The module as it is loaded where the page has the path `${top}/switch`. */
async function load(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(top, 'package.json'), '{"type":"module"}');
  copyFileSync(new URL('../../Sources/Web/Page/base.js', import.meta.url), join(folder, 'base.js'));
  return import(join(folder, 'base.js'));
}

describe('the path of the page', () => {
  test('is what is above the folder of its files', async () => {
    const { base, inside } = await load(join(top, 'switch/page/0123456789abcdef'));
    assert.equal(base, `${top}/switch`);
    for (const [path, within] of [
      [base, '/'], [`${base}/`, '/'], [`${base}/day`, '/day'], [`${base}/switch/day`, '/switch/day'],
      [`${base}board/day`, `${base}board/day`], ['/day', '/day'],
    ]) assert.equal(inside(path), within, path);
  });

  test('is empty at the top of a host', async () => {
    const { base, inside } = await load(join(top, 'elsewhere'));
    assert.equal(base, '');
    for (const path of ['/', '/day', '/room/1']) assert.equal(inside(path), path);
  });
});
