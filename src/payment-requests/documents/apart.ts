import { jobsInThread } from '../../platform/drawing/thread.ts';
import type { jobs } from './jobs.ts';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/** Draws documents in a worker thread. */
export const drawApart = jobsInThread<typeof jobs>(new URL(`./jobs.${extension}`, import.meta.url));
