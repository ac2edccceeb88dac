import type { Portal } from '../frame/index.ts';
import { type HomeParts, readHome } from './model.ts';
import { homePage } from './views.tsx';

export function homePages(portal: Portal, parts: HomeParts): void {
  portal.page({
    act: 'home.see',
    path: '/',
    read: async (visit) => homePage(visit, await readHome(parts, visit)),
  });
}
