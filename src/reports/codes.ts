import { declareRefusals } from '../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { fault, refusal, ...refusals } = declareRefusals(
  {
    'report.future': {
      kind: 'field',
      parameters: { today: 'day' },
      help: 'A later day has nothing to tell yet.',
    },
    'report.account_busy': {
      kind: 'unavailable',
      parameters: { reports: 'count' },
      help: 'One account has half of the places. Repeat the call when a report is read to its end.',
    },
    'report.busy': {
      kind: 'unavailable',
      parameters: { reports: 'count' },
      help: 'Repeat the call in a moment.',
    },
  },
  { en, es },
);
