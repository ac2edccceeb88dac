import { type AccountAct, type AccountRole, mayDo } from '../acts.ts';

/** What people may wish to be told of, and the act without which they are not. */
const topicActs = {
  rejected_debits: 'debits.see',
  disputes: 'requests.see',
  payouts: 'money.see',
  webhooks: 'integrations.see',
  summary: 'home.see',
} as const satisfies Record<string, AccountAct>;

export type Topic = keyof typeof topicActs;

export const topics = Object.keys(topicActs) as Topic[];

/** What somebody of a role may be told of. */
export const topicsFor = (role: AccountRole): Topic[] =>
  topics.filter((topic) => mayDo(role, topicActs[topic]));
