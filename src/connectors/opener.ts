import type { AccountOutcome, OpenOrder } from '../../connectors/protocol/messages.ts';
import { isCvu } from '../kernel/cbu.ts';
import type { AccountOpener, AlarmKind } from '../money/channels/index.ts';
import type { Base } from '../platform/base.ts';
import type { Caller, CallResult } from './call.ts';
import { accountOutcomeIn } from './check.ts';

export interface OpenerParts {
  base: Base;
  caller: Caller;
  /** Returns the longest time for an answer, in milliseconds. */
  timeoutMs(): number;
  settingsOf(accountId: string): Promise<Record<string, unknown>>;
  /** Alerts the operator. `ofAll`: other accounts would certainly fail too. */
  alarm(kind: AlarmKind, text: string, ofAll: boolean): void;
}

/**
 * Maximum number of concurrent openings. Separate from charges, so that page views do not delay
 * them.
 */
const opensAtOnce = 16;

/**
 * Opens transfer accounts at a connector. No money moves, so the same order is repeated until
 * answered.
 */
export function createOpener({
  base,
  caller,
  timeoutMs,
  settingsOf,
  alarm,
}: OpenerParts): AccountOpener {
  const { business, wall } = base.clocks;
  let underWay = 0;

  const openedBy = (outcome: AccountOutcome): string | null => {
    if (outcome.outcome === 'open') {
      if (isCvu(outcome.cvu)) return outcome.cvu;
      alarm('protocol', 'an account was opened whose number is no CVU', false);
      return null;
    }
    const text = 'alarm' in outcome ? outcome.alarm : undefined;
    if (text !== undefined) alarm('configuration', text, outcome.outcome === 'unheard');
    return null;
  };

  const read = (result: CallResult): string | null => {
    if (result.kind === 'none') {
      alarm('unreachable', result.why, false);
      return null;
    }
    const { status, body } = result;
    const outcome = status === 200 ? accountOutcomeIn(body) : null;
    if (outcome) return openedBy(outcome);
    const text = `the opening of an account got status ${status}`;
    const isConfigured = status === 401 || status === 403;
    const kind = isConfigured ? 'configuration' : status === 409 ? 'conflict' : 'protocol';
    alarm(kind, text, isConfigured);
    return null;
  };

  return {
    async open({ accountId, requestId, holder }) {
      if (underWay >= opensAtOnce) return null;
      underWay += 1;
      try {
        const timeout = timeoutMs();
        const reference = `${accountId}-${requestId}`;
        const body: OpenOrder = {
          reference,
          business_time: business.now().toString({ smallestUnit: 'millisecond' }),
          account: { id: accountId, settings: await settingsOf(accountId) },
          request: { id: String(requestId) },
          holder: { name: holder.name.slice(0, 255), cuit: holder.cuit },
          deadline: wall
            .now()
            .add({ milliseconds: timeout })
            .toString({ smallestUnit: 'millisecond' }),
        };
        const path = `/accounts/${reference}`;
        return read(await caller.call({ method: 'PUT', path, body, timeoutMs: timeout }));
      } finally {
        underWay -= 1;
      }
    },
  };
}
