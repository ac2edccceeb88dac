import { type Manifest, writeManifest } from '../../../src/platform/backup/manifest.ts';
import type { BackupParts } from '../../../src/platform/backup/take.ts';
import type { Clock } from '../../../src/platform/clocks.ts';

export const segmentBytes = 16;

/** Returns a clock that stopped at a moment. */
export function clockAt(moment: string): Clock {
  const now = Temporal.Instant.from(moment);
  return { now: () => now, nowMs: () => now.epochMilliseconds };
}

/** Stores a base backup that began and ended at 03:00 of a day of November 2026. */
export async function storeBase(
  { store, keys }: BackupParts,
  day: string,
  { timeline, end, id }: Pick<Manifest, 'timeline' | 'end'> & { id?: string },
): Promise<Manifest> {
  const at = `2026-11-${day}T03:00:00Z`;
  const manifest: Manifest = {
    ...({ format: 1, systemId: '1', timeline, id: id ?? `202611${day}T030000Z-aaaa` } as const),
    ...{ start: '0/0', end, segmentBytes, beganAt: at, endedAt: at, version: 180000 },
    ...{ database: 'recaudo', superuser: 'postgres', tarBytes: 0, pieces: [] },
  };
  await writeManifest(store, keys, manifest);
  return manifest;
}
