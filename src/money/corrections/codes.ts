import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, ...refusals } = declareRefusals(
  {
    'correction.reference_taken': {
      kind: 'conflict',
      parameters: { reference: 'text', amount: 'money' },
      help: 'A reference belongs to one correction. Use another reference, or send the same amount.',
    },
    'correction.takes_two': {
      kind: 'conflict',
      parameters: { above: 'money' },
      help: 'The amount is above `CORRECTION_APPROVAL_ABOVE` in either direction, or a proposal with the reference waits for approval.',
    },
    'correction.posted_before': {
      kind: 'conflict',
      parameters: { reference: 'text' },
      help: 'The books already have the correction, so reject the proposal.',
    },
  },
  { en, es },
);
