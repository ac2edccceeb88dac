import { catalog } from '../../language/catalog.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const texts = catalog(
  { en, es },
  {
    pay: {
      title: { issuer: 'text' },
      missed: { day: 'text' },
      afterwards: { day: 'text', amount: 'text' },
    },
    card: {
      oneInstallment: { amount: 'text' },
      installments: { count: 'count', amount: 'text', total: 'text' },
      rounded: { count: 'count', amount: 'text', total: 'text' },
      cost: { rate: 'text' },
      submitIn: { amount: 'text', count: 'count' },
      submit: { amount: 'text' },
    },
    elsewhere: { submit: { amount: 'text' } },
    frame: { endingIn: { lastFour: 'text' } },
    action: { lead: { amount: 'text' } },
    debin: { submit: { amount: 'text' }, pending: { lead: { amount: 'text' } } },
    transfer: { exact: { amount: 'text' } },
    cash: { where: { networks: 'text' } },
    receipt: { lead: { issuer: 'text' }, card: { lastFour: 'text' } },
    paused: { until: { moment: 'text' }, noMore: { issuer: 'text' } },
    pending: { lead: { amount: 'text' } },
    paid: {
      on: { day: 'text' },
      part: { paid: 'text', due: 'text', rest: 'text' },
      askPart: { issuer: 'text' },
      over: { paid: 'text', due: 'text', excess: 'text' },
      askOver: { issuer: 'text' },
    },
    closed: { ask: { issuer: 'text' } },
    expired: { lead: { day: 'text' }, ask: { issuer: 'text' } },
  },
);
