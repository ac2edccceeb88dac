import { setTimeout as after } from 'node:timers/promises';
import type { Account } from '../../accounts/index.ts';
import { raiseMoneyAlarm } from '../../money/alarms/index.ts';
import type { Channel, Channels, Offer } from '../../money/channels/index.ts';
import type { Base } from '../../platform/base.ts';
import { type RequestKey, stateOn } from '../../requests/index.ts';
import { allows, type PaymentRequestRow } from '../details.ts';
import { transferCvu } from '../payment-codes.ts';
import { keepCvu, readCvu } from './store.ts';

/** Accounts that receive the transfers of payment requests. */
export interface TransferAccounts {
  /**
   * Returns true if a connector opens accounts. Otherwise they derive from the request's number.
   */
  areOpened(): boolean;
  /**
   * Returns a request's own account, opening it if necessary. Returns null if none is available
   * now.
   */
  cvuOf(row: PaymentRequestRow, holder: Holder): Promise<string | null>;
}

type Holder = Pick<Account, 'name' | 'cuit' | 'state'>;

interface TransferAccountParts {
  connected: Channels;
  offer: Offer;
}

/** Longest time that a page waits for an account. A later load of the page shows the account. */
const patienceMs = 2_000;
/** Pause before this process tries again to open an account. */
const pauseMs = 5_000;
const mostPauses = 10_000;

const channel = 'wire_transfer';

/** An account being opened, shared by concurrent readers of the request. */
interface Opening {
  cvu: Promise<string | null>;
  /** Resolves when the wait has taken too long. */
  patience: Promise<null>;
}

const keyOf = ({ account_id: accountId, id }: PaymentRequestRow): RequestKey => ({ accountId, id });

export function createTransferAccounts(
  base: Base,
  { connected, offer }: TransferAccountParts,
): TransferAccounts {
  const { sql, clocks, log } = base;
  const underWay = new Map<string, Opening>();
  const pausedUntil = new Map<string, number>();

  const areOpened = (): boolean => connected.opens?.(channel) ?? false;

  async function opened(taker: Channel, row: PaymentRequestRow, holder: Holder) {
    const key = keyOf(row);
    const { name, cuit } = holder;
    const cvu = await taker.opener?.(channel)?.open({
      accountId: key.accountId,
      requestId: key.id,
      holder: { name, cuit },
    });
    if (cvu == null) return null;
    const own = await keepCvu(base, { key, connector: taker.name, cvu });
    if (own === null) {
      await raiseMoneyAlarm(base, {
        kind: 'reference',
        fact: `cvu of request ${key.accountId}-${key.id}`,
        message: `${taker.name} opened an account for request ${key.id} with the CVU of another request.`,
        connector: taker.name,
        accountId: key.accountId,
        requestId: key.id,
      });
    }
    return own;
  }

  /** Opens and stores the account, even if all callers have stopped waiting. */
  function begin(name: string, taker: Channel, row: PaymentRequestRow, holder: Holder): Opening {
    const cvu = opened(taker, row, holder)
      .catch((error: unknown) => {
        log.error({ err: error, connector: taker.name }, 'a transfer account could not be opened');
        return null;
      })
      .then((own) => {
        underWay.delete(name);
        if (own === null) {
          if (pausedUntil.size >= mostPauses) pausedUntil.clear();
          pausedUntil.set(name, clocks.wall.nowMs() + pauseMs);
        }
        return own;
      });
    const opening = { cvu, patience: after(patienceMs, null, { ref: false }) };
    underWay.set(name, opening);
    return opening;
  }

  async function openedFor(row: PaymentRequestRow, holder: Holder): Promise<string | null> {
    const taker = connected.choose(channel, { opens: true });
    if (!taker) return null;
    const known = await readCvu(sql, keyOf(row), taker.name);
    const isPending = stateOn(row, clocks.business.today()) === 'pending';
    if (known !== null || !isPending || holder.state !== 'active') return known;
    const name = `${taker.name} ${row.account_id}-${row.id}`;
    if ((pausedUntil.get(name) ?? 0) > clocks.wall.nowMs()) return null;
    pausedUntil.delete(name);
    const { cvu, patience } = underWay.get(name) ?? begin(name, taker, row, holder);
    return await Promise.race([cvu, patience]);
  }

  return {
    areOpened,
    async cvuOf(row, holder) {
      const { wire_transfer: transfer } = offer;
      if (!transfer || !allows(row, channel)) return null;
      if (areOpened()) return await openedFor(row, holder);
      return transfer.psp === null ? null : transferCvu(transfer.psp, row.id);
    },
  };
}
