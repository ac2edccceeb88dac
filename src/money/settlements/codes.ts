import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, ...refusals } = declareRefusals(
  {
    'settlement.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong. List the settlements.',
    },
  },
  { en, es },
);
