import type { Actor } from '../../platform/actor.ts';
import { type Topic, topicsFor } from '../../users/index.ts';
import type { Portal } from '../frame/index.ts';
import { noticesPage, noticesPath } from './notices.tsx';

export interface NoticeParts {
  digests: {
    wishes(accountId: string, userId: number): Promise<Topic[]>;
    choose(
      actor: Actor,
      wish: { accountId: string; userId: number; topics: readonly Topic[] },
    ): Promise<boolean>;
  };
}

/** What somebody is told of by mail, as he chooses for himself. */
export function noticePages(portal: Portal, { digests }: NoticeParts): void {
  portal.page({
    act: 'notices.choose',
    path: noticesPath,
    read: async (visit) =>
      noticesPage(visit, {
        wishes: await digests.wishes(visit.account.id, visit.user.id),
        saved: visit.query.has('saved'),
      }),
  });
  portal.form({
    act: 'notices.choose',
    path: noticesPath,
    async does(visit) {
      const sent = visit.posted.getAll('topics');
      const topics = topicsFor(visit.role).filter((topic) => sent.includes(topic));
      const wish = { accountId: visit.account.id, userId: visit.user.id, topics };
      await digests.choose(visit.actor, wish);
      return { to: visit.at(`${noticesPath}?saved=1`) };
    },
  });
}
