import { type AccountAct, type AccountRole, mayDo } from '../acts.ts';

/** Topics of notices, with the permission that each requires. */
const topicActs = {
  rejected_debits: 'debits.see',
  disputes: 'requests.see',
  payouts: 'money.see',
  webhooks: 'integrations.see',
  summary: 'home.see',
} as const satisfies Record<string, AccountAct>;

export type Topic = keyof typeof topicActs;

export const topics = Object.keys(topicActs) as Topic[];

export const topicsFor = (role: AccountRole): Topic[] =>
  topics.filter((topic) => mayDo(role, topicActs[topic]));
