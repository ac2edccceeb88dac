import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, ...refusals } = declareRefusals(
  {
    'dispute.other_charge': {
      kind: 'conflict',
      parameters: { name: 'text' },
      help: 'A dispute belongs to one charge, and this id already identifies a dispute of another one. Use a different id for each dispute.',
    },
  },
  { en, es },
);
