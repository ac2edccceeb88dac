import type { Lang } from '../../platform/pages/model.ts';

/** What can be done about a refusal. */
export type Advice =
  | 'funds'
  | 'gone'
  | 'order'
  | 'bank'
  | 'currency'
  | 'card'
  | 'service'
  | 'wait'
  | 'other';

export const advices: Readonly<Record<Lang, Readonly<Record<Advice, string>>>> = {
  es: {
    funds: 'Avisale a quien paga y creá otro débito para un día en que tenga saldo.',
    gone: 'La adhesión quedó cancelada: pedile al titular otra cuenta y creá una adhesión nueva.',
    order: 'El titular frenó el débito en su banco: hablá con él antes de volver a debitarle.',
    bank: 'El banco no toma débitos de esta cuenta: pedile al titular una de otro banco o sucursal.',
    currency: 'La cuenta no es en pesos: pedile al titular una que sí lo sea.',
    card: 'Pedile al titular otra tarjeta y creá una adhesión nueva.',
    service: 'Es un error de los datos que se mandaron, no del titular: avisanos con este número.',
    wait: 'No hay que hacer nada: el banco todavía no dijo la última palabra.',
    other: 'Consultalo con el titular, y probá otro día o con otra cuenta.',
  },
  en: {
    funds: 'Tell the payer, and create another debit for a day on which there is money.',
    gone: 'The mandate was canceled: ask the holder for another account and create a new mandate.',
    order: 'The holder stopped the debit at the bank: talk to them before you debit again.',
    bank: 'The bank takes no debits from this account: ask for one at another bank or branch.',
    currency: 'The account is not in pesos: ask the holder for one that is.',
    card: 'Ask the holder for another card and create a new mandate.',
    service: 'What was sent had an error, which is not the holder’s: tell us this number.',
    wait: 'Nothing has to be done: the bank has not said its last word.',
    other: 'Ask the holder, and try another day or another account.',
  },
};
