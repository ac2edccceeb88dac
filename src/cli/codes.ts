import { declareRefusals } from '../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, ...refusals } = declareRefusals(
  {
    'connector.not_configured': {
      kind: 'not_found',
      parameters: { name: 'text' },
      help: 'Correct the name, or add the connector to `CONNECTORS`.',
    },
    'connector.none_configured': {
      kind: 'not_found',
      parameters: {},
      help: 'Set `CONNECTORS`.',
    },
    'connector.day_to_come': {
      kind: 'conflict',
      parameters: { today: 'day' },
      help: 'A day can be reconciled once it has begun.',
    },
    'calendar.day_too_far': {
      kind: 'conflict',
      parameters: { years: 'count' },
      help: 'Correct the year of the day.',
    },
    'calendar.day_long_past': {
      kind: 'conflict',
      parameters: { years: 'count' },
      help: 'Correct the year of the day. Nothing that is still scheduled depends on such a day.',
    },
    'database.partly_distributable': {
      kind: 'conflict',
      parameters: {},
      help: '`docs/explanation/scaling.md` lists what works on a distributed database.',
    },
    'payout.files_differ': {
      kind: 'conflict',
      parameters: { files: 'text' },
      help: 'The command never overwrites a file that has other content. Find out why it differs before money moves.',
    },
  },
  { en, es },
);
