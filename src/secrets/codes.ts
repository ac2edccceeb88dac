import { declareRefusals } from '../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, ...refusals } = declareRefusals(
  {
    'secrets.rotating': {
      kind: 'conflict',
      parameters: { purpose: 'text' },
      help: 'Two rotations at once would leave an unused key. Wait for the other one to finish.',
    },
  },
  { en, es },
);
