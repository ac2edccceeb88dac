import type { FindMandate } from '../mandates/index.ts';
import { withResults } from '../money/collections/index.ts';
import type { Base, Ctx } from '../platform/base.ts';
import { amount, day, oneOf, text } from '../platform/http/fields.ts';
import { type Filled, form, optional } from '../platform/http/form.ts';
import {
  createdIn,
  type PagedList,
  pageMembers,
  pageOf,
  pageRules,
  unknownAfter,
} from '../platform/http/paging.ts';
import { listRequests } from '../requests/index.ts';
import { type DebitKind, type DebitRow, mandateOf } from './debit.ts';
import type { FoundDebit } from './get.ts';
import { debitStates } from './schema.ts';

const members = {
  ...pageMembers,
  state: optional(oneOf(debitStates)),
  adhesion_holder_name: optional(text({ max: 50 })),
  first_due_date_gte: optional(day()),
  first_due_date_lte: optional(day()),
  first_total_gte: optional(amount({ min: 0 })),
  first_total_lte: optional(amount({ min: 0 })),
};

/** Query of GET /debit-request and GET /card-debit-request. Days are inclusive. */
export const listQuery = form(members, pageRules);

type ListQuery = Filled<typeof members>;

/**
 * Lists the account's debits of a kind in commit order. Skips the count when `after` is set, which
 * keeps deep pages fast.
 */
export const listDebits =
  ({ reads, clocks }: Base, findMandate: FindMandate) =>
  async ({ accountId }: Ctx, kind: DebitKind, query: ListQuery): Promise<PagedList<FoundDebit>> => {
    const page = pageOf(query);
    const filters = {
      ...createdIn(query),
      id: query.id,
      state: query.state,
      external_reference: query.external_reference,
      payer: query.adhesion_holder_name,
      dueFrom: query.first_due_date_gte,
      dueUntil: query.first_due_date_lte,
      totalFrom: query.first_total_gte,
      totalUntil: query.first_total_lte,
    };
    const { found, totalCount } = await reads.read({ accountId }, async ({ sql, settled }) => {
      const listed = await listRequests<DebitRow>(sql, accountId, kind, filters, {
        ...page,
        today: clocks.business.today(),
        settledHere: settled,
      });
      if (!listed) throw unknownAfter(members);
      const { rows, totalCount } = listed;
      return { found: await withResults(sql, rows), totalCount };
    });
    // Concurrent look-ups of mandates share a statement.
    const withMandates = found.map(async ({ row, results }) => ({
      row,
      results,
      mandate: await mandateOf(row, findMandate),
    }));
    return { ...page, rows: await Promise.all(withMandates), totalCount };
  };
