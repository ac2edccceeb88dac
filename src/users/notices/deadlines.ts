import type { Centavos } from '../../kernel/money.ts';
import { isolated, unlinked } from '../../kernel/text.ts';
import { momentText, moneyText } from '../../platform/pages/format.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { accountRoles, mayDo } from '../acts.ts';
import { queueLetter } from '../letters.ts';
import { type User, userColumns } from '../user.ts';

/** A dispute that takes evidence until a moment. */
export interface Deadline {
  requestId: number;
  amount: Centavos;
  dueAt: Temporal.Instant;
}

interface Due {
  account: { id: string; name: string };
  /** The first of them is due first. */
  deadlines: readonly Deadline[];
  /** Where the portal lists them. */
  page: string;
}

/** Of more people than these the first are told. */
export const mostToldOfDeadlines = 50;
/** So many are listed one by one. */
const mostLines = 10;

/** People who can act on a dispute: look for evidence, or give the money back. */
const answering = accountRoles.filter(
  (role) => mayDo(role, 'requests.withdraw') || mayDo(role, 'requests.refund'),
);

type Words = { subject: string; body: string };
type Reader = Pick<User, 'name' | 'lang'>;

function linesOf({ lang }: Reader, deadlines: readonly Deadline[]): string {
  const lines = deadlines.slice(0, mostLines).map(({ requestId, amount, dueAt }) => {
    const [money, until] = [moneyText(lang, amount), momentText(lang, dueAt)];
    return lang === 'es'
      ? `- cobro ${requestId}, ${money}: hasta el ${until}`
      : `- request ${requestId}, ${money}: until ${until}`;
  });
  const more = deadlines.length - lines.length;
  if (more > 0) lines.push(lang === 'es' ? `- y ${more} más` : `- and ${more} more`);
  return lines.join('\n');
}

/** The letter about disputes whose evidence is due. */
function deadlineWords(reader: Reader, { account, deadlines, page }: Due): Words {
  const [place, whom] = [unlinked(isolated(account.name)), unlinked(isolated(reader.name))];
  const [count, lines] = [deadlines.length, linesOf(reader, deadlines)];
  if (reader.lang === 'en') {
    const what =
      count === 1 ? 'evidence of a dispute is due' : `evidence of ${count} disputes is due`;
    return {
      subject: `${place}: ${what}`,
      body: `Hello, ${whom}:\n\nAt ${place} ${what}:\n${lines}\n\nSend the evidence to whoever operates the service before that: the acquirer takes none afterwards, and the money may be lost. See the disputes at:\n${page}\n`,
    };
  }
  const what =
    count === 1 ? 'vencen las pruebas de una disputa' : `vencen las pruebas de ${count} disputas`;
  return {
    subject: `${place}: ${what}`,
    body: `Hola, ${whom}:\n\nEn ${place} ${what}:\n${lines}\n\nMandá las pruebas a quien opera el servicio antes de ese momento: después el adquirente no las recibe, y el dinero se puede perder. Las disputas están en:\n${page}\n`,
  };
}

/** Queues a letter to each person of an account who can answer its disputes, owners first. */
export async function tellOfDeadlines(
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
    await queueLetter(tx, { ...letter, ...deadlineWords(reader, due) }, now);
  }
}
