import { decimalText } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import { line, recordId } from '../../platform/http/fields.ts';
import { required } from '../../platform/http/form.ts';
import { listing } from '../../platform/listings.ts';
import { operation } from '../../platform/operations.ts';
import type { Queryable, Sql } from '../../platform/postgres/connect.ts';
import { refusal } from './codes.ts';
import type { Decision } from './decide.ts';
import { isOfAccount, type Proposal, type ProposalKind } from './proposal.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

interface Decider {
  sql: Queryable;
  kind: ProposalKind;
  /** The deciding user. Null if a command names nobody, and then every decision throws 404. */
  by: number | null;
  /** The account whose proposals this user decides. Absent for all accounts. */
  accountId?: string;
}

/** Prepares a decision on a proposal by its number. Throws 404 if this user cannot see it. */
async function decisionOn(
  { sql, kind, by, accountId }: Decider,
  id: number,
  actor: Actor,
): Promise<Decision> {
  const { findProposal } = await import('./store.ts');
  const row = by === null ? null : await findProposal(sql, kind, id);
  if (by === null || !row || row.account_id !== (accountId ?? row.account_id)) {
    throw refusal('proposal.not_found', {});
  }
  return { accountId: row.account_id, id, by, actor };
}

interface Approver extends Decider {
  approve(decision: Decision): Promise<Proposal>;
}

interface Rejecter extends Decider {
  reject(kind: ProposalKind, rejection: Decision & { reason: string }): Promise<Proposal>;
}

const texts = { en, es };
const id = required(recordId());

const presentProposal = ({ id: proposal, account_id, amount }: Proposal, state: string) => ({
  id: proposal,
  state,
  account: account_id,
  amount: decimalText(amount),
});

const approving = <const Act extends string>(act: Act) =>
  operation({
    name: 'proposal.approve',
    repeat: 'natural',
    act,
    texts,
    takes: { id },
    run: async (approver: Approver, input, actor) =>
      await approver.approve(await decisionOn(approver, input.id, actor)),
    command: {
      arguments: ['id'],
      operator: 'always',
      shows: (_, row) =>
        presentProposal(
          row,
          row.state === 'waiting' ? 'approved by one of two operators' : 'approved and done',
        ),
    },
  });

const rejecting = <const Act extends string>(act: Act) =>
  operation({
    name: 'proposal.reject',
    repeat: 'natural',
    act,
    texts,
    takes: { id, reason: required(line({ max: 255 })) },
    run: async (rejecter: Rejecter, { id: proposal, reason }, actor) => {
      const decision = await decisionOn(rejecter, proposal, actor);
      return await rejecter.reject(rejecter.kind, { ...decision, reason });
    },
    command: {
      arguments: ['id'],
      operator: 'always',
      shows: (_, row) => presentProposal(row, 'rejected'),
    },
  });

export type ProposalApproving<Act extends string = string> = ReturnType<typeof approving<Act>>;
export type ProposalRejecting<Act extends string = string> = ReturnType<typeof rejecting<Act>>;

/** Decisions of a second person, by kind of proposal. */
export const payoutApproving = approving('payouts.approve');
export const payoutRejecting = rejecting('payouts.approve');
export const correctionApproving = approving('corrections.approve');
export const correctionRejecting = rejecting('corrections.approve');
export const refundApproving = approving('refunds.approve');
export const refundRejecting = rejecting('refunds.approve');

const mostListed = 1_000;

type Named = Proposal & { author: string };

async function namedWaiting(sql: Sql, kind: ProposalKind): Promise<Named[]> {
  const [{ listWaiting }, { namesOf }] = await Promise.all([
    import('./store.ts'),
    import('../../users/index.ts'),
  ]);
  const rows = await listWaiting(sql, kind, mostListed);
  const names = await namesOf(
    sql,
    rows.map((row) => row.proposed_by),
  );
  return rows.map((row) => ({
    ...row,
    author: names.get(row.proposed_by) ?? String(row.proposed_by),
  }));
}

const waiting = <const Act extends string>(kind: ProposalKind, act: Act) =>
  listing({
    name: 'proposal.proposals',
    act,
    whole: true,
    texts,
    read: (sql: Sql) => namedWaiting(sql, kind),
    columns: {
      id: { kind: 'text', of: (row) => row.id },
      account: { kind: 'text', of: (row) => row.account_id },
      reference: { kind: 'code', of: (row) => row.reference },
      amount: { kind: 'money', of: (row) => row.amount },
      proposed_by: { kind: 'text', of: (row) => row.author },
      proposed_for: {
        kind: 'text',
        of: (row) => (isOfAccount(row) ? 'the account' : 'the service'),
      },
      proposed_at: { kind: 'moment', of: (row) => row.proposed_at },
      expires_at: { kind: 'moment', of: (row) => row.expires_at },
    },
  });

export type ProposalList = ReturnType<typeof waiting>;

/** Lists proposals that await a second operator, oldest first. */
export const payoutProposals = waiting('payout', 'payouts.see');
export const correctionProposals = waiting('correction', 'corrections.see');
