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
      help: 'One account can have at most half of the long reports that each process runs at a time. Read them one after another.',
    },
    'report.busy': {
      kind: 'unavailable',
      parameters: { reports: 'count' },
      help: 'Each process runs few long reports at a time, because each occupies a database connection (`DATABASE_POOL`). Retry the call in a moment.',
    },
  },
  { en, es },
);
