import { declareRefusals } from '../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { fault, refusal, ...refusals } = declareRefusals(
  {
    'report.future': {
      kind: 'field',
      parameters: { today: 'day' },
      help: 'A future day has no data yet.',
    },
    'report.account_busy': {
      kind: 'unavailable',
      parameters: { reports: 'count' },
      help: 'One account can read at most half of the reports that run at a time. Retry when one has ended.',
    },
    'report.busy': {
      kind: 'unavailable',
      parameters: { reports: 'count' },
      help: 'Retry the call in a moment.',
    },
  },
  { en, es },
);
