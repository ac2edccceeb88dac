import { Recaudo } from '../clients/typescript/src/index.ts';

/** A task for readers who know only `llms.txt`, with a check of its completion. */
interface Task {
  /** The task, for a sandbox with its key. */
  text: string;
  /** Returns what is missing, or null if the task is done. */
  missing(recaudo: Recaudo): Promise<string | null>;
}

/** Returns a list's only item, or a sentence if there are none or several. */
async function onlyOne<T>(items: AsyncIterable<T>, what: string): Promise<T | string> {
  const found = await Array.fromAsync(items);
  const [first] = found;
  return found.length === 1 && first ? first : `${found.length} ${what}, not one`;
}

const requestOf = (recaudo: Recaudo, external_reference: string) =>
  onlyOne(
    recaudo.paymentRequests.list({ external_reference }),
    `payment requests with the reference ${external_reference}`,
  );

const debitOf = (recaudo: Recaudo, external_reference: string) =>
  onlyOne(
    recaudo.debitRequests.list({ external_reference }),
    `debits with the reference ${external_reference}`,
  );

/** Describes the first member that differs; null if none does. */
function differing(found: object | string, wanted: Record<string, unknown>): string | null {
  if (typeof found === 'string') return found;
  const values: Record<string, unknown> = { ...found };
  for (const [name, value] of Object.entries(wanted)) {
    if (values[name] !== value) return `${name} is ${values[name]}, not ${value}`;
  }
  return null;
}

export const tasks: readonly Task[] = [
  {
    text: 'Ask Ana Pérez for 1430.50 pesos, to be paid within ten days. Reference: task-1.',
    missing: async (recaudo) =>
      differing(await requestOf(recaudo, 'task-1'), {
        payer_name: 'Ana Pérez',
        first_total: 1430.5,
      }),
  },
  {
    text: 'Ask for 1000 pesos, and for 1100 if it is paid in the week after the due date. Cards must not be able to pay it. Reference: task-2.',
    missing: async (recaudo) => {
      const found = await requestOf(recaudo, 'task-2');
      const fault = differing(found, { first_total: 1000, second_total: 1100 });
      if (fault !== null || typeof found === 'string') return fault;
      const excluded: readonly string[] = found.excluded_channels ?? [];
      const open = ['credit_card', 'debit_card'].filter((one) => !excluded.includes(one));
      return open.length > 0 ? `${open.join(' and ')} can pay` : null;
    },
  },
  {
    text: 'Ask for 250 pesos and have it paid by credit card. Reference: task-3.',
    missing: async (recaudo) => {
      const found = await requestOf(recaudo, 'task-3');
      const fault = differing(found, { first_total: 250, state: 'paid' });
      if (fault !== null || typeof found === 'string') return fault;
      const byCard = found.request_result?.some(
        ({ payment_metadata }) => payment_metadata?.card_brand,
      );
      return byCard ? null : 'no card paid it';
    },
  },
  {
    text: 'Ask for 800 pesos, have it paid by card, and give 300 of them back. Reference: task-4.',
    missing: async (recaudo) => {
      const found = await requestOf(recaudo, 'task-4');
      const fault = differing(found, { first_total: 800, state: 'paid' });
      if (fault !== null || typeof found === 'string') return fault;
      const amounts = (await recaudo.paymentRequests.listRefunds(found.id)).map(
        (one) => one.amount,
      );
      return amounts.join() === '300' ? null : `refunds: ${amounts.join(', ') || 'none'}`;
    },
  },
  {
    text: 'Debit 500 pesos from a bank account whose holder signed, and let the day of the debit pass. Reference of the debit: task-5.',
    missing: async (recaudo) =>
      differing(await debitOf(recaudo, 'task-5'), { first_total: 500, state: 'paid' }),
  },
  {
    text: 'Create a debit of a bank account that is rejected for insufficient funds. Reference: task-6.',
    missing: async (recaudo) => {
      const found = await debitOf(recaudo, 'task-6');
      const fault = differing(found, { state: 'rejected' });
      if (fault !== null || typeof found === 'string') return fault;
      const told = (found.request_result ?? []).map(({ state_comment }) => state_comment ?? '');
      return told.some((text) => text.includes('R10'))
        ? null
        : `rejected otherwise: ${told.join()}`;
    },
  },
  {
    text: 'Enroll a bank account, have the mandate signed, then cancel it. Reference: task-7.',
    missing: async (recaudo) => {
      const list = recaudo.adhesions.list({ external_reference: 'task-7' });
      const found = await onlyOne(list, 'adhesions with the reference task-7');
      const fault = differing(found, { state: 'canceled' });
      if (fault !== null || typeof found === 'string') return fault;
      return found.signed_at === undefined ? 'it was never signed' : null;
    },
  },
  {
    text: 'Create a QR for 150 pesos, whose id ends in TASK-8, and pay it as a wallet would.',
    missing: async (recaudo) => {
      const { id } = await recaudo.account();
      const qr = await recaudo.qr.get(`${id}-TASK-8`).catch(({ message }: Error) => message);
      return differing(qr, { first_total: 150, status: 'Paid' });
    },
  },
  {
    text: 'Have events of paid payment requests, and no others, sent to http://127.0.0.1:9/task-9.',
    missing: async (recaudo) => {
      const all = await recaudo.webhooks.list();
      const own = all.filter(({ url }) => url === 'http://127.0.0.1:9/task-9');
      const names = own.flatMap(({ events }) => events.map(({ name }) => name)).join();
      return names === 'payment_request.paid' ? null : `sent there: ${names || 'nothing'}`;
    },
  },
  {
    text: 'Ask for 90 pesos, let the request expire, then have it paid in cash anyway. Reference: task-10.',
    missing: async (recaudo) => {
      const found = await requestOf(recaudo, 'task-10');
      const fault = differing(found, { first_total: 90, state: 'paid' });
      if (fault !== null || typeof found === 'string') return fault;
      const { paid_at = '', first_due_date } = found;
      return paid_at.slice(0, 10) > first_due_date.slice(0, 10) ? null : 'it was paid in time';
    },
  },
];

/** Checks each task and prints its state; returns how many are open. */
async function check(recaudo: Recaudo): Promise<number> {
  let open = 0;
  for (const [index, { text, missing }] of tasks.entries()) {
    const fault = await missing(recaudo);
    if (fault !== null) open += 1;
    const state = fault === null ? 'done' : `open (${fault})`;
    process.stdout.write(`${index + 1}. ${state}: ${text}\n`);
  }
  return open;
}

if (import.meta.main) {
  const { RECAUDO_URL = 'http://127.0.0.1:8360', RECAUDO_KEY = '' } = process.env;
  const open = await check(new Recaudo({ key: RECAUDO_KEY, baseUrl: RECAUDO_URL }));
  process.exitCode = open > 0 ? 1 : 0;
}
