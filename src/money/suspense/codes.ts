import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, ...refusals } = declareRefusals(
  {
    'suspense.forged': {
      kind: 'conflict',
      parameters: { id: 'count' },
      help: 'Somebody changed the database without the service. The operator looks into it before money moves.',
    },
    'suspense.request_in_process': {
      kind: 'conflict',
      parameters: { state: 'text' },
      help: 'A debit is under way; assigning the money now could collect twice.',
    },
    'suspense.recorded_before': {
      kind: 'conflict',
      parameters: { account: 'text' },
      help: 'The account has the payment already: return the money in suspense.',
    },
    'suspense.resolved': {
      kind: 'conflict',
      parameters: { id: 'count', outcome: 'text' },
      help: 'Somebody decided on it meanwhile. Read it.',
    },
    'suspense.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong: list the money in suspense.',
    },
  },
  { en, es },
);
