import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, ...refusals } = declareRefusals(
  {
    'plan.not_counts': {
      kind: 'field',
      parameters: {},
      help: 'Send `all`, `none`, or counts such as `1,3,6`.',
    },
    'plan.none': {
      kind: 'invalid',
      parameters: { brand: 'text' },
      help: 'The service has no plans for this brand, so none can be enabled. Choose another brand.',
    },
    'plan.unknown': {
      kind: 'invalid',
      parameters: { brand: 'text', wrong: 'text', known: 'text' },
      help: 'Choose among the installment counts that the message lists.',
    },
  },
  { en, es },
);
