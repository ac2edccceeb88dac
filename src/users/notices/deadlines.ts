import type { Centavos } from '../../kernel/money.ts';
import { isolated, unlinked } from '../../kernel/text.ts';
import { momentText, moneyText } from '../../platform/pages/format.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { accountRoles, mayDo } from '../acts.ts';
import { queueEmail } from '../emails.ts';
import { type User, userColumns } from '../user.ts';
import { noticeTexts } from './texts.ts';

export interface Deadline {
  requestId: number;
  amount: Centavos;
  dueAt: Temporal.Instant;
}

interface Due {
  account: { id: string; name: string };
  /** Ordered by deadline. */
  deadlines: readonly Deadline[];
  /** Address of the list in the portal. */
  page: string;
}

export const mostDeadlineRecipients = 50;
/** Maximum number of listed disputes. */
const mostLines = 10;

/** Roles that can act on a dispute: submit evidence or refund. */
const answering = accountRoles.filter(
  (role) => mayDo(role, 'requests.withdraw') || mayDo(role, 'requests.refund'),
);

type Words = { subject: string; body: string };
type Reader = Pick<User, 'name' | 'lang'>;

function linesOf({ lang }: Reader, deadlines: readonly Deadline[]): string {
  const texts = noticeTexts[lang];
  const lines = deadlines.slice(0, mostLines).map(({ requestId, amount, dueAt }) =>
    texts.deadlines.line({
      id: requestId,
      amount: moneyText(lang, amount),
      until: momentText(lang, dueAt),
    }),
  );
  const more = deadlines.length - lines.length;
  if (more > 0) lines.push(texts.more({ count: more }));
  return lines.map((line) => `- ${line}`).join('\n');
}

function deadlineWords(reader: Reader, { account, deadlines, page }: Due): Words {
  const texts = noticeTexts[reader.lang].deadlines;
  const [place, whom] = [unlinked(isolated(account.name)), unlinked(isolated(reader.name))];
  const what = texts.what({ count: deadlines.length });
  const lines = linesOf(reader, deadlines);
  return {
    subject: texts.subject({ place, what }),
    body: texts.body({ whom, place, what, lines, page }),
  };
}

/** Queues an email to each user of an account who can answer its disputes, owners first. */
export async function notifyDeadlines(
  tx: Queryable,
  due: Due,
  { mailIds, now }: { mailIds: readonly number[]; now: Temporal.Instant },
): Promise<void> {
  const { id: accountId } = due.account;
  const readers = await tx<User[]>`
    with m as materialized (
      select user_id, role from memberships
      where account_id = ${accountId} and state = 'active' and role = any(${answering}::text[])
    )
    select ${userColumns(tx)} from m join users u on u.id = m.user_id
    where u.state = 'active' order by m.role = 'owner' desc, u.id limit ${mailIds.length}`;
  for (const [index, reader] of readers.entries()) {
    const letter = { accountId, id: mailIds[index] ?? 0, recipient: reader.email, link: null };
    await queueEmail(tx, { ...letter, ...deadlineWords(reader, due) }, now);
  }
}
