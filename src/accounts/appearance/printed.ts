import type { DrawingCache } from '../../platform/drawing/cache.ts';
import { jobsInThread } from '../../platform/drawing/thread.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { readLogo } from './change.ts';
import { pngMark } from './picture.ts';
import type { jobs } from './print-picture.ts';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const drawApart = jobsInThread<typeof jobs>(
  new URL(`./print-picture.${extension}`, import.meta.url),
);

/** Returns an account's logo, prepared for documents, or null. */
export const printedLogos =
  (sql: Queryable, drawn: DrawingCache) =>
  async (accountId: string, hash: string): Promise<Buffer | null> => {
    const content = await readLogo(sql, accountId, hash);
    if (content === null || !content.subarray(0, pngMark.length).equals(pngMark)) return content;
    const draw = () => drawApart({ account: accountId }, 'printedLogo', content);
    return Buffer.from(await drawn.get('logo', { hash }, draw));
  };
