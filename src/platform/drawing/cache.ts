import { hash } from 'node:crypto';

type Drawing = string | Buffer;

/** Keeps what takes long to draw, for the next who asks for the same. */
export interface DrawingCache {
  /**
   * The drawing of a kind of what `model` says, which is JSON: drawn once for those who ask at the
   * same time, and kept until others were asked for more lately.
   */
  get(kind: string, model: unknown, draw: () => Drawing | Promise<Drawing>): Promise<Drawing>;
}

/** Keeps drawings within so many bytes. */
export function keepDrawn(mostBytes: number): DrawingCache {
  const drawings = new Map<string, Drawing>();
  const underWay = new Map<string, Promise<Drawing>>();
  let bytes = 0;

  const keep = (name: string, drawing: Drawing): void => {
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
        // Put again at the end: the first of a Map is the one that was not asked for the longest.
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
