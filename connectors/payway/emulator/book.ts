import { openStore } from '../../protocol/store.ts';
import type { Behavior, Brand } from './cards.ts';

export interface Token {
  id: string;
  bin: string;
  lastFour: string;
  brand: Brand;
  behavior: Behavior;
  holder: unknown;
  used: boolean;
}

/** A card used in a payment, stored under the user named there. */
export interface CardToken {
  id: string;
  user: string;
  method: number;
  token: Omit<Token, 'id' | 'used'>;
}

export interface Refund {
  id: number;
  amount: number;
  date_created: string;
  status: string;
  date_canceled: string | null;
}

export interface Payment {
  id: number;
  site_transaction_id: string;
  payment_method_id: number;
  card_brand: string;
  amount: number;
  status: string;
  error: { type: string; reason: { id: number; description: string } } | null;
  date: string;
  bin: string;
  last_four: string;
  installments: number;
  establishment_name: string | null;
  aggregate_data: unknown;
  /** Time of a scheduled event, such as the end of a review. */
  settles_at: number | null;
  /** Until then neither search nor read shows the payment. */
  hidden_until: number;
  challenge: boolean;
  in_closed_lot: boolean;
  refunds: Refund[];
}

/** The acquirer's records, written to disk before any answer. */
export interface Book {
  token: (id: string) => Token | null;
  addToken: (token: Token) => Promise<void>;
  /**
   * Spends the token and books the payment in one step. `repeated`: the reference exists. `spent`:
   * the token was spent meanwhile.
   */
  pay: (token: Token, payment: Omit<Payment, 'id'>) => Promise<Payment | 'repeated' | 'spent'>;
  payment: (id: number) => Payment | null;
  cardToken: (id: string) => CardToken | null;
  cardTokensOf: (user: string) => CardToken[];
  keepCard: (card: CardToken) => Promise<void>;
  forgetCard: (id: string) => Promise<boolean>;
  byReference: (reference: string) => Payment | null;
  list: (offset: number, limit: number) => Payment[];
  save: (payment: Payment) => Promise<void>;
  closeLots: (method: number | null) => Promise<number>;
  close: () => void;
}

const tables = `
  create table if not exists tokens (id text primary key, body text not null) strict;
  create table if not exists payments (
    id integer primary key, reference text not null unique, body text not null) strict;
  create table if not exists card_tokens (
    id text primary key, user text not null, body text not null) strict;`;

const firstId = 7_700_001;

export function openBook(folder: string): Book {
  const { database, write, close } = openStore(folder, 'emulator.sqlite', tables);
  const readToken = database.prepare('select body from tokens where id = ?');
  const putToken = database.prepare(
    'insert into tokens values (?, ?) on conflict (id) do update set body = excluded.body',
  );
  const readPayment = database.prepare('select body from payments where id = ?');
  const readReference = database.prepare('select body from payments where reference = ?');
  const listPayments = database.prepare(
    'select body from payments order by id desc limit ? offset ?',
  );
  const addPayment = database.prepare('insert into payments values (?, ?, ?)');
  const setPayment = database.prepare('update payments set body = ? where id = ?');
  const readCard = database.prepare('select body from card_tokens where id = ?');
  const readCards = database.prepare('select body from card_tokens where user = ? order by id');
  const putCard = database.prepare('insert into card_tokens values (?, ?, ?)');
  const dropCard = database.prepare('delete from card_tokens where id = ?');
  const lastId = database.prepare('select max(id) as id from payments');

  const parsed = <T>(row: Record<string, unknown> | undefined): T | null =>
    row ? JSON.parse(String(row.body)) : null;
  const token = (id: string): Token | null => parsed(readToken.get(id));
  const byReference = (reference: string): Payment | null => parsed(readReference.get(reference));

  return {
    token,
    addToken: (one) => write(() => void putToken.run(one.id, JSON.stringify(one))),
    pay: (one, draft) =>
      write(() => {
        if (byReference(draft.site_transaction_id)) return 'repeated';
        if (token(one.id)?.used !== false) return 'spent';
        putToken.run(one.id, JSON.stringify({ ...one, used: true }));
        const payment = { ...draft, id: Number(lastId.get()?.id ?? firstId - 1) + 1 };
        addPayment.run(payment.id, payment.site_transaction_id, JSON.stringify(payment));
        return payment;
      }),
    payment: (id) => parsed(readPayment.get(id)),
    cardToken: (id) => parsed(readCard.get(id)),
    cardTokensOf: (user) => readCards.all(user).map((row) => JSON.parse(String(row.body))),
    keepCard: (card) => write(() => void putCard.run(card.id, card.user, JSON.stringify(card))),
    forgetCard: (id) => write(() => dropCard.run(id).changes > 0),
    byReference,
    list: (offset, limit) =>
      listPayments.all(limit, offset).map((row) => JSON.parse(String(row.body))),
    save: (payment) => write(() => void setPayment.run(JSON.stringify(payment), payment.id)),
    closeLots: (method) =>
      write(() => {
        const open = listPayments
          .all(-1, 0)
          .map((row): Payment => JSON.parse(String(row.body)))
          .filter((one) => !one.in_closed_lot)
          .filter((one) => method === null || one.payment_method_id === method);
        for (const one of open) {
          setPayment.run(JSON.stringify({ ...one, in_closed_lot: true }), one.id);
        }
        return open.length;
      }),
    close,
  };
}
