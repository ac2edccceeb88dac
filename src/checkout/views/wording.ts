import type { ChannelCode, FieldFault, FieldName, RejectionReason, TestCard } from './model.ts';

type Line = (value: string) => string;

/** All words of the checkout in one language. */
export type Texts = {
  readonly request: string;
  readonly print: string;
  readonly back: string;
  readonly pay: {
    readonly title: Line;
    readonly amountDue: string;
    readonly dueOn: string;
    readonly afterwards: (day: string, amount: string) => string;
    readonly missed: Line;
    readonly payer: string;
    readonly concept: string;
    readonly reference: string;
    readonly items: string;
    readonly amount: string;
    readonly choose: string;
    readonly faultSummary: string;
    readonly faultTitle: string;
    readonly noChannels: string;
    /** In the other language: the button that goes on in it, with what was typed. */
    readonly goOnInOther: string;
  };
  readonly channels: Readonly<
    Record<ChannelCode, { readonly name: string; readonly note: string }>
  >;
  readonly fields: Readonly<Record<FieldName, { readonly label: string; readonly hint?: string }>>;
  readonly chooseProvince: string;
  readonly faults: Readonly<Record<FieldFault, string>>;
  readonly card: {
    readonly chooseInstallments: string;
    readonly oneInstallment: Line;
    readonly installments: (count: number, amount: string, total: string) => string;
    /** Where count times amount is not quite the total. */
    readonly rounded: (count: number, amount: string, total: string) => string;
    readonly accepted: string;
    readonly submitIn: (amount: string, count: number) => string;
    readonly detected: string;
    readonly whichBrand: string;
    readonly notAccepted: string;
    readonly submitCredit: string;
    readonly submit: Line;
    readonly sending: string;
  };
  readonly elsewhere: { readonly submit: Line; readonly note: string };
  readonly frame: {
    readonly title: string;
    /** The card that was handed over; null: that was not told of it. */
    readonly handed: (brand: string | null, lastFour: string | null) => string;
    readonly another: string;
    /** In browsers without scripts, where the form works in them, and where not. */
    readonly useFirst: string;
    readonly needsScripts: string;
    readonly late: string;
  };
  readonly action: {
    readonly title: Readonly<Record<'redirect' | 'frame' | 'show_qr', string>>;
    readonly lead: Readonly<Record<'redirect' | 'frame' | 'show_qr', Line>>;
    readonly frame: string;
    readonly goOn: string;
    readonly done: string;
    readonly callOff: string;
  };
  readonly debin: {
    readonly submit: Line;
    readonly note: string;
    /** While it waits at the payer's bank: instead of the words for other channels. */
    readonly pending: { readonly title: string; readonly lead: Line; readonly wait: string };
  };
  readonly qr: {
    readonly image: string;
    readonly steps: readonly string[];
    readonly samePhone: string;
    readonly save: string;
    readonly text: string;
  };
  readonly transfer: {
    readonly cvu: string;
    readonly alias: string;
    readonly holder: string;
    readonly holderCuit: string;
    readonly exact: Line;
  };
  readonly code: {
    readonly company: string;
    readonly code: string;
    readonly banelcoSteps: readonly string[];
    readonly linkSteps: readonly string[];
  };
  readonly cash: {
    readonly open: string;
    readonly where: Line;
    readonly image: string;
    readonly digits: string;
    readonly large: string;
    readonly largeNote: string;
    readonly close: string;
    readonly fullScreen: string;
  };
  readonly copy: string;
  readonly copied: string;
  readonly sandbox: {
    readonly simulate: string;
    readonly simulateNote: string;
    readonly cards: string;
    readonly cardsNote: string;
    readonly outcome: Readonly<Record<TestCard['outcome'], string>>;
    readonly number: string;
    readonly brand: string;
    readonly result: string;
  };
  readonly receipt: {
    readonly title: string;
    readonly lead: Line;
    readonly amount: string;
    readonly date: string;
    readonly channel: string;
    readonly card: Line;
    readonly installments: string;
    readonly authorization: string;
    readonly day: string;
    readonly pdf: string;
    readonly settled: string;
  };
  readonly rejected: {
    readonly title: string;
    readonly lead: string;
    readonly again: string;
    readonly reasons: Readonly<Record<RejectionReason, string>>;
  };
  readonly paused: {
    readonly title: string;
    readonly lead: string;
    readonly until: Line;
    readonly noMore: Line;
    readonly others: string;
  };
  readonly pending: {
    readonly title: string;
    readonly lead: Line;
    readonly wait: string;
    readonly refresh: string;
    readonly again: string;
  };
  readonly paid: {
    readonly title: string;
    readonly lead: string;
    readonly on: Line;
    readonly receipt: string;
    readonly partTitle: string;
    readonly part: (paid: string, due: string, rest: string) => string;
    readonly askPart: Line;
    readonly over: (paid: string, due: string, excess: string) => string;
    readonly askOver: Line;
  };
  readonly expired: { readonly title: string; readonly lead: Line; readonly ask: Line };
  readonly closed: { readonly title: string; readonly lead: string; readonly ask: Line };
  readonly notFound: { readonly title: string; readonly lead: string; readonly ask: string };
  readonly error: {
    readonly title: string;
    readonly busy: string;
    readonly failed: string;
    readonly too_many: string;
    readonly unavailable: string;
    readonly unreadable: string;
    readonly again: string;
    readonly requestId: string;
  };
};
