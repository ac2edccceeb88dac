import type { Portal } from '../../frame/index.ts';
import { type OperatorHomeParts, readAttention } from './model.ts';
import { operatorHomePage } from './views.tsx';

export type { OperatorHomeParts } from './model.ts';

export function operatorHomePages(portal: Portal, parts: OperatorHomeParts): void {
  portal.page({
    act: 'health.see',
    path: '/',
    read: async (visit) => operatorHomePage(visit, await readAttention(parts)),
  });
}
