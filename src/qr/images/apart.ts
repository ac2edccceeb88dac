import { jobsInThread } from '../../platform/drawing/thread.ts';
import type { jobs } from './jobs.ts';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/** Draws codes and posters in a worker thread. */
export const drawQrApart = jobsInThread<typeof jobs>(
  new URL(`./jobs.${extension}`, import.meta.url),
);
