import type { Actor } from '../../platform/actor.ts';
import {
  type Choice,
  noticeChoosing,
  type Topic,
  topicsFor,
  wishesFormValues,
} from '../../users/index.ts';
import type { AccountVisit, Portal } from '../frame/index.ts';
import { operationPages } from '../frame/operation.tsx';
import { seenIn } from '../frame/overtaken.tsx';
import { noticeTexts } from './notice-texts.ts';
import { noticesPage, noticesPath, topicNames } from './notices.tsx';

export interface NoticeParts {
  digests: {
    wishes(accountId: string, userId: number): Promise<Topic[]>;
    choose(actor: Actor, choice: Choice): Promise<boolean>;
  };
}

export function noticePages(portal: Portal, { digests }: NoticeParts): void {
  const wishes = ({ account, user }: AccountVisit) => digests.wishes(account.id, user.id);
  operationPages(portal, noticeChoosing, {
    path: noticesPath,
    verbOf:
      ({ user, role, posted }) =>
      (actor, { accountId, topics }) =>
        digests.choose(actor, {
          accountId,
          userId: user.id,
          topics: topicsFor(role).filter((topic) => topics.includes(topic)),
          seen: seenIn(posted).seen,
        }),
    initial: async (visit) => ({ topics: (await wishes(visit)).join(',') }),
    current: {
      read: async (visit) => wishesFormValues(await wishes(visit)),
      shows: (lang) => ({ topics: (text) => topicNames(lang, text) }),
    },
    choices: async ({ lang, role }) => {
      const choices = topicsFor(role).map((value) => ({
        value,
        ...noticeTexts[lang].topics[value],
      }));
      return { topics: { groups: [{ name: 'topics', choices }] } };
    },
    page: async (visit, form) => noticesPage(visit, form),
    done: ({ at }) => ({ to: at(`${noticesPath}?saved=1`) }),
  });
}
