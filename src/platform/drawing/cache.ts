import { hash } from 'node:crypto';

type Drawing = string | Buffer;

/** Caches drawings, which are slow to make. */
export interface DrawingCache {
  /**
   * Returns the drawing of a JSON model. Draws it if it is not cached. Concurrent callers share one
   * drawing. Evicts the least recently used drawings.
   */
  get(kind: string, model: unknown, draw: () => Drawing | Promise<Drawing>): Promise<Drawing>;
}

/** Creates a cache of at most this many bytes. */
export function keepDrawn(mostBytes: number): DrawingCache {
  const drawings = new Map<string, Drawing>();
  const underWay = new Map<string, Promise<Drawing>>();
  let bytes = 0;

  const keep = (name: string, drawing: Drawing): void => {
    if (drawing.length > mostBytes) return;
    drawings.set(name, drawing);
    bytes += drawing.length;
    for (const [oldest, { length }] of drawings) {
      if (bytes <= mostBytes) return;
      drawings.delete(oldest);
      bytes -= length;
    }
  };

  const drawOnce = async (name: string, draw: () => Drawing | Promise<Drawing>) => {
    const drawing = await draw();
    keep(name, drawing);
    return drawing;
  };

  return {
    async get(kind, model, draw) {
      const name = hash('sha256', `${kind} ${JSON.stringify(model)}`, 'base64url');
      const found = drawings.get(name);
      if (found !== undefined) {
        // Reinsert at the end: a Map's first entry is the least recently used.
        drawings.delete(name);
        drawings.set(name, found);
        return found;
      }
      const drawing = underWay.get(name) ?? drawOnce(name, draw);
      underWay.set(name, drawing);
      try {
        return await drawing;
      } finally {
        underWay.delete(name);
      }
    },
  };
}
