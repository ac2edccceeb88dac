import { declareRefusals } from '../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, ...refusals } = declareRefusals(
  {
    'calendar.after_last_year': {
      kind: 'invalid',
      parameters: {},
      help: 'Years have four digits. Use an earlier day, or fewer days.',
    },
  },
  { en, es },
);
