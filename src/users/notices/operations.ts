import type { Actor } from '../../platform/actor.ts';
import { accountId, listOf, oneOf } from '../../platform/http/fields.ts';
import { optional, required } from '../../platform/http/form.ts';
import { operation } from '../../platform/operations.ts';
import en from '../texts.en.json' with { type: 'json' };
import es from '../texts.es.json' with { type: 'json' };
import { type Topic, topics } from './topics.ts';

type Choose = (
  actor: Actor,
  choice: { accountId: string; topics: readonly Topic[] },
) => Promise<boolean>;

export const noticeChoosing = operation({
  name: 'notices.choose',
  act: 'notices.choose',
  texts: { en, es },
  takes: {
    account: required(accountId()),
    topics: optional(listOf(oneOf(topics), { max: topics.length })),
  },
  repeat: 'natural',
  run: (choose: Choose, { account, topics: chosen }, actor) =>
    choose(actor, { accountId: account, topics: chosen ?? [] }),
});
