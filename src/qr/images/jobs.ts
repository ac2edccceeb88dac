import type { DrawingJobs } from '../../platform/drawing/thread.ts';
import { drawQr } from './image.ts';

/** Jobs of the drawing thread. */
export const jobs = {
  png: (payload: string): Buffer => drawQr.png(payload),
  svg: (payload: string): string => drawQr.svg(payload),
} satisfies DrawingJobs;
