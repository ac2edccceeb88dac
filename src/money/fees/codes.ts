import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, ...refusals } = declareRefusals(
  {
    'fees.not_percentage': {
      kind: 'field',
      parameters: {},
      help: 'The value is not a number, is above 100 or has too many decimals. Omit the percent sign.',
    },
    'fees.past': {
      kind: 'invalid',
      parameters: { from: 'day', today: 'day' },
      field: 'from',
      help: 'A payment keeps the fee of its day. Choose today or a later day.',
    },
    'fees.nothing_to_end': {
      kind: 'conflict',
      parameters: { from: 'day' },
      help: 'From that day on, the account has no special terms for the channel.',
    },
  },
  { en, es },
);
