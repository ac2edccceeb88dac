import { catalog } from '../language/catalog.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

const amountAt = { amount: 'money', at: 'moment' } as const;
const run = { no: 'count', submit: 'day', amount: 'money', day: 'day' } as const;
const ended = { ...amountAt, ended: 'moment' } as const;
const file = { id: 'count', name: 'text', rail: 'text', day: 'day' } as const;
const said = { outcome: 'text', amount: 'money' } as const;
const delivery = { type: 'text', url: 'text', tries: 'count' } as const;

export const lifeTexts = catalog(
  { en, es },
  {
    title: { kind: 'text', id: 'text' },
    head: {
      asks: { payer: 'text', amount: 'money', day: 'day', description: 'text' },
      second: { amount: 'money', day: 'day' },
      account: { account: 'text' },
      reference: { reference: 'text' },
      qr: { id: 'text' },
      mandate: { id: 'text' },
      imported: { id: 'count', name: 'text', row: 'text' },
      state: { state: 'text' },
      why: { why: 'text' },
    },
    step: { what: 'text', channel: 'text', amount: 'text', by: 'text', connector: 'text' },
    stepChannel: { channel: 'text' },
    stepAmount: { amount: 'money' },
    stepConnector: { name: 'text' },
    reason: { words: 'text' },
    moved: { from: 'text', to: 'text' },
    mail: { recipient: 'text' },
    by: { user: { name: 'text' }, rail: { name: 'text' } },
    byOperator: { name: 'text' },
    runs: { waiting: run, submitted: run, done: run, code: { code: 'text' } },
    refunds: { requested: amountAt, done: ended, failed: ended },
    disputes: amountAt,
    disputeTaken: { amount: 'money' },
    disputeConnector: { connector: 'text', name: 'text' },
    journal: { id: 'text', kind: 'text', lines: 'text' },
    line: { account: 'text', amount: 'money' },
    seals: { sealed: { no: 'text', at: 'moment' } },
    faults: {
      forged: { journal: 'text' },
      unbalanced: { journal: 'text' },
      unsealed: { journal: 'text' },
      figures: { journal: 'text', result: 'text' },
      missing: { result: 'text' },
      repeated: { result: 'text' },
    },
    payouts: {
      sent: { reference: 'text', amount: 'money', released: 'money' },
      returned: { reference: 'text', amount: 'money' },
    },
    files: {
      line: { ...file, line: 'text', ...said },
      heard: { rail: 'text', day: 'day', ...said },
      sent: file,
      sentOut: { day: 'day' },
    },
    deliveries: delivery,
    answers: { status: { status: 'text' }, error: { error: 'text' } },
    leftOut: {
      events: { count: 'count' },
      results: { count: 'count' },
      deliveries: { count: 'count' },
    },
  },
);
