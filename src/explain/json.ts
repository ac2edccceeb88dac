import { formatDay, isoDateTime } from '../kernel/dates.ts';
import { decimalText } from '../kernel/money.ts';
import { ledgerAccountName } from '../money/ledger/index.ts';
import { actorText } from '../platform/actor.ts';
import type { Life } from './life.ts';

const moment = (at: Temporal.Instant | null): string | null => at && isoDateTime(at);

const requestOf = ({ row, state, origin }: Life) => ({
  account: row.account_id,
  id: row.id,
  kind: row.kind,
  code: row.kind === 'qr' ? row.code : null,
  state,
  state_comment: row.state_comment ?? null,
  payer: row.payer,
  description: row.description,
  reference: row.reference,
  mandate: row.mandate_id,
  imported: origin && { import: origin.id, file: origin.fileName, row: origin.row },
  total: decimalText(row.total1),
  due: formatDay(row.due1),
});

const stepsOf = ({ steps }: Life) =>
  steps.map((step) => ({
    what: step.what,
    at: moment(step.at),
    by: actorText(step.actor),
    state: step.state ?? null,
    channel: step.channel,
    amount: step.amount === null ? null : decimalText(step.amount),
    connector: step.connector ?? null,
    result: step.resultId,
    reason: step.words,
  }));

const journalsOf = ({ journals }: Life) =>
  journals.map(({ id, kind, result_id, on_date, at, accounts, amounts, seal }) => ({
    id,
    kind,
    result: result_id,
    day: formatDay(on_date),
    at: moment(at),
    lines: accounts.map((account, index) => ({
      account: ledgerAccountName(account),
      amount: decimalText(amounts[index] ?? (0 as never)),
    })),
    seal: typeof seal === 'string' ? seal : { no: seal.no, at: moment(seal.at) },
  }));

const movesOf = ({ refunds, disputes, runs, payouts }: Life) => ({
  refunds: refunds.map(({ id, amount, state, way, requested_at, ended_at, comment }) => ({
    id,
    amount: decimalText(amount),
    state,
    way,
    requested_at: moment(requested_at),
    ended_at: moment(ended_at),
    comment,
  })),
  disputes: disputes.map(({ id, state, amount, taken, reason, connector, name, opened_at }) => ({
    id,
    state,
    amount: decimalText(amount),
    taken: decimalText(taken),
    reason,
    connector,
    name,
    opened_at: moment(opened_at),
  })),
  runs: runs.map(({ no, state, submit_on, run_on, amount, code, file_id }) => ({
    no,
    state,
    submit_on: formatDay(submit_on),
    run_on: formatDay(run_on),
    amount: decimalText(amount),
    code,
    file: file_id,
  })),
  payouts: payouts.map(({ result, payout }) => ({
    id: payout.id,
    reference: payout.reference,
    amount: decimalText(payout.amount),
    sent_at: moment(payout.sent_at),
    result: result.id,
  })),
});

/** Presents a payment's history for the operator's programs. */
export const lifeJson = (life: Life): Record<string, unknown> => ({
  request: requestOf(life),
  steps: stepsOf(life),
  journals: journalsOf(life),
  ...movesOf(life),
  lines: life.lines.map(({ file, line }) => ({
    file: file.id,
    name: file.name,
    rail: file.rail,
    line: line.line,
    outcome: line.outcome,
    amount: decimalText(line.amount),
  })),
  sent_in: life.sent.map(({ id, name, rail }) => ({ file: id, name, rail })),
  deliveries: life.deliveries.map(({ type, webhook_id, url, state, tries, last_at, ...last }) => ({
    type,
    webhook: webhook_id,
    url,
    state,
    tries,
    last_at: moment(last_at),
    status: last.status,
    error: last.error,
  })),
  faults: life.faults,
  left_out: life.leftOut,
});
