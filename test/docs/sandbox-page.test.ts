import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { channelCodes } from '../../src/money/channels/index.ts';
import { packageRoot } from '../../src/package-root.ts';

test('names each channel on which the sandbox can simulate a payment', async () => {
  const text = await readFile(path.join(packageRoot(), 'docs/reference/sandbox.md'), 'utf8');
  expect(channelCodes.filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
});
