import type { Ctx } from '../../platform/base.ts';
import type { AccountVisit } from './visit.ts';

/** Parses a number in an address, or returns null. */
export function numberIn(text = ''): number | null {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) ? id : null;
}

/** Returns the id in an address, or 0, which no entity has, if it is not a number. */
export const idIn = ({ params }: { params: Readonly<Record<string, string>> }): number =>
  numberIn(params.id) ?? 0;

/** Returns the context of verbs that a member runs on behalf of an account. */
export const ctxOf = ({ account, actor }: AccountVisit): Ctx => ({
  accountId: account.id,
  actor,
});
