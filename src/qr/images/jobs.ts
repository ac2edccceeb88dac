import type { DrawingJobs } from '../../platform/drawing/thread.ts';
import { drawQr } from './image.ts';

export const jobs = {
  png: (payload: string): Buffer => drawQr.png(payload),
  svg: (payload: string): string => drawQr.svg(payload),
  async poster(json: string, logo: Uint8Array | null): Promise<Buffer> {
    const { renderPoster } = await import('../poster/poster.ts');
    return await renderPoster(JSON.parse(json), logo && Buffer.from(logo));
  },
} satisfies DrawingJobs;
