import type { Base, Ctx } from '../platform/base.ts';
import { oneOf, text } from '../platform/http/fields.ts';
import { type Filled, form, optional } from '../platform/http/form.ts';
import {
  createdIn,
  type PagedList,
  pageMembers,
  pageOf,
  pageRules,
  unknownAfter,
} from '../platform/http/paging.ts';
import type { MandateKind, MandateRow } from './mandate.ts';
import { readMandatePage } from './search.ts';

const states = ['pending_to_sign', 'signed', 'canceled'] as const;

const members = {
  ...pageMembers,
  state: optional(oneOf(states)),
  adhesion_holder_name: optional(text({ max: 50 })),
};

/** Query of GET /adhesion and GET /card-adhesion. Days are inclusive. */
export const listQuery = form(members, pageRules);

type ListQuery = Filled<typeof members>;

/**
 * Lists the account's mandates of a kind in commit order. Skips the count when `after` is set,
 * which keeps deep pages fast.
 */
export const listMandates =
  ({ reads }: Base) =>
  async (
    { accountId }: Ctx,
    kind: MandateKind,
    query: ListQuery,
  ): Promise<PagedList<MandateRow>> => {
    const page = pageOf(query);
    const filters = {
      ...createdIn(query),
      id: query.id,
      state: query.state,
      external_reference: query.external_reference,
      holder: query.adhesion_holder_name,
    };
    const listed = await reads.read({ accountId }, ({ sql, settled }) =>
      readMandatePage(sql, { accountId, kind }, filters, { ...page, settledHere: settled }),
    );
    if (!listed) throw unknownAfter(members);
    return { ...page, ...listed };
  };
