import type { Portal } from '../../frame/index.ts';
import { type HealthParts, readHealth } from './model.ts';
import { healthPage } from './views.tsx';

export type { HealthParts } from './model.ts';

export function healthPages(portal: Portal, parts: HealthParts): void {
  portal.page({
    act: 'health.see',
    path: '/health',
    read: async (visit) => healthPage(visit, await readHealth(parts)),
  });
}
