import { expect, test } from 'vitest';
import { memorySettings } from '../../../src/platform/embedded/memory.ts';

const gibibyte = 1024 ** 3;

test.each([
  [0.5, '128MB', '512MB', '4MB'],
  [4, '512MB', '2048MB', '16MB'],
  [64, '1024MB', '8192MB', '16MB'],
])('leaves most of %s GiB of memory to other programs', (size, own, seen, each) => {
  expect(memorySettings(size * gibibyte)).toMatchObject({
    shared_buffers: own,
    effective_cache_size: seen,
    work_mem: each,
  });
});
