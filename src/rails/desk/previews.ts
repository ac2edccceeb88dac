import type { Clock } from '../../platform/clocks.ts';
import type { Preview } from './preview.ts';

/** For so long nobody reads a file again; an import that is confirmed decides for itself. */
const keptMs = 60_000;
const mostKept = 8;

interface Kept {
  since: number;
  preview: Promise<Preview>;
}

/** Previews of the last minute: pages that are loaded again, or at once, read a file once. */
export function createPreviews(wall: Clock) {
  const previews = new Map<number, Kept>();
  return {
    async of(id: number, read: () => Promise<Preview>): Promise<Preview> {
      const found = previews.get(id);
      if (found && wall.nowMs() - found.since < keptMs) return await found.preview;
      const one = { since: wall.nowMs(), preview: read() };
      previews.delete(id);
      previews.set(id, one);
      const [oldest] = previews.keys();
      if (previews.size > mostKept && oldest !== undefined) previews.delete(oldest);
      try {
        const preview = await one.preview;
        // Otherwise a slow preview would never be cached.
        one.since = wall.nowMs();
        return preview;
      } catch (error) {
        if (previews.get(id) === one) previews.delete(id);
        throw error;
      }
    },
    /** An import or removal may change the effects of other files. */
    forget: () => previews.clear(),
  };
}
