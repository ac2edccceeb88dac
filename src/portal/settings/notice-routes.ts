import type { Actor } from '../../platform/actor.ts';
import { type Choice, type Topic, topicsFor, wishesFormValues } from '../../users/index.ts';
import type { Portal } from '../frame/index.ts';
import { newForm, seenIn, unlessOvertaken } from '../frame/overtaken.tsx';
import { noticesPage, noticesPath } from './notices.tsx';

export interface NoticeParts {
  digests: {
    wishes(accountId: string, userId: number): Promise<Topic[]>;
    choose(actor: Actor, choice: Choice): Promise<boolean>;
  };
}

/** Serves the choice of email notices. */
export function noticePages(portal: Portal, { digests }: NoticeParts): void {
  portal.page({
    act: 'notices.choose',
    path: noticesPath,
    async read(visit) {
      const wishes = await digests.wishes(visit.account.id, visit.user.id);
      const saved = visit.query.has('saved');
      return noticesPage(visit, { wishes, saved, ...newForm(wishesFormValues(wishes)) });
    },
  });
  portal.form({
    act: 'notices.choose',
    path: noticesPath,
    async does(visit) {
      const sent = visit.posted.getAll('topics');
      const topics = topicsFor(visit.role).filter((topic) => sent.includes(topic));
      const { seen } = seenIn(visit.posted);
      const choice = { accountId: visit.account.id, userId: visit.user.id, topics, seen };
      return await unlessOvertaken(
        async () => {
          await digests.choose(visit.actor, choice);
          return { to: visit.at(`${noticesPath}?saved=1`) };
        },
        (again) => noticesPage(visit, { wishes: topics, saved: false, ...again }),
      );
    },
  });
}
