import type { Clock } from '../../platform/clocks.ts';
import type { Preview } from './preview.ts';

/** Caches a preview this long. Imports never use the cache. */
const maxAgeMs = 60_000;
const maxPreviews = 8;

interface CachedPreview {
  since: number;
  preview: Promise<Preview>;
}

/** Caches previews, so that reloads and parallel requests read a file once. */
export function createPreviews(wall: Clock) {
  const previews = new Map<number, CachedPreview>();
  return {
    async of(id: number, read: () => Promise<Preview>): Promise<Preview> {
      const found = previews.get(id);
      if (found && wall.nowMs() - found.since < maxAgeMs) return await found.preview;
      const one = { since: wall.nowMs(), preview: read() };
      previews.delete(id);
      previews.set(id, one);
      const [oldest] = previews.keys();
      if (previews.size > maxPreviews && oldest !== undefined) previews.delete(oldest);
      try {
        const preview = await one.preview;
        // Count from the end, or a slow preview would expire before it is used.
        one.since = wall.nowMs();
        return preview;
      } catch (error) {
        if (previews.get(id) === one) previews.delete(id);
        throw error;
      }
    },
    /** Clears the cache, because an import or removal may change the effect of other files. */
    forget: () => previews.clear(),
  };
}
